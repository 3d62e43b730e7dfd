/**
 * Day arithmetic on ISO dates, in the proleptic Gregorian calendar and without time zones. Only years from 1900 to 2199
 * are dates: anything else in a business export is a slip or a damaged cell. Nothing throws; undefined is out of range.
 */
import { compareTexts } from './compare-texts.ts';

export const FIRST_YEAR = 1900;
export const LAST_YEAR = 2199;

const DAY_MS = 86_400_000;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/;

/** `month` from 1; 0 for a month that does not exist. */
export function daysInMonth(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return leap ? 29 : (DAYS[month - 1] ?? 0);
}

/** True for a date, or a date-time to the second without zone, as ISO 8601 writes it and as formulas carry it. */
export function isIsoDate(text: string): boolean {
  const match = ISO.exec(text);
  return match !== null && isCalendarDay(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** True if the calendar has the day and its year counts. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  return year >= FIRST_YEAR && year <= LAST_YEAR && day >= 1 && day <= daysInMonth(year, month);
}

/** YYYY-MM-DD. The parts are not checked. */
export function isoOf(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** At least two digits. */
export function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/**
 * Negative, 0 or positive. A date next to a date-time is compared by the day; two of one form as their texts, which MIN, MAX
 * and sorting take as well.
 */
export function compareDates(a: string, b: string): number {
  const days = Math.min(a.length, b.length) === DAY_LENGTH;
  return days ? compareTexts(a.slice(0, DAY_LENGTH), b.slice(0, DAY_LENGTH)) : compareTexts(a, b);
}

/** Characters of YYYY-MM-DD. */
const DAY_LENGTH = 10;

/** Days since 1970-01-01 of a date or date-time. */
export function dayNumber(iso: string): number {
  return Date.UTC(Number(iso.slice(0, 4)), Number(iso.slice(5, 7)) - 1, Number(iso.slice(8, 10))) / DAY_MS;
}

/** The date of a day number; undefined outside the years that count. */
export function dateOfDay(day: number): string | undefined {
  // Past this bound Date itself is invalid; both ends are far outside of the years that count.
  if (!(Math.abs(day) < 1e7)) return undefined;
  const date = new Date(day * DAY_MS);
  const year = date.getUTCFullYear();
  return year < FIRST_YEAR || year > LAST_YEAR ? undefined : isoOf(year, date.getUTCMonth() + 1, date.getUTCDate());
}

/**
 * The same day some months later, or the last day of a shorter month: 31 January + 1 month = 28 February. Undefined
 * outside of the years that count.
 */
export function monthsLater(iso: string, months: number): string | undefined {
  const count = Number(iso.slice(0, 4)) * 12 + Number(iso.slice(5, 7)) - 1 + months;
  const year = Math.floor(count / 12);
  const month = count - year * 12 + 1;
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) return undefined;
  return isoOf(year, month, Math.min(Number(iso.slice(8, 10)), daysInMonth(year, month)));
}

/** The last day of the month of an ISO date. */
export function monthEnd(iso: string): string {
  const year = Number(iso.slice(0, 4));
  const month = Number(iso.slice(5, 7));
  return isoOf(year, month, daysInMonth(year, month));
}
