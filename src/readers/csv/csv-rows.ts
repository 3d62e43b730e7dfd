/**
 * Records of a CSV file become rows under named columns: header, rows left out, number of cells, cells filled from
 * above. Records come in one by one, rows are drained batch by batch. A damaged record becomes a broken row
 * (csv/too-few-cells, csv/too-many-cells, csv/nothing-to-fill-down); damage to the whole file throws
 * UnreadableFileError.
 */

import { CSV_FILE, READER_OPTION } from '../../i18n/messages/readers-messages.ts';
import type { FoundControl } from '../../model/control-total.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import type { Row, SkippedRow, Table } from '../../model/row.ts';
import { appendAll } from '../../text/long-lists.ts';
import { totalsCell } from '../../text/totals-cell.ts';
import { UnreadableFileError } from '../reader.ts';
import { cellCount, describeDelimiter, findColumn, refuseWrongDelimiter, uniqueColumnNames } from './csv-header.ts';
import type { CsvOptions } from './csv-options.ts';
import { createRecordTypeMaker } from './csv-record-types.ts';
import type { RowMaker } from './csv-row-maker.ts';
import { compileControlRecords, compileSkipRules, type LeftOutBy } from './csv-skip-rules.ts';

/** The rows of one file between two batches. A record without cells, which is an empty line, is not given to it. */
export type CsvSheet = {
  /** Set once the columns are known. */
  readonly table: () => Table | undefined;
  readonly take: (cells: string[], row: number) => void;
  /** The last record was taken. */
  readonly finish: () => void;
  readonly lastRow: () => number;
  readonly drain: () => {
    readonly rows: readonly Row[];
    readonly leftOut: readonly SkippedRow[];
    readonly controls: readonly FoundControl[];
  };
};
type SheetContext = {
  readonly file: string;
  readonly options: CsvOptions;
  readonly delimiter: string;
  readonly above?: readonly string[] | undefined;
};

/**
 * `delimiter`: that of the `sep=` line if the file has one, else of the mapping. `above`: cells of the line before the
 * header row. `take` throws csv/wrong-delimiter, csv/duplicate-column and csv/no-such-column.
 */
export function createCsvSheet(
  file: string,
  options: CsvOptions,
  delimiter: string,
  above?: readonly string[],
): CsvSheet {
  const context: SheetContext = { file, options, delimiter, above };
  let rows: Row[] = [];
  let leftOut: SkippedRow[] = [];
  let controls: FoundControl[] = [];
  const push = (row: Row) => void rows.push(row);
  const drop = (left: SkippedRow) => void leftOut.push(left);
  const { 'record-types': types, 'column-names': names } = options;
  let maker: RowMaker | undefined = types && createRecordTypeMaker({ file, types }, push);
  let dropped = maker ? compileSkipRules(options['leave-out'], [], { file, row: 1 }) : undefined;
  let controlsIn = maker ? compileControlRecords(options.controls, [], { file, row: 1 }) : undefined;
  let lastRow = 0;
  let checkFirst = maker !== undefined || names !== undefined;

  const take = (cells: string[], row: number) => {
    lastRow = row;
    if (checkFirst) refuseWrongDelimiter(cells, delimiter, { file, row });
    checkFirst = false;
    if (!maker) {
      if (!names) refuseWrongDelimiter(cells, delimiter, { file, row });
      const columns = names ?? uniqueColumnNames(cells, { file, row });
      maker = createPlainRowMaker(context, columns, row, push);
      dropped = compileSkipRules(options['leave-out'], columns, { file, row });
      controlsIn = compileControlRecords(options.controls, columns, { file, row });
      if (!names) return;
    }
    const control = controlsIn?.(cells, row);
    if (control) appendAll(controls, control.found);
    const by = control ?? dropped?.(cells);
    if (by) {
      drop({ row, rule: by.rule });
      maker.pass(cells, row, by);
    } else maker.take(cells, row);
  };
  const drain = () => {
    const batch = { rows, leftOut, controls };
    rows = [];
    leftOut = [];
    controls = [];
    return batch;
  };
  const bare: Table | undefined = names ? { file, columns: names } : undefined;
  return { table: () => maker?.table ?? bare, take, finish: () => maker?.finish(), lastRow: () => lastRow, drain };
}

