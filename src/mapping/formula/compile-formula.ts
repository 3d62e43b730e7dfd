/**
 * Formula text in; a closure that computes it out, or all its problems at once. Names and kinds are checked before any
 * file is read. A part with a problem counts as kind 'any', so that it causes no second one.
 */
import type { Message } from '../../i18n/message.ts';
import {
  FORMULA_KINDS,
  FORMULA_NAMES,
  FORMULA_SYNTAX,
  KINDS,
  SUGGESTIONS,
} from '../../i18n/messages/mapping-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { isIsoDate } from '../../text/calendar-date.ts';
import { suggest } from '../../text/suggest.ts';
import { FUNCTIONS } from '../functions/functions.ts';
import { functionNear, functionSpelled, spellingsOf } from '../functions/localized-names.ts';
import { columnSyntax } from '../runtime/column-name.ts';
import type { FormulaProblem, FormulaSpan, Problem } from '../runtime/diagnostics.ts';
import type { Argument, ArgumentItems, FunctionEntry } from '../runtime/function-definition.ts';
import { checking, typeMismatch } from '../runtime/type-check.ts';
import { type Context, FAILED, type Facts, type Kind, type ReadValue, type Value } from '../runtime/value.ts';
import { dateArithmetic } from './date-operators.ts';
import { arithmetic, comparison, concatenation, isComparison, negative, percent } from './operators.ts';
import { type Expression, parseFormula, type References, referencesOf } from './parse-formula.ts';

/** A column or an output value as a formula reads it. */
export type Readable = {
  readonly kind: Kind;
  readonly read: ReadValue;
  /** All values of a path through a list: SUM(@subtotals.amount) adds these up. */
  readonly list?: (context: Context) => readonly Value[];
  /** A value of the items of a list: SUM and its like go over these in place of the rows. */
  readonly items?: ArgumentItems;
  /** See Argument.overRows. */
  readonly overRows?: string | undefined;
};

/** The names that a formula may use; undefined for an unknown one. The lists of names serve suggestions. */
export type FormulaNames = {
  /** $Column or $[Column with spaces]; also calculated columns. `summed`: inside SUM or its like. */
  readonly column: (name: string, summed: boolean) => Readable | undefined;
  /** @path as written, without the @: "totals.final-amount". */
  readonly output: (path: string) => Readable | undefined;
  readonly columnNames: readonly string[];
  readonly outputNames: readonly string[];
};

type Compiled = References &
  Pick<Argument, 'kind' | 'overRows'> & { readonly evaluate: ReadValue; readonly asks: ReadonlySet<keyof Facts> };

/** The compiled formula, or at least one problem with its offset in the text. */
export type FormulaResult = { readonly formula: Compiled } | { readonly problems: readonly FormulaProblem[] };

/**
 * `text` is the formula without its "=". Problem codes: `map/formula-syntax`, `map/formula-too-large`,
 * `map/no-such-...`, `map/wrong-...`, `map/several-values`.
 */
export function compileFormula(text: string, names: FormulaNames): FormulaResult {
  const parsed = parseFormula(text);
  if ('problems' in parsed) return parsed;
  const asks = new Set<keyof Facts>();
  const compiling: Compiling = { text, names, problems: [], aggregates: 0, asks };
  const { kind, read, overRows } = compile(parsed.expression, compiling);
  if (compiling.problems.length > 0) return { problems: compiling.problems };
  return { formula: definedOnly({ kind, evaluate: read, overRows, asks, ...referencesOf(parsed.expression) }) };
}

/** The state of one compilation. */
type Compiling = {
  readonly text: string;
  readonly names: FormulaNames;
  readonly problems: FormulaProblem[];
  /** Depth of functions over rows around the current part. */
  aggregates: number;
  /** Facts that its functions read. */
  readonly asks: Set<keyof Facts>;
};

/** A sum for each row of a sum is still fast; one more level would read every row a million times. */
const MAX_AGGREGATES = 2;

/** `takesList`: the part is the only argument of a function over rows, which accepts a path with several values. */
function compile(part: Expression, compiling: Compiling, takesList = false): Argument {
  const source = sourceOf(part, compiling);
  switch (part.type) {
    case 'literal':
      return literal(part.value, source);
    case 'column':
      return column(part, source, compiling);
    case 'output':
      return output(part, source, compiling, takesList);
    case 'call':
      return call(part, source, compiling);
    case 'binary':
      return binary(part, source, compiling);
    default: {
      const of = numeric(part.of, part.type === 'percent' ? '%' : '-', compiling);
      // "-2" is as constant as "2" for functions that need a literal number.
      if (part.type === 'negative' && typeof of.literal === 'object') return literal(of.literal.negated(), source);
      return { ...derived([of]), kind: 'number', source, read: part.type === 'percent' ? percent(of) : negative(of) };
    }
  }
}

