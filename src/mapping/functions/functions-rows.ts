/**
 * Functions over the rows of the current scope: the document, or the group after `each: rows by X`. The argument is
 * computed once per row with `context.row` set to it; a result is kept for the next row of the same scope, so that
 * "each line's share of SUM($net)" costs one pass and not one per line.
 */

import { FUNCTION_ARGUMENTS, KINDS, SHARES } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { withMessage } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import type { Row } from '../../model/row.ts';
import {
  type Argument,
  type ArgumentRefusal,
  builtFunction,
  countOf,
  type FunctionEntry,
  fail,
} from '../runtime/function-definition.ts';
import { type Context, FAILED, type Kind, type Noted, type ReadValue, type Value } from '../runtime/value.ts';
import { allocate } from './allocate.ts';

type Filled = Exclude<Value, typeof FAILED>;

/** The column `net` of the examples. */
const amounts = { net: [105, 59.97, 23.35] };

/** The manual of each function is its entry; its examples run as tests. */
export const ROW_FUNCTIONS: readonly FunctionEntry[] = [
  builtFunction({
    name: 'SUM',
    syntax: 'SUM($Column) or SUM(@list.path)',
    sentence:
      'Adds up a value over the rows of the document or group, or all values of an output list; empty ones count as nothing.',
    examples: [
      { formula: 'SUM($net)', columns: amounts, gives: '188.32' },
      { formula: 'SUM(ROUND($qty * $price, 2))', columns: { qty: [12.5, 7], price: [8.4, 3.335] }, gives: '128.35' },
    ],
    takes: ['number'],
    gives: 'number',
    aggregate: true,
    build: ([given]) => whereKept(given, summing(given)),
  }),
  builtFunction({
    name: 'COUNT',
    syntax: 'COUNT($Column), COUNT(@list.path) or COUNT()',
    sentence: 'How many values are not empty; without an argument, how many rows the document or group has.',
    examples: [
      { formula: 'COUNT($note)', columns: { note: ['x', '', 'y'] }, gives: '2' },
      { formula: 'COUNT()', columns: { note: ['x', '', 'y'] }, gives: '3' },
    ],
    takes: ['any?'],
    gives: 'number',
    aggregate: true,
    build: ([given]) =>
      given ? over(given, (values) => Decimal.from(values.length)) : (context) => Decimal.from(context.rows.length),
  }),
  builtFunction({
    name: 'MIN',
    syntax: 'MIN($Column), MIN(@list.path) or MIN(value, value, ...)',
    sentence:
      'The least value over the rows, or the least of several arguments. Numbers, dates or texts; empty ones do not count.',
    examples: [
      { formula: 'MIN($net)', columns: amounts, gives: '23.35' },
      { formula: 'MIN($due)', columns: { due: ['2026-10-05', '2026-09-30'] }, gives: '2026-09-30' },
      { formula: 'MIN($net, 50)', columns: amounts, row: 2, gives: '50' },
    ],
    takes: ['any*'],
    gives: sameKind,
    aggregate: true,
    build: (given) => extreme('MIN', given, -1),
  }),
  builtFunction({
    name: 'MAX',
    syntax: 'MAX($Column), MAX(@list.path) or MAX(value, value, ...)',
    sentence:
      'The greatest value over the rows, or the greatest of several arguments. Numbers, dates or texts; empty ones do not count.',
    examples: [
      { formula: 'MAX($net)', columns: amounts, gives: '105' },
      { formula: 'MAX(0, -12.5)', gives: '0' },
    ],
    takes: ['any*'],
    gives: sameKind,
    aggregate: true,
    build: (given) => extreme('MAX', given, 1),
  }),
  builtFunction({
    name: 'ROW-NUMBER',
    syntax: 'ROW-NUMBER()',
    sentence:
      'Which one of the rows of the document or group the current row is, from 1: the number of a line where the export has none. Empty outside each: row.',
    examples: [
      { formula: 'ROW-NUMBER()', columns: { article: ['x', 'y', 'z'] }, row: 1, gives: '1' },
      { formula: 'ROW-NUMBER()', columns: { article: ['x', 'y', 'z'] }, row: 3, gives: '3' },
    ],
    takes: [],
    gives: 'number',
    aggregate: true,
    ofRow: true,
    build: () => (context) => {
      const number = context.row && numbersOf(context.rows).get(context.row);
      return number === undefined ? '' : Decimal.from(number);
    },
  }),
  builtFunction({
    name: 'ALLOCATE',
    syntax: 'ALLOCATE(total, weight, decimals)',
    sentence:
      'The part of a total that falls to the current row, by weight over all rows; inside each: rows by Column, to the current group. The parts always add up: the largest remainders get the rest of the rounding. Two decimals unless the third argument gives another number.',
    examples: [
      { formula: 'ALLOCATE(10, $net)', columns: { net: [59.97, 8.7, 33.33] }, row: 1, gives: '5.88' },
      { formula: 'ALLOCATE(10, $net)', columns: { net: [59.97, 8.7, 33.33] }, row: 3, gives: '3.27' },
      { formula: 'ALLOCATE(0.10, $net)', columns: { net: [33.33, 33.33, 33.34] }, row: 3, gives: '0.04' },
      { formula: 'SUM(ALLOCATE(0.10, $net))', columns: { net: [33.33, 33.33, 33.34] }, gives: '0.1' },
    ],
    takes: ['number', 'number', 'number?'],
    gives: 'number',
    aggregate: true,
    ofRow: true,
    build: share,
  }),
];

