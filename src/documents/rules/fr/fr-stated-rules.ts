/**
 * Totals that a French invoice states next to its final amount (totals.additional-info) and the amounts of its payment
 * agreements: what the buyer pays. Nothing is asked for that is not stated, except what the stated totals need.
 */
import { Decimal } from '../../../model/decimal.ts';
import type { Example } from '../../../model/rule.ts';
import { decimalAt, textAt } from '../../content/json-pointer.ts';
import { decimalsWithin, digitsWithin } from '../decimal-rules.ts';
import { offering } from '../rule-faults.ts';
import type { Report, Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import { expectedDue } from '../views/stated-view.ts';
import type { SubtotalView } from '../views/totals-view.ts';

const STATED_AT = ['/totals/additional-info/*/value'];
/** If one of these is stated, the totals of EN 16931 are stated, and the amount to pay is part of them. */
const ASKS_FOR_PAYABLE = ['tax-exclusive-amount', 'prepaid-amount', 'rounding-amount'] as const;
/** Each stated total is compared with what the document adds up to. */
export const statedRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-TOT-9',
    code: 'fr-invoice/stated-total-mismatch',
    severity: 'error',
    at: STATED_AT,
    formula: 'tax-exclusive-amount = lines-net-amount − discounts + charges on the document',
    source: 'EN 16931 BR-CO-13',
    profiles: ['fr-2026'],
    unless: { amount: ['FR-TOT-1'] },
    passes: { set: stated('tax-exclusive-amount', '188.32', '222.59') },
    fails: { set: stated('tax-exclusive-amount', '188.30', '222.59') },
    test: ({ totals }, broken) => {
      if (!totals.stated['tax-exclusive-amount']) return;
      const { net, adjustments } = totals;
      if (net?.amount && adjustments) holds(totals, 'tax-exclusive-amount', net.amount.plus(adjustments), broken);
    },
  },
  {
    id: 'FR-TOT-9b',
    code: 'fr-invoice/stated-total-mismatch',
    severity: 'error',
    at: STATED_AT,
    formula:
      'discounts-amount = Σ subtotals of sign negative, charges-amount = Σ of sign positive; net, taxes and what comes after the taxes left out',
    source: 'EN 16931 BR-CO-11, BR-CO-12',
    profiles: ['fr-2026'],
    passes: { set: stated('discounts-amount', '0', '222.59') },
    fails: { set: stated('discounts-amount', '5', '222.59') },
    test: ({ totals }, broken) => {
      const { stated: all } = totals;
      if (!all['discounts-amount'] && !all['charges-amount']) return;
      const others = totals.others.filter(({ isAfterTaxes }) => !isAfterTaxes);
      if (others.some(({ amount }) => amount === undefined)) return;
      const [less, more] = [others.filter(isDiscount), others.filter((one) => !isDiscount(one))];
      holds(totals, 'discounts-amount', sumOf(less), broken);
      holds(totals, 'charges-amount', sumOf(more), broken);
    },
  },
  {
    id: 'FR-TOT-10',
    code: 'fr-invoice/payable-mismatch',
    severity: 'error',
    at: STATED_AT,
    formula: 'payable-amount = final-amount − prepaid-amount + rounding-amount',
    source: 'EN 16931 BR-CO-16',
    profiles: ['fr-2026'],
    unless: { amount: ['FR-TOT-6'] },
    passes: { set: stated('prepaid-amount', '100', '122.59') },
    fails: { set: stated('prepaid-amount', '100', '222.59') },
    test: ({ totals }, broken) => {
      if (!totals.stated['payable-amount']) return;
      const expected = expectedDue(totals.final, totals.stated);
      if (expected) holds(totals, 'payable-amount', expected, broken);
    },
  },
  {
    id: 'FR-TOT-10b',
    code: 'fr-invoice/no-payable-amount',
    severity: 'error',
    at: ['/totals/additional-info'],
    formula: `payable-amount where one of ${ASKS_FOR_PAYABLE.join(', ')} is stated`,
    source: 'EN 16931 BR-15',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/totals/additional-info': [{ key: 'prepaid-amount', value: '100' }] } },
    test: ({ totals: { stated: all } }, broken) => {
      if (all['payable-amount'] === undefined && ASKS_FOR_PAYABLE.some((key) => all[key])) {
        broken('/totals/additional-info');
      }
    },
  },
  {
    id: 'FR-TOT-11',
    code: 'fr-invoice/stated-total-format',
    severity: 'error',
    at: STATED_AT,
    source: 'BR-FR-DEC-01 (BT-107 to BT-109, BT-113 to BT-115)',
    profiles: ['fr-2026'],
    unless: { field: ['FR-TOT-9', 'FR-TOT-9b', 'FR-TOT-10'] },
    passes: { set: stated('tax-exclusive-amount', '188.320', '222.59') },
    fails: { set: stated('tax-exclusive-amount', '188,32', '222.59') },
    test: ({ totals: { stated: all } }, broken) => {
      for (const { at, amount } of Object.values(all)) {
        if (amount === undefined) broken(at);
        else {
          let isLong = false;
          const see = () => (isLong = true);
          decimalsWithin(2, amount, at, see);
          digitsWithin(19, amount, at, see);
          if (isLong) broken(at);
        }
      }
    },
  },
  {
    id: 'FR-TOT-11b',
    code: 'fr-invoice/stated-total-twice',
    severity: 'error',
    at: STATED_AT,
    source: 'BT-107 to BT-109 and BT-113 to BT-115 of EN 16931 occur once',
    profiles: ['fr-2026'],
    passes: { set: twice('222.59', '222.59') },
    fails: { set: twice('222.59', '9999') },
    test: ({ totals: { stated: all } }, broken) => {
      for (const [key, one] of Object.entries(all)) for (const at of one.others) broken(at, { key });
    },
  },
  {
    id: 'FR-TOT-12',
    code: 'fr-invoice/payable-mismatch',
    severity: 'error',
    at: ['/agreements/*/amount'],
    formula: 'agreements of type payment: each amount = what is to be paid, or Σ amount = what is to be paid',
    source: 'EN 16931 BR-CO-16 (BT-115); that the agreement carries it is an inference',
    profiles: ['fr-2026'],
    unless: { document: ['FR-TOT-6', 'FR-TOT-10'] },
    passes: {
      set: {
        '/agreements': [
          { type: 'payment', amount: 100 },
          { type: 'payment', amount: 122.59 },
        ],
      },
    },
    fails: { set: { '/agreements': [{ type: 'payment', amount: 220 }] } },
    test: ({ agreements, header, totals }, broken) => {
      if (agreements.length === 0) return;
      const { due } = totals;
      if (due === undefined) return;
      const asked = agreements.flatMap((one, i) => {
        const amount = decimalAt(one, 'amount');
        const currency = textAt(one, 'currency') ?? header.currency;
        const isPayment = (textAt(one, 'type') ?? 'payment') === 'payment' && currency === header.currency;
        return amount && isPayment ? [{ amount, at: `/agreements/${i}/amount` }] : [];
      });
      const [first] = asked;
      if (!first || asked.every(({ amount }) => amount.equals(due))) return;
      const sum = sumOf(asked);
      if (!sum.equals(due)) broken(first.at, { expected: due.toText(2) }, sum.minus(due));
    },
  },
  {
    id: 'FR-TOT-13',
    code: 'fr-invoice/no-reason',
    severity: 'error',
    at: ['/totals/subtotals/*/reason'],
    formula: 'subtotals before taxes other than lines-net-amount: code or words',
    source: 'EN 16931 BR-33, BR-38',
    profiles: ['fr-2026'],
    passes: { set: discounted({ description: 'Remise de fin d’année' }) },
    fails: { set: discounted() },
    test: ({ totals: { others } }, broken) => {
      for (const { at, isAfterTaxes, reason } of others) {
        if (isAfterTaxes) continue;
        if ((textAt(reason, 'identifier') ?? textAt(reason, 'description')) === undefined) broken(`${at}/reason`);
      }
    },
  },
];

