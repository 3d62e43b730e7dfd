/**
 * A total and weights in, parts that always add up to the total out: each part is cut down, and the remaining units go
 * to the largest remainders; of equal remainders the earlier row gets the unit. Never fails.
 */
import { Decimal } from '../../model/decimal.ts';
import { greatestOf } from '../../text/long-lists.ts';

/**
 * `places` decimals per part; the total must have no more. Undefined where the weights add up to zero and the total
 * does not.
 */
export function allocate(total: Decimal, weights: readonly Decimal[], places: number): readonly Decimal[] | undefined {
  const sum = weights.reduce((before, weight) => before.plus(weight), Decimal.zero);
  if (sum.isZero()) return total.isZero() ? weights.map(() => Decimal.zero) : undefined;
  const scale = Math.max(sum.scale, greatestOf(weights.map((weight) => weight.scale)));
  // Without signs, so that a refund is shared exactly as the charge that it reverses.
  const negativeTotal = total.compare(Decimal.zero) < 0;
  const direction = sum.compare(Decimal.zero) < 0 ? -1n : 1n;
  const units = unitsAt(total.abs(), places);
  const divisor = unitsAt(sum, scale) * direction;
  const shares = weights.map((weight) => {
    const exact = units * unitsAt(weight, scale) * direction;
    // The remainder of a floor division: BigInt cuts towards zero, which differs for negative weights.
    const rest = ((exact % divisor) + divisor) % divisor;
    return { part: (exact - rest) / divisor, rest };
  });
  let left = units - shares.reduce((before, share) => before + share.part, 0n);
  // The sort is stable: of equal remainders the earlier row stays first.
  for (const share of shares.toSorted((a, b) => Number(b.rest - a.rest))) {
    if (left-- > 0n) share.part += 1n;
  }
  const unit = Decimal.of(negativeTotal ? -1 : 1, places);
  return shares.map(({ part }) => unit.times(Decimal.of(part, 0)));
}

/** The value as a count of units of `scale` decimals. */
function unitsAt(value: Decimal, scale: number): bigint {
  return BigInt(value.units) * 10n ** BigInt(scale - value.scale);
}
