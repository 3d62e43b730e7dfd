/** The net amount of a line in the draft: the formula that the totals of the sample prove, and the discounts in it. */

import type { Message } from '../../i18n/message.ts';
import { AMOUNT_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { DRAFT_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { type NetFormula, possibleFormulas, proveNet } from '../analysis/amount-evidence.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import type { DocumentClass } from './document-class.ts';
import { type DraftColumns, type MappingDraft, UNKNOWN } from './draft-values.ts';
import { rateName } from './draft-vat.ts';
import { formula } from './yaml-writer.ts';

const PRODUCTS: { readonly [formula in NetFormula]?: (parts: DraftColumns, quantity: string) => string } = {
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

/** The units that the price of a line is for, where the totals prove that it is not one unit. */
export const PRICE_BASE: { readonly [formula in NetFormula]?: 100 | 1000 } = {
  'product/100': 100,
  'product/1000': 1000,
};

/** The formula of the net that the amounts prove, and a quantity and price that fit to it. */
export function chooseNetFormula(analysis: DraftAnalysis): {
  readonly formula: NetFormula | undefined;
  readonly says: Message | undefined;
} {
  const proof = proveNet({ ...analysis, rateOf: analysis.vat.rateOf });
  if (proof) {
    const { formula, against: column, right, of: total } = proof;
    const agreement = { column, right, total };
    const per = PRICE_BASE[formula];
    if (right >= 0.5 * total)
      return {
        formula,
        says: per ? AMOUNT_EVIDENCE.agreesPer({ ...agreement, per }) : AMOUNT_EVIDENCE.agrees(agreement),
      };
    analysis.notes.addQuestion(90, 'net', DRAFT_QUESTION.netDiffers({ formula, ...agreement }));
    return { formula, says: AMOUNT_EVIDENCE.agreesOnly(agreement) };
  }
  const [first] = possibleFormulas(analysis.roles);
  if (first === undefined) return { formula: undefined, says: undefined };
  analysis.notes.addQuestion(55, 'net', DRAFT_QUESTION.netUnproven());
  return { formula: first, says: AMOUNT_EVIDENCE.noTotal() };
}

/** Writes the calculated column with the net of a line; unknown, with a question, where no column has an amount. */
export function writeNet(draft: MappingDraft, kind: DocumentClass, names: { readonly net: string }): void {
  const { yaml, analysis, parts } = draft;
  const { formula: chosen, says } = chooseNetFormula(analysis);
  const product = chosen && PRODUCTS[chosen];
  if (product) yaml.put(2, `${names.net}: ${formula(product(parts, kind.signed(parts.column('quantity'))))}`, says);
  else if (chosen === 'line-net')
    yaml.put(2, `${names.net}: ${formula(`ROUND(${kind.signed(parts.column('lineNet'))}, 2)`)}`, says);
  else if (chosen === 'line-gross')
    yaml.put(
      2,
      `${names.net}: ${formula(`ROUND(${kind.signed(parts.column('lineGross'))} / (1 + ${rateInFormula(analysis, parts)} / 100), 2)`)}`,
      says,
    );
  else if (parts.has('totalNet')) {
    yaml.put(2, `${names.net}: ${formula(kind.signed(parts.column('totalNet')))}`, AMOUNT_EVIDENCE.onlyDocumentNet());
    if (analysis.grouping.proven) analysis.notes.addQuestion(92, 'net', DRAFT_QUESTION.netOfLines());
  } else if (parts.has('totalGross')) {
    yaml.put(
      2,
      `${names.net}: ${formula(`ROUND(${kind.signed(parts.column('totalGross'))} / (1 + ${rateInFormula(analysis, parts)} / 100), 2)`)}`,
      AMOUNT_EVIDENCE.onlyGross(),
    );
  } else {
    analysis.notes.addQuestion(98, 'net', DRAFT_QUESTION.noAmounts());
    yaml.put(2, `${names.net}: ${UNKNOWN.net}`, AMOUNT_EVIDENCE.noAmounts());
  }
}

function rateInFormula(analysis: DraftAnalysis, parts: DraftColumns): string {
  const name = rateName(analysis, parts);
  return name === undefined ? parts.column('vatRate') : `$${name}`;
}

/** The reason of a discount. */
const DISCOUNT = 'Remise';

/** Writes the discount of a line where the totals prove that the ERP subtracts it from quantity times price. */
export function writeDiscounts(draft: MappingDraft): void {
  const { yaml, analysis, parts } = draft;
  const { formula: chosen } = chooseNetFormula(analysis);
  // A text that is the name of a column looks like a forgotten "$".
  const isColumn = analysis.table.columns.some(({ name }) => name === DISCOUNT);
  const reason = isColumn ? `'= "${DISCOUNT}"'` : DISCOUNT;
  if (chosen === 'product-amount') {
    yaml.put(6, 'discounts:');
    yaml.put(
      8,
      `- { when: ${JSON.stringify(`= IFEMPTY(${parts.column('discountAmount')}, 0) <> 0`)}, amount: ${parts.cell('discountAmount')}, reason: { description: ${reason} } }`,
    );
  } else if (chosen === 'product-percent') {
    const amount = `ROUND(ROUND(${parts.column('quantity')} * ${parts.column('price')}, 2) * IFEMPTY(${parts.column('discountPercent')}, 0) / 100, 2)`;
    yaml.put(6, 'discounts:');
    yaml.put(
      8,
      `- { when: ${JSON.stringify(`= IFEMPTY(${parts.column('discountPercent')}, 0) <> 0`)}, amount: ${formula(amount)}, percent: ${parts.cell('discountPercent')}, reason: { description: ${reason} } }`,
    );
  }
}
