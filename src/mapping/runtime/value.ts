/**
 * What formulas compute with, and what they read while they run.
 *
 * A number is always a Decimal, a date or date-time its ISO 8601 text, '' is empty; null and undefined never occur.
 */
import type { Decimal } from '../../model/decimal.ts';
import type { Localizable } from '../../model/fault.ts';
import type { Origin } from '../../model/origin.ts';
import type { Row } from '../../model/row.ts';

/** A value whose fault has been reported already: everything made from it stays silent, so each cause is told once. */
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
  /** The groups of each `each: rows by X` so far: what a part of a whole is reckoned against. */
  readonly groupings?: (readonly (readonly Row[])[])[];
  readonly facts: Facts;
  /** Takes a run-time problem of the formula; the caller knows which field, rows and cells it concerns. */
  readonly report: (problem: RunProblem) => void;
  /** Notes which cells are read, where somebody asked for that. */
  readonly tracer?: Notes | undefined;
};

/** For a result that is kept: each value that uses it again is made from its cells as well. */
type Notes = {
  readonly noting: <T>(evaluate: () => T) => Noted<T>;
  readonly again: (cells: ReadonlySet<Origin>) => void;
};

export type Noted<T> = { readonly value: T; readonly cells?: ReadonlySet<Origin> };

export type Facts = {
  /** ISO date. */
  readonly today: string;
  readonly file: { readonly name: string; readonly base64: () => string };
  /** A file that lies beside the export, as Base64, or why it cannot be had; undefined where nothing lies beside. */
  readonly companion?: (name: string) => string | RunProblem;
};

export type RunProblem = Localizable & {
  readonly code: string;
  readonly given?: string;
  /** What the cell most likely was: for a person to take over. */
  readonly suggestion?: string;
  /** The column that is to blame, where the value reads several. */
  readonly column?: string;
  /** Cells, in the order they were read, that a value was made from which should not be empty. */
  readonly madeFrom?: ReadonlySet<Origin> | undefined;
};

export type ReadValue = (context: Context) => Value;
