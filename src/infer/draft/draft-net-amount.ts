/** The net amount of a line in the draft: the formula that the totals of the sample prove, and the discounts in it. */
import { formulasOf, type NetFormula, proveNet } from '../analysis/amount-evidence.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import type { DocumentClass } from './document-class.ts';
import { FILL_IN, type Parts } from './draft-values.ts';
import { hasPlainRates } from './draft-vat.ts';
import { formula, type Page } from './yaml-writer.ts';

export function rateName(u: DraftAnalysis, parts: Parts): string | undefined {
  return hasPlainRates(u) ? undefined : parts.free('rate');
}

const PRODUCTS: { readonly [formula in NetFormula]?: (parts: Parts, quantity: string) => string } = {
  product: (parts, quantity) => `ROUND(${quantity} * ${parts.column('price')}, 2)`,
  'product/base': (parts, quantity) =>
    `ROUND(${quantity} * ${parts.column('price')} / ${parts.column('priceBase')}, 2)`,
  'product/100': (parts, quantity) => `ROUND(${quantity} * ${parts.column('price')} / 100, 2)`,
  'product/1000': (parts, quantity) => `ROUND(${quantity} * ${parts.column('price')} / 1000, 2)`,
  'product-amount': (parts, quantity) =>
    `ROUND(${quantity} * ${parts.column('price')}, 2) - IFEMPTY(${parts.column('discountAmount')}, 0)`,
  'product-percent': (parts, quantity) =>
    `ROUND(${quantity} * ${parts.column('price')}, 2) - ROUND(ROUND(${quantity} * ${parts.column('price')}, 2) * IFEMPTY(${parts.column('discountPercent')}, 0) / 100, 2)`,
};

/** What the price of a line stands for where the totals prove that it is not one unit. */
export const PRICE_BASE: { readonly [formula in NetFormula]?: 100 | 1000 } = {
  'product/100': 100,
  'product/1000': 1000,
};

/** The formula of the net that the amounts prove, and a quantity and price that fit to it. */
export function netOf(u: DraftAnalysis): { readonly formula: NetFormula | undefined; readonly says: string } {
  const proof = proveNet(u.roles, u.vat.rateOf, u.amounts, u.grouping);
  if (proof && proof.right >= 0.5 * proof.of) {
    const per = PRICE_BASE[proof.formula];
    const says = `${per ? `the price is that of ${per} units: ` : ''}agrees with "${proof.against}" on ${proof.right} of ${proof.of}`;
    // The net that the ERP printed goes out as it is where quantity and price do not tell it better.
    return { formula: proof.formula, says };
  }
  if (proof) {
    u.notes.ask(
      90,
      'net',
      `Net of a line: no formula agrees with the totals (the best, ${proof.formula}, agrees with "${proof.against}" on ${proof.right} of ${proof.of}). Is there a discount or a fee?`,
    );
    return { formula: proof.formula, says: `agrees with "${proof.against}" on ${proof.right} of ${proof.of} only` };
  }
  const first = formulasOf(u.roles)[0];
  if (first !== undefined) {
    u.notes.ask(55, 'net', 'Net of a line: the sample has no totals that could prove how it is computed.');
    return { formula: first, says: 'not proven: no total to compare with' };
  }
  return { formula: undefined, says: '' };
}

export function writeNet(
  page: Page,
  u: DraftAnalysis,
  parts: Parts,
  kind: DocumentClass,
  names: { readonly net: string },
): void {
  const { formula: chosen, says } = netOf(u);
  const product = chosen && PRODUCTS[chosen];
  if (product) page.put(2, `${names.net}: ${formula(product(parts, kind.signed(parts.column('quantity'))))}`, says);
  else if (chosen === 'line-net')
    page.put(2, `${names.net}: ${formula(`ROUND(${kind.signed(parts.column('lineNet'))}, 2)`)}`, says);
  else if (chosen === 'line-gross')
    page.put(
      2,
      `${names.net}: ${formula(`ROUND(${kind.signed(parts.column('lineGross'))} / (1 + ${rateInFormula(u, parts)} / 100), 2)`)}`,
      says,
    );
  else if (parts.has('totalNet')) {
    page.put(
      2,
      `${names.net}: ${formula(kind.signed(parts.column('totalNet')))}`,
      'no amounts of lines: the net of the document is its only line',
    );
    if (u.grouping.proven)
      u.notes.ask(92, 'net', 'The lines have no amounts, only the document has: put how the net of a line is found.');
  } else if (parts.has('totalGross')) {
    page.put(
      2,
      `${names.net}: ${formula(`ROUND(${kind.signed(parts.column('totalGross'))} / (1 + ${rateInFormula(u, parts)} / 100), 2)`)}`,
      'only the total with VAT is known',
    );
  } else {
    u.notes.ask(
      98,
      'net',
      'No amounts were found: neither quantity and price nor a net total. The net of each line is 0 in the draft.',
    );
    page.put(2, `${names.net}: 0`, `${FILL_IN}: no amounts were found`);
  }
}

function rateInFormula(u: DraftAnalysis, parts: Parts): string {
  const name = rateName(u, parts);
  return name === undefined ? parts.column('vatRate') : `$${name}`;
}

export function writeDiscounts(page: Page, u: DraftAnalysis, parts: Parts): void {
  const { formula: chosen } = netOf(u);
  if (chosen === 'product-amount') {
    page.put(6, 'discounts:');
    page.put(
      8,
      `- { when: ${JSON.stringify(`= IFEMPTY(${parts.column('discountAmount')}, 0) <> 0`)}, amount: ${parts.cell('discountAmount')}, reason: { description: Remise } }`,
    );
  } else if (chosen === 'product-percent') {
    const amount = `ROUND(ROUND(${parts.column('quantity')} * ${parts.column('price')}, 2) * IFEMPTY(${parts.column('discountPercent')}, 0) / 100, 2)`;
    page.put(6, 'discounts:');
    page.put(
      8,
      `- { when: ${JSON.stringify(`= IFEMPTY(${parts.column('discountPercent')}, 0) <> 0`)}, amount: ${formula(amount)}, percent: ${parts.cell('discountPercent')}, reason: { description: Remise } }`,
    );
  }
}
