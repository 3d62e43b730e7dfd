/** The step of the CSV reader from records to rows, after its columns are known: cells in, rows out. */
import type { Table } from '../../model/row.ts';
import type { LeftOutBy } from './csv-skip-rules.ts';

/**
 * `take` gets each record with its row number from 1, in order; `finish` gives what waits for the end of the file. `pass` gets
 * a record that a rule leaves out: rows below it may belong to it, and not to the document above it.
 */
export type RowMaker = {
  readonly table: Table;
  readonly take: (cells: string[], row: number) => void;
  readonly pass: (cells: readonly string[], row: number, by: LeftOutBy) => void;
  readonly finish: () => void;
};
