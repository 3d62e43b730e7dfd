/**
 * The cells of one sheet, row by row as they are in the file: empty cells and rows are left out, and the size that the
 * sheet declares is not believed. References may be missing; those that repeat or go back make the file ambiguous and
 * refuse it (UnreadableFileError, xlsx/damaged). A value that cannot be read is a problem of its cell.
 */
import type { Message } from '../../i18n/message.ts';
import { XLSX_FILE } from '../../i18n/messages/readers-messages.ts';
import type { Attribute } from '../xml/xml-events.ts';
import { createCellReader, isCalculated, type RawCell } from './xlsx-cell.ts';
import { type CellValue, columnLetters, parseCellReference } from './xlsx-cell-value.ts';
import { damagedPart } from './xlsx-file-faults.ts';
import { attributeOf, isSet, type PartHandler, walkPart } from './xlsx-part.ts';
import { createTextCollector, MOST_TEXT } from './xlsx-shared-strings.ts';
import type { SheetEntry, Workbook } from './xlsx-workbook.ts';

/** `column` counts from 0. */
export type SheetCell = CellValue & { readonly column: number; readonly isFormula: boolean };

/** `row` as the spreadsheet counts. `cells`: those that hold something, from left to right. */
export type SheetRow = { readonly row: number; readonly cells: readonly SheetCell[]; readonly isHidden: boolean };

/** What the sheet says about itself besides its cells. `merged` gets each range with its last row. */
export type SheetNotes = {
  readonly hiddenColumns: { readonly first: number; readonly last: number }[];
  readonly merged: (range: string, lastRow: number) => void;
};

const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_383;
/** UTF-16 units of all cells of one row. */
const MOST_IN_ROW = 16 * 1024 * 1024;
/** Characters of a piece of a formula, enough to know a constant. */
const FORMULA_SHOWN = 10;

/** The rows of each step of the file that has some. */
export async function* readSheet(
  workbook: Workbook,
  sheet: SheetEntry,
  notes: SheetNotes,
  chunkBytes?: number,
): AsyncGenerator<readonly SheetRow[]> {
  const walk = createSheetWalk(workbook, sheet, notes);
  for await (const _ of walkPart(workbook.archive, sheet.path, walk, chunkBytes)) {
    const rows = walk.drain();
    if (rows.length > 0) yield rows;
  }
  const rows = walk.drain();
  if (rows.length > 0) yield rows;
}

/** True if any cell holds something: reads no further than that. */
export async function hasCells(workbook: Workbook, sheet: SheetEntry): Promise<boolean> {
  for await (const _ of readSheet(workbook, sheet, { hiddenColumns: [], merged: () => undefined })) return true;
  return false;
}

