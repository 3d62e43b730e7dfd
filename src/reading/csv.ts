/**
 * Files of rows with a delimiter: bytes in, batches of rows out, one batch per step.
 *
 * csv-parse finds the cells, strictly. It is fed step by step and hands each record to `on_record`, so that the
 * records before an error are not lost with the stream; a broken structure ends the file as Unreadable.
 */
import { CsvError, type Parser, parse } from 'csv-parse';
import type { FoundControl } from '../model/control.ts';
import type { Fault } from '../model/fault.ts';
import type { Batch, LeftOut } from '../model/row.ts';
import { shown } from './csv-columns.ts';
import { type CsvOptions, csvOptions } from './csv-options.ts';
import { type Preamble, preambleOf } from './csv-preamble.ts';
import { type Sheet, sheetOf } from './csv-rows.ts';
import { controlTest } from './csv-rules.ts';
import { type Reader, type ReadOptions, Unreadable } from './reader.ts';
import { type Piece, readUtf8 } from './text.ts';

const MAX_RECORD = 1024 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const END_MARK = 0x1a;

/** Format `csv`: any delimiter, any known encoding, one header row, or record types. */
export const csvReader: Reader = { format: 'csv', options: csvOptions, read };

/** A parser with its sheet, fed with the bytes of the table. */
type Feed = {
  readonly sheet: Sheet;
  readonly write: (bytes: Buffer) => void;
  /** Parses what is left and gives the last record. */
  readonly end: () => Promise<void>;
  readonly error: () => Error | undefined;
};

async function* read(
  bytes: AsyncIterable<Uint8Array>,
  { file, source, chunkBytes }: ReadOptions,
): AsyncGenerator<Batch> {
  const options = csvOptions.parse(source ?? {});
  const leftOut: LeftOut[] = [];
  const controls: FoundControl[] = [];
  const controlsAbove = controlTest(options.controls, [], { file, row: 1 });
  let above: readonly string[] | undefined;
  const preamble = preambleOf(rowsAbove(options), (left, text) => {
    above = text.split(options.delimiter).map(unquoted);
    const control = controlsAbove?.(above, left.row);
    if (control) controls.push(...control.found);
    leftOut.push(control ? { ...left, rule: control.rule } : left);
  });
  let feed: Feed | undefined;
  let encoding = '';
  let lastByte: number | undefined;
  let yielded = false;

  const batch = (): Batch | undefined => {
    const table = feed?.sheet.table();
    if (!feed || !table) return undefined;
    const drained = feed.sheet.drain();
    const all = [...leftOut.splice(0), ...drained.leftOut];
    const found = [...controls.splice(0), ...drained.controls];
    return { table, rows: drained.rows, leftOut: all, encoding, ...(found.length > 0 ? { controls: found } : {}) };
  };
  const give = function* (always: boolean) {
    const next = batch();
    if (!next || (!always && next.rows.length === 0 && next.leftOut.length === 0)) return;
    yielded = true;
    yield next;
  };
  const pass = (data: Buffer, last: boolean) => {
    const rest = preamble.cut(data, last);
    if (rest === undefined) return;
    feed ??= feedOf(file, options, preamble, above);
    if (rest.length > 0) feed.write(rest);
  };

  for await (const piece of withoutEndMark(readUtf8(bytes, { file, encoding: options.encoding, chunkBytes }))) {
    // A stream reports its error one tick late: the rows before it are given, then it is raised here.
    const error = feed?.error();
    if (error) throw error;
    encoding = piece.encoding;
    lastByte = piece.data.at(-1);
    pass(piece.data, false);
    yield* give(false);
  }
  pass(Buffer.alloc(0), true);
  const row = await finish(feed);
  if (options['final-line-end'] === 'required' && lastByte !== LINE_FEED && lastByte !== CARRIAGE_RETURN) {
    throw withoutLineEnd(file, row);
  }
  if (!feed?.sheet.table()) throw withoutHeader(file, options);
  feed.sheet.finish();
  yield* give(!yielded);
}

/** A cell of a line above the table, which is no CSV and may hold a lone quote. */
function unquoted(cell: string): string {
  const text = cell.trim();
  return /^".*"$/.test(text) ? text.slice(1, -1) : text;
}

/** DOS programs end a text with 0x1A, sometimes several: no part of the last row. */
export async function* withoutEndMark(pieces: AsyncIterable<Piece<Buffer>>): AsyncGenerator<Piece<Buffer>> {
  let marks = 0;
  for await (const { encoding, data } of pieces) {
    const all = marks > 0 ? Buffer.concat([Buffer.alloc(marks, END_MARK), data]) : data;
    let length = all.length;
    while (length > 0 && all[length - 1] === END_MARK) length--;
    marks = all.length - length;
    if (length > 0) yield { encoding, data: all.subarray(0, length) };
  }
}

/** Row of the last record. */
async function finish(feed: Feed | undefined): Promise<number> {
  await feed?.end();
  const error = feed?.error();
  if (error) throw error;
  return feed ? feed.sheet.lastRow() : 0;
}

