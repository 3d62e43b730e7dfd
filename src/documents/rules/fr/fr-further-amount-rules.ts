/**
 * Rules of the amounts that a French invoice may give once more: VAT on a line, terms of payment, totals in another
 * currency. Each is compared with the amounts that the other rules prove. Each rule names its source; `passes` and `fails`
 * are examples that a test runs.
 */

import { Decimal } from '../../../model/decimal.ts';
import { decimalAt, listAt, textAt } from '../../content/json-pointer.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import { effectiveRate } from '../views/line-view.ts';
import { TotalsView } from '../views/totals-view.ts';
import { sumOf } from './fr-stated-rules.ts';

const HUNDRED = Decimal.from(100);
const CENT = Decimal.from(0.01);
const ONE = Decimal.from(1);
const TERMS = '/agreements/*/terms/*/amount';
const ALTERNATE = '/alternate-totals';
const OTHER_SUBTOTALS = `${ALTERNATE}/*/subtotals/*`;

/** None of these amounts has to be there. */
export const furtherAmountRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-TOT-3c',
    code: 'fr-invoice/vat-mismatch',
    severity: 'error',
    at: ['/lines/*/taxes/*/amount'],
    formula: '|amount − round2(net-amount × percent / 100)| ≤ 0.01, for the VAT of the line',
    source: 'an inference: no rule of EN 16931 has the amount, but buyers check it',
    profiles: ['fr-2026'],
    unless: { block: ['FR-VAT-1', 'FR-VAT-2b', 'FR-VAT-3'], part: ['FR-LIN-4'] },
    passes: { set: { '/lines/0/taxes/0/amount': 20.99 } },
    fails: { set: { '/lines/0/taxes/0/amount': 9999 } },
    test: ({ lines }, broken) => {
      for (const { net, vat } of lines) {
        if (!vat?.amount || !net) continue;
        const rate = effectiveRate(vat);
        const expected = rate && net.times(rate).dividedBy(HUNDRED)?.round(2);
        if (!expected || expected.equals(vat.amount)) continue;
        const off = vat.amount.minus(expected);
        if (off.abs().compare(CENT) > 0) broken(`${vat.at}/amount`, { expected: expected.toText(2) }, off);
      }
    },
  },
  {
    id: 'FR-TOT-12b',
    code: 'fr-invoice/payable-mismatch',
    severity: 'error',
    at: [TERMS],
    formula:
      'payment terms: none above what is to be paid, and Σ amount or one amount = what is to be paid, the final amount or that of the agreement; or each amount = its percent of that, or the rest; 0.01 off is accepted',
    source: 'EN 16931 BR-CO-16 (BT-115); that the terms carry it is an inference',
    profiles: ['fr-2026'],
    unless: { document: ['FR-TOT-6', 'FR-TOT-10'] },
    passes: { set: termsOf(100, 122.59) },
    fails: { set: termsOf(100, 120) },
    test: ({ agreements, header, totals }, broken) => {
      if (agreements.length === 0 || totals.due === undefined) return;
      const payments = agreements.flatMap((one, i) => {
        const isPayment = (textAt(one, 'type') ?? 'payment') === 'payment';
        if (!isPayment || (textAt(one, 'currency') ?? header.currency) !== header.currency) return [];
        const terms = listAt(one, 'terms').map((term, j) => ({
          at: `/agreements/${i}/terms/${j}/amount`,
          amount: decimalAt(term, 'amount'),
          percent: decimalAt(term, 'percent'),
        }));
        return [{ whole: decimalAt(one, 'amount'), terms }];
      });
      const { due, final } = totals;
      const expected = due.toText(2);
      const ofAll = [due, final].filter((one) => one !== undefined);
      const own = payments.flatMap(({ whole, terms }) => (whole && terms.length > 0 ? [{ whole, terms }] : []));
      const hasOwn = payments.length > 1 && own.length === payments.length;
      // Several agreements that share the amount: the terms of each one share its part.
      const judged = hasOwn
        ? own.map(({ whole, terms }) => wrongTerms([terms], whole.equals(due) ? [whole, ...ofAll] : [whole]))
        : [
            wrongTerms(
              payments.map(({ terms }) => terms),
              [...ofAll, ...payments.flatMap(({ whole }) => whole ?? [])],
            ),
          ];
      for (const { at } of judged.flat()) broken(at, { expected });
    },
  },
  {
    id: 'FR-TOT-19',
    code: 'fr-invoice/total-mismatch',
    severity: 'error',
    at: [
      `${ALTERNATE}/*/final-amount`,
      `${OTHER_SUBTOTALS}/amount`,
      `${OTHER_SUBTOTALS}/subtotals/*/taxable-amount`,
      `${OTHER_SUBTOTALS}/subtotals/*/amount`,
    ],
    formula:
      'alternate-totals = totals × one rate of exchange, to the cent per subtotal; the same amounts in the currency of the document',
    source: 'an inference: two currencies of one document say the same amounts',
    profiles: ['fr-2026'],
    unless: { document: ['FR-TOT-6'] },
    passes: { set: { [ALTERNATE]: [{ currency: 'CHF', 'final-amount': 211.46, subtotals: converted(178.9, 32.56) }] } },
    fails: { set: { [ALTERNATE]: [{ currency: 'CHF', 'final-amount': 9999, subtotals: converted(178.9, 32.56) }] } },
    test: ({ header, payload, totals }, broken) => {
      listAt(payload, 'alternate-totals').forEach((one, i) => {
        const other = new TotalsView({ payload: { totals: one }, lines: [] });
        const pairs = pairsOf(totals, other);
        const rate = textAt(one, 'currency') === header.currency ? SAME : rateOf(pairs);
        if (!rate) return;
        const parts = 1 + other.subtotals.length + other.perRate.length;
        for (const { at, own, given } of pairs) {
          const off = given.times(rate.own).minus(own.times(rate.given)).abs();
          const tolerance = CENT.times(Decimal.from(parts)).times(rate.own.abs().plus(own.abs()));
          if (off.compare(rate === SAME ? Decimal.zero : tolerance) > 0) {
            broken(`${ALTERNATE}/${i}${at.slice('/totals'.length)}`);
          }
        }
      });
    },
  },
];

