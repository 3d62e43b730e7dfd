/**
 * Rules of the lines of a French invoice (FR-LIN): parts, numbers, lengths of amounts, prices, products, reasons. Each
 * rule names its source; `passes` and `fails` are examples that a test runs and the manual shows.
 */
import { Decimal } from '../../../model/decimal.ts';
import type { Json } from '../../../model/draft.ts';
import { isChargeReason, isDiscountReason } from '../../code-lists/reason-codes.ts';
import { isUnit } from '../../code-lists/unit-codes.ts';
import { TAXED } from '../../code-lists/vat-rates.ts';
import { decimalAt, textAt, valueAt } from '../../content/json-pointer.ts';
import { decimalsWithin, digitsWithin } from '../decimal-rules.ts';
import { repeated } from '../duplicate-keys.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import type { LineView } from '../views/line-view.ts';

/** What a line has to carry (EN 16931 BR-21 to BR-26, BR-CO-04). */
const PARTS = ['number', 'description', 'quantity', 'unit', 'unit-price', 'net-amount', 'taxes'] as const;
const RATE = 'taxes/*/percent';

/** Lists of a line that change its net amount. */
const ALTERATIONS = ['discounts', 'charges'] as const;

/** Every field whose decimals and digits are limited. */
const AMOUNTS = [
  ...['quantity', 'unit-price', 'net-amount', 'taxes/*/percent', 'taxes/*/amount'].map((field) => `/lines/*/${field}`),
  ...ALTERATIONS.flatMap((kind) => [`/lines/*/${kind}/*/amount`, `/lines/*/${kind}/*/percent`]),
  '/totals/final-amount',
  ...['amount', 'taxable-amount', 'percent'].flatMap((field) => [
    `/totals/subtotals/*/${field}`,
    `/totals/subtotals/*/subtotals/*/${field}`,
  ]),
];