function createSheetWalk(
  workbook: Workbook,
  { path }: SheetEntry,
  notes: SheetNotes,
): PartHandler & { readonly drain: () => readonly SheetRow[] } {
  const { file } = workbook.archive;
  const refuse = (problem: Message) => damagedPart(file, path, problem);
  const tooLong = () => refuse(XLSX_FILE.textTooLong());
  const collector = createTextCollector(tooLong);
  let rows: SheetRow[] = [];
  let cells: SheetCell[] = [];
  let isStarted = false;
  let isInData = false;
  let isInValue = false;
  let isInFormula = false;
  let isInline = false;
  let isHidden = false;
  /** Of the open row; undefined until its number is known. */
  let row: number | undefined;
  let lastRow = 0;
  let column = -1;
  let characters = 0;
  let cell: RawCell | undefined;

  const readCell = createCellReader(workbook, refuse);
  const setRow = (number: number) => {
    if (!(number > lastRow && number <= LAST_ROW)) throw refuse(XLSX_FILE.wrongRow({ row: number, before: lastRow }));
    row = number;
    lastRow = number;
  };
  const openRow = (attributes: readonly Attribute[]) => {
    const number = attributeOf(attributes, 'r');
    row = undefined;
    column = -1;
    cells = [];
    characters = 0;
    isHidden = isSet(attributes, 'hidden');
    if (number !== undefined) setRow(Number(number));
  };
  const openCell = (attributes: readonly Attribute[]): RawCell => {
    const reference = attributeOf(attributes, 'r');
    const place = reference === undefined ? undefined : parseCellReference(reference);
    if (row === undefined) setRow(place?.row ?? lastRow + 1);
    const next = reference === undefined ? column + 1 : columnIn(place, lastRow);
    if (!(next > column && next <= LAST_COLUMN)) {
      throw refuse(XLSX_FILE.wrongCell({ cell: reference ?? '', row: lastRow }));
    }
    column = next;
    const [type = 'n', style] = [attributeOf(attributes, 't'), attributeOf(attributes, 's')];
    return { row: lastRow, column, type, style, value: '', hasValue: false, hasFormula: false, formula: '' };
  };
  const closeCell = (open: RawCell) => {
    const value = readCell(open, isInline ? collector.take() : undefined);
    isInline = false;
    if (!value) return;
    characters += value.text.length;
    if (characters > MOST_IN_ROW) throw refuse(XLSX_FILE.rowTooLong({ row: open.row }));
    cells.push({ ...value, column: open.column, isFormula: isCalculated(open) });
  };
  const openInCell = (open: RawCell, name: string) => {
    if (name === 'v') {
      if (open.hasValue) throw refuse(XLSX_FILE.wrongCell({ cell: columnLetters(open.column), row: open.row }));
      isInValue = true;
      open.hasValue = true;
    } else if (name === 'f') {
      isInFormula = true;
      open.hasFormula = true;
    } else if (name === 'is') isInline = true;
    else if (isInline) collector.open(name);
  };
  const openOutside = (name: string, attributes: readonly Attribute[]) => {
    if (!isStarted && name !== 'worksheet') throw refuse(XLSX_FILE.noSheetPart({ name }));
    isStarted = true;
    if (name === 'sheetData') isInData = true;
    else if (name === 'col' && isSet(attributes, 'hidden') && notes.hiddenColumns.length <= LAST_COLUMN) {
      const first = Number(attributeOf(attributes, 'min')) - 1;
      notes.hiddenColumns.push({ first, last: Number(attributeOf(attributes, 'max')) - 1 });
    } else if (name === 'mergeCell') {
      const range = attributeOf(attributes, 'ref') ?? '';
      notes.merged(range, parseCellReference(range.split(':').at(-1) ?? '')?.row ?? LAST_ROW);
    }
  };
  const closeRow = () => {
    if (row === undefined) setRow(lastRow + 1);
    if (row !== undefined && cells.length > 0) rows.push({ row, cells, isHidden });
    row = undefined;
  };

  return {
    open: (name, attributes) => {
      if (cell) openInCell(cell, name);
      else if (!isInData) openOutside(name, attributes);
      else if (name === 'row') openRow(attributes);
      else if (name === 'c') cell = openCell(attributes);
    },
    close: (name) => {
      isInValue = false;
      isInFormula = false;
      if (isInline && name !== 'is') collector.close(name);
      if (name === 'c' && cell) {
        closeCell(cell);
        cell = undefined;
      } else if (name === 'row' && isInData) closeRow();
      else if (name === 'sheetData') isInData = false;
    },
    text: (text) => {
      if (isInFormula && cell) cell.formula += text.slice(0, FORMULA_SHOWN);
      if (isInFormula) return;
      if (!isInValue || !cell) return collector.text(text);
      cell.value += text;
      if (cell.value.length > MOST_TEXT) throw tooLong();
    },
    listens: () => isInValue || isInFormula || (isInline && collector.listens()),
    drain: () => {
      const drained = rows;
      rows = [];
      return drained;
    },
  };
}

/** -1 for a reference that names no cell of the row. */
function columnIn(place: { readonly column: number; readonly row: number } | undefined, row: number): number {
  return place?.row === row ? place.column : -1;
}
