/** Exact numbers as a pair of whole ones: as slow as it is simple, and nothing of the program is in it. */

export type Rational = { readonly over: bigint; readonly under: bigint };

export function rational(over: bigint, under = 1n): Rational {
  const [a, b] = under < 0n ? [-over, -under] : [over, under];
  const common = commonDivisor(a < 0n ? -a : a, b);
  return { over: a / common, under: b / common };
}

function commonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a || 1n : commonDivisor(b, a % b);
}

/** "-12.50". */
export function parsed(text: string): Rational {
  const [, sign, whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!;
  return rational(BigInt(sign + whole + decimals), 10n ** BigInt(decimals.length));
}

export const plus = (a: Rational, b: Rational) => rational(a.over * b.under + b.over * a.under, a.under * b.under);
export const negated = ({ over, under }: Rational): Rational => ({ over: -over, under });
export const times = (a: Rational, b: Rational) => rational(a.over * b.over, a.under * b.under);
export const divided = (a: Rational, b: Rational) => rational(a.over * b.under, a.under * b.over);
export const isWhole = ({ under }: Rational) => under === 1n;
export const isZero = ({ over }: Rational) => over === 0n;

/** Negative, 0 or positive. */
export function compared(a: Rational, b: Rational): number {
  const difference = a.over * b.under - b.over * a.under;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

type Way = 'half' | 'up' | 'down';

/** To so many decimals: half away from zero, away from zero, or towards it. */
export function rounded({ over, under }: Rational, places: number, way: Way = 'half'): Rational {
  const [grow, shrink] = places >= 0 ? [10n ** BigInt(places), 1n] : [1n, 10n ** BigInt(-places)];
  const size = (over < 0n ? -over : over) * grow;
  const unit = under * shrink;
  const [whole, rest] = [size / unit, size % unit];
  const isAway = rest > 0n && (way === 'up' || (way === 'half' && rest * 2n >= unit));
  const steps = isAway ? whole + 1n : whole;
  return rational((over < 0n ? -steps : steps) * shrink, grow);
}

/** Plain digits without zeros at the end; an error for a number without an end. */
export function digits(of: Rational): string {
  for (let places = 0; places < 250; places++) {
    const near = rounded(of, places, 'down');
    if (compared(near, of) !== 0) continue;
    return fixed(near, places);
  }
  throw new Error(`no end: ${of.over}/${of.under}`);
}

/** With exactly so many decimals, which it has. */
export function fixed({ over, under }: Rational, places: number): string {
  const units = (over * 10n ** BigInt(places)) / under;
  const text = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const at = text.length - places;
  return `${units < 0n ? '-' : ''}${text.slice(0, at)}${places > 0 ? `.${text.slice(at)}` : ''}`;
}
