/**
 * Changes that a spreadsheet makes to a cell without a person: numbers, dates, codes, letters. In: the stored text and
 * the text that came back. Out: the damage as a message, or undefined if a person may have meant the change.
 * The rules are known behavior of Excel and LibreOffice Calc in English, French and Spanish. Nothing here throws.
 */
import type { Message, MessageMaker } from '../i18n/message.ts';
import { SPREADSHEET_DAMAGE } from '../i18n/messages/readers-messages.ts';
import { dictionary } from '../text/dictionary.ts';
import { withoutTrailing } from '../text/trailing.ts';

/** What the mapping makes of the column: in a number column, another spelling of the same number is no change. */
export type ColumnKind = 'text' | 'number' | 'date';

/**
 * `what` names the damage in a few words. `isSpelling`: both texts have one meaning (21/11/2026 and 21/11/26), so the
 * change of a cell that was at fault may be the requested one.
 */
export type Damage = { readonly what: Message; readonly isSpelling: boolean };

const BLANKS = /[\s\u00a0\u202f]+/g;
const EXPONENT = /^[+-]?\d(?:[.,]\d+)?E[+-]?\d+$/i;
const ERRORS =
  /^#(?:NAME\?|NOM\s?\?|¿NOMBRE\?|VALUE!|VALEUR\s?!|¡VALOR!|REF!|¡REF!|DIV\/0!|¡DIV\/0!|N\/A|N\/D|NUM!|NOMBRE\s?!|NULL!|NUL\s?!|#+|SPILL!)$|^#+$|^Err:\d+$/i;
const BOOLEANS = dictionary<boolean>({
  true: true,
  vrai: true,
  verdadero: true,
  wahr: true,
  false: false,
  faux: false,
  falso: false,
  falsch: false,
});

/**
 * True if no mapping can see a difference: blanks around the cell, the kind of its line ends and the Unicode
 * composition (NFC) do not count.
 */
export function isSameText(stored: string, given: string): boolean {
  return stored === given || normalizeText(stored) === normalizeText(given);
}

function normalizeText(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim().normalize('NFC');
}

/**
 * True if both texts are one number in different spellings, such as 12,50 and 12.5: no change in a number column.
 * False if a text is ambiguous: three digits after a single sign may be thousands.
 */
export function isSameNumber(stored: string, given: string): boolean {
  const [a, b] = [normalizeNumber(stored), normalizeNumber(given)];
  return a !== undefined && a === b;
}

/**
 * Sign, digits without zeros around them, decimals; undefined if the text is not clearly one number. `isDecimal`: a
 * single sign is the decimal sign, as for a spreadsheet that read the number and wrote it.
 */
function normalizeNumber(text: string, isDecimal = false): string | undefined {
  const plain = text.replace(BLANKS, '').replace(/^\+/, '');
  const found = /^(-?)(\d+)(?:[.,](\d*))?$/.exec(plain);
  // Three digits after a lone sign may be thousands.
  if (!found) return undefined;
  const [, sign, digits = '', decimals = ''] = found;
  if (!isDecimal && /^\d{3}$/.test(decimals) && digits.length <= 3) return undefined;
  const whole = withoutLeadingZeros(digits);
  const rest = withoutTrailing(decimals, '0');
  return `${whole === '0' && rest === '' ? '' : sign}${whole}.${rest}`;
}

type Rule = readonly [what: MessageMaker, test: (stored: string, given: string, kind: ColumnKind) => boolean];

