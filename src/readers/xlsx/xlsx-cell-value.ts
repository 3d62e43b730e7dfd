/**
 * The stored value of a cell to the text that the mapping reads: numbers as plain decimals of at most 15 digits, which
 * is all that a spreadsheet shows; dates in ISO 8601. What cannot be read is a problem with the code of its fault.
 */
import { dateOfDay, two } from '../../text/calendar-date.ts';
import { withoutTrailing } from '../../text/trailing.ts';
import type { NumberForm } from './xlsx-number-format.ts';

export type CellKind = 'empty' | 'text' | 'number' | 'date' | 'boolean' | 'error';

/** Codes of what can be wrong with the value of one cell. */
export type CellProblem =
  | 'xlsx/error-value'
  | 'xlsx/formula-without-value'
  | 'xlsx/digits-lost'
  | 'xlsx/not-a-date'
  | 'xlsx/damaged-cell';

/** `text`: for a problem, what the file has in the cell. */
export type CellValue = { readonly kind: CellKind; readonly text: string; readonly problem?: CellProblem };

const DAY_SECONDS = 86_400;
/** Digits of a double that survive every program (IEEE 754, DBL_DIG). */
const DIGITS = 15;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Serial 1 is 1 January 1900, and serial 60 the 29 February 1900, which was no day. */
const EPOCH_1900 = Date.UTC(1899, 11, 31) / (DAY_SECONDS * 1000);
const EPOCH_1904 = Date.UTC(1904, 0, 1) / (DAY_SECONDS * 1000);
const NO_DAY = 60;

/** `stored`: the text of the `v` element. `is1904`: the workbook counts its days from 1904. */
export function numberValue(stored: string, form: NumberForm, is1904: boolean): CellValue {
  const number = NUMBER.test(stored) ? Number(stored) : Number.NaN;
  if (!Number.isFinite(number)) return { kind: 'number', text: stored, problem: 'xlsx/damaged-cell' };
  if (form === 'number') return plainNumber(number, stored);
  if (typeof form === 'object') {
    const plain = plainNumber(number, stored);
    return /^\d+$/.test(plain.text) ? { ...plain, text: plain.text.padStart(form.zeros, '0') } : plain;
  }
  const text = dateText(number, form, is1904);
  if (text === undefined) return { kind: 'date', text: stored, problem: 'xlsx/not-a-date' };
  return { kind: 'date', text };
}

/** Most numbers are stored as they are read. */
const AS_STORED = /^(?:0|-?[1-9]\d*)$|^-?(?:0|[1-9]\d*)\.\d*[1-9]$/;

/** A whole number of more digits lost the last ones when the file was saved: an identifier is another one then. */
function plainNumber(number: number, stored: string): CellValue {
  if (stored.length <= DIGITS && AS_STORED.test(stored)) return { kind: 'number', text: stored };
  const [digits = '', exponent = ''] = Math.abs(number)
    .toExponential(DIGITS - 1)
    .replace('.', '')
    .split('e');
  const point = Number(exponent) + 1;
  if (point > DIGITS) return { kind: 'number', text: stored, problem: 'xlsx/digits-lost' };
  const sign = number < 0 ? '-' : '';
  if (point <= 0) return { kind: 'number', text: withoutZeros(`${sign}0.${'0'.repeat(-point)}${digits}`) };
  return { kind: 'number', text: withoutZeros(`${sign}${digits.slice(0, point)}.${digits.slice(point)}`) };
}

/** Of 12.500 and 12.000: 12.5 and 12; -0.0 is 0. */
function withoutZeros(decimal: string): string {
  const text = withoutTrailing(withoutTrailing(decimal, '0'), '.');
  return text === '-0' ? '0' : text;
}

/** To the second, as cells show it. Undefined for a number that is not a day between 1900 and 2199. */
function dateText(serial: number, form: Exclude<NumberForm, object>, is1904: boolean): string | undefined {
  const seconds = Math.round(serial * DAY_SECONDS);
  if (!(seconds >= 0 && seconds <= Number.MAX_SAFE_INTEGER)) return undefined;
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  if (form === 'elapsed') return `${two(hours)}:${rest}`;
  const time = `${two(hours % 24)}:${rest}`;
  if (form === 'time') return time;
  // A date without a time shows the day that has begun.
  const day = Math.floor(form === 'date' ? serial + 0.0005 / DAY_SECONDS : seconds / DAY_SECONDS);
  const date = is1904 ? dateOfDay(EPOCH_1904 + day) : dateOf1900(day);
  if (date === undefined || form === 'date') return date;
  return `${date}T${time}`;
}

function dateOf1900(day: number): string | undefined {
  if (day < 1 || day === NO_DAY) return undefined;
  return dateOfDay(EPOCH_1900 + (day < NO_DAY ? day : day - 1));
}

const ISO = /^(?:(\d{4}-\d{2}-\d{2}))?(?:T?(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z?)?$/;

/** A cell of type `d`, whose value is ISO 8601 text. */
export function isoValue(stored: string, form: NumberForm): CellValue {
  const [, date, time] = ISO.exec(stored) ?? [];
  if (date === undefined && time === undefined) return { kind: 'date', text: stored, problem: 'xlsx/not-a-date' };
  if (date === undefined) return { kind: 'date', text: time ?? '' };
  const wantsTime = form === 'date-time' || (form !== 'date' && time !== undefined);
  return { kind: 'date', text: wantsTime ? `${date}T${time ?? '00:00:00'}` : date };
}

const ESCAPE = /_x([0-9A-Fa-f]{4})_/g;

/** Characters that XML cannot hold are written as _x000D_, and an underscore before such a text as _x005F_ (ST_Xstring). */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** NUL, halves of a character and what Unicode excludes: no text of an export has them. */
export function isReadableText(text: string): boolean {
  return text.isWellFormed() && !/[\0\ufffe\uffff]/.test(text);
}

/** 0 is A, 25 is Z, 26 is AA. */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last;
}

/** Column from 0 and row from 1 of a reference such as C12. Undefined for anything else. */
export function parseCellReference(reference: string): { readonly column: number; readonly row: number } | undefined {
  const [, letters, digits] = /^([A-Za-z]{1,3})([1-9]\d{0,6})$/.exec(reference) ?? [];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return { column: column - 1, row: Number(digits) };
}
