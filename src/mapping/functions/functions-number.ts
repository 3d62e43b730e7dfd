/**
 * Functions on single numbers: exact decimals in and out; only the functions that round do so. Faults:
 * `map/wrong-argument`, `map/not-a-number`.
 */

import { ARGUMENTS, FUNCTION_ARGUMENTS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { withMessage } from '../../model/fault.ts';
import {
  type Argument,
  type ArgumentRefusal,
  builtFunction,
  countOf,
  type FunctionEntry,
  fail,
  plainFunction,
} from '../runtime/function-definition.ts';
import { type Context, FAILED, type ReadValue, type Value } from '../runtime/value.ts';
import { compileNumberFormat } from '../source/parse-number.ts';

/** Decimals that ROUND accepts: from thousands of billions to the longest quotient. */
const PLACES = { least: -12, most: 20 };

/** The manual of each function is its entry; its examples run as tests. */
export const NUMBER_FUNCTIONS: readonly FunctionEntry[] = [
  builtFunction({
    name: 'ROUND',
    syntax: 'ROUND(number, decimals)',
    sentence: 'Rounds half away from zero, as tax rules ask; a negative count of decimals rounds to tens, hundreds.',
    examples: [
      { formula: 'ROUND(2.345, 2)', gives: '2.35' },
      { formula: 'ROUND(1.005, 2)', gives: '1.01' },
      { formula: 'ROUND(-6491.34 * 25%, 2)', gives: '-1622.84' },
      { formula: 'ROUND(7 * 12.345, 2)', gives: '86.42' },
      { formula: 'ROUND(1250, -2)', gives: '1300' },
      { formula: 'ROUND(2.5)', gives: '3' },
    ],
    takes: ['number', 'number?'],
    gives: 'number',
    build: (given) => rounding(given, (value, places) => value.round(places)),
  }),
  builtFunction({
    name: 'ROUNDUP',
    syntax: 'ROUNDUP(number, decimals)',
    sentence: 'Rounds away from zero.',
    examples: [
      { formula: 'ROUNDUP(2.341, 2)', gives: '2.35' },
      { formula: 'ROUNDUP(-2.341, 2)', gives: '-2.35' },
      { formula: 'ROUNDUP(2.34, 2)', gives: '2.34' },
    ],
    takes: ['number', 'number?'],
    gives: 'number',
    build: (given) => rounding(given, awayFromZero),
  }),
  builtFunction({
    name: 'ROUNDDOWN',
    syntax: 'ROUNDDOWN(number, decimals)',
    sentence: 'Rounds towards zero: cuts decimals off.',
    examples: [
      { formula: 'ROUNDDOWN(2.349, 2)', gives: '2.34' },
      { formula: 'ROUNDDOWN(-2.349, 2)', gives: '-2.34' },
    ],
    takes: ['number', 'number?'],
    gives: 'number',
    build: (given) => rounding(given, towardsZero),
  }),
  plainFunction({
    name: 'ABS',
    syntax: 'ABS(number)',
    sentence: 'The number without its sign.',
    examples: [{ formula: 'ABS(-12.50)', gives: '12.5' }],
    takes: ['number'],
    gives: 'number',
    apply: ([value]) => value.abs(),
  }),
  builtFunction({
    name: 'NET-OF',
    syntax: 'NET-OF(amount, percent, decimals)',
    sentence:
      'The amount before tax of an amount that includes it, rounded to two decimals unless the formula gives another number. The tax is what is left, so that both always add up.',
    examples: [
      { formula: 'NET-OF(100, 20)', gives: '83.33' },
      { formula: '100 - NET-OF(100, 20)', gives: '16.67' },
      { formula: 'NET-OF(-100, 20)', gives: '-83.33' },
      { formula: 'NET-OF(4.35, 5.5)', gives: '4.12' },
      { formula: 'NET-OF(99.99, 20, 4)', gives: '83.325' },
      { formula: 'NET-OF(50, 0)', gives: '50' },
    ],
    takes: ['number', 'number', 'number?'],
    gives: 'number',
    build: netOf,
  }),
  builtFunction({
    name: 'NUMBER',
    syntax: 'NUMBER(text, decimal, thousands)',
    sentence:
      'Reads a text as a number. Decimals follow a dot unless the second argument gives another sign; characters between thousands are listed in the third argument.',
    examples: [
      { formula: 'NUMBER("12.50")', gives: '12.5' },
      { formula: 'NUMBER("1 234,50", ",", " ")', gives: '1234.5' },
      { formula: 'NUMBER("100.00-")', gives: '-100' },
    ],
    takes: ['text', 'text?', 'text?'],
    gives: 'number',
    build: numberOfText,
  }),
];

/** A constant count of decimals is checked once, a calculated one in each row. */
function rounding(
  [{ read }, decimals]: readonly [Argument, Argument?],
  round: (value: Decimal, places: number) => Decimal,
): ReadValue {
  const places = placesOf(decimals);
  if (typeof places === 'number') {
    return (context) => {
      const value = read(context);
      return value instanceof Decimal ? round(value, places) : value;
    };
  }
  return (context) => {
    const value = read(context);
    const at = places(context);
    if (value instanceof Decimal && typeof at === 'number') return round(value, at);
    return at === FAILED ? FAILED : value;
  };
}

/** The count of decimals: a number where it is literal, else a function of the row. Faults: `map/wrong-argument`. */
function placesOf(argument: Argument | undefined): number | ((context: Context) => number | typeof FAILED) {
  if (!argument) return 0;
  const fixed = argument.literal instanceof Decimal ? integerIn(argument.literal) : undefined;
  if (fixed !== undefined) return fixed;
  return (context) => {
    const value = argument.read(context);
    if (value === '') return 0;
    if (!(value instanceof Decimal)) return FAILED;
    const given = value.toText();
    return (
      integerIn(value) ??
      fail(context, {
        code: 'map/wrong-argument',
        ...withMessage(ARGUMENTS.decimals({ ...PLACES, given })),
        given,
      })
    );
  };
}

/** The value where it is whole and within PLACES. */
function integerIn(value: Decimal): number | undefined {
  const whole = countOf(value);
  return whole >= PLACES.least && whole <= PLACES.most ? whole : undefined;
}

const HUNDRED = Decimal.from(100);

/** amount * 100 / (100 + rate), rounded; a rate of -100 % or less is `map/wrong-argument`. */
function netOf([gross, percent, decimals]: readonly [Argument, Argument, Argument?]): ReadValue | ArgumentRefusal {
  const places = decimals ? placesOf(decimals) : 2;
  if (typeof places !== 'number') return { argument: 2, message: FUNCTION_ARGUMENTS.fixedDecimals() };
  return (context) => {
    const [amount, rate] = [gross.read(context), percent.read(context)];
    if (amount === FAILED || rate === FAILED) return FAILED;
    if (!(amount instanceof Decimal) || !(rate instanceof Decimal)) return '';
    const whole = rate.plus(HUNDRED);
    const net = whole.compare(Decimal.zero) > 0 ? amount.times(HUNDRED).dividedBy(whole, places) : undefined;
    if (net) return net;
    const given = rate.toText();
    return fail(context, { code: 'map/wrong-argument', ...withMessage(ARGUMENTS.taxInAmount({ rate: given })), given });
  };
}

/** Rounds half away from zero, then takes back the last unit where that went too far. */
function towardsZero(value: Decimal, places: number): Decimal {
  const rounded = value.round(places);
  return rounded.abs().compare(value.abs()) > 0 ? rounded.minus(step(value, places)) : rounded;
}

/** Rounds half away from zero, then adds the last unit where that fell short. */
function awayFromZero(value: Decimal, places: number): Decimal {
  const rounded = value.round(places);
  return rounded.abs().compare(value.abs()) < 0 ? rounded.plus(step(value, places)) : rounded;
}

/** One unit of the last place kept, with the sign of the value. */
function step(value: Decimal, places: number): Decimal {
  const one = places >= 0 ? Decimal.of(1, places) : Decimal.from(10 ** -places);
  return value.compare(Decimal.zero) < 0 ? one.negated() : one;
}

/** The marks are literals, so that the format compiles once. An empty text stays empty. */
function numberOfText([text, mark, separators]: readonly [Argument, Argument?, Argument?]):
  | ReadValue
  | ArgumentRefusal {
  const decimal = mark ? mark.literal : '.';
  const thousands = separators ? separators.literal : '';
  if (decimal !== '.' && decimal !== ',') return { argument: 1, message: FUNCTION_ARGUMENTS.decimalMark() };
  if (typeof thousands !== 'string' || !/^[ .,'’\u00a0\u202f]*$/.test(thousands) || thousands.includes(decimal)) {
    return { argument: 2, message: FUNCTION_ARGUMENTS.thousands() };
  }
  const parse = compileNumberFormat({ decimal, thousands: [...thousands] });
  return (context): Value => {
    const value = text.read(context);
    if (typeof value !== 'string' || value.trim() === '') return value === FAILED ? FAILED : '';
    const number = parse(value.trim());
    return number instanceof Decimal ? number : fail(context, number);
  };
}
