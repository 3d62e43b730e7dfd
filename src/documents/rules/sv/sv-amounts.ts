/** Amounts of a remission note. */
import { Decimal } from '../../../model/decimal.ts';

/** The tolerance of sums and products. */
export const CENT = Decimal.of(1, 2);
/** Every amount stays below it. */
const LIMIT = Decimal.from(100_000_000_000);

/** Not negative, below the limit, with at most so many decimals. */
export function isSvAmount(amount: Decimal, places: number): boolean {
  return amount.compare(Decimal.zero) >= 0 && amount.compare(LIMIT) < 0 && hasPlaces(amount, places);
}

/** Whether the amount has at most so many decimals. */
export function hasPlaces(amount: Decimal, places: number): boolean {
  return amount.scale <= places || amount.decimals() <= places;
}

/** False for a missing amount. */
export function isPositive(amount: Decimal | undefined): boolean {
  return amount !== undefined && amount.compare(Decimal.zero) > 0;
}
