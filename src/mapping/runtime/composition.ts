/**
 * One composition under way: the rows of a group with their values, the scope that is being filled, and what failed.
 *
 * A value is read through its slot: a column of the file or a calculated column, computed once per row and kept there.
 * The fast run only notes that something failed; then the group is composed once more with a tracer, which knows where.
 */

import { ARITHMETIC, ROW_ROWS } from '../../i18n/messages/mapping-messages.ts';
import { type DataFault, type Fault, type Mark, MESSAGE, withMessage } from '../../model/fault.ts';
import type { Origin } from '../../model/origin.ts';
import { originOf, type Row, type Table } from '../../model/row.ts';
import { type Context, FAILED, type Facts, type Kind, type RunProblem, type Value } from './value.ts';

/** A row with its values by slot; each is computed at its first use. */
export type EvaluatedRow = Row & {
  readonly values: (Value | undefined)[];
  /** It is an item of a list; `row` is the one around it where that is a single one. */
  readonly item?: {
    readonly list: string;
    readonly fields: { readonly [field: string]: string };
    readonly row: EvaluatedRow | undefined;
  };
};

/** A column of the file or a calculated column, numbered when the mapping is loaded. */
export type ColumnSlot = {
  readonly index: number;
  readonly name: string;
  readonly kind: Kind;
  readonly calculated: boolean;
  /** It is a value of the items of this list. */
  readonly list?: string;
  /** The part of its formula that goes over the rows of the document: read before there is one, it has no value. */
  readonly overRows?: string;
  readonly compute: (run: Composition, row: EvaluatedRow) => Value;
};

/** One instance of an output block: the scope its values are read in, and those that others refer to. */
export type Scope = {
  readonly parent: Scope | undefined;
  readonly rows: readonly Row[];
  readonly row: Row | undefined;
  readonly memo: unknown[];
  readonly place: OutputPlace | undefined;
};

/** A node of the output while it is traced; a list sets the key of its items when it knows which of them stay. */
export type OutputPlace = { readonly parent: OutputPlace | undefined; key: string | number };

/** Notes what each value is made of: the second, slow composition (`Tracer`). */
export type RunTracer = {
  value<T>(
    place: OutputPlace | undefined,
    mark: (() => Mark) | undefined,
    direct: ColumnSlot | undefined,
    evaluate: () => T,
  ): T;
  placed(place: OutputPlace | undefined, mark: () => Mark): void;
  reuse(place: OutputPlace | undefined): void;
  /** The line of the mapping that is evaluated, where it is no value of the output, for example a check. */
  lineOutsideOutput(): Mark | undefined;
  noting<T>(evaluate: () => T): { readonly value: T; readonly cells: ReadonlySet<Origin> };
  again(cells: ReadonlySet<Origin>): void;
  read(run: Composition, row: EvaluatedRow, slot: ColumnSlot): Value;
  problem(run: Composition, problem: RunProblem, origin?: Origin, level?: Fault['level']): void;
  faults(): readonly DataFault[];
  trace(): ReadonlyMap<string, readonly Origin[]>;
  marks(): ReadonlyMap<string, Mark>;
};

/** The state of one composition. `frame` and `place` are those of the block that is being filled. */
export type Composition = Context & {
  readonly groupings: (readonly (readonly Row[])[])[];
  readonly table: Table;
  /** Slot index -> cell index; as long as there are slots. */
  readonly positions: readonly number[];
  readonly all: readonly EvaluatedRow[];
  frame: Scope | undefined;
  place: OutputPlace | undefined;
  /** Something keeps the document from being sent. */
  failed: boolean;
  /** A check that only warns was not true. */
  warned: boolean;
  readonly tracer: RunTracer | undefined;
};

/** Without a tracer the run only notes that something failed, which is all that a document without faults needs. */
export function startRun(
  table: Table,
  positions: readonly number[],
  rows: readonly Row[],
  facts: Facts,
  tracer?: RunTracer,
): Composition {
  const all = rows.map((row) => liveRow(row, positions.length));
  const run: Composition = {
    table,
    positions,
    all,
    rows: all,
    row: undefined,
    isOfAll: false,
    groupings: [],
    facts,
    frame: undefined,
    place: undefined,
    failed: false,
    warned: false,
    tracer,
    report: (problem) => {
      run.failed = true;
      tracer?.problem(run, pointingToPath(run, problem));
    },
  };
  return run;
}

/** Where the path of an XML column matched nothing in the file so far, the hint names the path, not the cell. */
function pointingToPath(run: Composition, problem: RunProblem): RunProblem {
  const { code, column = '' } = problem;
  const { unfound } = run.row ?? run.all[0] ?? {};
  if (code !== 'map/empty-in-formula' || !unfound?.includes(column)) return problem;
  const path = run.table.places?.[run.table.columns.indexOf(column)];
  return {
    ...problem,
    ...withMessage(problem[MESSAGE].message, ARITHMETIC.nothingAtPath({ column, path: path ?? '' })),
  };
}

