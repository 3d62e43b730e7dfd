/**
 * What an entry of the function table is, and how plain functions are made into closures.
 *
 * Arguments arrive with their kinds checked: a 'number' reads as Decimal, '' or FAILED and nothing else.
 */

import { ARITHMETIC } from '../../i18n/messages/mapping-messages.ts';
import type { Decimal } from '../../model/decimal.ts';
import { withMessage } from '../../model/fault.ts';
import type { Row } from '../../model/row.ts';
import type { Problem } from './diagnostics.ts';
import { type Context, FAILED, type Facts, type Kind, type ReadValue, type RunProblem, type Value } from './value.ts';

/** The items of a list of the source, each as a row; `list` is undefined where several lists are mixed. */
export type ArgumentItems = { readonly list: string | undefined; readonly rows: (context: Context) => readonly Row[] };

/** A compiled part of a formula, as a function or an operator takes it. */
export type Argument = {
  readonly kind: Kind;
  readonly read: ReadValue;
  /** As the author wrote it, for messages. */
  readonly source: string;
  readonly literal?: string | Decimal | boolean;
  readonly list?: (context: Context) => readonly Value[];
  /** Mentions values of the items of a list. */
  readonly items?: ArgumentItems;
  /** Mentions a column, so that it may differ from row to row. */
  readonly byRow: boolean;
  /** Mentions an output value, so that the same rows may give another result later. */
  readonly byOutput: boolean;
  /** The part that goes over the rows of the document or group, as written: before there is a document it has no value. */
  readonly overRows?: string | undefined;
  /** The function whose result belongs to the current row, as written: an item of a list is no row. */
  readonly ofRow?: string | undefined;
};

/** The kind of an argument; with `?` it is optional, with `*` it is the last one and may be repeated. */
export type Parameter = `${Kind}${'' | '?' | '*'}`;

/** One value per row and column; a number is a number column, an ISO date a date column, else text. */
type Example = {
  readonly formula: string;
  readonly columns?: { readonly [name: string]: readonly (string | number)[] };
  /** The row that the formula is evaluated on, from 1; without it the formula is outside `each: row`. */
  readonly row?: number;
  readonly gives: string;
};

/** Why the arguments do not fit, found before any file is read; `argument` counts from 0. */
export type ArgumentRefusal = Pick<Problem, 'message' | 'hint'> & { readonly argument: number };

/** A function with its manual. `takes` bounds count and kinds of the arguments before `build` gets them. */
export type FunctionEntry = {
  readonly name: string;
  readonly syntax: string;
  readonly sentence: string;
  readonly examples: readonly Example[];
  readonly takes: readonly Parameter[];
  readonly gives: Kind | ((given: readonly Argument[]) => Kind);
  /** The fact that it reads: with another one, the same rows give another result. */
  readonly asks?: keyof Facts;
  /** Reads rows or lists itself: its first arguments are evaluated once per row. */
  readonly aggregate?: boolean;
  /** Its result belongs to the current row: it differs from row to row even where its arguments do not. */
  readonly ofRow?: boolean;
  readonly build: (given: readonly Argument[]) => ReadValue | ArgumentRefusal;
};

type ValueOfKind = {
  text: string;
  number: Decimal;
  date: string;
  boolean: boolean;
  any: Exclude<Value, typeof FAILED>;
};
type ArgumentValue<P> = P extends `${infer K extends Kind}?`
  ? ValueOfKind[K] | undefined
  : P extends Kind
    ? ValueOfKind[P]
    : never;
type ArgumentValues<P extends readonly Parameter[]> = { readonly [I in keyof P]: ArgumentValue<P[I]> };

/** Compiled arguments as `takes` announces them: a call with another number of them is refused before `build`. */
export type Arguments<P extends readonly Parameter[]> = P extends readonly [
  infer First extends Parameter,
  ...infer Others extends readonly Parameter[],
]
  ? First extends `${Kind}*`
    ? readonly [Argument, ...Argument[]]
    : First extends `${Kind}?`
      ? readonly [Argument?, ...Arguments<Others>]
      : readonly [Argument, ...Arguments<Others>]
  : readonly [];

/** An entry for a function that looks at its arguments before it runs: at literals, or at all rows of an argument. */
export function builtFunction<const P extends readonly Parameter[]>(
  entry: Omit<FunctionEntry, 'build' | 'takes'> & {
    readonly takes: P;
    readonly build: (given: Arguments<P>) => ReadValue | ArgumentRefusal;
  },
): FunctionEntry {
  const { build } = entry;
  return { ...entry, build: (given) => build(given as unknown as Arguments<P>) };
}

/**
 * An entry for a function of its values alone. A number or date that is empty makes the result empty, without calling
 * `apply`; empty texts are passed on, an empty condition counts as FALSE.
 */
export function plainFunction<const P extends readonly Parameter[]>(
  entry: Omit<FunctionEntry, 'build' | 'takes'> & {
    readonly takes: P;
    readonly apply: (given: ArgumentValues<P>, context: Context) => Value;
  },
): FunctionEntry {
  const { apply, ...rest } = entry;
  const kinds = entry.takes.map((parameter) => parameter.replace(/[?*]$/, ''));
  const build = (given: readonly Argument[]): ReadValue => {
    const inputs = given.map(({ read }, at) => ({ read, kind: kinds[at] }));
    return (context) => {
      const values: Value[] = [];
      let empty = false;
      let failed = false;
      for (const { read, kind } of inputs) {
        const value = read(context);
        if (value === FAILED) failed = true;
        else if (value === '' && (kind === 'number' || kind === 'date')) empty = true;
        values.push(value === '' && kind === 'boolean' ? false : value);
      }
      if (failed) return FAILED;
      return empty ? '' : apply(values as unknown as ArgumentValues<P>, context);
    };
  };
  return { ...rest, build };
}

/** Reports the problem, as the value of the expression that has it. */
export function fail(context: Context, problem: RunProblem): typeof FAILED {
  context.report(problem);
  return FAILED;
}

/** A count that a formula gives: a whole number, else NaN, which no check of bounds accepts. */
export function countOf(value: Argument['literal'] | Value): number {
  return typeof value === 'object' && value.isInteger() ? Number(value.toText()) : Number.NaN;
}

/** How a value reads inside a text: plain digits, TRUE or FALSE, ISO dates. */
export function argumentText(value: Exclude<Value, typeof FAILED>): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'boolean') return value.toText();
  return value ? 'TRUE' : 'FALSE';
}

/** Longest text a formula may make: an attachment as Base64 passes, REPLACE inside REPLACE stays harmless. */
const MAX_TEXT = 32 * 1024 * 1024;

/** `map/text-too-long` above MAX_TEXT, else undefined. Called before the text is made. */
export function textTooLong(context: Context, length: number): typeof FAILED | undefined {
  if (length <= MAX_TEXT) return undefined;
  return fail(context, {
    code: 'map/text-too-long',
    ...withMessage(ARITHMETIC.textTooLong({ length, most: MAX_TEXT })),
  });
}
