/**
 * Parts of a French invoice without which its sums cannot be compared: each place where a view knows no sum breaks one of
 * these rules, so that an unknown amount is reported. Each rule names its source; `passes` and `fails` are examples that a
 * test runs.
 */
import { decimalAt } from '../../content/json-pointer.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import { effectiveRate, type TaxView } from '../views/line-view.ts';
import type { SubtotalView } from '../views/totals-view.ts';

const SUBTOTALS = '/totals/subtotals';
const NESTED = `${SUBTOTALS}/*/subtotals/*`;
const LINE_ALTERATIONS = ['discounts', 'charges'] as const;
const TAX_20 = { type: 'tax', class: 'vat', subtype: 'standard', percent: 20 };
const FREE_OF_CHARGE = {
  ...{ type: 'charge', class: 'net', 'before-taxes': true, sign: 'positive', amount: 0 },
  ...{ reason: { description: 'Port offert' }, subtotals: [TAX_20] },
};

/** Under the French profile a document is refused where one of them is broken. */
export const totalPartRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-TOT-14',
    code: 'fr-invoice/totals-incomplete',
    severity: 'error',
    at: [SUBTOTALS, `${SUBTOTALS}/*/amount`],
    formula: 'exactly one subtotal of type lines-net-amount, with its amount',
    source: 'EN 16931 BR-12',
    profiles: ['fr-2026'],
    passes: { set: { '/totals/subtotals/0/before-taxes': null } },
    fails: { set: { '/totals/subtotals/0/amount': null } },
    test: ({ totals }, broken) => {
      const { net } = totals;
      if (!net) broken(SUBTOTALS);
      else if (!net.amount) broken(`${net.at}/amount`);
    },
  },
  {
    id: 'FR-TOT-15',
    code: 'fr-invoice/totals-incomplete',
    severity: 'error',
    at: [SUBTOTALS, `${SUBTOTALS}/*/amount`],
    formula: 'exactly one subtotal of type tax, with its amount; 0.00 where no tax is charged',
    source: 'EN 16931 BR-CO-14, BR-CO-15, BR-CO-18',
    profiles: ['fr-2026'],
    passes: { set: { '/totals/subtotals/1/before-taxes': null } },
    fails: { set: { '/totals/subtotals/1/amount': null } },
    test: ({ totals }, broken) => {
      const { tax } = totals;
      if (!tax) broken(SUBTOTALS);
      else if (!tax.amount) broken(`${tax.at}/amount`);
    },
  },
  {
    id: 'FR-TOT-16',
    code: 'fr-invoice/totals-incomplete',
    severity: 'error',
    at: [`${NESTED}/taxable-amount`, `${NESTED}/amount`],
    formula: 'each entry per rate has taxable-amount and amount',
    source: 'EN 16931 BR-45, BR-46',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/totals/subtotals/1/subtotals/0/taxable-amount': null } },
    test: ({ totals }, broken) => {
      for (const one of totals.perRate) {
        if (!one.taxable) broken(`${one.at}/taxable-amount`, { field: 'taxable-amount' });
        if (!one.amount) broken(`${one.at}/amount`, { field: 'amount' });
      }
    },
  },
  {
    id: 'FR-TOT-17',
    code: 'fr-invoice/totals-incomplete',
    severity: 'error',
    at: [`${SUBTOTALS}/*/amount`],
    formula: 'each subtotal has its amount: discounts, charges, and what comes after the taxes',
    source: 'EN 16931 BR-31, BR-36',
    profiles: ['fr-2026'],
    passes: { set: { '/totals/subtotals/2': FREE_OF_CHARGE } },
    fails: { set: { '/totals/subtotals/2': { ...FREE_OF_CHARGE, amount: undefined } } },
    test: ({ totals }, broken) => {
      for (const { at, amount } of totals.others) if (!amount) broken(`${at}/amount`);
    },
  },
  {
    id: 'FR-TOT-18',
    code: 'fr-invoice/totals-incomplete',
    severity: 'error',
    at: [`${SUBTOTALS}/*/subtotals`],
    formula:
      'each discount or charge on the document has a nested subtotal with its treatment and rate; without one, the taxable amounts share it in proportion to the nets of the rates, as the discount and charge of totals: { standard: ... } do',
    source: 'EN 16931 BR-32, BR-37',
    profiles: ['fr-2026'],
    passes: { set: { '/totals/subtotals/2': FREE_OF_CHARGE } },
    fails: { set: { '/totals/subtotals/2': { ...FREE_OF_CHARGE, amount: 10, subtotals: [] } } },
    test: ({ totals }, broken) => {
      const unrated = adjustmentsOf(totals.others).filter(({ nested }) => nested.length === 0);
      if (unrated.length === 0 || totals.areShared(unrated)) return;
      for (const { at } of unrated) broken(`${at}/subtotals`);
    },
  },
  {
    id: 'FR-VAT-7',
    code: 'fr-invoice/several-vat',
    severity: 'error',
    at: ['/lines/*/taxes', `${SUBTOTALS}/*/subtotals`],
    formula: 'exactly one of several taxes is VAT (type vat on a line, class vat in the totals)',
    source: 'EN 16931 BR-CO-04, BR-32, BR-37',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/0/taxes/1': { type: 'eco', amount: 0.1 } } },
    fails: { set: { '/lines/0/taxes/1': { type: 'vat', subtype: 'standard', percent: 5.5 } } },
    test: ({ lines, totals }, broken) => {
      for (const { at, taxes, vat } of lines) if (taxes.length > 1 && !vat) broken(`${at}/taxes`);
      for (const { at, nested, vat } of adjustmentsOf(totals.others)) {
        if (nested.length > 1 && !vat) broken(`${at}/subtotals`);
      }
    },
  },
  {
    id: 'FR-VAT-8',
    code: 'fr-invoice/no-vat-rate',
    severity: 'error',
    at: ['/lines/*/taxes/*/percent', `${NESTED}/percent`],
    formula: 'VAT has its rate, unless its treatment is one without VAT',
    source: 'EN 16931 BR-CO-04, BR-32, BR-37, BR-48',
    profiles: ['fr-2026'],
    unless: { field: ['FR-LIN-1b'] },
    passes: { set: {} },
    fails: { set: { '/totals/subtotals/1/subtotals/0/percent': null } },
    test: ({ lines, totals }, broken) => {
      const see = (tax: TaxView | undefined) => {
        if (tax && !effectiveRate(tax)) broken(`${tax.at}/percent`);
      };
      for (const { vat } of lines) see(vat);
      for (const { vat } of adjustmentsOf(totals.others)) see(vat);
      for (const one of totals.perRate) see(one);
    },
  },
  {
    id: 'FR-LIN-7',
    code: 'fr-invoice/line-incomplete',
    severity: 'error',
    at: LINE_ALTERATIONS.map((kind) => `/lines/*/${kind}/*/amount`),
    source: 'EN 16931 BR-41, BR-43',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/0/discounts': [{ amount: 0, reason: { description: 'Remise' } }] } },
    fails: { set: { '/lines/0/discounts': [{ percent: 5, reason: { description: 'Remise' } }] } },
    test: ({ lines }, broken) => {
      for (const line of lines) {
        for (const kind of LINE_ALTERATIONS) {
          line[kind].forEach((one, i) => {
            if (!decimalAt(one, 'amount')) broken(`${line.at}/${kind}/${i}/amount`);
          });
        }
      }
    },
  },
];

/** Discounts and charges on the document: what comes after the taxes has none. */
function adjustmentsOf(others: readonly SubtotalView[]): readonly SubtotalView[] {
  return others.filter(({ isAfterTaxes }) => !isAfterTaxes);
}
