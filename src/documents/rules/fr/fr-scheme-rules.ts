/**
 * Schemes of the identifiers of the parties of a French invoice: each once, and what a value of the scheme looks like.
 */
import { hasDigits } from '../../../model/identifiers.ts';
import { repeated } from '../duplicate-keys.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import type { Typed } from '../views/party-view.ts';

const LIST = ['/issuer/identifiers/*', '/receiver/identifiers/*', '/additional-parties/*/identifiers/*'];
const AT_VALUE = LIST.map((at) => `${at}/value`);

/** Scheme of identifiers that two companies agreed on (ISO 6523). */
const PRIVATE = '0224';
const LONGEST_PRIVATE = 100;
const SIGNS = /^[A-Za-z0-9+\-_.]+$/;
/** Schemes of which a value is a SIREN: the company, and the group that pays VAT as one. */
const SIRENS: ReadonlySet<string> = new Set(['siren', '0002', '0231']);

/** Uniqueness and form; fr-identifier-rules checks digits. */
export const schemeRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-PTY-10',
    code: 'fr-invoice/scheme-twice',
    severity: 'error',
    at: AT_VALUE,
    source: 'BR-FR-CO-10',
    profiles: ['fr-2026'],
    passes: { set: { '/issuer/identifiers/2': { type: '0088', value: '3012345678900' } } },
    fails: { set: { '/issuer/identifiers/2': { type: 'siren', value: '404833048' } } },
    test: ({ parties }, broken) => {
      for (const { identifiers } of parties) {
        if (identifiers.length < 2) continue;
        for (const one of repeated(identifiers, schemeOf)) broken(one.at);
      }
    },
  },
  {
    id: 'FR-PTY-10b',
    code: 'fr-invoice/no-scheme',
    severity: 'error',
    at: AT_VALUE,
    source: 'BR-FR-CO-10',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/receiver/identifiers/2': { value: 'K-1007' } } },
    test: ({ parties }, broken) => {
      for (const { identifiers } of parties) {
        for (const one of identifiers) if (one.value !== undefined && one.type === undefined) broken(one.at);
      }
    },
  },
  {
    id: 'FR-PTY-11',
    code: 'fr-invoice/private-identifier',
    severity: 'error',
    at: AT_VALUE,
    formula: 'A-Z a-z 0-9 + - _ . ; length ≤ 100',
    source: 'BR-FR-24, BR-FR-26',
    profiles: ['fr-2026'],
    passes: { set: { '/receiver/identifiers/2': { type: PRIVATE, value: 'K-1007.A' } } },
    fails: { set: { '/receiver/identifiers/2': { type: PRIVATE, value: 'K 1007' } } },
    test: ({ parties }, broken) => {
      for (const { identifiers } of parties) {
        for (const one of identifiers) {
          const { type, value } = one;
          if (type !== PRIVATE || value === undefined) continue;
          if (value.length > LONGEST_PRIVATE || !SIGNS.test(value)) broken(one.at);
        }
      }
    },
  },
  {
    id: 'FR-PTY-12',
    code: 'fr-invoice/siren-digits',
    severity: 'error',
    at: AT_VALUE,
    formula: 'identifiers of type siren or 0231 (VAT group): nine digits',
    source: 'BR-FR-32; DGFiP G1.101',
    profiles: ['fr-2026'],
    unless: { field: ['FR-PTY-2', 'FR-PTY-3', 'FR-PTY-4'] },
    passes: { set: {} },
    fails: {
      set: { '/additional-parties': [{ name: 'Affacturage', identifiers: [{ type: 'siren', value: '732 829 320' }] }] },
    },
    test: ({ parties }, broken) => {
      for (const { identifiers } of parties) {
        for (const one of identifiers) {
          const { type, value } = one;
          if (type === undefined || value === undefined || !SIRENS.has(type)) continue;
          if (!hasDigits(value, 9)) broken(one.at);
        }
      }
    },
  },
];

/** The type is the scheme; undefined without a value. */
function schemeOf({ type, value }: Typed): string | undefined {
  return value === undefined ? undefined : type;
}