/** In order of certainty: the first rule that fits names the damage, so a narrow rule is before a wide one. */
const RULES: readonly Rule[] = [
  [SPREADSHEET_DAMAGE.error, (_, given) => ERRORS.test(given)],
  [SPREADSHEET_DAMAGE.garbled, (stored, given) => isGarbled(stored, given)],
  [SPREADSHEET_DAMAGE.exponent, (stored, given) => EXPONENT.test(given) && isShortened(stored, given)],
  [SPREADSHEET_DAMAGE.codeAsNumber, isExpanded],
  [
    SPREADSHEET_DAMAGE.leadingZerosLost,
    (stored, given) => /^0\d/.test(stored) && withoutLeadingZeros(stored) === given,
  ],
  [SPREADSHEET_DAMAGE.rounded, isRounded],
  [SPREADSHEET_DAMAGE.dayMonthSwapped, isDayMonthSwapped],
  [SPREADSHEET_DAMAGE.otherDateFormat, (stored, given) => isSameDate(stored, given)],
  [
    SPREADSHEET_DAMAGE.daySerial,
    (stored, given) => possibleDays(stored).some((date) => toDaySerial(date) === parseDaySerial(given)),
  ],
  [SPREADSHEET_DAMAGE.readAsDate, isReadAsDate],
  [SPREADSHEET_DAMAGE.otherTimeFormat, isSameTime],
  [SPREADSHEET_DAMAGE.otherBoolean, isSameBoolean],
  [
    SPREADSHEET_DAMAGE.plusLost,
    (stored, given) => /^\+[\d\s().-]+$/.test(stored) && digitsOnly(stored) === given.replace(BLANKS, ''),
  ],
  [SPREADSHEET_DAMAGE.apostrophe, (stored, given) => given === `'${stored}` || stored === `'${given}`],
  [
    SPREADSHEET_DAMAGE.otherPunctuation,
    (stored, given) => withPlainPunctuation(stored) === withPlainPunctuation(given),
  ],
  [SPREADSHEET_DAMAGE.formula, (stored, given) => /^[=@+-]/.test(stored) && !isNumeric(stored) && isNumeric(given)],
  [
    SPREADSHEET_DAMAGE.brackets,
    (stored, given) => /^\([\d.,]+\)$/.test(stored) && isEqualValue(`-${stored.slice(1, -1)}`, given),
  ],
  [
    SPREADSHEET_DAMAGE.trailingMinus,
    (stored, given) => /^[\d.,]+-$/.test(stored) && isEqualValue(`-${stored.slice(0, -1)}`, given),
  ],
  [SPREADSHEET_DAMAGE.percentage, (stored, given) => percentageRatio(stored, given) === 1],
  [SPREADSHEET_DAMAGE.percentageOfHundred, (stored, given) => percentageRatio(stored, given) === 100],
  [
    SPREADSHEET_DAMAGE.currency,
    (stored, given) =>
      /[€$£]|EUR|USD/.test(given) &&
      !/[€$£]|EUR|USD/.test(stored) &&
      isEqualValue(stored, given.replace(/[€$£]|EUR|USD/g, '')),
  ],
  [
    SPREADSHEET_DAMAGE.decimalSignLost,
    (stored, given) => /^-?\d+[.,]\d+$/.test(stored) && /^-?\d+$/.test(given) && isWithoutDecimalSign(stored, given),
  ],
  [
    SPREADSHEET_DAMAGE.thousands,
    (stored, given) => isNumeric(stored) && stored.replace(BLANKS, '') === given.replace(/[\s\u00a0\u202f'’]+/g, ''),
  ],
  [SPREADSHEET_DAMAGE.otherDecimalSign, (stored, given) => isEqualValue(stored, given) && !/^0\d/.test(given)],
  [SPREADSHEET_DAMAGE.lessPrecise, isLessPrecise],
  [SPREADSHEET_DAMAGE.fraction, isFraction],
  [
    SPREADSHEET_DAMAGE.cutOff,
    (stored, given) => given.length >= 255 && stored.length > given.length && stored.startsWith(given),
  ],
  [
    SPREADSHEET_DAMAGE.otherBlanks,
    (stored, given) => stored.replace(BLANKS, ' ').trim() === given.replace(BLANKS, ' ').trim(),
  ],
  [SPREADSHEET_DAMAGE.lettersReplaced, (stored, given) => isReplaced(stored, given)],
];

/** An empty cell on either side is never damage, except an error value such as #REF! that fills it. */
const ONLY_ERRORS = RULES.slice(0, 1);

/** Changes that leave the meaning: the same number, day, time or word in another spelling. */
const SPELLINGS: ReadonlySet<MessageMaker> = new Set([
  SPREADSHEET_DAMAGE.otherDateFormat,
  SPREADSHEET_DAMAGE.otherTimeFormat,
  SPREADSHEET_DAMAGE.otherBoolean,
  SPREADSHEET_DAMAGE.apostrophe,
  SPREADSHEET_DAMAGE.otherPunctuation,
  SPREADSHEET_DAMAGE.brackets,
  SPREADSHEET_DAMAGE.trailingMinus,
  SPREADSHEET_DAMAGE.percentage,
  SPREADSHEET_DAMAGE.currency,
  SPREADSHEET_DAMAGE.thousands,
  SPREADSHEET_DAMAGE.otherDecimalSign,
  SPREADSHEET_DAMAGE.otherBlanks,
]);

/**
 * The damage if a spreadsheet alone explains the change; undefined if a person may have meant it. An empty cell on
 * either side is never damage, except an error value such as #REF! that fills an empty one.
 */
export function findDamage(stored: string, given: string, kind: ColumnKind): Damage | undefined {
  const [a, b] = [normalizeText(stored), normalizeText(given)];
  const rules = a === '' || b === '' ? ONLY_ERRORS : RULES;
  const [what] = rules.find(([, test]) => test(a, b, kind)) ?? [];
  return what && { what: what(), isSpelling: SPELLINGS.has(what) };
}

function digitsOnly(text: string): string {
  return text.replace(/\D/g, '');
}

function withoutLeadingZeros(text: string): string {
  return text.replace(/^0+(?=\d)/, '');
}

function isNumeric(text: string): boolean {
  return /^[+-]?[\d\s\u00a0\u202f]*\d(?:[.,]\d+)?$/.test(text);
}

/** 1,23457E+08 for 123456789: the digits that are left begin the number, its last one may be rounded. */
function isShortened(stored: string, given: string): boolean {
  const plain = stored.replace(BLANKS, '').replace(/^\+/, '');
  if (!/^-?\d+(?:[.,]\d+)?$/.test(plain)) return false;
  const [a, b] = [Number(plain.replace(',', '.')), Number(given.replace(',', '.'))];
  const places = digitsOnly(given.replace(/e.*$/i, '')).length;
  return a !== 0 && Math.abs(a - b) <= Math.abs(a) * 10 ** (1 - places);
}

/** 22E1 is 220 for a spreadsheet, shown as that or as 2,20E+02; 9,99E+08, saved once more, is 999000000. */
function isExpanded(stored: string, given: string): boolean {
  const isCode = /^\d+(?:[.,]\d+)?E\+?\d+$/i.test(stored);
  return isCode && Number(stored.replace(',', '.')) === Number(given.replace(BLANKS, '').replace(',', '.'));
}

/** Spreadsheets keep 15 significant digits: of a longer number the rest becomes zeros, and the 15th may be rounded. */
function isRounded(stored: string, given: string): boolean {
  const [a, b] = [stored.replace(BLANKS, ''), given.replace(BLANKS, '')];
  if (!/^\d{16,}$/.test(a) || !/^\d+$/.test(b)) return false;
  return a.length === b.length && b.slice(0, 14) === a.slice(0, 14) && /^\d0+$/.test(b.slice(14));
}

type Day = { readonly year: number; readonly month: number; readonly day: number };

/** One day, or none if the calendar does not have it (31 February). */
function validDays(year: number, month: number, day: number): Day[] {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? [{ year, month, day }] : [];
}

/** Names and abbreviations of each month in English, French and Spanish, without accents, dots and capitals. */
const MONTHS = [
  ['jan', 'janv', 'ene', 'january', 'janvier', 'enero'],
  ['feb', 'fev', 'fevr', 'february', 'fevrier', 'febrero'],
  ['mar', 'mars', 'march', 'marzo'],
  ['apr', 'avr', 'abr', 'april', 'avril', 'abril'],
  ['may', 'mai', 'mayo'],
  ['jun', 'juin', 'june', 'junio'],
  ['jul', 'juil', 'july', 'juillet', 'julio'],
  ['aug', 'aout', 'ago', 'august', 'agosto'],
  ['sep', 'sept', 'september', 'septembre', 'septiembre'],
  ['oct', 'october', 'octobre', 'octubre'],
  ['nov', 'november', 'novembre', 'noviembre'],
  ['dec', 'dic', 'december', 'decembre', 'diciembre'],
];

/** From 1; 0 where the word is not a month. */
function parseMonth(word = ''): number {
  const plain = word
    .normalize('NFKD')
    .replace(/\p{M}|\./gu, '')
    .toLowerCase();
  return MONTHS.findIndex((names) => names.includes(plain)) + 1;
}

/** Each day that the text may mean: with day first, and with month first. Empty if it is not a date. */
function possibleDays(text: string): readonly Day[] {
  const plain = text.replace(/[T ]00:00(?::00(?:\.0+)?)?Z?$/, '');
  const iso = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})$/.exec(plain);
  if (iso) return validDays(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const joined = /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(plain);
  if (joined) return validDays(toYear(joined[3]), Number(joined[2]), Number(joined[1]));
  const apart = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$/.exec(plain);
  if (apart) {
    const [a, b, year] = [Number(apart[1]), Number(apart[2]), toYear(apart[3])];
    return [...validDays(year, b, a), ...(a === b ? [] : validDays(year, a, b))];
  }
  const named = /^(\d{1,2})[-/. ]+([\p{L}.]+)[-/. ]+(\d{4}|\d{2})$/u.exec(plain);
  return named ? validDays(toYear(named[3]), parseMonth(named[2]), Number(named[1])) : [];
}

/** Two digits are a year of this century, because exports do not go further back. */
function toYear(text = ''): number {
  return text.length === 2 ? 2000 + Number(text) : Number(text);
}

function isSameDay(a: Day, b: Day): boolean {
  return a.year === b.year && a.month === b.month && a.day === b.day;
}

/** The same date with day and month exchanged, as a spreadsheet of another locale reads it. */
function isDayMonthSwapped(stored: string, given: string): boolean {
  const [[date], [read]] = [possibleDays(stored), possibleDays(given)];
  if (!date || !read || date.day === date.month) return false;
  return isSameDay(read, { ...date, day: date.month, month: date.day });
}

function isSameDate(stored: string, given: string): boolean {
  const others = possibleDays(given);
  return possibleDays(stored).some((a) => others.some((b) => isSameDay(a, b)));
}

/** Days since 1899-12-30, as spreadsheets count. */
function toDaySerial({ year, month, day }: Day): number {
  return Math.round((Date.UTC(year, month - 1, day) - Date.UTC(1899, 11, 30)) / 86_400_000);
}

function parseDaySerial(text: string): number | undefined {
  return /^\d{4,5}(?:[.,]0+)?$/.test(text) ? Number(text.replace(/[.,]0+$/, '')) : undefined;
}

/** Month and day, or two numbers that may be: 3-4, 1/2, MAR1, SEP2; empty for another text. */
function dateParts(stored: string): readonly number[] {
  const numbers = /^(\d{1,2})[-/.](\d{1,4})$/.exec(stored);
  if (numbers) return [Number(numbers[1]), Number(numbers[2])];
  const word = /^(\p{L}{3,9})[- ]?(\d{1,4})$/u.exec(stored);
  return word ? [parseMonth(word[1]), Number(word[2])] : [];
}

/**
 * A code such as 3-4 or MAR1 became a date: two parts of a date are enough for a spreadsheet. Serials between 30000
 * and 60000 are the years 1982 to 2064.
 */
function isReadAsDate(stored: string, given: string): boolean {
  const parts = dateParts(stored);
  if (parts.length === 0 || parts[0] === 0) return false;
  const short = /^(\d{1,2})[-/. ]?(\p{L}+\.?)$/u.exec(given) ?? /^(\p{L}+\.?)[-/. ](\d{2,4})$/u.exec(given);
  if (short) return short.slice(1).some((part) => parseMonth(part) > 0 && parts.includes(parseMonth(part)));
  const serial = parseDaySerial(given);
  if (serial !== undefined && /^\d/.test(stored) && serial > 30_000 && serial < 60_000) return true;
  return possibleDays(given).some(({ month, day }) => parts.includes(month) && (parts.includes(day) || day === 1));
}

/** The same time of day, with or without seconds, or as the fraction of a day that spreadsheets store. */
function isSameTime(stored: string, given: string): boolean {
  const time = (text: string) => /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  const found = time(stored);
  if (!found) return false;
  const seconds = Number(found[1]) * 3600 + Number(found[2]) * 60 + Number(found[3] ?? 0);
  const again = time(given);
  if (again) return Number(again[1]) * 3600 + Number(again[2]) * 60 + Number(again[3] ?? 0) === seconds;
  return /^[01][.,]\d+$/.test(given) && Math.abs(Number(given.replace(',', '.')) * 86_400 - seconds) < 1;
}

function isSameBoolean(stored: string, given: string): boolean {
  const [a, b] = [BOOLEANS.get(stored.toLowerCase()), BOOLEANS.get(given.toLowerCase())];
  return a !== undefined && a === b;
}

function withPlainPunctuation(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201b\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201e]/g, '"')
    .replace(/[\u2010-\u2015]/g, '-')
    .replaceAll('\u2026', '...');
}

