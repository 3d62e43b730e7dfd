/**
 * Lists of the source: a column whose cell has the items of a repeated element or record, as JSON. `each: item of name`
 * visits the items one after the other; inside it `$name.field` is a value of the item, and every other column is the
 * same as around the list. Damaged JSON is the fault `map/damaged-list` of the cell.
 */

import { ROW_ROWS } from '../../i18n/messages/mapping-messages.ts';
import { withMessage } from '../../model/fault.ts';
import type { Row } from '../../model/row.ts';
import { holdersOf } from '../../model/xml-location.ts';
import { isPlainObject } from '../../yaml/plain-object.ts';
import { type ColumnSlot, type Composition, type EvaluatedRow, failCell, readColumn } from '../runtime/composition.ts';

/** Name of a list -> names of the fields of its items. */
export type Lists = ReadonlyMap<string, readonly string[]>;

/** The form of a list in a cell, for the hint of a damaged one. */
const SAMPLE = '[{"field":"value"}, {"field":"value"}]';

type Item = { readonly [field: string]: string };

/** The lists that the format's part of `source` declares. */
export function listsIn(options: unknown): Lists {
  const { lists, records = [], 'record-types': types } = (options ?? {}) as Declared;
  const all = [lists, types?.lists, ...records.map((record) => record.lists)].flatMap((some) =>
    Object.entries(some ?? {}),
  );
  return new Map(all.map(([name, { columns }]) => [name, fieldsOf(columns)]));
}

/** Names from left to right, or the names of paths and positions. */
function fieldsOf(columns: object): readonly string[] {
  return Array.isArray(columns) ? columns.map(String).filter((name) => name !== '') : Object.keys(columns);
}

type Declared = {
  readonly lists?: Declaration;
  readonly records?: readonly { readonly lists?: Declaration }[];
  readonly 'record-types'?: { readonly lists?: Declaration };
};
type Declaration = { readonly [name: string]: { readonly columns: object } } | undefined;

/**
 * The items of the list, each as a row to read values in; `row` of the run is unchanged. Empty after a fault. Outside of a row
 * the list is that of each element, or header, that the rows have it from: two of them may have the same items.
 */
export function itemsOf(run: Composition, list: ColumnSlot): readonly EvaluatedRow[] {
  const { rows, isOfAll } = run;
  const row = run.row as EvaluatedRow | undefined;
  // An item of a list outside of the rows is outside of them as well.
  const within = row?.item ? row.item.row : row;
  const parts = within && !isOfAll ? [] : rowsByHolder(run, list);
  if (parts.length === 0) return itemsHere(run, list);
  const items = parts.flatMap(({ own, isOfRow }) => {
    run.rows = own;
    run.row = isOfRow ? own[0] : undefined;
    return itemsHere(run, list);
  });
  run.rows = rows;
  run.row = row;
  return items;
}

type RowsOfHolder = { readonly own: Row[]; readonly isOfRow: boolean };

/** The rows of the scope by where their list is; `isOfRow`: in the row itself. None where all have it from one place. */
function rowsByHolder({ rows, table, positions }: Composition, { index }: ColumnSlot): readonly RowsOfHolder[] {
  const [first, ...others] = rows;
  if (!first || others.length === 0) return [];
  const position = positions[index] ?? -1;
  const within = holdersOf((first.places ?? table.places)?.[position] ?? '');
  const holderOf = ({ beside, spot, listsOf }: Row) => {
    if (beside && position < beside.columns) return beside.row;
    return spot ? within(spot) : listsOf;
  };
  const one = holderOf(first);
  if (others.every((row) => holderOf(row) === one)) return [];
  const parts = new Map<unknown, RowsOfHolder>();
  for (const row of rows) {
    const holder = holderOf(row);
    const part = parts.get(holder);
    if (part) part.own.push(row);
    else parts.set(holder, { own: [row], isOfRow: row.spot !== undefined && holder === row.spot });
  }
  return [...parts.values()];
}

function itemsHere(run: Composition, list: ColumnSlot): readonly EvaluatedRow[] {
  const text = readColumn(run, list);
  if (typeof text !== 'string' || text === '') return [];
  const items = parsed(text);
  const around = (run.row ?? run.rows[0]) as EvaluatedRow;
  if (items) return items.map((item, n) => itemRow(run, list, item, n, around));
  failCell(
    run,
    {
      code: 'map/damaged-list',
      ...withMessage(ROW_ROWS.damagedList({ list: list.name }), ROW_ROWS.writeList({ sample: SAMPLE })),
      given: text,
    },
    around,
    list,
  );
  return [];
}

/** Shares the cells of the row around the list; only the values of the item's fields are its own. */
function itemRow(
  run: Composition,
  { name, index }: ColumnSlot,
  fields: Item,
  n: number,
  around: EvaluatedRow,
): EvaluatedRow {
  const { values, places: _, ...rest } = around;
  const outer = run.row as EvaluatedRow | undefined;
  const item = { list: name, fields, row: outer?.item ? outer.item.row : outer };
  const made = { ...rest, item, values: new Array<undefined>(values.length) };
  if (!run.tracer) return made;
  // Faults point at the item in its list: `Lines[3]`.
  const places = around.places ?? run.table.places ?? run.table.columns;
  const position = run.positions[index];
  return { ...made, places: places.map((place, at) => (at === position ? `${place}[${n + 1}]` : place)) };
}

/** Undefined where the text is not a JSON list of objects with texts. */
function parsed(text: string): readonly Item[] | undefined {
  let items: unknown;
  try {
    items = JSON.parse(text);
  } catch {
    return undefined;
  }
  return Array.isArray(items) && items.every(isItem) ? items : undefined;
}

function isItem(value: unknown): value is Item {
  const isBlock = isPlainObject(value);
  return isBlock && Object.values(value).every((field) => typeof field === 'string');
}

/** Reads `$list.field` on the row of an item; '' where the item lacks the field. `name` includes the list. */
export function fieldOf(list: string, name: string): (row: EvaluatedRow) => string {
  const field = name.slice(list.length + 1);
  return ({ item }) => (item && Object.hasOwn(item.fields, field) ? (item.fields[field] ?? '') : '').trim();
}
