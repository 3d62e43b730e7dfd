/**
 * Files of rows with a delimiter: bytes in, batches of rows out, one batch per step. csv-fast-parser.ts cuts regular
 * records; from the first irregular one, csv-strict-parser.ts finds the cells. Rows before an error are still given;
 * a broken structure ends the file with UnreadableFileError (codes csv/... and text/...).
 */

import { CSV_FILE } from '../../i18n/messages/readers-messages.ts';
import type { FoundControl } from '../../model/control-total.ts';
import { withMessage } from '../../model/fault.ts';
import type { Batch, SkippedRow } from '../../model/row.ts';
import { appendAll } from '../../text/long-lists.ts';
import { compileOnce } from '../compile-once.ts';
import { type DecodedPiece, readUtf8 } from '../encoding/read-text.ts';
import { type Reader, type ReadOptions, UnreadableFileError } from '../reader.ts';
import { createCsvFastParser } from './csv-fast-parser.ts';
import { describeDelimiter } from './csv-header.ts';
import { type CsvOptions, csvOptions } from './csv-options.ts';
import { createPreamble, type Preamble } from './csv-preamble.ts';
import { type CsvSheet, createCsvSheet } from './csv-rows.ts';
import { compileControlRecords } from './csv-skip-rules.ts';
import { type CsvStrictParser, createCsvStrictParser } from './csv-strict-parser.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const END_MARK = 0x1a;

/** Format `csv`: any delimiter, any known encoding, one header row or record types. */
export const csvReader: Reader = { format: 'csv', options: csvOptions, read };

/** A sheet and what cuts its records, fed with the bytes of the table. */
type Feed = {
  readonly sheet: CsvSheet;
  readonly write: (bytes: Buffer) => void;
  /** Cuts what is left and gives the last record. */
  readonly end: () => Promise<void>;
  readonly error: () => Error | undefined;
};

const parseOptions = compileOnce((source) => csvOptions.parse(source));

async function* read(
  bytes: AsyncIterable<Uint8Array>,
  { file, source, chunkBytes }: ReadOptions,
): AsyncGenerator<Batch> {
  const options = parseOptions(source ?? {});
  const leftOut: SkippedRow[] = [];
  const controls: FoundControl[] = [];
  const controlsAbove = compileControlRecords(options.controls, [], { file, row: 1 });
  let above: readonly string[] | undefined;
  const preamble = createPreamble(countRowsAbove(options), (left, text) => {
    above = text.split(preamble.delimiter() ?? options.delimiter).map(unquote);
    const control = controlsAbove?.(above, left.row);
    if (control) appendAll(controls, control.found);
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
    const next = { table, rows: drained.rows, leftOut: all, encoding };
    return found.length > 0 ? { ...next, controls: found } : next;
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
    feed ??= createFeed(file, options, preamble, above);
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
  await feed?.end();
  const error = feed?.error();
  if (error) {
    yield* give(false);
    throw error;
  }
  if (options['final-line-end'] === 'required' && lastByte !== LINE_FEED && lastByte !== CARRIAGE_RETURN) {
    throw missingLineEnd(file, feed?.sheet.lastRow() ?? 0);
  }
  if (!feed?.sheet.table()) throw missingHeader(file, options);
  feed.sheet.finish();
  yield* give(!yielded);
}

/** A cell of a line above the table. Such a line is not CSV and may have a lone quote. */
function unquote(cell: string): string {
  const text = cell.trim();
  return /^".*"$/.test(text) ? text.slice(1, -1) : text;
}

/**
 * Drops the bytes 0x1A at the end of the file, which DOS programs write once or more: they are not part of the last
 * row. A mark inside the file stays, and so the last ones of a step wait for the next step.
 */
export async function* withoutEndMark(
  pieces: AsyncIterable<DecodedPiece<Buffer>>,
): AsyncGenerator<DecodedPiece<Buffer>> {
  let marks = 0;
  for await (const { encoding, data } of pieces) {
    const all = marks > 0 ? Buffer.concat([Buffer.alloc(marks, END_MARK), data]) : data;
    let length = all.length;
    while (length > 0 && all[length - 1] === END_MARK) length--;
    marks = all.length - length;
    if (length > 0) yield { encoding, data: all.subarray(0, length) };
  }
}

/** How many rows of the file are above the header row, or above the first record if the file has no header row. */
export function countRowsAbove(options: CsvOptions): number {
  if (options['column-names'] || options['record-types']) return options['skip-rows'];
  const header = options['header-row'] ?? 1;
  return header === 'none' ? 0 : header - 1;
}

/** Starts with the fast parser and changes to the strict one at most once; row numbers go on from one to the other. */
function createFeed(file: string, options: CsvOptions, preamble: Preamble, above: readonly string[] | undefined): Feed {
  const delimiter = preamble.delimiter() ?? options.delimiter;
  const quote = options.quote === 'none' ? undefined : options.quote;
  const sheet = createCsvSheet(file, options, delimiter, above);
  let row = preamble.rows();
  let failure: Error | undefined;
  let strict: CsvStrictParser | undefined;
  const startStrict = () => {
    const anyLength = options['record-types'] !== undefined;
    return createCsvStrictParser({ file, delimiter, quote, anyLength, rowsAbove: row, sheet });
  };
  const quick = createCsvFastParser({ delimiter, quote }, (cells) => {
    row++;
    if (cells.length > 0) sheet.take(cells, row);
  });
  const write = (bytes: Buffer) => {
    if (failure) return;
    if (strict || !quick) {
      strict ??= startStrict();
      strict.write(bytes);
      return;
    }
    try {
      if (quick.take(bytes)) return;
    } catch (error) {
      // As from the strict parser: the rows before it are given first.
      failure = error as Error;
      return;
    }
    strict = startStrict();
    strict.write(quick.rest());
  };
  const end = async () => {
    if (failure) return;
    const rest = quick?.rest();
    if (!strict && rest && rest.length > 0) {
      strict = startStrict();
      strict.write(rest);
    }
    await strict?.end();
  };
  return { sheet, write, end, error: () => failure ?? strict?.error() };
}

function missingLineEnd(file: string, row: number): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: 'csv/no-final-line-end',
      level: 'error',
      ...withMessage(CSV_FILE.noLineEnd(), CSV_FILE.finish()),
      origin: { file, row },
    },
  ]);
}

function missingHeader(file: string, options: CsvOptions): UnreadableFileError {
  const row = countRowsAbove(options) + 1;
  return new UnreadableFileError([
    {
      code: 'csv/no-header',
      level: 'error',
      ...withMessage(
        CSV_FILE.noHeader({ row, delimiter: describeDelimiter(options.delimiter) }),
        CSV_FILE.correctHeader(),
      ),
      origin: { file, row },
    },
  ]);
}
