/** Which cells of a document an edit of a person concerns. */
import type { Correction } from '../../model/ledger-entry.ts';
import type { Cells } from '../../pipeline/reprocessing/reconvert-source.ts';

/** Not the same in all rows: a correction has to say which one. */
export function variesAcrossRows(rows: readonly Cells[], column: string): boolean {
  return rows.some((row) => meantIn(row, column, '').from !== meantIn(rows[0]!, column, '').from);
}

export function meantIn(row: Cells, name: string, to: string): Meant {
  const at = indexOf(row, name);
  return { row: row.row, column: row.columns[at]!, from: row.cells[at] ?? '', to };
}

export type Meant = Pick<Correction, 'row' | 'column' | 'from' | 'to'>;

/** By the name of the column, or as faults show it: the element path of an XML export. */
export function indexOf({ columns, places }: Cells, name: string): number {
  const at = columns.indexOf(name);
  return at >= 0 ? at : (places?.indexOf(name) ?? -1);
}
