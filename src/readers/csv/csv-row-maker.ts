/** What makes rows of the records of a CSV file once its columns are known. */
import type { Table } from '../../model/row.ts';

/** What makes rows of records once the columns are known. */
export type RowMaker = {
  readonly table: Table;
  readonly take: (cells: string[], row: number) => void;
  readonly finish: () => void;
};