/** `test` gets the view of the invoice and reports each place that breaks the rule. */
export const lineRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-LIN-1',
    code: 'fr-invoice/no-lines',
    severity: 'error',
    at: ['/lines'],
    source: 'EN 16931 BR-16',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/lines': [] } },
    test: ({ lines }, broken) => {
      if (lines.length === 0) broken('/lines');
    },
  },
  {
    id: 'FR-LIN-1b',
    code: 'fr-invoice/line-incomplete',
    severity: 'error',
    at: [...PARTS, RATE].map((part) => `/lines/*/${part}`),
    formula: 'the standard treatment also needs the rate',
    source: 'EN 16931 BR-21 to BR-26, BR-CO-04; the rate: BT-152',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/lines/0/unit-price': null } },
    test: ({ lines }, broken) => {
      for (const line of lines) {
        if (line.isComplete) continue;
        for (const part of PARTS) if (isMissing(line, part)) broken(`${line.at}/${part}`, { field: part });
        for (const tax of line.taxes) {
          if (tax.percent === undefined && TAXED.has(tax.subtype ?? '')) {
            broken(`${tax.at}/percent`, { field: 'taxes.percent' });
          }
        }
      }
    },
  },
  {
    id: 'FR-LIN-1c',
    code: 'fr-invoice/line-number-twice',
    severity: 'error',
    at: ['/lines/*/number'],
    source: 'EN 16931 BT-126; that numbers are unique is an inference',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/1/number': '10' } },
    fails: { set: { '/lines/1/number': '1' } },
    test: ({ lines }, broken) => {
      for (const { at } of repeated(lines, ({ number }) => number)) broken(`${at}/number`);
    },
  },
  {
    id: 'FR-LIN-2',
    code: 'fr-invoice/too-many-decimals',
    severity: 'error',
    at: AMOUNTS,
    formula: 'quantity at most 4, unit price 6, amounts 2, rates 2 decimals',
    source: 'BR-FR-DEC-01 to DEC-04; DGFiP G1.14 to G1.16',
    profiles: ['fr-2026'],
    unless: {
      field: [
        'FR-LIN-4',
        'FR-VAT-1',
        'FR-VAT-2b',
        'FR-TOT-1',
        'FR-TOT-2',
        'FR-TOT-3',
        'FR-TOT-3b',
        'FR-TOT-4',
        'FR-TOT-6',
      ],
    },
    passes: { set: { '/lines/0/quantity': 12.5 } },
    fails: { set: { '/lines/0/quantity': 12.50001 } },
    test: ({ longAmounts }, broken) => {
      for (const { decimals, value, at } of longAmounts) decimalsWithin(decimals, value, at, broken);
    },
  },
  {
    id: 'FR-LIN-2b',
    code: 'fr-invoice/too-many-digits',
    severity: 'error',
    at: AMOUNTS,
    formula: 'at most 19 digits, rates 4',
    source: 'BR-FR-DEC-01 to DEC-04; DGFiP G1.14 to G1.16',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/0/taxes/0/percent': 20 } },
    fails: { set: { '/lines/0/taxes/0/percent': 20000 } },
    test: ({ longAmounts }, broken) => {
      for (const { digits, value, at } of longAmounts) digitsWithin(digits, value, at, broken);
    },
  },
  {
    id: 'FR-LIN-3',
    code: 'fr-invoice/negative-price',
    severity: 'error',
    at: ['/lines/*/unit-price'],
    formula: 'unit-price ≥ 0',
    source: 'EN 16931 BR-27; BR-FR-DEC-03',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/lines/0/unit-price': -8.4 } },
    test: ({ lines }, broken) => {
      for (const line of lines) {
        if (line.unitPrice !== undefined && line.unitPrice.units < 0) broken(`${line.at}/unit-price`);
      }
    },
  },
  {
    id: 'FR-LIN-4',
    code: 'fr-invoice/line-product',
    severity: 'warning',
    at: ['/lines/*/net-amount'],
    formula: 'net-amount = round2(quantity × unit-price) − Σ discounts + Σ charges',
    source: 'GOBL bill/line_calculate; no rule of EN 16931, but buyers check it',
    profiles: ['fr-2026'],
    unless: { block: ['FR-LIN-3'] },
    passes: {
      set: {
        '/lines/0/discounts': [{ amount: 5, reason: { description: 'Remise' } }],
        '/lines/0/net-amount': 100,
        '/lines/0/taxes/0/amount': 20,
      },
    },
    fails: { set: { '/lines/0/unit-price': 8.5 } },
    test: ({ lines }, broken) => {
      for (const line of lines) {
        const expected = product(line);
        if (expected && line.net && !expected.equals(line.net)) {
          broken(`${line.at}/net-amount`, { expected: expected.toText(2) }, line.net.minus(expected));
        }
      }
    },
  },
  {
    id: 'FR-LIN-5',
    code: 'fr-invoice/no-reason',
    severity: 'error',
    at: ALTERATIONS.map((kind) => `/lines/*/${kind}/*/reason`),
    source: 'EN 16931 BR-42, BR-44',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/0/discounts': [{ amount: 0, reason: { description: 'Remise' } }] } },
    fails: { set: { '/lines/0/discounts': [{ amount: 0 }] } },
    test: ({ lines }, broken) => {
      for (const line of lines) {
        for (const kind of ALTERATIONS) {
          line[kind].forEach((one, i) => {
            const reason = textAt(one, 'reason', 'identifier') ?? textAt(one, 'reason', 'description');
            if (reason === undefined) broken(`${line.at}/${kind}/${i}/reason`);
          });
        }
      }
    },
  },
  {
    id: 'FR-LIN-5b',
    code: 'fr-invoice/unknown-reason-code',
    severity: 'error',
    at: [...ALTERATIONS.map((kind) => `/lines/*/${kind}/*/reason/identifier`), '/totals/subtotals/*/reason/identifier'],
    source: 'EN 16931 BR-CL-19, BR-CL-20; EXTENDED-CTC-FR BR-FREXT-CL-20',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/0/discounts': [{ amount: 0, reason: { identifier: '95' } }] } },
    fails: { set: { '/lines/0/discounts': [{ amount: 0, reason: { identifier: 'REM10' } }] } },
    test: ({ lines, totals }, broken) => {
      for (const line of lines) {
        // Nearly no line has one.
        if (line.discounts.length + line.charges.length === 0) continue;
        for (const kind of ALTERATIONS) {
          const isKnown = kind === 'discounts' ? isDiscountReason : isChargeReason;
          line[kind].forEach((one, n) => {
            const code = textAt(one, 'reason', 'identifier');
            if (code !== undefined && !isKnown(code)) broken(`${line.at}/${kind}/${n}/reason/identifier`);
          });
        }
      }
      for (const { at, sign, reason } of totals.others) {
        const code = textAt(reason, 'identifier');
        const isKnown = sign === 'negative' ? isDiscountReason : isChargeReason;
        if (code !== undefined && !isKnown(code)) broken(`${at}/reason/identifier`);
      }
    },
  },
  {
    id: 'FR-LIN-6',
    code: 'fr-invoice/unknown-unit',
    severity: 'error',
    at: ['/lines/*/unit'],
    source: 'EN 16931 BR-CL-23',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/0/unit': 'KGM' } },
    fails: { set: { '/lines/0/unit': 'PCE' } },
    test: ({ lines }, broken) => {
      for (const line of lines) if (line.unit !== undefined && !isUnit(line.unit)) broken(`${line.at}/unit`);
    },
  },
];

/** A value of another type is not missing: its shape reports it. */
function isMissing({ line, taxes }: LineView, part: (typeof PARTS)[number]): boolean {
  if (part === 'taxes') return taxes.length === 0;
  const value = valueAt(line, [part]);
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** The net amount that quantity, price, discounts and charges give; undefined if a part is missing. */
function product({ quantity, unitPrice, discounts, charges }: LineView): Decimal | undefined {
  if (quantity === undefined || unitPrice === undefined) return undefined;
  const gross = quantity.times(unitPrice).round(2);
  if (discounts.length === 0 && charges.length === 0) return gross;
  const [less, more] = [sumOf(discounts), sumOf(charges)];
  return less && more ? gross.minus(less).plus(more) : undefined;
}

/** Undefined if one of them has no amount. */
function sumOf(alterations: readonly Json[]): Decimal | undefined {
  let sum = Decimal.zero;
  for (const one of alterations) {
    const amount = decimalAt(one, 'amount');
    if (!amount) return undefined;
    sum = sum.plus(amount);
  }
  return sum;
}