type Term = { readonly at: string; readonly amount: Decimal | undefined; readonly percent: Decimal | undefined };

/** The terms of agreements that share none of the amounts `wholes`: those above all of them, else the first one. */
function wrongTerms(parts: readonly (readonly Term[])[], wholes: readonly Decimal[]): readonly Term[] {
  const all = parts.flat();
  const asked = all.flatMap(({ at, amount, percent }) => (amount ? [{ at, amount, percent }] : []));
  const isWhole = (sum: Decimal) => wholes.some((one) => one.equals(sum));
  const isAbove = (amount: Decimal) => wholes.every((one) => amount.abs().compare(one.abs()) > 0);
  const above = asked.filter(({ amount }) => isAbove(amount));
  if (above.length > 0 || asked.some(({ amount }) => isWhole(amount))) return above;
  if (asked.every((one) => wholes.some((whole) => isShare(one, whole)))) return [];
  const isRight = asked.length < all.length ? !isAbove(sumOf(asked)) : [all, ...parts].map(sumOf).some(isWhole);
  return isRight ? [] : asked.slice(0, 1);
}

/** One amount in both currencies; `at` in the totals that it was read from. */
type Pair = { readonly at: string; readonly own: Decimal; readonly given: Decimal };

const SAME = { own: ONE, given: ONE };

/** What both have. */
function pairsOf(totals: TotalsView, other: TotalsView): readonly Pair[] {
  const found: Pair[] = [];
  const see = (at: string, own: Decimal | undefined, given: Decimal | undefined) => {
    if (own && given) found.push({ at, own, given });
  };
  see('/totals/final-amount', totals.final, other.final);
  see(`${other.net?.at}/amount`, totals.net?.amount, other.net?.amount);
  see(`${other.tax?.at}/amount`, totals.tax?.amount, other.tax?.amount);
  for (const one of other.perRate) {
    const own = totals.perRate.find(({ rateKey }) => rateKey === one.rateKey);
    see(`${one.at}/taxable-amount`, own?.taxable, one.taxable);
    see(`${one.at}/amount`, own?.amount, one.amount);
  }
  return found;
}

/**
 * The rate of exchange, as an amount in both currencies: that of which the others are nearest, so that one wrong amount is
 * reported and not all others. Undefined where nothing can be compared.
 */
function rateOf(pairs: readonly Pair[]): Pair | undefined {
  const sorted = pairs.filter(({ own }) => !own.isZero()).toSorted((a, b) => ratioOrder(a, b));
  return sorted[Math.floor(sorted.length / 2)];
}

/** By what one unit of the document's currency is worth. */
function ratioOrder(a: Pair, b: Pair): number {
  const order = a.given.times(b.own).compare(b.given.times(a.own));
  return a.own.units < 0 === b.own.units < 0 ? order : -order;
}

/** The percent of the term, or what a discount of it leaves. */
function isShare(
  { amount, percent }: { readonly amount: Decimal; readonly percent: Decimal | undefined },
  whole: Decimal,
): boolean {
  const share = percent && whole.times(percent).dividedBy(HUNDRED);
  if (!share) return false;
  return [share, whole.minus(share)].some((one) => one.minus(amount).abs().compare(CENT) <= 0);
}

function termsOf(...amounts: readonly number[]): { readonly [at: string]: object } {
  return { '/agreements': [{ type: 'payment', terms: amounts.map((amount) => ({ type: 'instalment', amount })) }] };
}

function converted(net: number, tax: number): readonly object[] {
  return [
    { type: 'lines-net-amount', amount: net },
    { type: 'tax', amount: tax },
  ];
}