/** 1 where 12% became 12, 100 where it became 0.12, in either direction; undefined if neither is a percentage. */
function percentageRatio(stored: string, given: string): number | undefined {
  const after = PERCENTAGE.exec(given.replace(/[\u00a0\u202f]/g, ' '))?.[1];
  if (after !== undefined) return ratio(after, stored);
  const before = PERCENTAGE.exec(stored)?.[1];
  return before === undefined ? undefined : ratio(before, given);
}

const PERCENTAGE = /^([\d.,]+)\s*%$/;

function ratio(a: string, b: string): number | undefined {
  if (!isNumeric(a) || !isNumeric(b)) return undefined;
  const value = Number(a.replace(',', '.')) / Number(b.replace(',', '.'));
  return Math.round(value * 1e9) / 1e9;
}

/** 12,50 becomes 1250 if the spreadsheet does not read the comma as a decimal sign. */
function isWithoutDecimalSign(stored: string, given: string): boolean {
  return (
    withoutLeadingZeros(digitsOnly(stored)) === withoutLeadingZeros(digitsOnly(given)) &&
    stored.startsWith('-') === given.startsWith('-')
  );
}

/** 12,50 and 12.5, or 0,333 and 0.333, whatever 0.333 may mean elsewhere. */
function isEqualValue(stored: string, given: string): boolean {
  const value = normalizeNumber(stored, true);
  return value !== undefined && value === normalizeNumber(given, true);
}

