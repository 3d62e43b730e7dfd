/**
 * The cells of one column in, its date patterns with the proof out. "31" in first position can only be a day; where
 * neither position goes beyond 12, the order is open and both patterns are returned. Undefined where the cells are not
 * dates of one form.
 */

import type { Message } from '../../i18n/message.ts';
import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { greatestOf } from '../../text/long-lists.ts';

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
    const likely = likelierOrder(parts, patterns);
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

/** The numbers of a day, with a year of two digits in this century. */
type CalendarDay = { readonly year: number; readonly month: number; readonly day: number };

/** The day in a cell; undefined where it has fewer than three numbers. A time of day in the pattern does not count. */
export function splitDay(cell: string, pattern: string): CalendarDay | undefined {
  const order = pattern.match(/y+|M+|d+/g) ?? [];
  const isMarked = /\W/.test(pattern.slice(0, 6));
  const partAt = (from: number, { length }: string) => cell.slice(from, from + length);
  const texts = isMarked ? (cell.match(/\d+/g) ?? []) : order.map((part) => partAt(pattern.indexOf(part), part));
  if (texts.length < 3) return undefined;
  const numberOf = (letter: string) => Number(texts[order.findIndex((part) => part.startsWith(letter))]);
  const year = numberOf('y');
  return { year: year < 100 ? 2000 + year : year, month: numberOf('M'), day: numberOf('d') };
}

/** True where the day exists: 31/02 has the form of a date and is not one. */
function isCalendarDay(cell: string, pattern: string): boolean {
  const found = splitDay(cell, pattern);
  if (!found) return false;
  const { year, month, day } = found;
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The pattern of the time of day: empty without one, undefined where the cells differ in more than the digits of the hour. */
function timePattern(parts: readonly Parts[]): string | undefined {
  const [form, ...others] = new Set(parts.map(timeForm));
  if (others.length === 0) return form;
  const [short, ...different] = new Set([form, ...others].map((one) => one?.replace('HH', 'H')));
  return different.length === 0 ? short : undefined;
}

function timeForm({ gap, hour = '', seconds }: Parts): string {
  if (gap === undefined) return '';
  return `${gap}${'H'.repeat(hour.length)}:mm${seconds === undefined ? '' : ':ss'}`;
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
    const isMonth = greatestOf(first) <= 12;
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

/**
 * An export has days of one or two months far more often than the same day of several months: the place with one or two
 * values is the month, next to at least three days. Undefined for one pattern, and for eight digits.
 */
function likelierOrder(parts: readonly Parts[], [dayFirst, monthFirst]: readonly string[]): DateProof['likely'] {
  if (dayFirst === undefined || monthFirst === undefined) return undefined;
  const [first, second] = [distinctTexts(parts.map(({ a }) => a)), distinctTexts(parts.map(({ b }) => b))];
  const isDayFirst = first.length > second.length;
  const [pattern, days, months] = isDayFirst ? [dayFirst, first, second] : [monthFirst, second, first];
  if (days.length === months.length || months.length > 2 || days.length < 3) return undefined;
  return { pattern, says: SOURCE_EVIDENCE.daysOfMonth({ moving: days.slice(0, 5), steady: months }) };
}

function distinctTexts(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== undefined);
}

function above12(values: readonly number[]): { readonly value: number; readonly rows: number } {
  return { value: greatestOf(values), rows: values.length };
}

/** Eight digits in one of three orders, with a year from 1990 to 2060; year first excludes the others. */
function datesByDigits(parts: readonly Parts[]): Patterns | undefined {
  const fitting = ['yyyyMMdd', 'ddMMyyyy', 'MMddyyyy'].filter((pattern) =>
    parts.every(({ eight = '' }) => fitsDigits(eight, pattern)),
  );
  if (fitting.length === 0) return undefined;
  const patterns = fitting[0] === 'yyyyMMdd' ? ['yyyyMMdd'] : fitting;
  return { patterns, says: SOURCE_EVIDENCE.eightDigits() };
}

function fitsDigits(text: string, pattern: string): boolean {
  const numberAt = (part: string) => {
    const from = pattern.indexOf(part);
    return Number(text.slice(from, from + part.length));
  };
  const [year, month, day] = [numberAt('yyyy'), numberAt('MM'), numberAt('dd')];
  return year >= 1990 && year <= 2060 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** Day counts of a spreadsheet from 2000 to 2060; only accepted for a column that is named as a date. */
export function looksLikeSerials(cells: readonly string[]): boolean {
  return (
    cells.length > 0 && cells.every((cell) => /^\d{5}$/.test(cell) && Number(cell) > 36_525 && Number(cell) < 58_500)
  );
}
