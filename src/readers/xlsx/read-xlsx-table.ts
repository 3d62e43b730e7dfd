/**
 * A sheet as rows of typed cells, without a header and without the rules of a mapping: for files that a person edits,
 * such as correction files, and for samples. Bytes in, all rows out, up to a bound. Throws UnreadableFileError, with the
 * codes of xlsx-reader.ts.
 */
import { inOnePiece } from '../../files/in-one-piece.ts';
import { XLSX_FILE } from '../../i18n/messages/readers-messages.ts';
import { type CellKind, type CellProblem, columnLetters } from './xlsx-cell-value.ts';
import { refuseWorkbook } from './xlsx-file-faults.ts';
import { readSheet, type SheetRow } from './xlsx-sheet.ts';
import { chooseSheet, openWorkbook } from './xlsx-workbook.ts';

/**
 * `text`: as `format: xlsx` gives it: `12.5`, `2026-11-21`, `2026-11-21T13:05:00`, `TRUE`; of a problem, what the file
 * has in the cell. `cell`: its name in the spreadsheet, such as C12.
 */
export type XlsxCell = {
  readonly cell: string;
  readonly kind: CellKind;
  readonly text: string;
  readonly isFormula: boolean;
  /** The value cannot be read: the code of its fault. */
  readonly problem?: CellProblem;
};

/** `cells`: from column A to the last one that holds something. Rows without any cell are left out. */
type XlsxTableRow = { readonly row: number; readonly cells: readonly XlsxCell[] };

export type XlsxTable = {
  readonly sheet: string;
  /** All sheets of the workbook, hidden ones as well. */
  readonly sheets: readonly string[];
  readonly rows: readonly XlsxTableRow[];
};

export type XlsxTableOptions = {
  /** Name of the file without folder, for messages. */
  readonly file: string;
  /** The first sheet that is not hidden, if it is not given. */
  readonly sheet?: string;
  /** Cells of all rows, empty ones between others included; more refuse the file (xlsx/too-large). */
  readonly mostCells?: number;
};

const MOST_CELLS = 2_000_000;

/** `bytes`: the whole file, or its chunks. */
export async function readXlsxTable(
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  { file, sheet, mostCells = MOST_CELLS }: XlsxTableOptions,
): Promise<XlsxTable> {
  const workbook = await openWorkbook(bytes instanceof Uint8Array ? inOnePiece(bytes) : bytes, file);
  const chosen = chooseSheet(workbook, sheet);
  const rows: XlsxTableRow[] = [];
  let cells = 0;
  for await (const step of readSheet(workbook, chosen, { hiddenColumns: [], merged: () => undefined })) {
    for (const row of step) {
      cells += (row.cells.at(-1)?.column ?? 0) + 1;
      if (cells > mostCells) {
        const message = XLSX_FILE.tooManyCells({ most: mostCells });
        throw refuseWorkbook(file, 'xlsx/too-large', message, XLSX_FILE.saveCsv(), row.row);
      }
      rows.push(toTableRow(row));
    }
  }
  return { sheet: chosen.name, sheets: workbook.sheets.map(({ name }) => name), rows };
}

function toTableRow({ row, cells }: SheetRow): XlsxTableRow {
  const all: XlsxCell[] = [];
  for (const { column, ...value } of cells) {
    while (all.length < column) {
      all.push({ cell: `${columnLetters(all.length)}${row}`, kind: 'empty', text: '', isFormula: false });
    }
    all.push({ ...value, cell: `${columnLetters(column)}${row}` });
  }
  return { row, cells: all };
}
