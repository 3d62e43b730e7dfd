/** The rules of French e-reports. */

import { isFrenchVat, isSiren, isSiret } from '../../model/identifiers.ts';
import type { RulePack } from '../../model/rule.ts';
import { digitRule, type Visit } from './check-digits.ts';
import { type Rule, rulePack } from './pack.ts';
import { type ReportView, viewReport } from './report-view.ts';

const AT_IDENTIFIER = ['/issuer/identifier'];

function identifier(view: ReportView, visit: Visit): void {
  visit(view.identifierType, view.identifier, () => '/issuer/identifier');
}

const issuer: readonly Rule<ReportView>[] = [
  digitRule({
    id: 'FR-REP-2a',
    code: 'fr-report/siren-check-digit',
    name: { en: 'SIREN', fr: 'SIREN', es: 'SIREN' },
    at: AT_IDENTIFIER,
    formula: 'Luhn over the nine digits',
    source: 'python-stdnum fr.siren; existence is checked by the platform (DGFiP G1.65)',
    profiles: ['fr-2026'],
    passes: { set: { '/issuer/identifier': '732829320' } },
    fails: { set: { '/issuer/identifier': '732829321' } },
    type: 'siren',
    valid: isSiren,
    walk: identifier,
  }),
  digitRule({
    id: 'FR-REP-2b',
    code: 'fr-report/siret-check-digit',
    name: { en: 'SIRET', fr: 'SIRET', es: 'SIRET' },
    at: AT_IDENTIFIER,
    formula: 'Luhn over the fourteen digits; of La Poste the sum of the digits is a multiple of five',
    source: 'python-stdnum fr.siret',
    profiles: ['fr-2026'],
    passes: { set: { '/issuer/identifier-type': 'siret', '/issuer/identifier': '73282932000074' } },
    fails: { set: { '/issuer/identifier-type': 'siret', '/issuer/identifier': '73282932000015' } },
    type: 'siret',
    valid: isSiret,
    walk: identifier,
  }),
  digitRule({
    id: 'FR-REP-2c',
    code: 'fr-report/vat-check-digit',
    name: { en: 'French VAT number', fr: 'numéro de TVA français', es: 'número de IVA francés' },
    at: AT_IDENTIFIER,
    formula: 'key = (12 + 3 × (SIREN mod 97)) mod 97; keys with letters cannot be verified',
    source: 'GOBL regimes/fr tax identity',
    profiles: ['fr-2026'],
    passes: { set: { '/issuer/identifier-type': 'vat', '/issuer/identifier': 'FR44732829320' } },
    fails: { set: { '/issuer/identifier-type': 'vat', '/issuer/identifier': 'FR45732829320' } },
    type: 'vat',
    valid: isFrenchVat,
    walk: identifier,
  }),
];

const period: readonly Rule<ReportView>[] = [
  {
    id: 'FR-WIRE-3',
    code: 'fr-report/period-order',
    says: {
      en: 'the period has to end after it starts',
      fr: 'la période doit finir après son début',
      es: 'el período debe terminar después de su inicio',
    },
    hint: {
      en: 'compare start-date and end-date; a single day runs from 00:00:00 to 23:59:59',
      fr: 'comparez start-date et end-date ; une seule journée va de 00:00:00 à 23:59:59',
      es: 'compare start-date y end-date; un solo día va de 00:00:00 a 23:59:59',
    },
    severity: 'warning',
    at: ['/document/period/end-date'],
    formula: 'end-date > start-date',
    source: 'french-invoicing 2.3',
    profiles: ['wire', 'fr-2026'],
    passes: { set: {} },
    fails: { set: { '/document/period/end-date': '2020-01-01T00:00:00' } },
    // Both without zone and in one format, so their order as text is their order in time.
    test: ({ start, end }, broken) => {
      if (start && end && end <= start) broken('/document/period/end-date');
    },
  },
];

export const frReportRules: RulePack = rulePack(viewReport, [...issuer, ...period]);
