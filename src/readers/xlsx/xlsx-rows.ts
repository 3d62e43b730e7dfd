/**
 * Rows of a sheet become rows under named columns, with the header, the rules and the filling of csv-rows.ts, under
 * codes of their own. A cell whose value cannot be read breaks its row, and each row that is filled down from it. Damage
 * to the whole table throws UnreadableFileError (xlsx/no-header, xlsx/duplicate-column, ...).
 */
import { XLSX_CELL, XLSX_FILE } from '../../i18n/messages/readers-messages.ts';
import type { FoundControl } from '../../model/control-total.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import type { Batch, Row, SkippedRow } from '../../model/row.ts';
import { dictionary } from '../../text/dictionary.ts';
import { appendAll } from '../../text/long-lists.ts';
import { findColumn } from '../csv/csv-header.ts';
import { csvOptions } from '../csv/csv-options.ts';
import { type CsvSheet, createCsvSheet } from '../csv/csv-rows.ts';
import { compileControlRecords } from '../csv/csv-skip-rules.ts';
import { type RecordBounds, UnreadableFileError } from '../reader.ts';
import { type CellProblem, columnLetters } from './xlsx-cell-value.ts';
import { refuseWorkbook } from './xlsx-file-faults.ts';
import type { XlsxOptions } from './xlsx-options.ts';
import type { SheetCell, SheetRow } from './xlsx-sheet.ts';
import type { XlsxWarnings } from './xlsx-warnings.ts';

/** Columns of a table: a lone cell far to the right would make each row as wide. */
const MOST_COLUMNS = 1024;
/** Rows below the header that are kept whole. */
const NEAR_HEADER = 10;
/** A first row of one cell with one of these holds whole rows of another format. */
const DELIMITERS = [';', '\t', '|', ','];
/** Begins a cell that cannot be read while it travels through the table: no text of a file contains it. */
const MARK = '\uffff';

/** The same faults have a code of the format in which they are. */
const CODES = dictionary<string>({
  'csv/duplicate-column': 'xlsx/duplicate-column',
  'csv/no-such-column': 'xlsx/no-such-column',
  'csv/nothing-to-fill-down': 'xlsx/nothing-to-fill-down',
});

export type XlsxRows = {
  readonly take: (row: SheetRow) => void;
  /** The sheet ended: refuses one without the header row. */
  readonly finish: () => void;
  /** Undefined until the columns are known. */
  readonly drain: () => Batch | undefined;
  /** The row of the header; 0 until it is known, and for a table without one. */
  readonly headerRow: () => number;
};