/** Row numbers by scope, made once: a search per line would take the square of the rows. */
const NUMBERS = new WeakMap<readonly Row[], ReadonlyMap<Row, number>>();

function numbersOf(rows: readonly Row[]): ReadonlyMap<Row, number> {
  const numbers = NUMBERS.get(rows) ?? new Map(rows.map((row, n) => [row, n + 1]));
  NUMBERS.set(rows, numbers);
  return numbers;
}

/** All values of the argument, empty ones left out; FAILED when one of them failed. */
function valuesOf(given: Argument, context: Context): readonly Value[] {
  if (given.list) return given.list(context);
  if (!given.byRow) return [given.read(context)];
  const values: Value[] = [];
  const { row, isOfAll } = context;
  const all = given.items?.rows(context) ?? context.rows;
  context.isOfAll = false;
  for (const each of all) {
    context.row = each;
    values.push(given.read(context));
  }
  context.row = row;
  context.isOfAll = isOfAll;
  return values;
}

/** Combines the values that are not empty; FAILED where one of them failed. */
function over(given: Argument, combine: (values: readonly Filled[], context: Context) => Value): ReadValue {
  const compute: ReadValue = (context) => {
    const values = valuesOf(given, context);
    if (values.includes(FAILED)) return FAILED;
    return combine(values.filter((value) => value !== '') as readonly Filled[], context);
  };
  return whereKept(given, compute);
}

/** A result may be kept only where it depends on rows alone: output values and list items change within a scope. */
function whereKept(given: Argument, compute: ReadValue): ReadValue {
  return given.byRow && !given.byOutput && !given.items ? kept(compute) : compute;
}

/** As `over`, in one pass without a list: nearly every line and total has a sum. */
function summing(given: Argument): ReadValue {
  const { list, byRow, read } = given;
  if (list || !byRow || given.items) {
    return (context) => {
      let sum: Value = Decimal.zero;
      for (const value of valuesOf(given, context)) sum = added(sum, value);
      return sum;
    };
  }
  return (context) => {
    const { row, rows, isOfAll } = context;
    let sum: Value = Decimal.zero;
    context.isOfAll = false;
    for (let n = 0; n < rows.length; n++) {
      context.row = rows[n];
      sum = added(sum, read(context));
    }
    context.row = row;
    context.isOfAll = isOfAll;
    return sum;
  };
}

/**
 * Keeps the last result of its scope, a failed one too: its problem is reported once per document, not once per line.
 */
function kept(compute: ReadValue): ReadValue {
  let scope: Context | undefined;
  let rows: readonly Row[] | undefined;
  let result: Noted<Value> = { value: '' };
  return (context) => {
    if (context === scope && context.rows === rows) return again(context, result);
    result = noted(context, () => compute(context));
    scope = context;
    rows = context.rows;
    return result.value;
  };
}

/** The result; with a tracer, the cells that it was made from as well. */
function noted<T>({ tracer }: Context, compute: () => T): Noted<T> {
  return tracer ? tracer.noting(compute) : { value: compute() };
}

/** The kept result; its cells count for the value that uses it now as well. */
function again<T>({ tracer }: Context, { value, cells }: Noted<T>): T {
  if (cells) tracer?.again(cells);
  return value;
}

/** FAILED where one of them failed; an empty value adds nothing. */
function added(sum: Value, value: Value): Value {
  if (sum === FAILED || value === FAILED) return FAILED;
  return value instanceof Decimal ? (sum as Decimal).plus(value) : sum;
}

/** The kind that all arguments share, else 'any'. */
function sameKind(given: readonly Argument[]): Kind {
  const kinds = new Set(given.map((argument) => argument.kind));
  const [only = 'any'] = kinds;
  return kinds.size > 1 ? 'any' : only;
}

/**
 * MIN (`sign` -1) and MAX (`sign` 1): over the rows with one argument, among the arguments otherwise. `map/wrong-kind`
 * for values without an order.
 */
