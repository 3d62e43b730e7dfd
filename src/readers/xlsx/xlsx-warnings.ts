/**
 * What a person has to see about a workbook, though it is read: formulas, hidden rows and columns, merged cells, cells
 * next to the table, other sheets with data. Counted row by row, one warning of each kind for the whole file.
 */
import type { Message } from '../../i18n/message.ts';
import { XLSX_WARNING } from '../../i18n/messages/readers-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { columnLetters } from './xlsx-cell-value.ts';
import type { SheetNotes } from './xlsx-sheet.ts';

/** `column` counts from 0. */
export type XlsxWarnings = {
  readonly notes: SheetNotes;
  readonly formula: (column: number, row: number) => void;
  readonly hiddenRow: (row: number) => void;
  /** A cell to the right of the last column of the table. */
  readonly outside: (cell: { readonly column: number }, row: number) => void;
  /**
   * `columns`: the names of the table; `headerRow`: a range that ends above it is a title of the page; `others`: names
   * of other sheets that hold something.
   */
  readonly found: (about: {
    readonly columns: readonly string[];
    readonly headerRow: number;
    readonly others: readonly string[];
  }) => readonly DataFault[];
};

/** Merged ranges that are counted: no table has more. */
const MOST_RANGES = 100_000;

/** How often, and where first. */
type Tally = { count: number; readonly first: string; readonly row: number };

export function createXlsxWarnings(file: string): XlsxWarnings {
  const formulas = new Map<number, Tally>();
  const hiddenColumns: SheetNotes['hiddenColumns'] = [];
  const merged: { readonly range: string; readonly lastRow: number }[] = [];
  let hidden: Tally | undefined;
  let outside: Tally | undefined;

  const counted = (tally: Tally | undefined, first: () => string, row: number): Tally => {
    if (!tally) return { count: 1, first: first(), row };
    tally.count++;
    return tally;
  };
  const warning = (code: string, message: Message, hint: Message, row = 0, column?: string): DataFault => {
    const origin = column === undefined ? { file, row } : { file, row, column };
    return { code, level: 'warning', ...withMessage(message, hint), origin };
  };
  const found: XlsxWarnings['found'] = ({ columns, headerRow, others }) => {
    const faults: DataFault[] = [];
    for (const [at, { count, first, row }] of [...formulas].sort(([a], [b]) => a - b)) {
      const column = columns[at] ?? columnLetters(at);
      const message = XLSX_WARNING.formulas({ column, count, cell: first });
      faults.push(warning('xlsx/formulas', message, XLSX_WARNING.checkFormulas(), row, column));
    }
    const [first, ...more] = merged.filter(({ lastRow }) => lastRow >= headerRow);
    if (first) {
      const message = XLSX_WARNING.merged({ count: more.length + 1, range: first.range });
      faults.push(warning('xlsx/merged-cells', message, XLSX_WARNING.fillMerged(), first.lastRow));
    }
    if (hidden) {
      const message = XLSX_WARNING.hiddenRows({ count: hidden.count, row: hidden.row });
      faults.push(warning('xlsx/hidden-rows', message, XLSX_WARNING.checkHidden(), hidden.row));
    }
    const unseen = columns.filter((_, at) => hiddenColumns.some(({ first, last }) => at >= first && at <= last));
    if (unseen.length > 0) {
      const message = XLSX_WARNING.hiddenColumns({ columns: unseen });
      faults.push(warning('xlsx/hidden-columns', message, XLSX_WARNING.checkHiddenColumns()));
    }
    if (outside) {
      const message = XLSX_WARNING.outside({ count: outside.count, cell: outside.first });
      faults.push(warning('xlsx/outside-table', message, XLSX_WARNING.nameColumn(), outside.row));
    }
    if (others.length > 0) {
      const message = XLSX_WARNING.otherSheets({ sheets: others.map((name) => `"${name}"`) });
      faults.push(warning('xlsx/other-sheets', message, XLSX_WARNING.nameSheet()));
    }
    return faults;
  };
  return {
    notes: {
      hiddenColumns,
      merged: (range, lastRow) => {
        if (merged.length < MOST_RANGES) merged.push({ range, lastRow });
      },
    },
    formula: (column, row) => {
      formulas.set(
        column,
        counted(formulas.get(column), () => `${columnLetters(column)}${row}`, row),
      );
    },
    hiddenRow: (row) => {
      hidden = counted(hidden, () => '', row);
    },
    outside: ({ column }, row) => {
      outside = counted(outside, () => `${columnLetters(column)}${row}`, row);
    },
    found,
  };
}
