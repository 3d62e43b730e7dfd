/**
 * csv-parse finds the cells, strictly: bytes in, records to the sheet. It is fed step by step and hands over each
 * record in `on_record`, so that the records before an error are not lost with the stream. Its errors become
 * UnreadableFileError (csv/quote-not-closed, csv/text-after-quote, csv/quote-inside-cell, csv/row-too-long).
 */
import { CsvError, type Parser, parse } from 'csv-parse';
import { CSV_FILE } from '../../i18n/messages/readers-messages.ts';
import { type Fault, type Localizable, withMessage } from '../../model/fault.ts';
import { dictionary } from '../../text/dictionary.ts';
import { UnreadableFileError } from '../reader.ts';
import type { CsvSheet } from './csv-rows.ts';

/** Characters of one record: a longer one has most likely lost its closing quote. */
const MAX_RECORD = 1024 * 1024;

/** An error does not throw: `error` returns it, so that the caller can give the rows before it first. */
export type CsvStrictParser = {
  readonly write: (bytes: Buffer) => void;
  /** Parses what is left and gives the last record. */
  readonly end: () => Promise<void>;
  readonly error: () => Error | undefined;
};

type StrictParserOptions = {
  readonly file: string;
  readonly delimiter: string;
  readonly quote: string | undefined;
  /** Records have kinds, each of its own length. */
  readonly anyLength: boolean;
  /** Rows of the file above the first byte. */
  readonly rowsAbove: number;
  readonly sheet: Pick<CsvSheet, 'take' | 'table'>;
};

/** Each record goes to `sheet.take` with its row number in the file; empty lines count and are not given. */
export function createCsvStrictParser({
  file,
  delimiter,
  quote,
  anyLength,
  rowsAbove,
  sheet,
}: StrictParserOptions): CsvStrictParser {
  let failure: Error | undefined;
  let sinceRecord = 0;
  let progress = 0;
  const parser = parse({
    delimiter,
    quote: quote ?? null,
    escape: quote ?? null,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    // Rows with a wrong number of cells are counted and named by the sheet, one by one.
    relax_column_count: true,
    max_record_size: MAX_RECORD,
    on_record: (cells: string[], { records, empty_lines }) => {
      sheet.take(cells, rowsAbove + records + empty_lines);
      return null;
    },
  });
  if (anyLength) acceptAnyLength(parser);
  parser.on('error', (error) => {
    failure = translateError(error, file, rowsAbove + rowsParsed(parser) + 1, sheet);
  });
  parser.resume();
  const closed = new Promise<void>((resolve) => parser.once('close', resolve));
  const write = (bytes: Buffer) => {
    parser.write(bytes);
    // csv-parse counts characters of values: a line of delimiters alone would grow without end.
    sinceRecord = rowsParsed(parser) === progress ? sinceRecord + bytes.length : bytes.length;
    progress = rowsParsed(parser);
    if (sinceRecord > 2 * MAX_RECORD) failure ??= recordTooLong(file, rowsAbove + progress + 1);
  };
  const end = () => {
    parser.end();
    return closed;
  };
  return { write, end, error: () => failure };
}

/**
 * csv-parse makes an Error for each record of another length than the first, to be ignored here: with mixed records
 * that is six times the work of reading them. Lengths are judged by the sheet, so each one is as expected here.
 */
function acceptAnyLength(parser: Parser): void {
  const { state } = parser as unknown as { state?: { readonly record?: readonly unknown[] } };
  if (!state) return;
  Object.defineProperty(state, 'expectedRecordLength', { get: () => state.record?.length, set: () => undefined });
}

function rowsParsed(parser: Parser): number {
  return parser.info.records + parser.info.empty_lines;
}

type Words = Localizable & Pick<Fault, 'code'>;

/** What csv-parse refused, in words; `row` is the row where the record began, `lines` the line of the file reached. */
function translateError(error: Error, file: string, row: number, sheet: StrictParserOptions['sheet']): Error {
  if (!(error instanceof CsvError)) return error;
  const words = ERROR_FAULTS.get(error.code as string);
  if (!words) return error;
  const column = sheet.table()?.columns[error.index as number];
  const place = column === undefined ? { file, row } : { file, row, column };
  return new UnreadableFileError([{ ...words(row), level: 'error', origin: place }]);
}

const ERROR_FAULTS = dictionary<((row: number) => Words) | undefined>({
  CSV_QUOTE_NOT_CLOSED: (row) => ({
    code: 'csv/quote-not-closed',
    ...withMessage(CSV_FILE.quoteOpen({ row }), CSV_FILE.closeQuote()),
  }),
  CSV_INVALID_CLOSING_QUOTE: (row) => ({
    code: 'csv/text-after-quote',
    ...withMessage(CSV_FILE.textAfterQuote({ row }), CSV_FILE.doubleQuote()),
  }),
  INVALID_OPENING_QUOTE: (row) => ({
    code: 'csv/quote-inside-cell',
    ...withMessage(CSV_FILE.quoteInside({ row }), CSV_FILE.quoteCell()),
  }),
  CSV_MAX_RECORD_SIZE: (row) => recordTooLongFault(row),
});

function recordTooLongFault(row: number): Words {
  return {
    code: 'csv/row-too-long',
    ...withMessage(CSV_FILE.tooLong({ row }), CSV_FILE.lookAtRow()),
  };
}

function recordTooLong(file: string, row: number): UnreadableFileError {
  return new UnreadableFileError([{ ...recordTooLongFault(row), level: 'error', origin: { file, row } }]);
}
