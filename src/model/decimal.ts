/**
 * Exact decimal amounts, from the cell to the JSON token.
 *
 * A value is `units / 10^scale`. Units are a safe integer as long as they fit and a BigInt beyond, because integers
 * cost as little as floats while a float is wrong in about one invoice of six (negative halves, x.xx5).
 */

type Units = number | bigint;

/** The longest decimal accepted, in digits: far above any field of the contracts, low enough to bound the work. */
const MAX_DIGITS = 100;
const POWERS: readonly number[] = Array.from({ length: 16 }, (_, n) => 10 ** n);
const BIG_POWERS: readonly bigint[] = Array.from({ length: 2 * MAX_DIGITS + 1 }, (_, n) => 10n ** BigInt(n));
const PLAIN = /^-?\d+(?:\.\d+)?$/;

export class Decimal {
  static readonly zero = new Decimal(0, 0);
  static readonly one = new Decimal(1, 0);

  readonly units: Units;
  readonly scale: number;

  private constructor(units: Units, scale: number) {
    this.units = units;
    this.scale = scale;
  }

  /** `[-]digits[.digits]`, as JSON writes a number without exponent; anything else is undefined. */
  static parse(text: string): Decimal | undefined {
    if (text.length > MAX_DIGITS || !PLAIN.test(text)) return undefined;
    const point = text.indexOf('.');
    const scale = point < 0 ? 0 : text.length - point - 1;
    const digits = point < 0 ? text : text.slice(0, point) + text.slice(point + 1);
    return digits.length <= 15 ? new Decimal(Number(digits) + 0, scale) : make(BigInt(digits), scale);
  }

  /** The decimal that the shortest notation of a number shows: 0.1 is one tenth. Integers and literals only. */
  static from(value: number): Decimal {
    const parsed = Decimal.parse(String(value));
    if (!parsed) throw new RangeError(`not a plain decimal: ${value}`);
    return parsed;
  }

  static of(units: Units, scale: number): Decimal {
    return new Decimal(units, scale);
  }

  plus(other: Decimal): Decimal {
    return combine(this, other, 1);
  }

  minus(other: Decimal): Decimal {
    return combine(this, other, -1);
  }

  times(other: Decimal): Decimal {
    const scale = this.scale + other.scale;
    if (typeof this.units === 'number' && typeof other.units === 'number') {
      const product = this.units * other.units;
      if (Number.isSafeInteger(product)) return new Decimal(product + 0, scale);
    }
    return make(BigInt(this.units) * BigInt(other.units), scale);
  }

  /** The quotient, exact if it has at most `places` decimals, else rounded there; undefined for a zero divisor. */
  dividedBy(other: Decimal, places = 20): Decimal | undefined {
    if (other.isZero()) return undefined;
    // Only powers of ten in the divisor: move the point, stay exact and cheap ("* rate / 100" is on every line).
    const shift = typeof other.units === 'number' ? POWERS.indexOf(other.units) : -1;
    if (shift >= 0 && other.scale === 0) {
      return new Decimal(this.units, this.scale + shift).round(places).shortened(this.scale);
    }
    const exponent = places + 1 + other.scale - this.scale;
    const numerator = BigInt(this.units) * bigPower(Math.max(exponent, 0));
    const denominator = BigInt(other.units) * bigPower(Math.max(-exponent, 0));
    const whole = numerator / denominator;
    if (numerator % denominator === 0n) {
      return make(whole, places + 1)
        .round(places)
        .shortened(0);
    }
    // A further digit that is not zero, so that the final rounding sees a half only if it is exact.
    const sticky = whole * 10n + signOf(numerator) * signOf(denominator);
    return make(sticky, places + 2)
      .round(places)
      .shortened(0);
  }

  /** Half away from zero, as tax rules and spreadsheets round: 2.345 -> 2.35, -2.345 -> -2.35. */
  round(places: number): Decimal {
    if (this.scale <= places) return this;
    const drop = this.scale - places;
    if (typeof this.units === 'number' && drop <= 15) {
      const power = powerOfTen(drop);
      const rest = this.units % power;
      const whole = (this.units - rest) / power;
      const up = Math.abs(rest) * 2 >= power ? Math.sign(this.units) : 0;
      return makeAt(whole + up + 0, places);
    }
    const units = BigInt(this.units);
    const power = bigPower(drop);
    const rest = units % power;
    const isUp = rest * signOf(rest) * 2n >= power;
    return makeAt(units / power + signOf(units) * BigInt(isUp), places);
  }

  negated(): Decimal {
    return new Decimal(typeof this.units === 'number' ? 0 - this.units : -this.units, this.scale);
  }

  abs(): Decimal {
    return this.units < 0 ? this.negated() : this;
  }