function liveRow(given: Row, slots: number): EvaluatedRow {
  const values = new Array<Value | undefined>(slots);
  const { cells, row, line, spot } = given;
  const isPlain = !given.places && !given.beside && !given.unfound && given.listsOf === undefined;
  if (!isPlain) return { ...given, values };
  return line === undefined ? { cells, row, values } : { cells, row, line, spot, values };
}

/** A fault of one cell. */
export function failCell(run: Composition, problem: RunProblem, row: Row, slot: ColumnSlot): typeof FAILED {
  run.failed = true;
  run.tracer?.problem(run, problem, originOf(run.table, row, run.positions[slot.index], fieldIn(slot)));
  return FAILED;
}

/** The name of the value within an item, where the slot is one of a list. */
export function fieldIn({ list, name }: ColumnSlot): string | undefined {
  return list === undefined ? undefined : name.slice(list.length + 1);
}

/** The value of the slot on the row, computed once per row; with a tracer its cells are noted. */
export function readSlot(run: Composition, row: EvaluatedRow, slot: ColumnSlot): Value {
  if (run.tracer) return run.tracer.read(run, row, slot);
  const known = row.values[slot.index];
  if (known !== undefined) return known;
  const value = slot.compute(run, row);
  row.values[slot.index] = value;
  return value;
}

/** What a bare $Column means: the cell of the row, or outside `each: row` the one value of all rows of the scope. */
export function readColumn(run: Composition, slot: ColumnSlot): Value {
  const row = run.row as EvaluatedRow | undefined;
  if (row)
    return row.item && slot.list === undefined ? readAround(run, row, row.item.row, slot) : readSlot(run, row, slot);
  const rows = run.rows as readonly EvaluatedRow[];
  const first = rows[0];
  if (!first) return '';
  if (rows.length === 1) return readSlot(run, first, slot);
  if (run.tracer) return sameValue(run, rows, first, slot);
  if (sameText(rows, run.positions[slot.index])) return readSlot(run, first, slot);
  return quickly(run, rows, slot) ?? sameValue(run, rows, first, slot);
}

/** An item has the columns of the row or rows around its list. */
function readAround(run: Composition, item: EvaluatedRow, row: EvaluatedRow | undefined, slot: ColumnSlot): Value {
  run.row = row;
  const value = readColumn(run, slot);
  run.row = item;
  return value;
}

/** The value that all rows have; undefined where one failed or differs, and then `sameValue` finds which. */
function quickly(run: Composition, rows: readonly EvaluatedRow[], slot: ColumnSlot): Value | undefined {
  let first: Value | undefined;
  for (const row of rows) {
    const value = readSlot(run, row, slot);
    first ??= value;
    if (value === FAILED || !equalValues(value, first)) return undefined;
  }
  return first;
}

function sameText(rows: readonly EvaluatedRow[], position: number | undefined): boolean {
  if (position === undefined) return false;
  const text = rows[0]?.cells[position];
  for (const { cells } of rows) if (cells[position] !== text) return false;
  return true;
}

/** Reads every row even after one that failed or differs, so that all cells with a fault are reported at once. */
function sameValue(run: Composition, rows: readonly EvaluatedRow[], first: EvaluatedRow, slot: ColumnSlot): Value {
  const values = rows.map((row) => readSlot(run, row, slot));
  if (values.includes(FAILED)) return FAILED;
  const [value = ''] = values;
  const at = values.findIndex((one) => !equalValues(one, value));
  const other = rows[at];
  if (!other) return value;
  run.failed = true;
  if (!run.tracer) return FAILED;
  const shown = (row: EvaluatedRow) => ROW_ROWS.onRow({ text: cellText(run, row, slot), row: row.row });
  const isOneEmpty = value === '' || values[at] === '';
  const advice = isOneEmpty && !run.table.places ? ROW_ROWS.fillDown() : ROW_ROWS.cellOrEach();
  const reader = run.tracer.lineOutsideOutput();
  const hint = reader ? ROW_ROWS.readAt({ hint: advice, file: reader.file, line: reader.line }) : advice;
  const words = withMessage(ROW_ROWS.notTheSame({ one: shown(first), other: shown(other) }), hint);
  return failCell(run, { code: 'map/not-the-same', ...words, given: cellText(run, other, slot) }, other, slot);
}

/** The cell as the file has it; for a calculated column its value. */
export function cellText(run: Composition, row: EvaluatedRow, slot: ColumnSlot): string {
  if (slot.list !== undefined) return valueText(readSlot(run, row, slot));
  const position = run.positions[slot.index];
  return position === undefined ? valueText(readSlot(run, row, slot)) : (row.cells[position] ?? '').trim();
}

function equalValues(a: Value, b: Value): boolean {
  if (a === b) return true;
  return typeof a === 'object' && typeof b === 'object' && a.equals(b);
}

/** As a key or a code: plain digits, true or false, the ISO date; '' for a failed value. */
export function valueText(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return value === FAILED ? '' : value.toText();
}

/** As a part of the key of a document: an accent is the same letter in one character or in two, as it is for the ledger. */
export function keyText(value: Value): string {
  return valueText(value).normalize();
}