/** The cell came back with the decimals that it showed, two or more. With fewer, a person may have rounded it. */
function isLessPrecise(stored: string, given: string): boolean {
  const [a, b] = [/^-?\d+[.,](\d{3,})$/.exec(stored), /^-?\d+(?:[.,](\d+))?$/.exec(given)];
  const places = b?.[1]?.length ?? 0;
  if (!a || !b || places < 2 || (a[1] ?? '').length <= places) return false;
  return Math.abs(Number(stored.replace(',', '.')) - Number(given.replace(',', '.'))) <= 0.5 * 10 ** -places + 1e-12;
}

/** 1/2 opened as the number 0.5, within the two decimals that the cell shows. */
function isFraction(stored: string, given: string): boolean {
  const found = /^(\d{1,3})\/(\d{1,3})$/.exec(stored);
  if (!found || !/^\d*[.,]\d+$/.test(given)) return false;
  return Math.abs(Number(found[1]) / Number(found[2]) - Number(given.replace(',', '.'))) < 0.005;
}

/** UTF-8 read as Windows-1252, or the other way round. */
function isGarbled(stored: string, given: string): boolean {
  if (!/[^\0-\u007f]/.test(stored)) return false;
  if (given.includes('\ufffd')) return true;
  const latin1 = given.replace(/[\u0152-\u2122]/g, (sign) => CP1252.get(sign) ?? sign);
  return Buffer.from(latin1, 'latin1').toString('utf8') === stored;
}

/** The letters of Windows-1252 at bytes 0x80 to 0x9F, where Latin-1 has control characters. */
const CP1252: ReadonlyMap<string, string> = new Map(
  [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'].map((sign, at) => [
    sign,
    String.fromCharCode(0x80 + at),
  ]),
);

/** Letters outside of ASCII became `?`, as saving in a narrow code page does. */
function isReplaced(stored: string, given: string): boolean {
  if (!given.includes('?') || stored.length !== given.length) return false;
  return [...given].every(
    (sign, at) => sign === stored[at] || (sign === '?' && /[^\0-\u007f]/.test(stored.charAt(at))),
  );
}
