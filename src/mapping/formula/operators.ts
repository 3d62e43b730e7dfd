/**
 * + - * / & % and comparisons as closures over values; two numbers, the usual case, are decided first. An empty cell
 * counts as 0 for + and -; * and / refuse it, because a silent 0 would be a wrong amount; a comparison takes it as 0
 * next to a number, as a spreadsheet does, and as the least text or date. The text "" asks for an empty cell: 0 is none.
 */

import { decimalText, type Message } from '../../i18n/message.ts';
import { ARITHMETIC, KINDS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { withMessage } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { compareDates } from '../../text/calendar-date.ts';
import { type Argument, argumentText, fail, textTooLong } from '../runtime/function-definition.ts';
import { type Context, FAILED, type ReadValue, type Value } from '../runtime/value.ts';
import type { Operator } from './parse-formula.ts';

/** Operators of numbers, in addition to those of dates. */
export type Arithmetic = '+' | '-' | '*' | '/';
/** Operators that give true or false. */
export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Digits of a calculated number; products of products would grow without bound otherwise. */
const MAX_DIGITS = 200;
const HUNDRED = Decimal.from(100);

/** Undefined for a division by zero; only a division may be inexact. */
const CALCULATE: { readonly [O in Arithmetic]: (a: Decimal, b: Decimal) => Decimal | undefined } = {
  '+': (a, b) => a.plus(b),
  '-': (a, b) => a.minus(b),
  '*': (a, b) => a.times(b),
  '/': (a, b) => a.dividedBy(b),
};

/** Faults: `map/division-by-zero`, `map/empty-in-formula`, `map/number-too-long`. */
export function arithmetic(operator: Arithmetic, left: Argument, right: Argument): ReadValue {
  const calculate = CALCULATE[operator];
  const readLeft = left.read;
  const readRight = right.read;
  return (context) => {
    const a = readLeft(context);
    const b = readRight(context);
    if (!(a instanceof Decimal && b instanceof Decimal)) return withEmpty({ operator, left, right }, a, b, context);
    const result = calculate(a, b);
    if (result === undefined) {
      const hint = ARITHMETIC.sayThen({ formula: `IF(${right.source} = 0, ..., ...)` });
      const message = ARITHMETIC.byZero({ value: decimalText(a.toText()), divisor: right.source });
      return fail(context, { code: 'map/division-by-zero', ...withMessage(message, hint) });
    }
    // A number of machine size is never too long, so that only large ones are measured.
    if (typeof result.units === 'number' && result.scale <= MAX_DIGITS) return result;
    return bounded(result, context);
  };
}

type Operation = { readonly operator: Arithmetic; readonly left: Argument; readonly right: Argument };

/** The slow path of `arithmetic`: an empty or failed side. */
function withEmpty({ operator, left, right }: Operation, a: Value, b: Value, context: Context): Value {
  if (a === FAILED || b === FAILED) return FAILED;
  if (operator === '+' || operator === '-') {
    if (a === '') return b instanceof Decimal && operator === '-' ? b.negated() : b;
    return a;
  }
  const { source, read } = a === '' ? left : right;
  return fail(context, {
    code: 'map/empty-in-formula',
    ...withMessage(
      ARITHMETIC.empty({ source, formula: `${left.source} ${operator} ${right.source}` }),
      ARITHMETIC.fillIn({ formula: `IFEMPTY(${source}, 0)` }),
    ),
    column: source.replace(/^\$\[?|\]$/g, ''),
    // Read once more to note the cells of this side alone: `IF($Type = "AV", -$Qte, $Qte)` reads several.
    madeFrom: context.tracer?.noting(() => read(context)).cells,
  });
}

/** `map/number-too-long` beyond MAX_DIGITS before or after the decimal mark. */
function bounded(value: Decimal, context: Context): Value {
  if (value.scale <= MAX_DIGITS && value.abs().compare(LARGEST) < 0) return value;
  return fail(context, { code: 'map/number-too-long', ...withMessage(ARITHMETIC.tooLong({ most: MAX_DIGITS })) });
}

const LARGEST = Decimal.of(10n ** BigInt(MAX_DIGITS), 0);

/** An empty value stays empty. */
export function negative(of: Argument): ReadValue {
  return (context) => {
    const value = of.read(context);
    return value instanceof Decimal ? value.negated() : value;
  };
}

/** Divides by 100. An empty value stays empty. */
export function percent(of: Argument): ReadValue {
  return (context) => {
    const value = of.read(context);
    return value instanceof Decimal ? must(value.dividedBy(HUNDRED), 'a hundredth') : value;
  };
}

/** Numbers as plain digits, booleans as TRUE or FALSE; `map/text-too-long` for a result beyond MAX_TEXT. */
export function concatenation(left: Argument, right: Argument): ReadValue {
  return (context) => {
    const a = left.read(context);
    const b = right.read(context);
    if (a === FAILED || b === FAILED) return FAILED;
    const text = argumentText(a) + argumentText(b);
    return textTooLong(context, text.length) ?? text;
  };
}

const HOLDS: { readonly [O in ComparisonOperator]: (order: number) => boolean } = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** `map/wrong-kind` where the two values have no common order. */
export function comparison(operator: ComparisonOperator, left: Argument, right: Argument): ReadValue {
  const holds = HOLDS[operator];
  const dated = left.kind === 'date' || right.kind === 'date';
  const asksForEmpty = left.literal === '' || right.literal === '';
  const orderIn = (a: Filled, b: Filled) =>
    dated && typeof a === 'string' && typeof b === 'string' ? compareDates(a, b) : orderOf(a, b);
  return (context) => {
    const a = left.read(context);
    const b = right.read(context);
    if (a === FAILED || b === FAILED) return FAILED;
    const order = asksForEmpty ? orderNextToEmpty(a, b) : orderIn(a, b);
    if (order !== undefined) return holds(order);
    const sides = { left: left.source, right: right.source, one: kindOf(a), other: kindOf(b) };
    return fail(context, { code: 'map/wrong-kind', ...withMessage(KINDS.notCompared(sides)), given: String(a) });
  };
}

/** True for the operators that give true or false. */
export function isComparison(operator: Operator): operator is ComparisonOperator {
  return operator in HOLDS;
}

type Filled = Exclude<Value, typeof FAILED>;

/** `$Rate = ""` asks whether the cell is empty: a rate of 0 is not. Nothing is less than an empty text. */
function orderNextToEmpty(a: Filled, b: Filled): number {
  return Number(a !== '') - Number(b !== '');
}

/**
 * Negative, 0 or positive; texts by code unit, not by the alphabet of a language; undefined for two without an order.
 */
function orderOf(a: Filled, b: Filled): number | undefined {
  if (a instanceof Decimal && b instanceof Decimal) return a.compare(b);
  if (a instanceof Decimal) return b === '' ? a.compare(Decimal.zero) : undefined;
  if (b instanceof Decimal) return a === '' ? Decimal.zero.compare(b) : undefined;
  if (typeof a !== typeof b && a !== '' && b !== '') return undefined;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function kindOf(value: Exclude<Value, typeof FAILED>): string | Message {
  if (value instanceof Decimal) return KINDS.theNumber({ value: decimalText(value.toText()) });
  return typeof value === 'boolean' ? argumentText(value) : KINDS.theText({ value });
}