  /** -1, 0 or 1, as an order for sorting. */
  compare(other: Decimal): -1 | 0 | 1 {
    if (this.scale === other.scale) {
      if (this.units < other.units) return -1;
      return this.units > other.units ? 1 : 0;
    }
    const difference = this.minus(other).units;
    if (difference < 0) return -1;
    return difference > 0 ? 1 : 0;
  }

  equals(other: Decimal): boolean {
    return this.compare(other) === 0;
  }

  isZero(): boolean {
    return typeof this.units === 'number' ? this.units === 0 : this.units === 0n;
  }

  isInteger(): boolean {
    return this.decimals() === 0;
  }

  /** How many decimals the value needs: 1.50 needs one. */
  decimals(): number {
    return this.scale === 0 ? 0 : this.shortened(0).scale;
  }

  /** Without zeros at the end, down to at least `scale` decimals. */
  shortened(scale: number): Decimal {
    let { units, scale: at } = this;
    if (typeof units === 'number') {
      while (at > scale && units % 10 === 0) {
        units /= 10;
        at--;
      }
    } else {
      while (at > scale && units % 10n === 0n) {
        units /= 10n;
        at--;
      }
    }
    return at === this.scale ? this : make(typeof units === 'bigint' ? units : units + 0, at);
  }

  /** Plain digits without trailing zeros: "1481.4"; with `places`, exactly that many: "1481.40". */
  toText(places?: number): string {
    if (this.scale === 0 && places === undefined) return String(this.units);
    const value = places === undefined ? this.shortened(0) : this.round(places);
    const negative = value.units < 0;
    let digits = String(value.units);
    if (negative) digits = digits.slice(1);
    if (value.scale < 0) digits += '0'.repeat(-value.scale);
    if (value.scale > 0) {
      digits = digits.padStart(value.scale + 1, '0');
      digits = `${digits.slice(0, -value.scale)}.${digits.slice(-value.scale)}`;
    }
    if (places !== undefined && places > Math.max(value.scale, 0)) {
      digits += (value.scale > 0 ? '' : '.') + '0'.repeat(places - Math.max(value.scale, 0));
    }
    return negative ? `-${digits}` : digits;
  }

  toString(): string {
    return this.toText();
  }

  /** The JSON token: a number while 15 digits carry it exactly and without exponent, else its own digits. */
  toJSON(): unknown {
    const { units, scale } = this;
    if (typeof units === 'number' && scale >= 0 && scale <= 15 && Math.abs(units) < 1e15) {
      const value = units / powerOfTen(scale);
      if (units === 0 || Math.abs(value) >= 1e-6) return value;
    }
    return rawJson(this.toText());
  }
}

/** `JSON.rawJSON` is in every Node this program runs on; TypeScript does not know it yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

function make(units: bigint | number, scale: number): Decimal {
  if (
    typeof units === 'bigint' &&
    units >= BigInt(Number.MIN_SAFE_INTEGER) &&
    units <= BigInt(Number.MAX_SAFE_INTEGER)
  ) {
    return Decimal.of(Number(units), scale);
  }
  return Decimal.of(units, scale);
}

/** As `make`, for a scale that may be negative (ROUND to tens): the result has zero decimals then. */
function makeAt(units: bigint | number, scale: number): Decimal {
  return scale >= 0 ? make(units, scale) : make(BigInt(units) * bigPower(-scale), 0);
}

function combine(a: Decimal, b: Decimal, sign: 1 | -1): Decimal {
  const scale = Math.max(a.scale, b.scale);
  if (typeof a.units === 'number' && typeof b.units === 'number' && scale - Math.min(a.scale, b.scale) <= 15) {
    const left = a.units * powerOfTen(scale - a.scale);
    const right = b.units * powerOfTen(scale - b.scale);
    const sum = left + sign * right;
    // A sum below 2^53 can only come from summands that were exact: a rounded one is at least 2^53 itself,
    // and two rounded ones that cancel are found by checking each of them.
    if (Number.isSafeInteger(sum) && Number.isSafeInteger(left) && Number.isSafeInteger(right)) {
      return Decimal.of(sum + 0, scale);
    }
  }
  const left = BigInt(a.units) * bigPower(scale - a.scale);
  const right = BigInt(b.units) * bigPower(scale - b.scale);
  return make(sign === 1 ? left + right : left - right, scale);
}

function signOf(units: bigint): bigint {
  return units < 0n ? -1n : 1n;
}

function powerOfTen(exponent: number): number {
  return POWERS[exponent] ?? 10 ** exponent;
}

function bigPower(exponent: number): bigint {
  return BIG_POWERS[exponent] ?? 10n ** BigInt(exponent);
}
