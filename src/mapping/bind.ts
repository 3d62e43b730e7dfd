/**
 * A compiled mapping and the header of one file in; what groups its rows and composes its documents out. Columns are
 * found by name once, then read by position. A header that does not fit gives faults in place of the binding.
 */
import { type DataFault, isError } from '../model/fault.ts';
import type { Row, RowGroup, Table } from '../model/row.ts';
import type { CompiledMapping } from './compiled-mapping.ts';
import { type Composed, compose } from './compose/compose-document.ts';
import { type ControlTally, startControls } from './compose/control-total-definitions.ts';
import {
  type DocumentLimits,
  type Grouper,
  type KeyedRow,
  type ReappearedKeys,
  startGrouping,
} from './compose/group-rows.ts';
import { isBlank } from './compose/grouping-faults.ts';
import { headerElsewhere, otherHeader } from './compose/header-faults.ts';
import { withUnread } from './compose/unmapped-elements.ts';
import { missingColumns, positionsOf } from './expressions/columns.ts';
import { type Composition, type EvaluatedRow, keyText, readSlot, startRun } from './runtime/composition.ts';
import { Tracer } from './runtime/tracer.ts';
import { FAILED, type Facts, type Value } from './runtime/value.ts';

/** A mapping bound to the header of one file. */
export type Bound = {
  readonly table: Table;
  /** `again`: the result of an earlier grouper of the same file, see Grouper.again. */
  readonly grouper: (
    facts: Facts,
    options?: { readonly again?: ReappearedKeys; readonly limits?: DocumentLimits },
  ) => Grouper;
  /** Control totals of the file, to be shown every batch; undefined where the mapping has none. */
  readonly controls: (facts: Facts) => ControlTally | undefined;
  /** The draft of a group, or its faults. */
  readonly compose: (group: RowGroup, facts: Facts) => Composed;
};

/**
 * `rows`: the first rows of the file, where a displaced header may be. Faults: `map/header-elsewhere`,
 * `map/other-header`, `map/no-such-column`, `map/column-twice`; warnings among them do not prevent the binding.
 */
export function bindMapping(
  mapping: CompiledMapping,
  table: Table,
  rows: readonly Row[] = [],
): Bound | { readonly faults: readonly DataFault[] } {
  const positions = placesIn(mapping, table, rows);
  if ('faults' in positions) return positions;
  const sheet = { table, positions };
  return {
    table,
    grouper: (facts, options = {}) =>
      startGrouping({
        table,
        rows: mapping.rows,
        identical: mapping.identical,
        one: mapping.one,
        column: mapping.key[0] && sheet.positions[mapping.key[0].index],
        keyOf: keyReader(mapping, sheet, facts),
        leaves: leaver(mapping, sheet, facts),
        ...options,
      }),
    controls: (facts) => controlsOf(mapping, sheet, facts),
    compose: (group, facts) => compose(mapping.recipe, sheet, withUnread(group), facts),
  };
}

type Positions = readonly number[];

/**
 * For readers without a header row: each of their files has the same `columns` array, so the array itself is the key.
 */
const known = new WeakMap<CompiledMapping, WeakMap<readonly string[], Positions>>();

/** The cell index of each slot under this header, or the faults that explain why there is none. */
function placesIn(
  mapping: CompiledMapping,
  table: Table,
  rows: readonly Row[],
): Positions | { readonly faults: readonly DataFault[] } {
  const before = known.get(mapping) ?? new WeakMap<readonly string[], Positions>();
  const same = before.get(table.columns);
  if (same) return same;
  // One fault about the header as a whole replaces a fault for each missing column.
  const other = headerElsewhere(mapping.columns, table, rows) ?? otherHeader(mapping.columns, table);
  if (other) return { faults: [other] };
  const faults = missingColumns(mapping.columns, table, mapping.findings);
  if (faults.some(isError)) return { faults };
  const positions = positionsOf(mapping.columns.slots, table);
  if (table.header === undefined) known.set(mapping, before.set(table.columns, positions));
  return positions;
}

