/**
 * Dates as an export writes them: cell text to ISO 8601 text, strictly by the pattern the mapping declares.
 *
 * Nothing is guessed: no other order, no missing century, no 31 February rolled over into March.
 */
import type { Message } from '../../i18n/message.ts';
import { DATE_PATTERNS, DATE_UNITS, DATES } from '../../i18n/messages/mapping-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { withMessage } from '../../model/fault.ts';
import { dateOfDay, daysInMonth, FIRST_YEAR, isoOf, LAST_YEAR, two } from '../../text/calendar-date.ts';
import { codeUnitAt } from '../../text/code-unit.ts';
import type { Problem } from '../runtime/diagnostics.ts';
import type { RunProblem } from '../runtime/value.ts';
import {
  compileDateWriter,
  type DatePart,
  type DateUnit,
  type PatternProblem,
  parseDatePattern,
} from './date-pattern.ts';
import { monthNamed } from './month-names.ts';

/** ISO text ("2026-09-05", "2026-09-05T14:30:00"), or what is wrong with the cell. The text is trimmed, not empty. */
export type ReadDate = (text: string) => string | RunProblem;

export type DateOptions = {
  /** The last two-digit year of this century: with 69, 69 is 2069 and 70 is 1970. Without it `yy` is refused. */
  readonly twoDigitYearsUntil?: number;
};

/** "dd/MM/yyyy", "yyyyMMdd", "dd/MM/yyyy HH:mm:ss", "excel-serial", "xsd-date". */
export function compileDateFormat(
  pattern: string,
  options: DateOptions = {},
): { readonly read: ReadDate } | { readonly problem: Problem } {
  if (pattern === 'excel-serial') return { read: readSerial };
  if (pattern === 'xsd-date') return { read: readXsdDate };
  const parts = parseDatePattern(pattern);
  if ('message' in parts) return { problem: { code: 'map/wrong-pattern', ...parts } };
  const unfit = unreadable(parts, pattern, options);
  if (unfit) return { problem: { code: 'map/wrong-pattern', ...unfit } };
  const timed = parts.some((part) => 'unit' in part && part.unit === 'hour');
  const short = parts.some((part) => 'unit' in part && part.unit === 'year' && part.digits === 2);
  const pivot = short ? options.twoDigitYearsUntil : undefined;
  const write = writerOf(pattern, parts);
  const read: ReadDate = (text) => {
    const found = split(text, parts);
    if (!found) return notADate(text, pattern, dayMeant(text, write, read));
    const year = found.year + centuryOf(found.year, pivot);
    const wrong = impossible(found, year);
    if (wrong) return { code: 'map/not-a-date', ...withMessage(DATES.impossible({ text, why: wrong })), given: text };
    const date = isoOf(year, found.month, found.day);
    if (!timed) return date;
    return `${date}T${two(found.hour)}:${two(found.minute)}:${two(found.second)}`;
  };
  return { read: remembering(read) };
}

/** Exports repeat a document's dates on each of its lines: the last cell is not taken apart twice. */
function remembering(read: ReadDate): ReadDate {
  let cell: string | undefined;
  let result: ReturnType<ReadDate> = '';
  return (text) => {
    if (text === cell) return result;
    result = read(text);
    cell = text;
    return result;
  };
}

/** Patterns that TEXT may write but that cannot be read without a guess. */
function unreadable(parts: readonly DatePart[], pattern: string, options: DateOptions): PatternProblem | undefined {
  const has = (unit: DateUnit) => parts.some((part) => 'unit' in part && part.unit === unit);
  for (const unit of ['day', 'month', 'year'] as const) {
    if (has(unit)) continue;
    const isMinute = unit === 'month' && has('minute');
    const hint = isMinute ? DATE_PATTERNS.monthCapitals() : DATE_PATTERNS.example();
    return { message: DATE_PATTERNS.lacks({ pattern, unit: DATE_UNITS[unit]() }), hint };
  }
  if ((has('minute') && !has('hour')) || (has('second') && !has('minute'))) {
    return { message: DATE_PATTERNS.timeStart({ pattern }), hint: DATE_PATTERNS.timeExample() };
  }
  for (const [at, part] of parts.entries()) {
    if (!('unit' in part)) continue;
    if (part.unit === 'year' && part.digits === 2 && options.twoDigitYearsUntil === undefined) {
      return { message: DATE_PATTERNS.noCentury({ pattern }), hint: DATE_PATTERNS.fourDigits() };
    }
    const next = parts[at + 1];
    if (part.digits === 1 && next && 'unit' in next) {
      const message = DATE_PATTERNS.noEnd({ pattern, unit: DATE_UNITS[part.unit]() });
      return { message, hint: DATE_PATTERNS.example() };
    }
  }
  return undefined;
}

type Fields = { [unit in DateUnit]: number };

/** Cuts a text along the pattern; undefined where it does not fit. */
function split(text: string, parts: readonly DatePart[]): Fields | undefined {
  const fields: Fields = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  let at = 0;
  for (const [n, part] of parts.entries()) {
    if ('literal' in part) {
      if (!text.startsWith(part.literal, at)) return undefined;
      at += part.literal.length;
      continue;
    }
    if (part.digits === 0) {
      const word = monthAt(text, at, parts[n + 1]);
      if (!word) return undefined;
      fields.month = word.month;
      at += word.length;
      continue;
    }
    const most = part.digits === 1 ? 2 : part.digits;
    const start = at;
    let value = 0;
    while (at < start + most) {
      const digit = codeUnitAt(text, at) - 48;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
      at++;
    }
    if (at - start < part.digits) return undefined;
    fields[part.unit] = value;
  }
  return at === text.length ? fields : undefined;
}

