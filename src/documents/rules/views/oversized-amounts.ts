/** The numbers of a French invoice that may be longer than their fields allow. Nearly no invoice has one. */
import type { Decimal } from '../../../model/decimal.ts';
import type { Json } from '../../../model/draft.ts';
import { decimalAt } from '../../content/json-pointer.ts';
import { isLong } from '../decimal-rules.ts';
import type { LineView, TaxView } from './line-view.ts';
import type { SubtotalView, TotalsView } from './totals-view.ts';

/** DGFiP: amounts of 19 digits with two decimals, quantities four, prices six; percentages of four digits. */
const AMOUNT = { decimals: 2, digits: 19 };
const QUANTITY = { decimals: 4, digits: 19 };
const PRICE = { decimals: 6, digits: 19 };
const PERCENT = { decimals: 2, digits: 4 };

type Limit = typeof AMOUNT;

/** A number that is longer than its field allows at most, or is near to it. */
export type LongAmount = Limit & { readonly value: Decimal; readonly at: string };

type Amounts = { readonly lines: readonly LineView[]; readonly totals: TotalsView };

/** Finds candidates by a cheap test; the rules FR-LIN-2 and FR-LIN-2b count decimals and digits exactly. */
export function longAmountsIn({ lines, totals }: Amounts): readonly LongAmount[] {
  const found: LongAmount[] = [];
  for (const line of lines) seeLine(line, found);
  if (isLong(totals.final, AMOUNT)) found.push({ ...AMOUNT, value: totals.final, at: '/totals/final-amount' });
  for (const subtotal of totals.subtotals) {
    seeSubtotal(subtotal, found);
    for (const nested of subtotal.nested) seeSubtotal(nested, found);
  }
  return found;
}

function seeLine(line: LineView, found: LongAmount[]): void {
  const { quantity, unitPrice, net, discounts, charges } = line;
  if (isLong(quantity, QUANTITY)) found.push({ ...QUANTITY, value: quantity, at: `${line.at}/quantity` });
  if (isLong(unitPrice, PRICE)) found.push({ ...PRICE, value: unitPrice, at: `${line.at}/unit-price` });
  if (isLong(net, AMOUNT)) found.push({ ...AMOUNT, value: net, at: `${line.at}/net-amount` });
  for (const tax of line.taxes) seeTax(tax, found);
  seeAlterations(discounts, `${line.at}/discounts`, found);
  seeAlterations(charges, `${line.at}/charges`, found);
}

/** Amounts and percentages of discounts or charges. */
function seeAlterations(alterations: readonly Json[], at: string, found: LongAmount[]): void {
  alterations.forEach((one, i) => {
    const [amount, percent] = [decimalAt(one, 'amount'), decimalAt(one, 'percent')];
    if (isLong(amount, AMOUNT)) found.push({ ...AMOUNT, value: amount, at: `${at}/${i}/amount` });
    if (isLong(percent, PERCENT)) found.push({ ...PERCENT, value: percent, at: `${at}/${i}/percent` });
  });
}

function seeSubtotal(subtotal: SubtotalView, found: LongAmount[]): void {
  const { taxable } = subtotal;
  seeTax(subtotal, found);
  if (isLong(taxable, AMOUNT)) found.push({ ...AMOUNT, value: taxable, at: `${subtotal.at}/taxable-amount` });
}

/** Percentage and amount of one tax. */
function seeTax(tax: TaxView, found: LongAmount[]): void {
  const { percent, amount } = tax;
  if (isLong(percent, PERCENT)) found.push({ ...PERCENT, value: percent, at: `${tax.at}/percent` });
  if (isLong(amount, AMOUNT)) found.push({ ...AMOUNT, value: amount, at: `${tax.at}/amount` });
}
