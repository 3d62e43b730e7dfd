/** How many decimals and digits an amount may have: field by field, because limits differ. */
import type { Decimal } from '../../model/decimal.ts';
import type { Report } from './rule-pack.ts';

/**
 * More decimals or digits than that, by the look of it: worth a closer one. Nearly no amount is, and the answer costs
 * nothing.
 */
export function isLong(
  value: Decimal | undefined,
  { decimals, digits }: { readonly decimals: number; readonly digits: number },
): value is Decimal {
  if (value === undefined) return false;
  if (value.scale > decimals || typeof value.units !== 'number') return true;
  // Units that are a number have at most 16 digits.
  return digits < 16 && Math.abs(value.units) >= 10 ** digits;
}

/** Fails where the value has more decimals than `most`; zeros at the end do not count. */
export function decimalsWithin(most: number, value: Decimal, at: string, broken: Report): void {
  if (value.scale <= most) return;
  const has = value.decimals();
  if (has > most) broken(at, { most: String(most), has: String(has) });
}

/** Fails where the value has more digits than `most`, sign and point not counted. */
export function digitsWithin(most: number, value: Decimal, at: string, broken: Report): void {
  // What a float carries exactly has at most 16 digits, and its scale is checked by its decimals.
  if (typeof value.units === 'number' && most > 16 && value.scale < most) return;
  const has = value.toText().replace(/\D/g, '').length;
  if (has > most) broken(at, { most: String(most), has: String(has) });
}