function extreme(name: string, given: readonly [Argument, ...Argument[]], sign: 1 | -1): ReadValue | ArgumentRefusal {
  const kinds = new Set(given.map((argument) => argument.kind).filter((kind) => kind !== 'any'));
  const odd = given.findIndex((argument) => argument.kind === 'boolean');
  if (odd >= 0 || kinds.size > 1) {
    return { argument: Math.max(odd, 0), message: FUNCTION_ARGUMENTS.oneKind({ name }) };
  }
  const pick = (values: readonly Filled[], context: Context): Value => {
    let best: Filled | undefined;
    for (const value of values) {
      if (typeof value === 'boolean' || (best !== undefined && typeof value !== typeof best)) {
        const given = String(value);
        const words = withMessage(KINDS.differ({ name, one: String(best), other: given }));
        return fail(context, { code: 'map/wrong-kind', ...words, given });
      }
      if (best === undefined || order(value, best) === sign) best = value;
    }
    return best ?? '';
  };
  if (given.length === 1) return over(given[0], pick);
  return (context) => {
    const values = given.map((argument) => argument.read(context));
    if (values.includes(FAILED)) return FAILED;
    return pick(values.filter((value) => value !== '') as readonly Filled[], context);
  };
}

/** By size for numbers, by code unit for texts and ISO dates. */
function order(a: Filled, b: Filled): number {
  if (a instanceof Decimal && b instanceof Decimal) return a.compare(b);
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

/** The last allocation, so that all rows of a scope cost one pass. */
type Shared = { scope: Context; all: Sharers['all']; total: Decimal; shares: Noted<Shares> };
type Shares = ReadonlyMap<Row | readonly Row[], Decimal> | typeof FAILED;

/** The parties of an allocation: the rows of the scope, or all groups among which the current one is. */
type Sharers = { readonly all: readonly (Row | readonly Row[])[]; readonly own: Row | readonly Row[] };

/** Undefined where there is neither a row nor a group. */
function sharersOf({ rows, row, groupings }: Context, last: Shared | undefined): Sharers | undefined {
  if (row) return { all: rows, own: row };
  const all =
    last && last.shares.value !== FAILED && last.shares.value.has(rows)
      ? last.all
      : groupings?.findLast((groups) => groups.includes(rows));
  return all && { all, own: rows };
}

/** Cents. */
const DEFAULT_PLACES = Decimal.from(2);

/** ALLOCATE. Faults: `map/no-row` outside rows and groups, and those of `sharesOf`. */
function share([total, weight, decimals]: readonly [Argument, Argument, Argument?]): ReadValue | ArgumentRefusal {
  const { literal } = decimals ?? { literal: DEFAULT_PLACES };
  const places = countOf(literal);
  if (!(places >= 0 && places <= 12)) {
    return { argument: 2, message: FUNCTION_ARGUMENTS.fixedDecimalsTo12() };
  }
  let last: Shared | undefined;
  return (context) => {
    const amount = total.read(context);
    if (!(amount instanceof Decimal)) return amount;
    const sharers = sharersOf(context, last);
    if (!sharers) return fail(context, noRow);
    const { all, own } = sharers;
    const known = last?.scope === context && last.all === all && last.total.equals(amount) ? last.shares : undefined;
    const made = known ?? noted(context, () => sharesOf(context, amount, all, weight, places));
    const shares = known ? again(context, known) : made.value;
    // Output values may change between rows, so that such shares are never kept.
    if (!weight.byOutput) last = { scope: context, all, total: amount, shares: made };
    if (shares === FAILED) return FAILED;
    return shares.get(own) ?? fail(context, noRow);
  };
}

const noRow = {
  code: 'map/no-row',
  ...withMessage(SHARES.noRow(), SHARES.useInside()),
};

/**
 * The part of each sharer. Faults: `map/wrong-argument` for a total with more decimals than the parts,
 * `map/nothing-to-share-by` where all weights add up to zero.
 */
function sharesOf(context: Context, total: Decimal, all: Sharers['all'], weight: Argument, places: number): Shares {
  const { row, rows, isOfAll } = context;
  context.isOfAll = false;
  const weights: Decimal[] = [];
  let failed = false;
  for (const each of all) {
    if (isGroup(each)) context.rows = each;
    else context.row = each;
    const value = weight.read(context);
    if (value === FAILED) failed = true;
    weights.push(value instanceof Decimal ? value : Decimal.zero);
  }
  context.row = row;
  context.rows = rows;
  context.isOfAll = isOfAll;
  if (failed) return FAILED;
  const given = total.toText();
  if (total.decimals() > places) {
    const words = withMessage(SHARES.tooFine({ total: given, places }), SHARES.roundTotal());
    return fail(context, { code: 'map/wrong-argument', ...words, given });
  }
  const parts = allocate(total, weights, places);
  if (parts) return new Map(all.map((each, at) => [each, must(parts[at], 'the part of a sharer')]));
  return fail(context, {
    code: 'map/nothing-to-share-by',
    ...withMessage(SHARES.nothing({ total: given }), SHARES.correctWeights()),
    given,
  });
}

function isGroup(each: Row | readonly Row[]): each is readonly Row[] {
  return Array.isArray(each);
}
