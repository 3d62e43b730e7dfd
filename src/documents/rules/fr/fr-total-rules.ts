/**
 * Rules of the sums of a French invoice (FR-TOT), exact to the cent. A tolerance exists only on the tax side, and the
 * rule names it. Each rule names its source; `passes` and `fails` are examples that a test runs.
 */
import { Decimal } from '../../../model/decimal.ts';
import { textAt, valueAt } from '../../content/json-pointer.ts';
import { repeated } from '../duplicate-keys.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import type { SubtotalView, TotalsView } from '../views/totals-view.ts';

const CENT = Decimal.from(0.01);
const NESTED = '/totals/subtotals/*/subtotals/*';
/** `unless` names the rules that explain a break, so that a person reads the cause only. */
export const totalRules: readonly Rule<InvoiceView>[] = [
  {
    // The usage pattern of the contract, tested where the document keeps to it: one net subtotal, one of taxes.
    id: 'FR-WIRE-2',
    code: 'fr-invoice/total-mismatch',
    severity: 'warning',
    at: ['/totals/final-amount'],
    formula: 'final-amount = lines-net-amount + tax',
    source: 'french-invoicing 2.2',
    profiles: ['wire'],
    passes: { set: {} },
    fails: { set: { '/totals/final-amount': 222.6 } },
    test: ({ totals: { final, net, tax, subtotals } }, broken) => {
      if (subtotals.length !== 2 || subtotals.some(({ sign = 'positive' }) => sign !== 'positive')) return;
      const expected = net?.amount && tax?.amount ? net.amount.plus(tax.amount) : undefined;
      if (final && expected && !final.equals(expected)) broken('/totals/final-amount');
    },
  },
  {
    id: 'FR-TOT-1',
    code: 'fr-invoice/net-sum-mismatch',
    severity: 'error',
    at: ['/totals/subtotals/*/amount'],
    formula: 'lines-net-amount = round2(Σ net-amount)',
    source: 'EN 16931 BR-CO-10',
    profiles: ['fr-2026'],
    unless: { amount: ['FR-LIN-4'] },
    passes: { set: {} },
    fails: { set: { '/totals/subtotals/0/amount': 188.31 } },
    test: ({ lines, totals: { net } }, broken) => {
      if (!net?.amount || lines.length === 0) return;
      let sum = Decimal.zero;
      for (const line of lines) {
        if (line.net === undefined) return;
        sum = sum.plus(line.net);
      }
      const expected = sum.round(2);
      if (!expected.equals(net.amount)) {
        broken(`${net.at}/amount`, { expected: sum.toText(2) }, net.amount.minus(expected));
      }
    },
  },
  {
    id: 'FR-TOT-2',
    code: 'fr-invoice/base-mismatch',
    severity: 'error',
    at: [`${NESTED}/taxable-amount`],
    formula:
      'taxable-amount = Σ net-amount of the lines with the same treatment and rate − Σ discounts + Σ charges of the document at that rate; 0.01 off for each of them is accepted; only what says before-taxes: false is left out',
    source: 'EN 16931 BR-S-08, BR-Z-08, BR-E-08, BR-AE-08, BR-IC-08, BR-G-08, BR-O-08; EXTENDED-CTC-FR BR-FREXT-S-08',
    profiles: ['fr-2026'],
    unless: {
      document: ['FR-LIN-1', 'FR-LIN-1b', 'FR-VAT-1', 'FR-VAT-2b', 'FR-VAT-3', 'FR-VAT-8'],
      amount: ['FR-LIN-4', 'FR-TOT-1', 'FR-TOT-7b'],
    },
    passes: { set: { '/totals/subtotals/1/subtotals/0/taxable-amount': 164.96 } },
    fails: { set: { '/totals/subtotals/1/subtotals/0/taxable-amount': 164.94 } },
    test: ({ totals }, broken) => {
      const { tax, rates } = totals;
      if (!tax || !rates) return;
      for (const one of tax.nested) {
        const rate = rates.get(one.rateKey);
        const expected = (rate ?? Decimal.zero).round(2);
        const off = one.taxable?.minus(expected);
        if (!off || off.isZero()) continue;
        const amounts = rate ? totals.amountsAt(one.rateKey) : 0;
        if (off.abs().compare(CENT.times(Decimal.from(amounts))) > 0) {
          broken(`${one.at}/taxable-amount`, { expected: expected.toText(2) }, off);
        }
      }
    },
  },
  {
    id: 'FR-TOT-3',
    code: 'fr-invoice/vat-mismatch',
    severity: 'error',
    at: [`${NESTED}/amount`],
    formula:
      '|amount − round2(taxable-amount × percent / 100)| ≤ 0.01 × lines, discounts and charges at the rate; halves round away from zero',
    source: 'EN 16931 BR-CO-17, BR-S-09; EXTENDED-CTC-FR BR-S-09',
    profiles: ['fr-2026'],
    unless: { block: ['FR-VAT-1', 'FR-VAT-2b', 'FR-VAT-3', 'FR-TOT-2'] },
    passes: { set: { '/totals/subtotals/1/subtotals/0/amount': 32.98 } },
    fails: { set: { '/totals/subtotals/1/subtotals/0/amount': 32.9 } },
    test: ({ totals }, broken) => {
      eachOff(totals, (one, off, expected, lines) => {
        if (off.abs().compare(CENT.times(Decimal.from(lines))) > 0)
          broken(`${one.at}/amount`, { expected: expected.toText(2) }, off);
      });
    },
  },
  {
    id: 'FR-TOT-3b',
    code: 'fr-invoice/vat-rounding',
    severity: 'warning',
    at: [`${NESTED}/amount`],
    formula:
      'amount = round2(taxable-amount × percent / 100); not reported where totals: { standard: { gross: ... } } makes the amount',
    source: 'EN 16931 BR-CO-17',
    profiles: ['fr-2026'],
    unless: { block: ['FR-VAT-1', 'FR-TOT-2'] },
    passes: { set: {} },
    fails: {
      set: {
        '/totals/subtotals/1/subtotals/0/amount': 32.98,
        '/totals/subtotals/1/amount': 34.26,
        '/totals/final-amount': 222.58,
      },
    },
    test: ({ totals, isTaxFromGross }, broken) => {
      // The total that the ERP asked for is kept to the cent: there is nothing to calculate in another way.
      if (isTaxFromGross) return;
      eachOff(totals, (one, off, expected, lines) => {
        if (off.abs().compare(CENT.times(Decimal.from(lines))) <= 0) {
          broken(`${one.at}/amount`, { expected: expected.toText(2) }, off);
        }
      });
    },
  },
  {
    id: 'FR-TOT-4',
    code: 'fr-invoice/vat-sum-mismatch',
    severity: 'error',
    at: ['/totals/subtotals/*/amount'],
    formula: 'tax = Σ amount of the rates',
    source: 'EN 16931 BR-CO-14',
    profiles: ['fr-2026'],
    unless: { document: ['FR-TOT-7b'], amount: ['FR-TOT-3', 'FR-TOT-3b'] },
    passes: { set: {} },
    fails: { set: { '/totals/subtotals/1/amount': 34.28 } },
    test: ({ totals: { tax } }, broken) => {
      if (!tax?.amount || tax.nested.length === 0) return;
      const expected = sumOf(tax.nested, 'amount');
      if (expected && !expected.equals(tax.amount)) {
        broken(`${tax.at}/amount`, { expected: expected.toText(2) }, tax.amount.minus(expected));
      }
    },
  },
  {
    id: 'FR-TOT-5',
    code: 'fr-invoice/bases-mismatch',
    severity: 'error',
    at: ['/totals/subtotals/*/subtotals'],
    formula: '|Σ taxable-amount − net| ≤ 0.01, discounts and charges on the document included in net',
    source: 'DGFiP G1.53',
    profiles: ['fr-2026'],
    unless: { document: ['FR-TOT-7b'], amount: ['FR-TOT-1', 'FR-TOT-2'] },
    passes: { set: { '/totals/subtotals/1/subtotals/0/taxable-amount': 164.98 } },
    fails: {
      set: {
        '/lines/0/taxes': [
          { type: 'vat', percent: 20 },
          { type: 'vat', percent: 20 },
        ],
        '/totals/subtotals/1/subtotals/0/taxable-amount': 164.9,
      },
    },
    test: ({ totals: { net, tax, adjustments } }, broken) => {
      if (!net?.amount || !tax || tax.nested.length === 0 || !adjustments) return;
      const found = sumOf(tax.nested, 'taxable');
      const expected = net.amount.plus(adjustments);
      if (!found) return;
      const off = found.minus(expected);
      if (off.abs().compare(CENT) <= 0) return;
      broken(`${tax.at}/subtotals`, { found: found.toText(2), expected: expected.toText(2) }, off);
    },
  },
  {
    id: 'FR-TOT-6',
    code: 'fr-invoice/total-mismatch',
    severity: 'error',
    at: ['/totals/final-amount'],
    formula:
      'final-amount = lines-net-amount + discounts and charges on the document + tax; amounts after taxes, such as a deposit, are all in it or none is',
    source: 'EN 16931 BR-CO-13, BR-CO-15; french-invoicing 2.2',
    profiles: ['fr-2026'],
    unless: { amount: ['FR-TOT-1', 'FR-TOT-3', 'FR-TOT-4'] },
    passes: { set: {} },
    fails: { set: { '/totals/final-amount': 222.6 } },
    test: ({ totals: { final, net, tax, adjustments, afterTaxes } }, broken) => {
      if (!final || !net?.amount || !tax?.amount || !adjustments) return;
      const expected = net.amount.plus(adjustments).plus(tax.amount);
      if (expected.equals(final) || (afterTaxes && expected.plus(afterTaxes).equals(final))) return;
      broken('/totals/final-amount', { expected: expected.toText(2) }, final.minus(expected));
    },
  },
  {
    id: 'FR-TOT-6b',
    code: 'fr-invoice/no-final-amount',
    severity: 'error',
    at: ['/totals/final-amount'],
    source: 'EN 16931 BR-14',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/totals/final-amount': null } },
    test: ({ payload }, broken) => {
      if (valueMissing(payload)) broken('/totals/final-amount');
    },
  },
  {
    id: 'FR-TOT-7',
    code: 'fr-invoice/totals-shape',
    severity: 'warning',
    at: [
      '/totals/subtotals',
      '/totals/subtotals/*',
      '/totals/subtotals/*/before-taxes',
      '/totals/subtotals/*/sign',
      `${NESTED}/percent`,
    ],
    source: 'french-invoicing 2.2, as seen in use',
    profiles: ['fr-2026'],
    unless: { field: ['FR-TOT-14', 'FR-TOT-15'] },
    passes: { set: {} },
    fails: { set: { '/totals/subtotals/0/before-taxes': false } },
    test: ({ totals: { net, tax } }, broken) => {
      if (!net) broken('/totals/subtotals', { what: 'lines-net-amount × 1' });
      if (!tax) broken('/totals/subtotals', { what: 'tax × 1' });
      for (const [one, before] of [
        [net, true],
        [tax, false],
      ] as const) {
        if (one && one.beforeTaxes !== undefined && one.beforeTaxes !== before) {
          broken(`${one.at}/before-taxes`, { what: `${one.type} ${before}` });
        }
      }
      for (const one of [net, tax]) {
        if (one?.sign !== undefined && one.sign !== 'positive')
          broken(`${one.at}/sign`, { what: `${one.type} positive` });
      }
      if (tax && tax.nested.length === 0) broken(tax.at, { what: 'tax subtotals' });
      for (const { at, percent } of repeated(tax?.nested ?? [], ({ rateKey }) => rateKey)) {
        broken(`${at}/percent`, { what: percent?.toText() ?? '-' });
      }
    },
  },
  {
    id: 'FR-TOT-7b',
    code: 'fr-invoice/rate-not-in-totals',
    severity: 'error',
    at: ['/totals/subtotals', '/totals/subtotals/*/subtotals'],
    source: 'EN 16931 BR-CO-18, BR-S-01, BR-Z-01, BR-E-01, BR-AE-01, BR-IC-01, BR-G-01, BR-O-01',
    profiles: ['fr-2026'],
    unless: { field: ['FR-TOT-15'], document: ['FR-LIN-1b', 'FR-VAT-1', 'FR-VAT-2b', 'FR-VAT-3', 'FR-VAT-8'] },
    passes: { set: {} },
    fails: { set: { '/totals/subtotals/1/subtotals/1': null } },
    test: ({ totals: { subtotals, tax, rates } }, broken) => {
      if (!rates || (!tax && subtotals.some(({ type }) => type === 'tax'))) return;
      const stated = new Set(tax?.nested.map(({ rateKey }) => rateKey));
      for (const [key, net] of rates) {
        if (!stated.has(key)) broken(tax ? `${tax.at}/subtotals` : '/totals/subtotals', { percent: key.trim() }, net);
      }
    },
  },
  {
    id: 'FR-TOT-8',
    code: 'fr-invoice/negative-credit-note',
    severity: 'warning',
    at: ['/totals/final-amount'],
    source: 'EN 16931, example ubl-tc434-creditnote1; negative amounts belong to a negative invoice or corrective',
    profiles: ['fr-2026'],
    passes: { class: 'credit-note', set: {} },
    fails: { class: 'credit-note', set: { '/totals/final-amount': -222.59 } },
    test: ({ class: documentClass, totals: { final } }, broken) => {
      if (documentClass === 'credit-note' && final !== undefined && final.units < 0) broken('/totals/final-amount');
    },
  },
];

function valueMissing(payload: InvoiceView['payload']): boolean {
  const value = valueAt(payload, ['totals', 'final-amount']);
  return value === undefined || value === null || (typeof value === 'string' && textAt(value) === undefined);
}

/** `off` is the difference, `amounts` the number of amounts that may have been rounded. */
type SeeOff = (one: SubtotalView, off: Decimal, expected: Decimal, amounts: number) => void;

/**
 * Where VAT is off: by how much, what it should be, and how many amounts at the rate may have been rounded, at least
 * one.
 */
function eachOff(totals: TotalsView, see: SeeOff): void {
  for (const one of totals.tax?.nested ?? []) {
    const { amount, owed } = one;
    if (!amount || !owed || amount.equals(owed)) continue;
    see(one, amount.minus(owed), owed, totals.amountsAt(one.rateKey));
  }
}

/** Undefined if one of the entries has no such amount. */
function sumOf(rates: readonly SubtotalView[], field: 'amount' | 'taxable'): Decimal | undefined {
  let sum = Decimal.zero;
  for (const one of rates) {
    const value = one[field];
    if (value === undefined) return undefined;
    sum = sum.plus(value);
  }
  return sum;
}