/** One record is one row. A record with another number of cells than the header is broken and padded or cut to it. */
function createPlainRowMaker(
  context: SheetContext,
  columns: readonly string[],
  header: number,
  push: (row: Row) => void,
): RowMaker {
  const { file, options, above } = context;
  const width = columns.length;
  const place = options['column-names'] ? {} : { header, ...(above ? { above } : {}) };
  const fill = createFillDown(
    context,
    columns,
    options['fill-down'].map((column) => findColumn(column, columns, { file, row: header })),
  );
  refuseRulesOfFilled(context, columns, header);
  /** Headings and totals that no rule leaves out: they wait for the row below, which may belong to the document above all of them. */
  let marks: Row[] = [];
  const give = (isDoubtful: boolean) => {
    for (const mark of marks) push(isDoubtful ? { ...mark, broken: markFault(file, mark.row) } : mark);
    marks = [];
  };
  const take = (cells: string[], row: number) => {
    const ragged = cells.length === width ? undefined : wrongWidthFault(context, width, cells, row);
    if (!ragged && fill.isMark(cells)) {
      if (marks.length >= MOST_MARKS) give(true);
      fill.mark(cells, row);
      marks.push({ cells, row });
      return;
    }
    const lost = fill.take(cells, row, ragged !== undefined);
    const broken = lost ?? ragged;
    // An empty row is no line: the one below it decides.
    if (broken || !isEmpty(cells)) give(broken !== undefined);
    const whole = cells.length > width ? { whole: cells } : {};
    push(broken ? { cells: padCells(cells, width), row, broken, ...whole } : { cells, row });
  };
  return { table: { file, columns, ...place }, take, pass: fill.pass, finish: () => give(false) };
}

/** `fill-down` and a rule for empty cells may name one column in two ways, which only its table shows. */
function refuseRulesOfFilled({ file, options }: SheetContext, columns: readonly string[], row: number): void {
  const indexOf = (column: number | string) => findColumn(column, columns, { file, row });
  const filled = options['fill-down'].map(indexOf);
  const rule = options['leave-out'].find(
    (one) =>
      'column' in one &&
      ('empty' in one || ('equals' in one && one.equals === '')) &&
      filled.includes(indexOf(one.column)),
  );
  if (!rule || !('column' in rule)) return;
  const message = READER_OPTION.emptyIsFilled({ column: columns[indexOf(rule.column)] ?? '' });
  throw new UnreadableFileError([
    { code: 'csv/nothing-to-fill-down', level: 'error', ...withMessage(message), origin: { file, row } },
  ]);
}

/**
 * `take` fills empty cells from the row above, in place; a fault where there is none, or none that could be read.
 *
 * A cell with a new value begins something new: the columns listed after it start afresh, so that an invoice without
 * VAT number does not take that of the customer before. A record that a rule leaves out begins something new, too: an empty
 * cell below a new value of it is not that of the document above, until a row says so. Labels, repeated names of columns
 * and a repeated `heading` are no values.
 */
