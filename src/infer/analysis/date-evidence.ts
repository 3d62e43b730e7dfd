/**
 * The cells of one column in, its date patterns with the proof out. "31" in first position can only be a day; where
 * neither position goes beyond 12, the order is open and both patterns are returned. Undefined where the cells are not
 * dates of one form.
 */

import type { Message } from '../../i18n/message.ts';
import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';

/** `cells` is the number of cells that prove it; `timed`: they have a time of day. */
export type DateProof = {
  /** Patterns every cell fits; more than one: day and month may be swapped. */
  readonly patterns: readonly string[];
  readonly says: Message;
  readonly cells: number;
  readonly timed: boolean;
  /** Where the order is open: the likelier pattern by the days of the export, and the reason. */
  readonly likely?: { readonly pattern: string; readonly says: Message };
};

type Shape = { readonly match: RegExp; readonly kind: 'year-last' | 'year-first' | 'digits' };

const TIME = String.raw`(?<gap>[ T])(?<hour>\d{1,2}):\d{2}(?<seconds>:\d{2})?`;
/** Forms of dates: parts with a mark between them, or eight digits. */
const SHAPES: readonly Shape[] = [
  {
    kind: 'year-last',
    match: new RegExp(String.raw`^(?<a>\d{1,2})(?<mark>[/.-])(?<b>\d{1,2})\k<mark>(?<y>\d{4}|\d{2})(?:${TIME})?$`),
  },
  {
    kind: 'year-first',
    match: new RegExp(String.raw`^(?<y>\d{4})(?<mark>[/.-])(?<a>\d{1,2})\k<mark>(?<b>\d{1,2})(?:${TIME})?$`),
  },
  { kind: 'digits', match: new RegExp(String.raw`^(?<eight>\d{8})(?:${TIME})?$`) },
];
type Parts = { readonly [name: string]: string | undefined };

/** Undefined where a cell is not a date of the same form as the others. `cells` are trimmed and not empty. */
export function proveDates(cells: readonly string[]): DateProof | undefined {
  if (cells.length === 0) return undefined;
  for (const { kind, match } of SHAPES) {
    const found = cells.map((cell) => match.exec(cell)?.groups);
    if (found.some((groups) => groups === undefined)) continue;
    const parts = found as readonly Parts[];
    const time = timePattern(parts);
    if (time === undefined) return undefined;
    const proof = kind === 'digits' ? datesByDigits(parts) : datesByParts(parts, kind);
    if (!proof) return undefined;
    const shown = proof.patterns.filter((pattern) => cells.every((cell) => isCalendarDay(cell, pattern)));
    if (shown.length === 0) return undefined;
    const patterns = shown.map((pattern) => pattern + time);
    const likely = kind === 'year-last' && patterns.length > 1 ? likelierOrder(parts, patterns) : undefined;
    return definedOnly({ patterns, says: proof.says, cells: cells.length, timed: time !== '', likely });
  }
  return undefined;
}

/**
 * Groups of cells with one form, the largest first: where one cell is written in another way than all others, or with
 * day and month swapped, the others still prove the form of the column.
 */
export function dateForms(cells: readonly string[]): readonly (readonly string[])[] {
  const byForm = Map.groupBy(cells, (cell) => cell.replace(/\d+/g, (digits) => (digits.length > 2 ? 'y' : 'd')));
  const upTo12 = (cell: string, place: number) => Number(cell.match(/\d+/g)?.[place]) <= 12;
  return [...byForm.values()]
    .flatMap((same) => [same, same.filter((cell) => upTo12(cell, 1)), same.filter((cell) => upTo12(cell, 0))])
    .sort((a, b) => b.length - a.length);
}

