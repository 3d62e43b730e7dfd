/**
 * Input: the key of an identity. Output: the form that every spelling of the same number shares: capitals, no blanks, one
 * kind of hyphen, composed characters, no leading zeros. Service, issuer and class, or the kind, stay as they are.
 */
import { codeUnitAt } from '../text/code-unit.ts';
import { withoutTrailing } from '../text/trailing.ts';

/** `service|issuer|class|` of a document's own key, `nt|kind|` of its `never-twice` values; bars inside are escaped. */
const BEFORE_NUMBER = /^(?:nt\|[^|]*|[^|]*\|(?:\\.|[^|\\])*\|[^|]*)\|/;

/** One of the parts between the bars: series, number, year, a value. */
const PART = /(?:\\.|[^|\\])+/g;
/** Of a part with one of these, the beginning or the end is left out. */
const HAS_ENDS = /'|[.,]0/;
/**
 * Leading zeros, and a hyphen between a letter and a digit. Two runs of digits never become one: 1-01 is 1-1, and not 101. The
 * decimals of a number keep their zeros: 1.05 is not 1.5. All zeros of a run are taken, or none: a pattern that may take
 * fewer of them looks back from each.
 */
const LEFT_OUT =
  /(?<!\d)0+(?=[1-9]|0(?!\d))(?!(?<=(?:^|\|)-?\d+[.,]0+)\d+(?:$|\|))|(?<=\p{L})-(?=\d)|(?<=\d)-(?=\p{L})/gu;
/** The same where all is visible ASCII, as in most numbers: the engine is slow with letters of all scripts. */
const LEFT_OUT_OF_CAPITALS =
  /(?<!\d)0+(?=[1-9]|0(?!\d))(?!(?<=(?:^|\|)-?\d+[.,]0+)\d+(?:$|\|))|(?<=[A-Z])-(?=\d)|(?<=\d)-(?=[A-Z])/g;

/** The key itself if it already has this form. */
export function foldKey(key: string): string {
  const start = BEFORE_NUMBER.exec(key)?.[0].length ?? key.length;
  const given = key.slice(start);
  const isPlain = isVisibleCapitals(given);
  const letters = isPlain ? given : foldLetters(given);
  const whole = HAS_ENDS.test(letters) ? letters.replace(PART, withoutEnds) : letters;
  const number = whole.replaceAll('/', '-').replace(isPlain ? LEFT_OUT_OF_CAPITALS : LEFT_OUT, '');
  return number === given ? key : key.slice(0, start) + number;
}

/** The same for a number alone. */
export function foldNumber(number: string): string {
  const service = '|||';
  return foldKey(service + number).slice(service.length);
}

function foldLetters(number: string): string {
  return number
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .toUpperCase();
}

/** Without the text sign of a spreadsheet, and the decimals that it gives to a number of digits alone. */
function withoutEnds(part: string): string {
  const rest = part.replace(/^'+(?=.)/, '');
  return (part.length > 1 ? withoutTrailing(rest, "'") : rest).replace(/^(\d+)[.,]0+$/, '$1');
}

/** Series, number and year, or the values, in a form for people. */
export function numberInKey(key: string): string {
  return numbersInKey(key).join(', ');
}

/** Series, number and year, or the values. */
export function numbersInKey(key: string): readonly string[] {
  const start = BEFORE_NUMBER.exec(key)?.[0].length ?? 0;
  const parts = key.slice(start).match(PART) ?? [];
  return parts.map((part) => part.replace(/\\(.)/g, '$1'));
}

function isVisibleCapitals(number: string): boolean {
  for (let n = 0; n < number.length; n++) {
    const unit = codeUnitAt(number, n);
    if (unit <= 0x20 || unit >= 0x7f || (unit >= 0x61 && unit <= 0x7a)) return false;
  }
  return true;
}
