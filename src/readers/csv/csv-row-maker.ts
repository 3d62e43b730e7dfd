/** The step of the CSV reader from records to rows, after its columns are known: cells in, rows out. */
import type { Table } from '../../model/row.ts';

/** `take` gets each record with its row number from 1, in order; `finish` gives what waits for the end of the file. */
export type RowMaker = {
  readonly table: Table;
  readonly take: (cells: string[], row: number) => void;
  readonly finish: () => void;
};