function literal(value: string | Exclude<Argument['literal'], undefined>, source: string): Argument {
  return { kind: literalKind(value), source, read: () => value, literal: value, byRow: false, byOutput: false };
}

function literalKind(value: Exclude<Argument['literal'], undefined>): Argument['kind'] {
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'boolean' : 'number';
}

/** A value of the current row; `map/no-such-column` with the nearest name. */
function column(part: FormulaSpan & { readonly name: string }, source: string, compiling: Compiling): Argument {
  const { names } = compiling;
  const known = names.column(part.name, compiling.aggregates > 0);
  if (known) {
    const { kind, read, items, overRows } = known;
    return definedOnly({ kind, read, source, byRow: true, byOutput: false, items, overRows });
  }
  const near = suggest(part.name, names.columnNames);
  const message = FORMULA_NAMES.noColumn({ source });
  return broken(part, compiling, { code: 'map/no-such-column', message, hint: meant(near && columnSyntax(near)) });
}

/** A value of the output. A path through a list has several values, which only a function over rows accepts. */
function output(
  part: FormulaSpan & { readonly path: string },
  source: string,
  compiling: Compiling,
  takesList: boolean,
): Argument {
  const { names } = compiling;
  const known = names.output(part.path);
  if (!known) {
    const deeper = names.outputNames.find((name) => name.endsWith(`.${part.path}`));
    const near = deeper ?? suggest(part.path, names.outputNames);
    const message = FORMULA_NAMES.noOutput({ source });
    return broken(part, compiling, { code: 'map/no-such-output', message, hint: meant(near && `@${near}`) });
  }
  const { kind, read, list } = known;
  if (!list) return { kind, read, source, byRow: false, byOutput: true };
  if (takesList) return { kind, read, list, source, byRow: false, byOutput: true };
  const message = FORMULA_NAMES.severalValues({ source });
  return broken(part, compiling, { code: 'map/several-values', message, hint: FORMULA_NAMES.addUp({ source }) });
}

/** The hint "did you mean"; undefined without a near name. */
function meant(column: string | undefined): Message | undefined {
  return column === undefined || column === '' ? undefined : SUGGESTIONS.meantColumn({ column });
}

/**
 * A call with its function looked up by its English name or a French or Spanish one, its arguments counted and typed.
 */
function call(part: Extract<Expression, { type: 'call' }>, source: string, compiling: Compiling): Argument {
  const entry = FUNCTIONS.get(part.name) ?? FUNCTIONS.get(functionSpelled(part.name) ?? '');
  if (!entry) {
    // Problems inside an unknown function are reported as well.
    for (const argument of part.arguments) compile(argument, compiling, true);
    const near = FUNCTIONS.get(functionNear(part.name) ?? suggestedFunction(part.name) ?? '');
    const message = FORMULA_NAMES.noFunction({ name: part.name });
    return broken(part, compiling, {
      code: 'map/no-such-function',
      message,
      hint: meant(near?.syntax) ?? alternative(part.name),
    });
  }
  if (entry.asks) compiling.asks.add(entry.asks);
  const given = argumentsOf(part, entry, compiling);
  const count = part.arguments.length;
  const [least, most] = countsOf(entry);
  if (count < least || count > most) {
    // A decimal comma makes two arguments of one number: 0,5.
    const decimal = count > most && /\d,\d/.test(source);
    const hint = decimal ? FORMULA_SYNTAX.decimalDot() : FORMULA_NAMES.writeCall({ syntax: entry.syntax });
    const message = wrongCount(entry.name, least, most, count);
    return broken(part, compiling, { code: 'map/wrong-arguments', message, hint });
  }
  if (!given) return unknown(source);
  const isAggregate = readsRows(entry, count);
  const listed = isAggregate ? derived(given).items : undefined;
  const ofRow = entry.ofRow ? source : given.find((one) => one.ofRow !== undefined)?.ofRow;
  if (listed && (listed.list === undefined || ofRow !== undefined)) {
    const message =
      listed.list === undefined ? FORMULA_NAMES.mixedLists() : FORMULA_NAMES.ofRowAlone({ source: ofRow ?? '' });
    return broken(part, compiling, { code: 'map/wrong-argument', message });
  }
  const built = entry.build(given);
  if (typeof built !== 'function') {
    const { argument, message, hint } = built;
    return broken(part.arguments[argument] ?? part, compiling, { code: 'map/wrong-argument', message, hint });
  }
  const kind = typeof entry.gives === 'function' ? entry.gives(given) : entry.gives;
  const { items, ofRow: inside, ...rest } = derived(given);
  const origin = isAggregate ? rest : definedOnly({ ...rest, items, ofRow: inside });
  // What goes over rows may differ from row to row even where its arguments do not.
  const isOverRows = goesOverRows(entry, given);
  return definedOnly({
    ...origin,
    byRow: origin.byRow || isOverRows,
    overRows: isOverRows ? source : rest.overRows,
    ...(entry.ofRow ? { ofRow: source } : {}),
    kind,
    source,
    read: built,
  });
}

