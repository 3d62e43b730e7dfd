/** Whether a document is above a limit of the two-person rule. Pure. */
import { Decimal } from '../../model/decimal.ts';
import type { DocumentFacts } from '../../model/document.ts';

/** The sign does not count. An amount that is not known, or of a currency without a limit, is not above one. */
export function isAmountAbove(
  { amount, currency }: Pick<DocumentFacts, 'amount' | 'currency'>,
  above: { readonly [currency: string]: string },
): boolean {
  const limit = currency !== undefined && Object.hasOwn(above, currency) ? above[currency] : undefined;
  const [value, most] = [Decimal.parse(amount ?? ''), Decimal.parse(limit ?? '')];
  return value !== undefined && most !== undefined && value.abs().compare(most) > 0;
}
