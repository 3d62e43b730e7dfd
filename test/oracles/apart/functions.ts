/** Functions of values alone, written from docs/reference/functions.md. */
import {
  compared,
  digits,
  divided,
  fixed,
  isWhole,
  isZero,
  parsed,
  plus,
  type Rational,
  rational,
  rounded,
  times,
} from './rational.ts';

/** Undefined is a failed value; '' is an empty one. */
export type Known = Rational | string | boolean;
export type Result = Known | undefined;
/** A fault of the document. */
export type Fails = (code: string) => undefined;

export const isNumber = (value: Result): value is Rational => typeof value === 'object';

/** How a value reads in a text. */
export function shown(value: Known): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return isNumber(value) ? digits(value) : value;
}

/** Negative, 0 or positive: an empty value is 0 next to a number, and before every text and day. */
export function ordered(a: Known, b: Known): number {
  const zero = (value: Known) => (value === '' ? rational(0n) : (value as Rational));
  if (isNumber(a) || isNumber(b)) return compared(zero(a), zero(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const DAY_MS = 86_400_000;
const dayOf = (date: string) => Date.parse(date) / DAY_MS;
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);
const whole = (value: Rational) => Number(value.over);

export function later(date: string, days: Rational, fails: Fails): Result {
  if (!isWhole(days)) return fails('map/no-such-date');
  const day = dayOf(date) + whole(days);
  const [first, last] = [dayOf('0001-01-01'), dayOf('9999-12-31')];
  return day < first || day > last ? fails('map/no-such-date') : dateOf(day);
}

export const daysBetween = (end: string, start: string) => rational(BigInt(dayOf(end) - dayOf(start)));

/** The same day of another month, or its last one. */
function monthsLater(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0));
  return dateOf(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(day, last.getUTCDate())) / DAY_MS);
}

function monthEnd(date: string, months: number): string {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return dateOf(Date.UTC(year, month + months, 0) / DAY_MS);
}

const characters = (text: string) => [...text];
const words = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

type Apply = (given: readonly Known[], fails: Fails) => Result;
type Entry = { readonly empties: 'pass' | 'number'; readonly apply: Apply };

const ofNumbers = (apply: (...given: readonly Rational[]) => Result): Entry => {
  return { empties: 'number', apply: (given) => apply(...(given as readonly Rational[])) };
};
const rounding = (way: 'half' | 'up' | 'down') =>
  ofNumbers((value, places = rational(0n)) => rounded(value!, whole(places), way));
const ofTexts = (apply: (text: string, ...others: readonly Known[]) => Result): Entry => {
  // A number among the others is never empty where the generator writes it.
  return { empties: 'pass', apply: ([text = '', ...others]) => apply(shown(text), ...others) };
};
const count = (value: Known | undefined) => whole(value as Rational);

/** `empties: number`: an empty argument makes an empty result. */
export const FUNCTIONS: { readonly [name: string]: Entry } = {
  ROUND: rounding('half'),
  ROUNDUP: rounding('up'),
  ROUNDDOWN: rounding('down'),
  ABS: ofNumbers((value) => (value!.over < 0n ? rational(-value!.over, value!.under) : value!)),
  'NET-OF': {
    empties: 'number',
    apply: ([amount, percent, places = rational(2n)]) => {
      const factor = plus(rational(1n), divided(percent as Rational, rational(100n)));
      return isZero(factor) ? undefined : rounded(divided(amount as Rational, factor), count(places));
    },
  },
  LEFT: ofTexts((text, most) => characters(text).slice(0, count(most)).join('')),
  RIGHT: ofTexts((text, most) => {
    const all = characters(text);
    return all.slice(Math.max(0, all.length - count(most))).join('');
  }),
  MID: ofTexts((text, from, most) => {
    const at = count(from) - 1;
    return characters(text)
      .slice(at, at + count(most))
      .join('');
  }),
  LEN: ofTexts((text) => rational(BigInt(characters(text).length))),
  TRIM: ofTexts(words),
  UPPER: ofTexts((text) => text.toUpperCase()),
  LOWER: ofTexts((text) => text.toLowerCase()),
  REPLACE: ofTexts((text, search, by) => text.split(search as string).join(by as string)),
  CONCAT: { empties: 'pass', apply: (given) => given.map(shown).join('') },
  'PAD-LEFT': ofTexts((text, length, fill = '0') =>
    text === '' ? '' : (fill as string).repeat(Math.max(0, count(length) - characters(text).length)) + text,
  ),
  DIGITS: ofTexts((text) => text.replaceAll(/\D/g, '')),
  DAYS: { empties: 'number', apply: ([end, start]) => daysBetween(end as string, start as string) },
  EDATE: { empties: 'number', apply: ([date, months]) => monthsLater(date as string, count(months)) },
  'MONTH-END': {
    empties: 'number',
    apply: ([date, months = rational(0n)]) => monthEnd(date as string, count(months)),
  },
  DATE: {
    empties: 'number',
    apply: ([year, month, day]) => dateOf(Date.UTC(count(year), count(month) - 1, count(day)) / DAY_MS),
  },
  YEAR: { empties: 'number', apply: ([date]) => parsed(String(Number((date as string).slice(0, 4)))) },
  MONTH: { empties: 'number', apply: ([date]) => parsed(String(Number((date as string).slice(5, 7)))) },
  DAY: { empties: 'number', apply: ([date]) => parsed(String(Number((date as string).slice(8)))) },
  NOT: { empties: 'pass', apply: ([condition]) => condition !== true },
  TEXT: {
    empties: 'number',
    apply: ([value, pattern]) => {
      if (typeof value === 'string') {
        const [year = '', month = '', day = ''] = value.split('-');
        return (pattern as string).replace('yyyy', year).replace('MM', month).replace('dd', day);
      }
      const [leading = '', decimals = ''] = (pattern as string).split('.');
      const least = leading.replaceAll(/[^0]/g, '').length;
      const plain = fixed(rounded(value as Rational, decimals.length), decimals.length);
      const text = plain.replace(/\d+/, (digit) => digit.padStart(least, '0'));
      return (pattern as string).includes(',') ? text.replaceAll(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',') : text;
    },
  },
};

/** The parts of a total by weight: each rounded down in size, and what is left to those with the largest rest. */
export function allocated(
  total: Rational,
  weights: readonly Rational[],
  places: number,
): readonly Rational[] | undefined {
  const all = weights.reduce(plus, rational(0n));
  if (isZero(all)) return isZero(total) ? weights.map(() => total) : undefined;
  const exact = weights.map((weight) => divided(times(total, weight), all));
  const parts = exact.map((part) => rounded(part, places, 'down'));
  const unit = rational(total.over < 0n ? -1n : 1n, 10n ** BigInt(places));
  const rest = exact.map((part, at) => {
    const left = plus(part, rational(-parts[at]!.over, parts[at]!.under));
    return left.over < 0n ? rational(-left.over, left.under) : left;
  });
  const order = rest.map((_, at) => at).toSorted((a, b) => compared(rest[b]!, rest[a]!) || a - b);
  let missing = plus(
    total,
    parts.reduce((sum, part) => plus(sum, rational(-part.over, part.under)), rational(0n)),
  );
  for (const at of order) {
    if (isZero(missing)) break;
    parts[at] = plus(parts[at]!, unit);
    missing = plus(missing, rational(-unit.over, unit.under));
  }
  return parts;
}