/** False for MIN and MAX among several values: they choose one of those that the row, or the item of a list, has. */
function readsRows({ aggregate, takes }: FunctionEntry, count: number): boolean {
  return aggregate === true && (count < 2 || !takes.at(-1)?.endsWith('*'));
}

/** False for MIN and MAX among several values, for a sum over the items of a list, and for a value that is the same on every row. */
function goesOverRows(entry: FunctionEntry, given: readonly Argument[]): boolean {
  if (!readsRows(entry, given.length)) return false;
  const [only] = given;
  return !only || entry.ofRow === true || (only.byRow && !only.items);
}

/** The way of this program for a spreadsheet function that it does not have. */
function alternative(name: string): Message {
  if (/LOOKUP$|^RECHERCHE|^BUSCAR|^INDEX$|^EQUIV$|^MATCH$/.test(name)) return FORMULA_NAMES.useTable();
  if (/(?:IFS?|SI|SI\.ENS)$/.test(name)) return FORMULA_NAMES.useIfInside();
  return FORMULA_NAMES.functionList();
}

function suggestedFunction(name: string): string | undefined {
  const names = [...FUNCTIONS.keys()].flatMap((own) => [own, ...spellingsOf(own)]);
  const near = suggest(name, names);
  return near === undefined || FUNCTIONS.has(near) ? near : functionSpelled(near);
}

/** The arguments with their kinds checked; undefined where one of them has a problem. */
function argumentsOf(
  part: Extract<Expression, { type: 'call' }>,
  entry: FunctionEntry,
  compiling: Compiling,
): readonly Argument[] | undefined {
  const before = compiling.problems.length;
  const isAggregate = readsRows(entry, part.arguments.length);
  if (isAggregate && ++compiling.aggregates > MAX_AGGREGATES) {
    const message = FORMULA_SYNTAX.tooManyAggregates({ most: MAX_AGGREGATES });
    broken(part, compiling, { code: 'map/formula-too-large', message, hint: FORMULA_SYNTAX.splitAggregates() });
  }
  const takesList = isAggregate && part.arguments.length === 1;
  const given = part.arguments.map((argument, at) => {
    const compiled = compile(argument, compiling, takesList);
    const parameter = entry.takes[at] ?? entry.takes.at(-1);
    const kind = (parameter?.replace(/[?*]$/, '') ?? 'any') as Kind;
    return fitting(compiled, { kind, taker: entry.name, at: argument }, compiling);
  });
  if (isAggregate) compiling.aggregates--;
  return compiling.problems.length === before ? given : undefined;
}

/** Least and most arguments; Infinity for a function that repeats its last one. */
function countsOf(entry: FunctionEntry): readonly [number, number] {
  const least = entry.takes.filter((parameter) => !parameter.endsWith('?')).length;
  return [least, entry.takes.at(-1)?.endsWith('*') ? Infinity : entry.takes.length];
}