/** True where the day exists; `pattern` has no time of day. 31/02 has the form of a date and is not one. */
function isCalendarDay(cell: string, pattern: string): boolean {
  const order = pattern.match(/y+|M+|d+/g)!;
  const texts = /[^yMd]/.test(pattern)
    ? cell.match(/\d+/g)!
    : order.map((part) => cell.slice(pattern.indexOf(part), pattern.indexOf(part) + part.length));
  const of = (letter: string) => Number(texts[order.findIndex((part) => part.startsWith(letter))]);
  const [year, month] = [of('y') < 100 ? 2000 + of('y') : of('y'), of('M')];
  return month >= 1 && month <= 12 && of('d') >= 1 && of('d') <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The pattern of the time of day: empty without one, undefined where the cells differ. */
function timePattern(parts: readonly Parts[]): string | undefined {
  const forms = new Set(
    parts.map(({ gap, hour, seconds }) =>
      gap === undefined ? '' : `${gap}${hour!.length === 1 ? 'H' : 'HH'}:mm${seconds ? ':ss' : ''}`,
    ),
  );
  if (forms.size === 1) return [...forms][0];
  const short = [...forms].map((form) => form.replace('HH', 'H'));
  return new Set(short).size === 1 ? short[0] : undefined;
}

type Patterns = { readonly patterns: readonly string[]; readonly says: Message };

/** Undefined for several marks, several lengths of years, or numbers that are no days. */
function datesByParts(parts: readonly Parts[], kind: 'year-last' | 'year-first'): Patterns | undefined {
  const marks = new Set(parts.map(({ mark = '' }) => mark));
  const years = new Set(parts.map(({ y = '' }) => y.length));
  const first = parts.map(({ a }) => Number(a));
  const second = parts.map(({ b }) => Number(b));
  const [mark = ''] = marks;
  const isShort = parts.some(({ a = '', b = '' }) => a.length === 1 || b.length === 1);
  const [day, month] = isShort ? ['d', 'M'] : ['dd', 'MM'];
  const year = years.has(4) ? 'yyyy' : 'yy';
  if (marks.size > 1 || years.size > 1 || [...first, ...second].some((one) => one < 1 || one > 31)) return undefined;
  if (kind === 'year-first') {
    const isMonth = Math.max(...first) <= 12;
    const pattern = `${year}${mark}${month}${mark}${day}`;
    return isMonth ? { patterns: [pattern], says: SOURCE_EVIDENCE.yearFirst() } : undefined;
  }
  // 01.02.26 may as well be a number of a version or a section.
  if (year === 'yy' && mark === '.') return undefined;
  const dayFirst = `${day}${mark}${month}${mark}${year}`;
  const monthFirst = `${month}${mark}${day}${mark}${year}`;
  return dayOrMonthFirst({ first, second, dayFirst, monthFirst });
}

type Order = {
  readonly first: readonly number[];
  readonly second: readonly number[];
  readonly dayFirst: string;
  readonly monthFirst: string;
};

/** A number above 12 is a day; undefined where both places have one. */
function dayOrMonthFirst({ first, second, dayFirst, monthFirst }: Order): Patterns | undefined {
  const over = (values: readonly number[]) => values.filter((value) => value > 12);
  const [overFirst, overSecond] = [over(first), over(second)];
  if (overFirst.length > 0 && overSecond.length > 0) return undefined;
  if (overFirst.length > 0) return { patterns: [dayFirst], says: SOURCE_EVIDENCE.dayFirst(above12(overFirst)) };
  if (overSecond.length > 0) return { patterns: [monthFirst], says: SOURCE_EVIDENCE.daySecond(above12(overSecond)) };
  return { patterns: [dayFirst, monthFirst], says: SOURCE_EVIDENCE.dayOrMonth() };
}

/** An export has days of one or two months far more often than the same day of several months. */
function likelierOrder(parts: readonly Parts[], [dayFirst, monthFirst]: readonly string[]): DateProof['likely'] {
  const [first, second] = [new Set(parts.map(({ a }) => a)), new Set(parts.map(({ b }) => b))];
  if (first.size === second.size || Math.min(first.size, second.size) > 2 || Math.max(first.size, second.size) < 3) {
    return undefined;
  }
  const [steady, moving] = first.size > second.size ? [second, first] : [first, second];
  const texts = (some: ReadonlySet<string | undefined>) => [...some].flatMap((one) => one ?? []);
  const says = SOURCE_EVIDENCE.daysOfMonth({ moving: texts(moving).slice(0, 5), steady: texts(steady) });
  return { pattern: first.size > second.size ? dayFirst! : monthFirst!, says };
}

function above12(values: readonly number[]): { readonly value: number; readonly rows: number } {
  return { value: Math.max(...values), rows: values.length };
}

/** Eight digits in one of three orders, with a year from 1990 to 2060; year first excludes the others. */
function datesByDigits(parts: readonly Parts[]): Patterns | undefined {
  const texts = parts.map(({ eight }) => eight!);
  const fits = (year: number, month: number, day: number) =>
    texts.every((text) => {
      const [y, m, d] = [text.slice(year, year + 4), text.slice(month, month + 2), text.slice(day, day + 2)].map(
        Number,
      );
      return y! >= 1990 && y! <= 2060 && m! >= 1 && m! <= 12 && d! >= 1 && d! <= 31;
    });
  const patterns = definedItems([
    fits(0, 4, 6) ? 'yyyyMMdd' : undefined,
    fits(4, 2, 0) ? 'ddMMyyyy' : undefined,
    fits(4, 0, 2) ? 'MMddyyyy' : undefined,
  ]);
  if (patterns.length === 0) return undefined;
  return {
    patterns: patterns.slice(0, patterns[0] === 'yyyyMMdd' ? 1 : 2),
    says: SOURCE_EVIDENCE.eightDigits(),
  };
}

/** Day counts of a spreadsheet from 2000 to 2060; only accepted for a column that is named as a date. */
export function looksLikeSerials(cells: readonly string[]): boolean {
  return (
    cells.length > 0 && cells.every((cell) => /^\d{5}$/.test(cell) && Number(cell) > 36_525 && Number(cell) < 58_500)
  );
}
