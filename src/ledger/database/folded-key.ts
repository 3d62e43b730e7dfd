/**
 * Input: the key of an identity. Output: the form that every spelling of the same number shares: capitals, no blanks, one
 * kind of hyphen, composed characters, no leading zeros. Service, issuer and class, or the kind, stay as they are.
 */
import { codeUnitAt } from '../../text/code-unit.ts';

/** `service|issuer|class|` of a document's own key, `nt|kind|` of its `never-twice` values; bars inside are escaped. */
const BEFORE_NUMBER = /^(?:nt\|[^|]*|[^|]*\|(?:\\.|[^|\\])*\|[^|]*)\|/;

/** One of the parts between the bars: series, number, year, a value. */
const PART = /(?:\\.|[^|\\])+/g;
/** A part with any of these is spelled in another way than it is folded, with few exceptions. */
const SPELLED = /['/]|[.,]0|(?<!\d)0\d|\p{L}-\d|\d-\p{L}/u;

/** The key itself if it already has this form. */
export function foldKey(key: string): string {
  const start = BEFORE_NUMBER.exec(key)?.[0].length ?? key.length;
  const number = foldLetters(key.slice(start));
  const folded = SPELLED.test(number) ? number.replace(PART, foldDigits) : number;
  return key.endsWith(folded) && key.length === start + folded.length ? key : key.slice(0, start) + folded;
}

function foldLetters(number: string): string {
  if (isVisibleCapitals(number)) return number;
  return number
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .toUpperCase();
}

/**
 * What a spreadsheet or another screen of the ERP makes of a number: the text sign in front of it, decimals after it, zeros that are
 * lost, a slash for a hyphen. Two runs of digits never become one: 1-01 is 1-1, and not 101. A zero alone stays.
 */
function foldDigits(part: string): string {
  return part
    .replace(/^'+(?=.)|(?<=.)'+$/g, '')
    .replace(/^(\d+)[.,]0+$/, '$1')
    .replaceAll('/', '-')
    .replace(/(?<=\p{L})-(?=\d)|(?<=\d)-(?=\p{L})/gu, '')
    .replace(/(?<!\d)0+(?=\d)/g, '');
}

/** Series, number and year, or the values, in a form for people. */
export function numberInKey(key: string): string {
  const start = BEFORE_NUMBER.exec(key)?.[0].length ?? 0;
  const parts = key.slice(start).match(PART) ?? [];
  return parts.map((part) => part.replace(/\\(.)/g, '$1')).join(', ');
}

function isVisibleCapitals(number: string): boolean {
  for (let n = 0; n < number.length; n++) {
    const unit = codeUnitAt(number, n);
    if (unit <= 0x20 || unit >= 0x7f || (unit >= 0x61 && unit <= 0x7a)) return false;
  }
  return true;
}