/** Texts join with &, dates add days, numbers calculate, and comparisons need sides of one kind. */
function binary(part: Extract<Expression, { type: 'binary' }>, source: string, compiling: Compiling): Argument {
  const { operator } = part;
  if (operator === '&') {
    const [left, right] = [compile(part.left, compiling), compile(part.right, compiling)];
    return { ...derived([left, right]), kind: 'text', source, read: concatenation(left, right) };
  }
  if (!isComparison(operator)) {
    const sides = [compile(part.left, compiling), compile(part.right, compiling)] as const;
    const dated = dateArithmetic(operator, ...sides);
    if (dated) return { ...derived(sides), ...dated, source };
    if (operator === '+' && sides.every(({ kind }) => kind === 'text')) return joined(part, sides, compiling);
    const left = fitting(sides[0], { kind: 'number', taker: operator, at: part.left }, compiling);
    const right = fitting(sides[1], { kind: 'number', taker: operator, at: part.right }, compiling);
    return { ...derived([left, right]), kind: 'number', source, read: arithmetic(operator, left, right) };
  }
  const [left, right] = [compile(part.left, compiling), compile(part.right, compiling)];
  if (!comparable(left, right)) {
    const [one, other] = [KINDS[left.kind](), KINDS[right.kind]()];
    const message = FORMULA_KINDS.notComparable({ left: left.source, one, right: right.source, other });
    const column = [left, right].find((side) => side.kind === 'text');
    const hint = column && typeMismatch(column, (column === left ? right : left).kind, operator)?.hint;
    return broken(part, compiling, { code: 'map/wrong-kind', message, hint });
  }
  return { ...derived([left, right]), kind: 'boolean', source, read: comparison(operator, left, right) };
}

function wrongCount(name: string, least: number, most: number, given: number): Message {
  if (most === Infinity) return FORMULA_NAMES.argumentsAtLeast({ name, count: least, given });
  if (least === most) return FORMULA_NAMES.argumentCount({ name, count: least, given });
  return FORMULA_NAMES.argumentsBetween({ name, least, most, given });
}

/** An empty text compares with everything, an ISO date in quotes with a date. */
function comparable(left: Argument, right: Argument): boolean {
  if (left.kind === right.kind || left.kind === 'any' || right.kind === 'any') return true;
  if (left.literal === '' || right.literal === '') return true;
  if (left.kind !== 'date' && right.kind !== 'date') return false;
  const { literal } = left.kind === 'date' ? right : left;
  return typeof literal === 'string' && isIsoDate(literal);
}

/** Two texts with +: `map/wrong-kind`, with & as the hint. */
function joined(at: FormulaSpan, [left, right]: readonly [Argument, Argument], compiling: Compiling): Argument {
  return broken(at, compiling, {
    code: 'map/wrong-kind',
    message: FORMULA_KINDS.textsAdded({ left: left.source, right: right.source }),
    hint: FORMULA_KINDS.joinTexts({ left: left.source, right: right.source }),
  });
}

function numeric(part: Expression, operator: string, compiling: Compiling): Argument {
  return fitting(compile(part, compiling), { kind: 'number', taker: operator, at: part }, compiling);
}

/** The kind that a function or operator needs, and the place of the argument in the formula. */
type Need = { readonly kind: Kind; readonly taker: string; readonly at: FormulaSpan };

/** The argument with the needed kind, checked at run time where it is unknown before; of kind 'any' after a problem. */
function fitting(given: Argument, { kind, taker, at }: Need, compiling: Compiling): Argument {
  const problem = typeMismatch(given, kind, taker);
  return problem ? broken(at, compiling, problem) : checking(given, kind, taker);
}

/** A part differs by row, by output, by item of a list or by document if any of its parts does. */
function derived(from: readonly Argument[]): Pick<Argument, 'byRow' | 'byOutput' | 'items' | 'overRows' | 'ofRow'> {
  const [first, ...others] = from.flatMap((part) => part.items ?? []);
  const items = first && others.some(({ list }) => list !== first.list) ? { ...first, list: undefined } : first;
  const byRow = from.some((part) => part.byRow);
  const overRows = from.find((part) => part.overRows !== undefined)?.overRows;
  const ofRow = from.find((part) => part.ofRow !== undefined)?.ofRow;
  return definedOnly({ byRow, byOutput: from.some((part) => part.byOutput), items, overRows, ofRow });
}

/** Records the problem; the part is of unknown kind from there on. */
function broken(at: FormulaSpan, compiling: Compiling, problem: Problem): Argument {
  compiling.problems.push({ ...problem, offset: at.offset, length: at.length });
  return unknown(sourceOf(at, compiling));
}

function unknown(source: string): Argument {
  return { kind: 'any', source, read: () => FAILED, byRow: false, byOutput: false };
}

/** The part as written, shortened where it is too long for a message. */
function sourceOf({ offset, length }: FormulaSpan, { text }: Compiling): string {
  return length <= 60 ? text.slice(offset, offset + length) : `${text.slice(offset, offset + 57)}...`;
}
