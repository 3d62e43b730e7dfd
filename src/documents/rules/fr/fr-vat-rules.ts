/**
 * Rules of the rates and treatments of VAT on a French invoice: rates that France has or had, categories that the
 * platforms accept, and rates that fit the treatment. Amounts of tax are in fr-total-rules.
 */
import { Decimal } from '../../../model/decimal.ts';
import { categoryOf, isForeignCategory } from '../../code-lists/vat-categories.ts';
import { isFrenchRate, looksLikeFraction, RATES_TEXT, TAXED } from '../../code-lists/vat-rates.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

const HUNDRED = Decimal.from(100);
/** Rates are on lines and on the entries of the totals. */
const AT_PERCENT = ['/lines/*/taxes/*/percent', '/totals/subtotals/*/subtotals/*/percent'];
const AT_SUBTYPE = ['/lines/*/taxes/*/subtype', '/totals/subtotals/*/subtotals/*/subtype'];

/** Each looks at all taxes of the document, on lines and in totals. */
export const vatRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-VAT-1',
    code: 'fr-invoice/unknown-vat-rate',
    severity: 'error',
    at: AT_PERCENT,
    source: 'BR-FR-16; DGFiP G1.24',
    profiles: ['fr-2026'],
    unless: { field: ['FR-VAT-2b'] },
    passes: { set: { '/lines/2/taxes/0/percent': 5.5 } },
    fails: { set: { '/lines/2/taxes/0/percent': 19 } },
    test: ({ taxes }, broken) => {
      for (const tax of taxes) {
        if (tax.percent && !isFrenchRate(tax.percent)) broken(`${tax.at}/percent`, { rates: RATES_TEXT });
      }
    },
  },
  {
    id: 'FR-VAT-2b',
    code: 'fr-invoice/vat-rate-is-fraction',
    severity: 'error',
    at: AT_PERCENT,
    source: 'an inference: no French rate is between 0 and 0.5 percent',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/lines/2/taxes/0/percent': 0.055 } },
    test: ({ taxes }, broken) => {
      for (const tax of taxes) {
        const { percent } = tax;
        if (percent && looksLikeFraction(percent)) {
          broken(`${tax.at}/percent`, { percent: percent.times(HUNDRED).toText() });
        }
      }
    },
  },
  {
    id: 'FR-VAT-3',
    code: 'fr-invoice/vat-treatment-mismatch',
    severity: 'error',
    at: AT_SUBTYPE,
    formula: 'standard: percent > 0; zero, exempt, reverse-charge and the like: percent = 0',
    source: 'EN 16931 BR-S-05, BR-E-05, BR-AE-05, BR-G-05',
    profiles: ['fr-2026'],
    unless: { block: ['FR-VAT-1'] },
    passes: { set: {} },
    fails: { set: { '/lines/2/taxes/0/percent': 0 } },
    test: ({ taxes }, broken) => {
      for (const tax of taxes) {
        const { subtype, percent } = tax;
        if (!percent || subtype === undefined) continue;
        const isWrong = (percent.units <= 0 && TAXED.has(subtype)) || (!percent.isZero() && isUntaxed(subtype));
        if (isWrong) broken(`${tax.at}/subtype`);
      }
    },
  },
  {
    id: 'FR-VAT-3b',
    code: 'fr-invoice/unknown-vat-treatment',
    severity: 'warning',
    at: AT_SUBTYPE,
    source: 'french-invoicing 2.2: complete lists are not shown',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/lines/2/taxes/0/subtype': 'reduced' } },
    test: ({ taxes }, broken) => {
      for (const tax of taxes) {
        const { subtype, percent } = tax;
        if (subtype === undefined || subtype === 'standard' || !percent || percent.isZero()) continue;
        if (categoryOf(subtype) === undefined && !isForeignCategory(subtype)) broken(`${tax.at}/subtype`);
      }
    },
  },
  {
    id: 'FR-VAT-3c',
    code: 'fr-invoice/foreign-vat-category',
    severity: 'error',
    at: AT_SUBTYPE,
    formula: 'none of L canary-islands, M ceuta-melilla, B split-payment',
    source: 'BR-FR-15; DGFiP G2.31',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/lines/2/taxes/0/subtype': 'canary-islands' } },
    test: ({ taxes }, broken) => {
      for (const tax of taxes) {
        const { subtype } = tax;
        if (subtype !== undefined && subtype !== 'standard' && isForeignCategory(subtype)) broken(`${tax.at}/subtype`);
      }
    },
  },
];

/** Every category except the standard one has the rate 0. */
function isUntaxed(treatment: string): boolean {
  const category = categoryOf(treatment);
  return category !== undefined && category !== 'S';
}
