/**
 * Numbers as an export writes them: cell text to Decimal, strictly by the format the mapping declares.
 *
 * Accepted in addition to plain digits: a sign before or a minus after, parentheses for negatives, groups of exactly three
 * digits between the declared separators, ",50" without a leading zero, and the declared currency sign once, before or
 * after them. Never an exponent: its digits are lost already. Never another currency: the amount would be a different one.
 */

import type { Message } from '../../i18n/message.ts';
import { CORRECT, NUMBERS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { withMessage } from '../../model/fault.ts';
import { codeUnitAt } from '../../text/code-unit.ts';
import { withoutTrailing } from '../../text/trailing.ts';
import type { RunProblem } from '../runtime/value.ts';

export type NumberFormat = {
  readonly decimal: ',' | '.';
  /** Characters, or the names nbsp, narrow-nbsp and space. All eithers count as one, as do both apostrophes. */
  readonly thousands: readonly string[];
  /** Such as € or EUR: accepted once before or after the digits, with or without a blank between. */
  readonly currencySign?: string | undefined;
};

/** The text is trimmed and not empty. */
export type ReadNumber = (text: string) => Decimal | RunProblem;

const BLANKS = ' \u00a0\u202f\u2009';
const LEADING_BLANKS = new RegExp(`^[${BLANKS}]+`);
const APOSTROPHES = "'’";
const EXPONENT = /^[-+]?\d+(?:[.,]\d+)?[eE][-+]?\d+$/;

/** Faults: `map/not-a-number`, and `map/damaged-text` for a number with an exponent. */
export function compileNumberFormat(format: NumberFormat): ReadNumber {
  const point = format.decimal.charCodeAt(0);
  const separators = separatorsOf(format);
  const mark = `\\${format.decimal}`;
  const either = [...separators].map((character) => (/\w/.test(character) ? character : `\\${character}`)).join('');
  // The same separator throughout, between groups of exactly three digits.
  const groups = separators === '' ? '' : `|\\d{1,3}(?<separator>[${either}])\\d{3}(?:\\k<separator>\\d{3})*`;
  const pattern = new RegExp(
    `^(?<before>[-+(]?)(?=[\\d${mark}])(?<whole>\\d+${groups})?(?:${mark}(?<fraction>\\d+))?(?<after>[-)]?)$`,
  );
  const { currencySign: sign } = format;
  if (sign === undefined)
    return (text) => plainNumber(text, point) ?? grouped(text, pattern) ?? notANumber(text, format);
  const read = (text: string) => plainNumber(text, point) ?? grouped(text, pattern);
  return (text) => read(text) ?? readBare(text, sign, read) ?? notANumber(text, format);
}

/** Without the sign of the currency: `5 607,04- €`, `€ 12`, `-€12`, `(12 €)`. */
function readBare(text: string, sign: string, read: (text: string) => Decimal | undefined): Decimal | undefined {
  const at = text.indexOf(sign);
  if (at < 0 || text.includes(sign, at + sign.length)) return undefined;
  const [before, after] = [text.slice(0, at), text.slice(at + sign.length)];
  if (/^[-+(]?$/.test(before)) return read(before + trimmed(after));
  return /^[-)]?$/.test(after) ? read(trimmed(before) + after) : undefined;
}

function trimmed(text: string): string {
  return withoutTrailing(text.replace(LEADING_BLANKS, ''), BLANKS);
}

/** xsd:decimal of XML Schema: a decimal point may have no digits after it ("64."). */
export function compileXsdDecimal(): ReadNumber {
  const read = compileNumberFormat({ decimal: '.', thousands: [] });
  return (text) => read(text.length > 1 && text.endsWith('.') ? text.slice(0, -1) : text);
}

/** Digits alone, the last ones decimals, a sign before or after them: amounts of systems without a decimal mark. */
export function compileImpliedDecimals(places: number): ReadNumber {
  return (text) => {
    // A sign before the digits or after them, never both.
    const { digits = '', sign } =
      /^(?<sign>[-+]?)(?<digits>\d{1,30})$|^(?<digits>\d{1,30})(?<sign>[-+])$/.exec(text)?.groups ?? {};
    const value = Decimal.parse(digits);
    if (!value) return { code: 'map/not-a-number', ...withMessage(NUMBERS.digitsAlone({ text, places })), given: text };
    const scaled = value.times(Decimal.of(1, places));
    return sign === '-' ? scaled.negated() : scaled;
  };
}

function separatorsOf(format: NumberFormat): string {
  const separators = new Set<string>();
  for (const name of format.thousands.filter((given) => given !== '')) {
    for (const character of alikeTo(name)) if (character !== format.decimal) separators.add(character);
  }
  return [...separators].join('');
}

/** All characters that count as the declared one: exports mix the kinds of blanks, and the two apostrophes. */
function alikeTo(name: string): string {
  if (name === 'nbsp' || name === 'narrow-nbsp' || name === 'space' || BLANKS.includes(name)) return BLANKS;
  return APOSTROPHES.includes(name) ? APOSTROPHES : name;
}

/** Digits with at most one decimal mark and a leading minus, up to 15 digits: nearly every cell of an export. */
function plainNumber(text: string, point: number): Decimal | undefined {
  const length = text.length;
  const start = codeUnitAt(text, 0) === 45 ? 1 : 0;
  if (length === start || length - start > 16) return undefined;
  let units = 0;
  let mark = -1;
  for (let i = start; i < length; i++) {
    const code = codeUnitAt(text, i);
    if (code >= 48 && code <= 57) units = units * 10 + (code - 48);
    else if (code === point && mark < 0 && i > start) mark = i;
    else return undefined;
  }
  if (mark === length - 1 || units > 999_999_999_999_999) return undefined;
  return Decimal.of(start === 1 ? 0 - units : units, mark < 0 ? 0 : length - mark - 1);
}

function grouped(text: string, pattern: RegExp): Decimal | undefined {
  const { before, whole, fraction, after } = pattern.exec(text)?.groups ?? {};
  if (before === undefined) return undefined;
  const closed = before === '(' ? after === ')' : after === '' || (after === '-' && before === '');
  if (!closed) return undefined;
  const negative = before === '-' || before === '(' || after === '-';
  const digits = (whole ?? '0').replace(/\D/g, '');
  return Decimal.parse(`${negative ? '-' : ''}${digits}${fraction === undefined ? '' : `.${fraction}`}`);
}

function notANumber(text: string, format: NumberFormat): RunProblem {
  if (EXPONENT.test(text)) {
    return {
      code: 'map/damaged-text',
      ...withMessage(NUMBERS.damaged({ text }), CORRECT.exportAgain()),
      given: text,
    };
  }
  const other = format.decimal === ',' ? '.' : ',';
  const code = 'map/not-a-number';
  if (text.includes(other) && /^[-+(]?[\d.,'’\s]+[-)]?$/.test(text)) {
    return {
      code,
      ...withMessage(
        NUMBERS.otherMark({ text, mark: format.decimal }),
        text.includes(format.decimal) ? NUMBERS.addThousands({ mark: other }) : NUMBERS.cellOrMark(),
      ),
      given: text,
    };
  }
  const { currencySign: sign } = format;
  const own = text.replace(sign ?? '', '');
  const stranger = /[^-+()\d.,'’\s]/u.exec(own)?.[0];
  const hint = stranger === undefined ? undefined : strangerHint(stranger, sign);
  return { code, ...withMessage(NUMBERS.no({ text }), hint), given: text };
}

function strangerHint(character: string, sign: string | undefined): Message {
  if (!/\p{Sc}/u.test(character) || character === sign) return NUMBERS.stranger({ character });
  return sign === undefined ? NUMBERS.currency({ character }) : NUMBERS.otherCurrency({ character, sign });
}