function createFillDown(
  { file, options, above: heading }: SheetContext,
  columns: readonly string[],
  indexes: readonly number[],
) {
  const above = new Array<string | undefined>(columns.length).fill(undefined);
  const lost = new Set<number>();
  let gone: LeftOut | undefined;
  let headings: readonly (readonly string[])[] = options['column-names'] && heading ? [heading] : [];
  let isFirst = true;
  const take = (cells: string[], row: number, ragged: boolean): DataFault | undefined => {
    isFirst = false;
    if (indexes.length === 0) return undefined;
    if (ragged) {
      above.fill(undefined);
      lost.clear();
      return undefined;
    }
    // Filled in, it would be a line that the export does not have.
    if (isEmpty(cells)) return undefined;
    let fault: DataFault | undefined;
    let begins = false;
    for (const index of indexes) {
      const cell = cells[index] ?? '';
      const isGiven = cell.trim() !== '';
      if (isGiven || begins) {
        begins ||= cell !== above[index];
        above[index] = cell;
        lost.delete(index);
      } else if (lost.has(index)) fault ??= nothingAbove(file, row, columns[index] ?? '', gone);
      else if (above[index] === undefined) fault ??= nothingAbove(file, row, columns[index] ?? '', undefined);
      else cells[index] = above[index];
    }
    return fault;
  };
  const pass = (cells: readonly string[], row: number, { rule, label }: LeftOutBy): void => {
    const texts = cells.map((cell) => cell.trim());
    if (headings.some((one) => one.join('\0') === texts.join('\0'))) return;
    if (isFirst && options['column-names']) headings = [...headings, texts];
    isFirst = false;
    const isNew = (index: number) => {
      const cell = texts[index] ?? '';
      return cell !== '' && cell !== columns[index] && cell !== above[index]?.trim();
    };
    const begun = indexes.filter(isNew);
    if (begun.every((index) => index === label)) return;
    for (const index of begun) lost.add(index);
    gone = { row, rule };
  };
  const isName = (cell: string, index: number) => {
    const { [index]: name = '' } = columns;
    return name !== '' && cell.length >= name.length && cell.trim().toLowerCase() === name.toLowerCase();
  };
  /** Names of columns, or a total: no values of a document. */
  const isMark = (cells: readonly string[]): boolean => {
    if (indexes.some((index) => isName(cells[index] ?? '', index))) {
      const filled = [...cells.entries()].filter(([, cell]) => cell.trim() !== '');
      const isHeading = (some: typeof filled, least: number) =>
        some.filter(([at, cell]) => isName(cell, at)).length >= least;
      const ofDocument = filled.filter(([at]) => indexes.includes(at));
      // A client may be named like its column: its row has other values.
      return isHeading(filled, filled.length / 2) || isHeading(ofDocument, Math.max(2, ofDocument.length));
    }
    // Most rows have no such word there: the whole row is looked at for few of them.
    if (!indexes.some((index) => TOTAL.test(cells[index] ?? ''))) return false;
    // A total may name the document above it.
    const plain = cells.map((cell, index) => (TOTAL.test(cell) ? cell.replace(above[index] ?? '', '') : cell));
    return [cells, plain].some((one) => indexes.includes(totalsCell({ cells: one }) ?? -1));
  };
  const mark = (cells: readonly string[], row: number): void => {
    isFirst = false;
    for (const index of indexes) if (cells[index]?.trim() !== '') lost.add(index);
    gone = { row };
  };
  return { take, pass, isMark, mark };
}

const TOTAL = /tot|som|sum|cumul/i;
/** Such rows one after the other. */
const MOST_MARKS = 1000;

function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** The row with new values that a rule left out last, or that is no document. */
type LeftOut = { readonly row: number; readonly rule?: string };

function markFault(file: string, row: number): DataFault {
  const words = withMessage(CSV_FILE.markRow(), CSV_FILE.leaveMarkOut());
  return { code: 'csv/nothing-to-fill-down', level: 'error', ...words, origin: { file, row } };
}

/** Below a row that a rule left out, the mapping has to be changed, and no export. */
function nothingAbove(file: string, row: number, column: string, gone: LeftOut | undefined): DataFault {
  const fault = { code: 'csv/nothing-to-fill-down', level: 'error', origin: { file, row, column } } as const;
  if (gone?.rule !== undefined) {
    const above = { column, row: gone.row, rule: gone.rule };
    return { ...fault, ...withMessage(CSV_FILE.leftOutAbove(above), CSV_FILE.leaveOutByKeep()) };
  }
  if (gone) return { ...fault, ...withMessage(CSV_FILE.markAbove({ column, row: gone.row }), CSV_FILE.leaveMarkOut()) };
  return { ...fault, ...withMessage(CSV_FILE.nothingAbove({ column }), CSV_FILE.fillCell()), onlyInErp: true };
}

function wrongWidthFault(context: SheetContext, width: number, cells: readonly string[], row: number): DataFault {
  const { file, delimiter } = context;
  const more = cells.length > width;
  const quote = delimiter === ',' ? CSV_FILE.quoteComma : CSV_FILE.quoteDelimiter;
  return {
    code: more ? 'csv/too-many-cells' : 'csv/too-few-cells',
    level: 'error',
    ...withMessage(
      CSV_FILE.ragged({ cells: cellCount(cells.length), width }),
      more ? quote({ delimiter: describeDelimiter(delimiter) }) : CSV_FILE.cutInTwo(),
    ),
    origin: { file, row },
    onlyInErp: true,
    given: cells.join(delimiter).slice(0, 200),
  };
}

function padCells(cells: readonly string[], width: number): readonly string[] {
  return Array.from({ length: width }, (_, at) => cells[at] ?? '');
}