/** Breaks if the total is stated and differs. */
function holds(
  { stated: all }: InvoiceView['totals'],
  key: keyof InvoiceView['totals']['stated'],
  expected: Decimal,
  broken: Report,
): void {
  const one = all[key];
  if (!one?.amount || one.amount.equals(expected)) return;
  const text = expected.toText(2);
  broken(one.at, { expected: text, ...offering(text) }, one.amount.minus(expected));
}

/** A negative sign makes a subtotal a discount, any other a charge. */
function isDiscount({ sign }: SubtotalView): boolean {
  return sign === 'negative';
}

/** A missing amount adds nothing. */
export function sumOf(parts: readonly { readonly amount: Decimal | undefined }[]): Decimal {
  return parts.reduce((sum, { amount = Decimal.zero }) => sum.plus(amount), Decimal.zero);
}

/** The total, and the amount to pay. */
function stated(key: string, value: string, payable: string): Example['set'] {
  return {
    '/totals/additional-info': [
      { key, value },
      { key: 'payable-amount', value: payable },
    ],
  };
}

/** The amount to pay, given twice. */
function twice(...payable: readonly [string, string]): Example['set'] {
  return { '/totals/additional-info': payable.map((value) => ({ key: 'payable-amount', value })) };
}

/** A discount on the document, which its totals take account of. */
function discounted(reason?: object): Example['set'] {
  const tax = { type: 'tax', class: 'vat', subtype: 'standard', percent: 20 };
  const discount = {
    type: 'discount',
    class: 'net',
    'before-taxes': true,
    sign: 'negative',
    amount: 10,
    subtotals: [tax],
  };
  return {
    '/totals/subtotals/2': reason ? { ...discount, reason } : discount,
    '/totals/subtotals/1/subtotals/0/taxable-amount': 154.97,
    '/totals/subtotals/1/subtotals/0/amount': 30.99,
    '/totals/subtotals/1/amount': 32.27,
    '/totals/final-amount': 210.59,
  };
}