/** `bounds`: see ReadOptions; a row whose key can be read belongs to its own document, even if it is broken. */
export function createXlsxRows(
  file: string,
  options: XlsxOptions,
  warnings: XlsxWarnings,
  bounds?: RecordBounds,
): XlsxRows {
  const { 'column-names': names, 'skip-rows': skipRows, 'header-row': header } = options;
  const fixedHeader = typeof header === 'number' ? header : undefined;
  const controlsAbove = compileControlRecords(options.controls, [], { file, row: 1 });
  let leftOut: SkippedRow[] = [];
  let controls: FoundControl[] = [];
  let above: { readonly row: number; readonly cells: readonly string[] } | undefined;
  let sheet: CsvSheet | undefined = names && createSheet(file, options, undefined);
  let ignored: ReadonlySet<number> = names ? ignoredColumns(file, options, names, 1) : new Set();
  let width = names?.length ?? 0;
  let headerRow = 0;
  const wide = new Map<number, readonly string[]>();

  const leaveOut = ({ row, cells }: SheetRow) => {
    const texts = textsOf(cells, (cells.at(-1)?.column ?? 0) + 1);
    const control = controlsAbove?.(
      textsOf(cells, texts.length, (cell) => markedText(cell, row)),
      row,
    );
    if (control) appendAll(controls, control.found);
    leftOut.push({ row, rule: control?.rule ?? 'preamble' });
    above = { row, cells: texts };
  };
  const begin = ({ row, cells }: SheetRow) => {
    if (fixedHeader !== undefined && row > fixedHeader) throw missingHeader(file, fixedHeader);
    width = (cells.findLast(({ text }) => text.trim() !== '')?.column ?? 0) + 1;
    checkHeader(file, row, cells, width);
    headerRow = row;
    sheet = createSheet(file, options, above?.row === row - 1 ? above.cells : undefined);
    const columns = textsOf(cells, width);
    inOwnCodes(() => sheet?.take([...columns], row));
    ignored = ignoredColumns(file, options, sheet.table()?.columns ?? [], row);
  };
  const textOf = (cell: SheetCell, row: number): string => {
    if (cell.problem === undefined && cell.isFormula) warnings.formula(cell.column, row);
    return markedText(cell, row);
  };
  const cellsOf = (row: SheetRow): string[] => {
    const cells = new Array<string>(width).fill('');
    for (const cell of row.cells) {
      if (cell.column >= width) warnings.outside(cell, row.row);
      else if (!ignored.has(cell.column)) cells[cell.column] = textOf(cell, row.row);
    }
    return cells;
  };
  const isAbove = ({ row }: SheetRow) => (sheet ? row <= skipRows : fixedHeader !== undefined && row < fixedHeader);
  const take = (row: SheetRow) => {
    if (isBlank(row)) return;
    if (isAbove(row)) return leaveOut(row);
    if (!sheet) return begin(row);
    // Without a header row, the first one shows it.
    if (headerRow === 0 && width === 1) refuseDelimiter(file, row.row, row.cells);
    if (row.isHidden) warnings.hiddenRow(row.row);
    // If a title was taken for the header, the real one is next to it, and wider.
    const end = (row.cells.at(-1)?.column ?? 0) + 1;
    if (end > width && end <= MOST_COLUMNS && row.row <= headerRow + NEAR_HEADER)
      wide.set(row.row, textsOf(row.cells, end));
    const { take: put } = sheet;
    inOwnCodes(() => put(cellsOf(row), row.row));
  };
  const drain = (): Batch | undefined => {
    const table = sheet?.table();
    if (!sheet || !table) return undefined;
    const drained = sheet.drain();
    const rows = drained.rows.map((row) => {
      const whole = wide.get(row.row);
      const own = withOwnFault(row, { file, columns: table.columns, key: bounds?.key });
      return whole ? { ...own, whole } : own;
    });
    wide.clear();
    const found = [...controls, ...drained.controls].map((one) => withReason(one, file));
    const batch = { table, rows, leftOut: [...leftOut, ...drained.leftOut] };
    leftOut = [];
    controls = [];
    return found.length > 0 ? { ...batch, controls: found } : batch;
  };
  const finish = () => {
    if (!sheet) throw missingHeader(file, fixedHeader);
    sheet.finish();
  };
  return { take, finish, drain, headerRow: () => headerRow };
}

function isBlank({ cells }: SheetRow): boolean {
  return cells.every(({ text, problem }) => text.trim() === '' && problem === undefined);
}

function createSheet(file: string, options: XlsxOptions, above: readonly string[] | undefined): CsvSheet {
  const { sheet: _, 'ignored-columns': __, 'header-row': ___, 'skip-rows': ____, ...table } = options;
  return createCsvSheet(file, { ...csvOptions.parse({}), ...table }, ';', above);
}

function ignoredColumns(
  file: string,
  options: XlsxOptions,
  columns: readonly string[],
  row: number,
): ReadonlySet<number> {
  const find = (column: string | number) => inOwnCodes(() => findColumn(column, columns, { file, row }));
  return new Set(options['ignored-columns'].map(find));
}

function checkHeader(file: string, row: number, cells: readonly SheetCell[], width: number): void {
  if (width > MOST_COLUMNS) {
    const cell = `${columnLetters(width - 1)}${row}`;
    const message = XLSX_FILE.tooManyColumns({ cell, most: MOST_COLUMNS });
    throw refuseWorkbook(file, 'xlsx/too-many-columns', message, XLSX_FILE.deleteColumns(), row);
  }
  if (width === 1) refuseDelimiter(file, row, cells);
}

