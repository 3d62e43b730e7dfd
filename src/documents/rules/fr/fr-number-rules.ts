/**
 * Rules of the number of a French invoice: present, of the accepted characters, not too long for platforms and portal.
 * A number that a sequence of the ledger gives later (`isOpen`) breaks none of the rules about its text.
 */
import { textAt } from '../../content/json-pointer.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

/** Of numbers, also of those referred to (BR-FR-01, BR-FR-02). */
export const LONGEST_NUMBER = 35;
/** Letters, digits and + - _ / (BR-FR-02). */
export const INVOICE_NUMBER = /^[A-Za-z0-9+\-_/]+$/;

/**
 * The public portal takes 20 characters until it lifts its limit to 35, announced for December 2026 without a day. The
 * last day of that month is used here: a warning that stays too long costs nothing, one that ends too early hides
 * rejections.
 */
const PORTAL_LONGEST = 20;
const PORTAL_LIMIT_UNTIL = '2026-12-31';

const NUMBER_AT = '/document/identifier';

/** Only the ERP can correct a number (`onlyInErp`): it is the number of a tax document. */
export const numberRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-NUM-1',
    code: 'fr-invoice/number-too-long',
    severity: 'error',
    onlyInErp: true,
    at: [NUMBER_AT],
    formula: 'length ≤ 35',
    source: 'BR-FR-01; DGFiP G1.05',
    profiles: ['fr-2026'],
    passes: { set: { [NUMBER_AT]: 'F'.repeat(LONGEST_NUMBER) } },
    fails: { set: { [NUMBER_AT]: 'F'.repeat(LONGEST_NUMBER + 1) } },
    test: ({ header: { number, isOpen } }, broken) => {
      if (number !== undefined && !isOpen && number.length > LONGEST_NUMBER) {
        broken(NUMBER_AT, { length: String(number.length) });
      }
    },
  },
  {
    id: 'FR-NUM-1b',
    code: 'fr-invoice/number-too-long',
    severity: 'warning',
    at: [NUMBER_AT],
    formula: 'length ≤ 20; the limit is announced to go in December 2026, no day is named',
    source: 'DGFiP G1.05 and G1.45, limits of the rule sets of July 2026',
    profiles: ['fr-2026'],
    validTo: PORTAL_LIMIT_UNTIL,
    passes: { set: { [NUMBER_AT]: 'F'.repeat(PORTAL_LONGEST) } },
    fails: { set: { [NUMBER_AT]: 'F'.repeat(PORTAL_LONGEST + 1) } },
    test: ({ header: { number, isOpen } }, broken) => {
      if (number === undefined || isOpen) return;
      if (number.length > PORTAL_LONGEST && number.length <= LONGEST_NUMBER) {
        broken(NUMBER_AT, { length: String(number.length) });
      }
    },
  },
  {
    id: 'FR-NUM-2',
    code: 'fr-invoice/number-characters',
    severity: 'error',
    onlyInErp: true,
    at: [NUMBER_AT],
    formula: 'A-Z a-z 0-9 + - _ / and no blank',
    source: 'BR-FR-01, BR-FR-02',
    profiles: ['fr-2026'],
    passes: { set: { [NUMBER_AT]: 'F-2026/00412_A+1' } },
    fails: { set: { [NUMBER_AT]: 'FA 2026.001' } },
    test: ({ header: { number, isOpen } }, broken) => {
      if (number !== undefined && !isOpen && !INVOICE_NUMBER.test(number))
        broken(NUMBER_AT, { found: strange(number) });
    },
  },
  {
    // Where nothing of the identity is known, the fault about the identity speaks instead.
    id: 'FR-NUM-2b',
    code: 'fr-invoice/missing-field',
    severity: 'error',
    at: [NUMBER_AT, '/document/date'],
    source: 'EN 16931 BR-02, BR-03',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { [NUMBER_AT]: null } },
    test: ({ header, payload }, broken) => {
      if (header.number === undefined && !header.isOpen) broken(NUMBER_AT, { field: 'document.identifier' });
      if (textAt(payload, 'document', 'date') === undefined) broken('/document/date', { field: 'document.date' });
    },
  },
  {
    id: 'FR-NUM-3',
    code: 'fr-invoice/series-and-number',
    severity: 'warning',
    at: ['/document/series'],
    formula: 'series followed by identifier: length ≤ 35, A-Z a-z 0-9 + - _ /',
    source: 'GOBL fr.ctc flow 2, which checks both as one; BR-FR-01, BR-FR-02',
    profiles: ['fr-2026'],
    unless: { document: ['FR-NUM-1'] },
    passes: { set: { '/document/series': 'A-' } },
    fails: { set: { '/document/series': 'Série A' } },
    test: ({ header: { series, number = '', isOpen } }, broken) => {
      if (series === undefined) return;
      const joined = isOpen ? series : `${series}${number}`;
      if (joined.length > LONGEST_NUMBER || !INVOICE_NUMBER.test(series)) broken('/document/series', { joined });
    },
  },
];

/** The characters that do not belong there, each once; blanks by name of their own. */
function strange(number: string): string {
  const found = new Set(Array.from(number).filter((one) => !INVOICE_NUMBER.test(one)));
  return [...found].map((one) => (/\s/.test(one) ? '" "' : one)).join(' ');
}
