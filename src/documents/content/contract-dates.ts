/**
 * Dates of the contracts as text: calendar date, date and time, with and without zone. Only days that exist pass.
 *
 * Compared as text on purpose: nothing here goes through a time zone, so a day never moves.
 */
import { daysInMonth } from '../../text/calendar-date.ts';
import { codeUnitAt } from '../../text/code-unit.ts';

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?$/;
const ZONE = /(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;
const ZERO = 48;
const HYPHEN = 45;

/** `YYYY-MM-DD`, leap years observed. */
export function isDay(text: string): boolean {
  // Digit by digit: each document is asked for its days some ten times, and a pattern would take ten times as long.
  if (text.length !== 10 || codeUnitAt(text, 4) !== HYPHEN || codeUnitAt(text, 7) !== HYPHEN) return false;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (Number.isNaN(year)) return false;
  return day >= 1 && day <= daysInMonth(year, month);
}

/** `YYYY-MM-DDThh:mm:ss`, without zone. */
export function isLocalMoment(text: string): boolean {
  return text[10] === 'T' && isDay(text.slice(0, 10)) && TIME.test(text.slice(11));
}

/** Date and time; a zone (`Z`, `+02:00`) may follow. */
export function isMoment(text: string): boolean {
  return isLocalMoment(text.replace(ZONE, ''));
}

/** NaN where there is anything but two digits. */
function twoDigits(text: string, at: number): number {
  const tens = codeUnitAt(text, at) - ZERO;
  const ones = codeUnitAt(text, at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}
