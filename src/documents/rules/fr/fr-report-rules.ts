/**
 * The rules of French e-reports: issuer, period, payments. Each rule names its source; `passes` and `fails` are
 * examples that a test runs and the manual shows.
 */

import { isSiren } from '../../../model/identifiers.ts';
import type { RulePack } from '../../../model/rule.ts';
import { isCountry, meantCountry } from '../../code-lists/countries.ts';
import { listAt, textAt, valueAt } from '../../content/json-pointer.ts';
import { digitRule, type Visit } from '../check-digit-rules.ts';
import { offering } from '../rule-faults.ts';
import { type Rule, rulePack } from '../rule-pack.ts';
import { type ReportView, viewReport } from '../views/report-view.ts';
import { isNumberUpTo, paymentRules } from './fr-payment-rules.ts';

const AT_IDENTIFIER = ['/issuer/identifier'];

function identifier(view: ReportView, visit: Visit): void {
  visit(view.identifierType, view.identifier, () => '/issuer/identifier');
}

/** The identifier of the issuer and its type. */
const issuer: readonly Rule<ReportView>[] = [
  digitRule({
    id: 'FR-REP-2c',
    code: 'fr-report/siren-check-digit',
    at: AT_IDENTIFIER,
    formula: 'Luhn over the nine digits',
    source: 'python-stdnum fr.siren; existence is checked by the platform (DGFiP G1.65)',
    profiles: ['fr-2026'],
    unless: { field: ['FR-REP-2'] },
    passes: { set: { '/issuer/identifier': '732829320' } },
    fails: { set: { '/issuer/identifier': '732829321' } },
    type: 'siren',
    valid: isSiren,
    walk: identifier,
  }),
  {
    id: 'FR-REP-1',
    code: 'fr-report/unusable-identifier',
    severity: 'error',
    at: ['/document/identifier'],
    formula: '[A-Za-z0-9 +-_/], 1 to 50, no blank at either end, no two blanks in a row',
    source: 'DGFiP G1.104',
    profiles: ['fr-2026'],
    passes: { set: { '/document/identifier': 'ER 2026/10' } },
    fails: { set: { '/document/identifier': 'ER  2026.10' } },
    test: ({ payload }, broken) => {
      const value = valueAt(payload, ['document', 'identifier']);
      if (typeof value === 'string' && value !== '' && !isNumberUpTo(50, value)) broken('/document/identifier');
    },
  },
  {
    id: 'FR-REP-1b',
    code: 'fr-report/missing-field',
    severity: 'error',
    at: ['/document/identifier', '/document/date'],
    source: 'DGFiP flow 10: a transmission has its number and its moment',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/document/date': null } },
    test: ({ payload }, broken) => {
      const number = valueAt(payload, ['document', 'identifier']) ?? '';
      if (number === '') broken('/document/identifier', { field: 'document.identifier' });
      if (textAt(payload, 'document', 'date') === undefined) broken('/document/date', { field: 'document.date' });
    },
  },
  {
    id: 'FR-REP-2d',
    code: 'fr-report/unknown-country',
    severity: 'error',
    at: ['/issuer/address/country'],
    source: 'DGFiP G2.01',
    profiles: ['fr-2026'],
    passes: { set: { '/issuer/address/country': 'DE' } },
    fails: { set: { '/issuer/address/country': 'fr' } },
    test: ({ payload }, broken) => {
      const country = textAt(payload, 'issuer', 'address', 'country');
      if (country !== undefined && !isCountry(country)) {
        broken('/issuer/address/country', offering(meantCountry(country)));
      }
    },
  },
  {
    id: 'FR-REP-2',
    code: 'fr-report/declarant-is-no-siren',
    severity: 'error',
    at: ['/issuer/identifier', '/issuer/identifier-type'],
    formula: '[0-9]{9}',
    source: 'DGFiP G6.26, G7.52',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/issuer/identifier': '732 829 320' } },
    test: ({ identifier, identifierType }, broken) => {
      if (identifierType !== 'siren') broken('/issuer/identifier-type');
      else if (identifier === undefined || !/^\d{9}$/.test(identifier)) broken('/issuer/identifier');
    },
  },
  {
    id: 'FR-REP-2b',
    code: 'fr-report/no-role',
    severity: 'warning',
    at: ['/issuer/additional-types'],
    source: 'DGFiP G7.52; the field that carries it is not shown in the contract',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/issuer/additional-types': null } },
    test: ({ payload }, broken) => {
      const roles = ['issuer', 'document'].flatMap((block) => listAt(payload, block, 'additional-types'));
      const type = textAt(payload, 'issuer', 'type');
      if (![type, ...roles.map((one) => textAt(one, 'value'))].some((role) => role === 'SE' || role === 'BY')) {
        broken('/issuer/additional-types');
      }
    },
  },
];

/** The period has two ends in their order. */
const period: readonly Rule<ReportView>[] = [
  {
    id: 'FR-WIRE-3',
    code: 'fr-report/period-order',
    severity: 'warning',
    at: ['/document/period/end-date'],
    formula: 'end-date > start-date',
    source: 'french-invoicing 2.3',
    profiles: ['wire'],
    passes: { set: {} },
    fails: { set: { '/document/period/end-date': '2020-01-01T00:00:00' } },
    // Both without zone and in one format, so their order as text is their order in time.
    test: ({ start, end }, broken) => {
      if (start && end && end <= start) broken('/document/period/end-date');
    },
  },
  {
    id: 'FR-REP-3',
    code: 'fr-report/period-order',
    severity: 'error',
    at: ['/document/period/end-date', '/document/period/start-date'],
    formula: 'day of end-date > day of start-date',
    source: 'DGFiP G6.25',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: {
      set: { '/document/period/start-date': '2026-10-03T00:00:00', '/document/period/end-date': '2026-10-03T23:59:59' },
    },
    test: ({ start, end }, broken) => {
      if (!start) broken('/document/period/start-date');
      else if (!end) broken('/document/period/end-date');
      if (start && end && end.slice(0, 10) <= start.slice(0, 10)) broken('/document/period/end-date');
    },
  },
];

/** The day that decides which rules are in force is the end of the period. */
export const frReportRules: RulePack = rulePack(viewReport, [...issuer, ...period, ...paymentRules]);
