/**
 * What formulas compute with, and what they read while they run.
 *
 * A number is always a Decimal, a date or date-time its ISO 8601 text, '' is empty; null and undefined never occur.
 */
import type { Decimal } from '../../model/decimal.ts';
import type { Localizable } from '../../model/fault.ts';
import type { Origin } from '../../model/origin.ts';
import type { Row } from '../../model/row.ts';

/** A value whose fault is reported already: values made from it report nothing, so that each cause gives one fault. */
export const FAILED: unique symbol = Symbol('failed');

export type Value = string | Decimal | boolean | typeof FAILED;

/** What is known of a value before any file is read; 'any' is looked at while running. */
export type Kind = 'text' | 'number' | 'date' | 'boolean' | 'any';

/** One mutable object per document, so that no scope is allocated for each cell. */
export type Context = {
  /** The rows of the current scope: the document, or the group after `each: rows by X`. */
  rows: readonly Row[];
  /** The row a bare $Column reads; undefined outside `each: row` and outside aggregates. */
  row: Row | undefined;
  /** `row` is the first of all, as in a line of answers for a document: lists have the items of all rows. */
  isOfAll?: boolean | undefined;
  /** The groups of each `each: rows by X` so far: ALLOCATE needs all of them to calculate the part of one. */
  readonly groupings?: (readonly (readonly Row[])[])[];
  readonly facts: Facts;
  /** Takes a run-time problem of the formula; the caller knows which field, rows and cells it concerns. */
  readonly report: (problem: RunProblem) => void;
  /** Notes which cells are read; only in the second, slow composition. */
  readonly tracer?: Notes | undefined;
};

/** For a result that is kept: each value that uses it again is made from its cells as well. */
type Notes = {
  readonly noting: <T>(evaluate: () => T) => Noted<T>;
  readonly again: (cells: ReadonlySet<Origin>) => void;
};

/** A result with the cells that it was made from; without `cells` where there is no tracer. */
export type Noted<T> = { readonly value: T; readonly cells?: ReadonlySet<Origin> };

/** What formulas read in addition to rows: the same for all documents of a file. */
export type Facts = {
  /** ISO date. */
  readonly today: string;
  readonly file: { readonly name: string; readonly base64: () => string };
  /** An attachment next to the export as Base64, or why it is not available; undefined where the file has no attachments. */
  readonly companion?: (name: string) => string | RunProblem;
};

/** A fault of the data before its place is known: the run adds field, row and cell. */
export type RunProblem = Localizable & {
  readonly code: string;
  readonly given?: string;
  /** What the cell most likely was: for a person to take over. */
  readonly suggestion?: string;
  /** The column with the fault, where the value reads several. */
  readonly column?: string;
  /** Cells, in the order they were read, that a value was made from which should not be empty. */
  readonly madeFrom?: ReadonlySet<Origin> | undefined;
};

/** A compiled value. Never throws for bad data: it reports the problem and returns FAILED. */
export type ReadValue = (context: Context) => Value;