/** A CSV that was opened with another delimiter than its own, and saved. */
function refuseDelimiter(file: string, row: number, [first]: readonly SheetCell[]): void {
  const delimiter = DELIMITERS.find((one) => first?.text.includes(one));
  if (delimiter === undefined) return;
  const message = XLSX_FILE.rowsInOneCell({ row, delimiter });
  throw refuseWorkbook(file, 'xlsx/rows-in-one-cell', message, XLSX_FILE.splitCells(), row);
}

function missingHeader(file: string, row: number | undefined): UnreadableFileError {
  const message = row === undefined ? XLSX_FILE.emptySheet() : XLSX_FILE.noHeader({ row });
  return refuseWorkbook(file, 'xlsx/no-header', message, XLSX_FILE.correctHeader(), row);
}

function textsOf(
  cells: readonly SheetCell[],
  width: number,
  textOf: (cell: SheetCell) => string = ({ text }) => text,
): readonly string[] {
  const texts = new Array<string>(width).fill('');
  for (const cell of cells) if (cell.column < width) texts[cell.column] = textOf(cell);
  return texts;
}

function inOwnCodes<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    throw new UnreadableFileError(error.faults.map((fault) => withOwnCode(fault as DataFault)));
  }
}

function withOwnCode(fault: DataFault): DataFault {
  return { ...fault, code: CODES.get(fault.code) ?? fault.code };
}

/** A cell that cannot be read has a mark in its text: where it goes, the fault goes with it. */
function markedText({ problem, column, text }: SheetCell, row: number): string {
  if (problem === undefined) return text;
  return [MARK, problem, MARK, columnLetters(column), row, MARK, text].join('');
}

function unmarked(text: string): string {
  return text.startsWith(MARK) ? text.slice(text.lastIndexOf(MARK) + 1) : text;
}

type RowPlace = {
  readonly file: string;
  readonly columns: readonly string[];
  readonly key: RecordBounds['key'];
};

function withOwnFault(row: Row, place: RowPlace): Row {
  const { cells } = row;
  const marks = cells.flatMap((cell, at) => (cell.startsWith(MARK) ? [at] : []));
  const faultOf = (at: number) =>
    cellFault(cells[at] ?? '', { file: place.file, row: row.row, column: place.columns[at] ?? '' });
  const badCells = marks.map((column) => ({ column, fault: faultOf(column) }));
  const [first] = badCells;
  if (row.broken) return { ...row, cells: cells.map(unmarked), broken: withOwnCode(row.broken) };
  if (!first) return row;
  const { columns, key } = place;
  const isBad = (name: string) => marks.includes(columns.indexOf(name));
  const readable = key === 'row' || (key !== undefined && !key.some(isBad));
  return { ...row, cells: cells.map(unmarked), broken: first.fault, badCells, readable };
}

function withReason(control: FoundControl, file: string): FoundControl {
  const { text, row, column = '' } = control;
  if (!text.startsWith(MARK)) return control;
  return { ...control, text: unmarked(text), unreadable: cellFault(text, { file, row, column }) };
}

type CellPlace = { readonly file: string; readonly row: number; readonly column: string };

function cellFault(marked: string, { file, row, column }: CellPlace): DataFault {
  const [, problem, cell = '', given = ''] = marked.split(MARK);
  const code = problem as CellProblem;
  const { message, hint } = WORDS[code];
  const words = withMessage(message({ cell, column, given }), hint());
  return { code, level: 'error', ...words, origin: { file, row, column }, given };
}

const WORDS = {
  'xlsx/error-value': { message: XLSX_CELL.errorValue, hint: XLSX_CELL.correctFormula },
  'xlsx/formula-without-value': { message: XLSX_CELL.withoutValue, hint: XLSX_CELL.calculate },
  'xlsx/digits-lost': { message: XLSX_CELL.digitsLost, hint: XLSX_CELL.writeAsText },
  'xlsx/not-a-date': { message: XLSX_CELL.notADate, hint: XLSX_CELL.correctDate },
  'xlsx/damaged-cell': { message: XLSX_CELL.damaged, hint: XLSX_CELL.exportAgain },
};