export function rowsAbove(options: CsvOptions): number {
  if (options['column-names'] || options['record-types']) return options['skip-rows'];
  const header = options['header-row'] ?? 1;
  return header === 'none' ? 0 : header - 1;
}

function feedOf(file: string, options: CsvOptions, preamble: Preamble, above: readonly string[] | undefined): Feed {
  const delimiter = preamble.delimiter() ?? options.delimiter;
  const sheet = sheetOf(file, options, delimiter, above);
  let failure: Error | undefined;
  let sinceRecord = 0;
  let progress = 0;
  const parser = parse({
    delimiter,
    quote: options.quote === 'none' ? null : options.quote,
    escape: options.quote === 'none' ? null : options.quote,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    // Rows with a wrong number of cells are counted and named by the sheet, one by one.
    relax_column_count: true,
    max_record_size: MAX_RECORD,
    on_record: (cells: string[], { records, empty_lines }) => {
      sheet.take(cells, preamble.rows() + records + empty_lines);
      return null;
    },
  });
  if (options['record-types']) takeAnyLength(parser);
  parser.on('error', (error) => {
    failure = refusal(error, file, preamble.rows() + rowsOf(parser) + 1, sheet);
  });
  parser.resume();
  const closed = new Promise<void>((resolve) => parser.once('close', resolve));
  const write = (bytes: Buffer) => {
    parser.write(bytes);
    // csv-parse counts characters of values: a line of delimiters alone would grow without end.
    sinceRecord = rowsOf(parser) === progress ? sinceRecord + bytes.length : bytes.length;
    progress = rowsOf(parser);
    if (sinceRecord > 2 * MAX_RECORD) failure ??= tooLong(file, preamble.rows() + progress + 1);
  };
  const end = () => {
    parser.end();
    return closed;
  };
  return { sheet, write, end, error: () => failure };
}

/**
 * csv-parse makes an Error for each record of another length than the first, to be ignored here: with mixed records
 * that is six times the work of reading them. Lengths are judged by the sheet, so each one is as expected here.
 */
function takeAnyLength(parser: Parser): void {
  const { state } = parser as unknown as { state?: { readonly record?: readonly unknown[] } };
  if (!state) return;
  Object.defineProperty(state, 'expectedRecordLength', { get: () => state.record?.length, set: () => undefined });
}

function rowsOf(parser: Parser): number {
  return parser.info.records + parser.info.empty_lines;
}

type Words = Pick<Fault, 'code' | 'message' | 'hint'>;

/** What csv-parse refused, in words; `row` is the row where the record began, `lines` the line of the file reached. */
function refusal(error: Error, file: string, row: number, sheet: Sheet): Error {
  if (!(error instanceof CsvError)) return error;
  const words = WORDS[error.code as string];
  if (!words) return error;
  const column = sheet.table()?.columns[error.index as number];
  const place = column === undefined ? { file, row } : { file, row, column };
  return new Unreadable([{ ...words(row), level: 'error', origin: place }]);
}

const WORDS: { readonly [code: string]: ((row: number) => Words) | undefined } = {
  CSV_QUOTE_NOT_CLOSED: (row) => ({
    code: 'csv/quote-not-closed',
    message: `A quote opens in row ${row} and is never closed`,
    hint: 'Close the quote, or export again: the file may be cut. If cells are never quoted, set `quote: none`',
  }),
  CSV_INVALID_CLOSING_QUOTE: (row) => ({
    code: 'csv/text-after-quote',
    message: `In row ${row} a quoted cell is followed by more text`,
    hint: 'A quote inside a quoted cell is written twice (""); an earlier quote may also be left open in this row',
  }),
  INVALID_OPENING_QUOTE: (row) => ({
    code: 'csv/quote-inside-cell',
    message: `In row ${row} a quote stands inside a cell that is not quoted`,
    hint: 'Quote the whole cell and write the quote inside twice (""); if cells are never quoted, set `quote: none`',
  }),
  CSV_MAX_RECORD_SIZE: (row) => tooLongWords(row),
};

function tooLongWords(row: number): Words {
  return {
    code: 'csv/row-too-long',
    message: `Row ${row} is longer than 1 MiB`,
    hint: 'A quote that is never closed, or a file of another kind: look at this row in an editor',
  };
}

function tooLong(file: string, row: number): Unreadable {
  return new Unreadable([{ ...tooLongWords(row), level: 'error', origin: { file, row } }]);
}

function withoutLineEnd(file: string, row: number): Unreadable {
  return new Unreadable([
    {
      code: 'csv/no-final-line-end',
      level: 'error',
      message: 'The last row has no line end: the file may have been cut',
      origin: { file, row },
      hint: 'Finish the export; if the ERP never writes the last line end, set `final-line-end: optional`',
    },
  ]);
}

function withoutHeader(file: string, options: CsvOptions): Unreadable {
  const row = rowsAbove(options) + 1;
  return new Unreadable([
    {
      code: 'csv/no-header',
      level: 'error',
      message: `The file ends before row ${row}, where ${shown(options.delimiter)} should separate the column names`,
      origin: { file, row },
      hint: 'Correct `header-row` in the mapping, or run the export again',
    },
  ]);
}