/** The header of one file, and the cell index of each slot under it. */
type Sheet = { readonly table: Table; readonly positions: readonly number[] };

const NO_FAULTS: readonly DataFault[] = [];

/** Reads the key of a row. `one-per: file` has one empty key, `one-per: row` the number of the row. */
function keyReader({ one, key, columns }: CompiledMapping, sheet: Sheet, facts: Facts): (row: Row) => KeyedRow {
  if (one === 'file') return () => ({ key: [], faults: NO_FAULTS });
  if (one === 'row') return (row) => ({ key: [String(row.row)], faults: NO_FAULTS });
  // A column with a type or with replacements is read as the output reads it: the same value may be written in two ways.
  const positions = key.map(({ index, name }) => (columns.convertOf(name) ? undefined : sheet.positions[index]));
  const [only] = positions;
  if (positions.length === 1 && only !== undefined) return cellReader(only);
  if (positions.every((position) => position !== undefined)) {
    return ({ cells }) => ({ key: positions.map((at) => keyText((cells[at] ?? '').trim())), faults: NO_FAULTS });
  }
  return (row) => {
    const { value, faults } = onRow(sheet, facts, row, (run) =>
      key.map((slot) => readSlot(run, run.row as EvaluatedRow, slot)),
    );
    return { key: value.map(keyText), faults };
  };
}

/** Rows of one document usually follow each other, so the key of the last cell is kept. */
function cellReader(position: number): (row: Row) => KeyedRow {
  let last = '';
  let keyed: KeyedRow = { key: [''], faults: NO_FAULTS };
  return ({ cells }) => {
    const cell = cells[position] ?? '';
    if (cell !== last) keyed = { key: [keyText(cell.trim())], faults: NO_FAULTS };
    last = cell;
    return keyed;
  };
}

/** Undefined where the mapping has no control totals. A row counts for no document while its key is unknown. */
function controlsOf(mapping: CompiledMapping, sheet: Sheet, facts: Facts): ControlTally | undefined {
  if (mapping.controls.length === 0) return undefined;
  const read = keyReader(mapping, sheet, facts);
  return startControls({
    table: sheet.table,
    controls: mapping.controls,
    keyOf: (row) => {
      const { key, faults } = read(row);
      const lacksKey = key.every((part) => part === '') || (key.includes('') && isBlank(row));
      const unknown = faults.length > 0 || (mapping.one === 'key' && lacksKey);
      // Readers refuse NUL, so no cell can join two keys into one.
      return unknown ? undefined : key.join('\u0000');
    },
    amountOf: (row, slot) => onRow(sheet, facts, row, (run) => readSlot(run, run.row as EvaluatedRow, slot)),
  });
}

/**
 * The rule `keep` for one row: undefined keeps the row, a text is the rule that leaves it out, faults mean that the
 * rule could not be evaluated.
 */
function leaver(
  { keep, findings }: CompiledMapping,
  sheet: Sheet,
  facts: Facts,
): ((row: Row) => string | readonly DataFault[] | undefined) | undefined {
  if (!keep) return undefined;
  const mark = () => findings.yaml.mark(keep.path);
  return (row) => {
    const { value, faults } = onRow(sheet, facts, row, (run): Value => {
      return run.tracer
        ? run.tracer.value(undefined, mark, keep.form.direct, () => keep.form.read(run))
        : keep.form.read(run);
    });
    if (faults.length > 0 || value === FAILED) return faults;
    return value === true ? undefined : keep.says;
  };
}

/** Reads values of one row alone; repeats with a tracer where something failed, to know which cell. */
function onRow<T>(
  sheet: Sheet,
  facts: Facts,
  row: Row,
  read: (run: Composition) => T,
): { value: T; faults: readonly DataFault[] } {
  const once = (tracer?: Tracer) => {
    const run = startRun(sheet.table, sheet.positions, [row], facts, tracer);
    run.row = run.all[0];
    return { run, value: read(run) };
  };
  const { run, value } = once();
  if (!run.failed) return { value, faults: NO_FAULTS };
  const tracer = new Tracer();
  once(tracer);
  return { value, faults: tracer.faults() };
}
