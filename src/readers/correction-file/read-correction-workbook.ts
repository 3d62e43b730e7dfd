/**
 * A correction file that came back as a workbook (.xlsx), recognized by `_doc`, `_row`, `_error` in the first row of one
 * of its sheets, hidden or not. Bytes in; the rows of that sheet out, hidden ones as well, each cell with its kind.
 * Throws UnreadableFileError with the codes of the workbook reader.
 */
import { inOnePiece } from '../../files/in-one-piece.ts';
import { HELPER_COLUMNS, plainMark } from '../../model/correction.ts';
import { columnNames } from '../csv/csv-header.ts';
import { readXlsxTable, type XlsxCell } from '../xlsx/read-xlsx-table.ts';
import { hasCells, readSheet, type SheetRow } from '../xlsx/xlsx-sheet.ts';
import { openWorkbook, type SheetEntry, type Workbook } from '../xlsx/xlsx-workbook.ts';

type WorkbookCorrectionRow = {
  /** As the spreadsheet counts. */
  readonly line: number;
  /** The mark of the document, if it is one; else the text of the cell, as for `row`. */
  readonly doc: string;
  readonly row: string;
  readonly cells: readonly XlsxCell[];
};

/** The sheet with the corrections. Rows without text are not in `rows`. */
export type CorrectionWorkbookSheet = {
  readonly sheet: string;
  /** Further sheets with data, which are not read. */
  readonly others: readonly string[];
  /** Name -> place in `cells`; the helper columns are not among them. */
  readonly columns: ReadonlyMap<string, number>;
  /** Helper columns that the sheet no longer has. */
  readonly lost: readonly string[];
  readonly rows: readonly WorkbookCorrectionRow[];
};

/** True if the bytes begin like a zip, as every workbook does. */
export function isZip(head: Buffer): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4;
}

/** True if the bytes begin like a compound file: an old workbook (.xls), or one with a password. */
export function isCompound(head: Buffer): boolean {
  return head.subarray(0, 4).toString('hex') === 'd0cf11e0';
}

const NO_NOTES = { hiddenColumns: [], merged: () => undefined };

/** Reads no further than the first row of each sheet. */
export async function isCorrectionWorkbook(bytes: AsyncIterable<Uint8Array>, file: string): Promise<boolean> {
  return (await sheetWithMarks(await openWorkbook(bytes, file))) !== undefined;
}

/** Undefined if no sheet has the columns of a correction file. */
export async function readCorrectionWorkbook(
  content: Buffer,
  file: string,
): Promise<CorrectionWorkbookSheet | undefined> {
  const workbook = await openWorkbook(inOnePiece(content), file);
  const sheet = await sheetWithMarks(workbook);
  if (!sheet) return undefined;
  const others: string[] = [];
  for (const one of workbook.sheets) if (one !== sheet && (await hasCells(workbook, one))) others.push(one.name);
  const [header, ...rows] = (await readXlsxTable(content, { file, sheet: sheet.name })).rows;
  const names = columnNames((header?.cells ?? []).map(({ text }) => text));
  const places = new Map(names.map((name, at) => [name, at] as const).reverse());
  const textAt = (cells: readonly XlsxCell[], name: string) => cells[places.get(name) ?? -1]?.text.trim() ?? '';
  const helpers: readonly string[] = HELPER_COLUMNS;
  return {
    sheet: sheet.name,
    others,
    columns: new Map([...places].filter(([name]) => !helpers.includes(name))),
    lost: helpers.filter((name) => !places.has(name)),
    rows: rows
      .filter(({ cells }) => cells.some(({ text }) => text.trim() !== ''))
      .map(({ row, cells }) => ({
        line: row,
        doc: plainMark(textAt(cells, '_doc')),
        row: textAt(cells, '_row'),
        cells,
      })),
  };
}

/** The first sheet whose first row has two of the helper columns. */
async function sheetWithMarks(workbook: Workbook): Promise<SheetEntry | undefined> {
  for (const sheet of workbook.sheets) {
    const texts = (await firstRow(workbook, sheet))?.cells.map(({ text }) => text.trim()) ?? [];
    if (HELPER_COLUMNS.filter((name) => texts.includes(name)).length >= 2) return sheet;
  }
  return undefined;
}

async function firstRow(workbook: Workbook, sheet: SheetEntry): Promise<SheetRow | undefined> {
  for await (const [row] of readSheet(workbook, sheet, NO_NOTES)) return row;
  return undefined;
}
