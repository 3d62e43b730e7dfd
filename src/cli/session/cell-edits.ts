/** Edits of cells: which cells of a document a name of a column means. */
import type { Correction } from '../../model/ledger-entry.ts';
import type { Cells } from '../../pipeline/reprocessing/reconvert-source.ts';

/** Whether the column differs between the rows: a correction then names its row. */
export function variesAcrossRows(rows: readonly Cells[], column: string): boolean {
  return new Set(rows.map((row) => row.cells[indexOf(row, column)] ?? '')).size > 1;
}

export type CellEdit = Pick<Correction, 'row' | 'column' | 'from' | 'to'>;

/** `to` in place of the cell of the row, under the name that the file gives to the column. */
export function editOf(row: Cells, name: string, to: string): CellEdit {
  const at = indexOf(row, name);
  return { row: row.row, column: row.columns[at] ?? name, from: row.cells[at] ?? '', to };
}

/** By the name of the column, or as faults show it: the element path of an XML export. */
export function indexOf({ columns, places }: Cells, name: string): number {
  const at = columns.indexOf(name);
  return at >= 0 ? at : (places?.indexOf(name) ?? -1);
}
