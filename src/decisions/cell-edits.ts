/**
 * Finds the cells of a document by a column name and makes edits of them. A name that no row has gives index -1 or an
 * empty cell; callers check first.
 */
import type { Correction } from '../model/ledger-entry.ts';
import type { Cells } from '../pipeline/reprocessing/reconvert-source.ts';

/** Whether the rows have different texts in the column: then a correction must name its row. */
export function variesAcrossRows(rows: readonly Cells[], column: string): boolean {
  return new Set(rows.map((row) => row.cells[indexOf(row, column)] ?? '')).size > 1;
}

/** A change of one cell, before a person and a reason make it a correction. */
export type CellEdit = Pick<Correction, 'row' | 'column' | 'from' | 'to'>;

/** The edit that writes `to` into the cell; `column` is the name in the file, even if `name` is an element path. */
export function editOf(row: Cells, name: string, to: string): CellEdit {
  const at = indexOf(row, name);
  return { row: row.row, column: row.columns[at] ?? name, from: row.cells[at] ?? '', to };
}

/** The index of a column by its name, or by the element path that faults of an XML export show; -1 if there is none. */
export function indexOf({ columns, places }: Cells, name: string): number {
  const at = columns.indexOf(name);
  return at >= 0 ? at : (places?.indexOf(name) ?? -1);
}
