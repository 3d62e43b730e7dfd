/**
 * Dates of the contracts as text: calendar date, date and time, with and without zone. Only days that exist pass.
 *
 * Compared as text on purpose: nothing here goes through a time zone, so a day never moves.
 */
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?$/;
const ZONE = /(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;
const MONTH_DAYS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `YYYY-MM-DD`, leap years observed. */
export function isDay(text: string): boolean {
  const parts = DAY.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (MONTH_DAYS[month - 1] ?? 0) + (leap ? 1 : 0);
}

/** `YYYY-MM-DDThh:mm:ss`, without zone. */
export function isLocalMoment(text: string): boolean {
  return text[10] === 'T' && isDay(text.slice(0, 10)) && TIME.test(text.slice(11));
}

/** Date and time; a zone (`Z`, `+02:00`) may follow. */
export function isMoment(text: string): boolean {
  return isLocalMoment(text.replace(ZONE, ''));
}