const WORD = /[\p{L}\p{M}]+/uy;

/** The month that the text has there as a word; the dot of an abbreviation belongs to it, unless the pattern has it. */
function monthAt(text: string, at: number, next: DatePart | undefined): { month: number; length: number } | undefined {
  WORD.lastIndex = at;
  const [word = ''] = WORD.exec(text) ?? [];
  const month = monthNamed(word);
  if (month === undefined) return undefined;
  const isDotted = text[at + word.length] === '.' && !(next && 'literal' in next && next.literal.startsWith('.'));
  return { month, length: word.length + Number(isDotted) };
}

function impossible(fields: Fields, year: number): Message | undefined {
  if (year < FIRST_YEAR || year > LAST_YEAR) return DATES.year({ year, first: FIRST_YEAR, last: LAST_YEAR });
  if (fields.month < 1 || fields.month > 12) return DATES.month({ month: fields.month });
  if (fields.day < 1 || fields.day > daysInMonth(year, fields.month)) {
    return DATES.day({ day: fields.day, month: `${two(fields.month)}/${year}` });
  }
  if (fields.hour > 23 || fields.minute > 59 || fields.second > 59) return DATES.time();
  return undefined;
}

function notADate(text: string, pattern: string, suggestion: string | undefined): RunProblem {
  const words = withMessage(DATES.otherPattern({ text, pattern }), serialHint(text, suggestion));
  return definedOnly({ code: 'map/not-a-date', ...words, given: text, suggestion });
}

/** A day count of a spreadsheet in our times, perhaps with the time of day as its fraction. */
const DAY_COUNT = /^\d{5}(?:[.,]\d+)?$/;

function serialHint(text: string, suggestion: string | undefined): Message | undefined {
  if (!DAY_COUNT.test(text)) return undefined;
  return suggestion === undefined ? DATES.serial() : DATES.serialOf({ suggestion });
}

/** Undefined where it cannot write dates. */
function writerOf(
  pattern: string,
  parts: readonly DatePart[],
): ((iso: string, text: string) => string | undefined) | undefined {
  const write = compileDateWriter(pattern);
  if (typeof write !== 'function') return undefined;
  const isMarked = parts.some((part) => 'literal' in part);
  return (iso, text) => (isMarked || !mayLackZero(text) ? write(iso) : undefined);
}

/** 50926 may be 050926, the 5th of September 2026, where a pattern has digits alone; 46338 is no such date in any order. */
function mayLackZero(text: string): boolean {
  const [first, second, third] = [Number(text[0]), Number(text.slice(1, 3)), Number(text.slice(3, 5))] as const;
  const isMonth = (value: number) => value >= 1 && value <= 12;
  const isDay = (value: number) => value >= 1 && value <= 31;
  return (isDay(first) && isMonth(second)) || (isMonth(first) && isDay(second)) || (isMonth(second) && isDay(third));
}

/** Years that documents are of: other numbers of five digits are something else. */
const LIKELY = { from: '1990', to: '2099' };

/** The date of a day count of a spreadsheet, as the file writes dates; suggested, never applied. */
function dayMeant(text: string, write: ReturnType<typeof writerOf>, read: ReadDate): string | undefined {
  if (!write || !DAY_COUNT.test(text)) return undefined;
  const iso = readSerial(text);
  if (typeof iso !== 'string' || iso.slice(0, 4) < LIKELY.from || iso.slice(0, 4) > LIKELY.to) return undefined;
  const written = write(iso, text);
  if (written === undefined) return undefined;
  // A time that the pattern has no place for would be lost, another century guessed.
  const back = read(written);
  return back === iso || back === `${iso}T00:00:00` ? written : undefined;
}

/** What a two-digit year lacks; 0 without a pivot, where years have four digits. */
function centuryOf(year: number, pivot: number | undefined): number {
  if (pivot === undefined) return 0;
  return year <= pivot ? 2000 : 1900;
}

/** Day 25569 of a spreadsheet is 1970-01-01. Day 60 is its 29 February 1900, which never was. */
const SERIAL_OF_1970 = 25_569;

/** xsd:date has a zone where its writer wants one. The day of a document is the day that it states, whatever the zone. */
const ZONED = /^(\d{4}-\d{2}-\d{2})(?:Z|[-+](?:0\d|1[0-4]):[0-5]\d)$/;
const plainDay = compileDateFormat('yyyy-MM-dd') as { readonly read: ReadDate };

function readXsdDate(text: string): string | RunProblem {
  return plainDay.read(text.length > 10 ? (ZONED.exec(text)?.[1] ?? text) : text);
}

function readSerial(text: string): string | RunProblem {
  const [, whole, fraction = '0'] = /^(\d{1,6})(?:[.,](\d{1,12}))?$/.exec(text) ?? [];
  const serial = Number(whole ?? 0);
  const seconds = Math.round(Number(`0.${fraction}`) * 86_400);
  // Days before the 29 February that never was are one less; a time that rounds to 24:00 is the next day.
  const day = serial - SERIAL_OF_1970 + Number(serial < 60) + Number(seconds === 86_400);
  const date = serial === 0 || serial === 60 ? undefined : dateOfDay(day);
  if (date === undefined) {
    return { code: 'map/not-a-date', ...withMessage(DATES.noSerial({ text })), given: text };
  }
  if (seconds === 0 || seconds === 86_400) return date;
  return `${date}T${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
