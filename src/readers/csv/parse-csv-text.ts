/**
 * The records of a whole text in memory, such as a sample or a correction file: text in, cells with their rows out.
 * csv-parse finds the cells with the same options as csv-strict-parser.ts, so that both refuse the same texts.
 * A text that it refuses gives undefined.
 */
import { CsvError, parse } from 'csv-parse/sync';

/** One record with its place, to report it or to cut the text after it. */
export type TextRecord = {
  readonly cells: readonly string[];
  /** As a spreadsheet counts, from 1; empty lines count and give no record. */
  readonly row: number;
  /** Bytes of the text in UTF-8 up to the end of the record, its line end included. */
  readonly endByte: number;
};

/** How the text separates its cells; the caller has found it out or knows it. */
export type TextDialect = {
  readonly delimiter: string;
  /** `none` or '' where cells have no quotes. */
  readonly quote: string;
  /** Quotes inside of cells without quotes are text, as spreadsheets read them. */
  readonly relaxQuotes?: boolean;
  /** Blanks around cells and their quotes are no part of them. */
  readonly trim?: boolean;
  /** The last record wanted, counted from 1. */
  readonly to?: number;
};

type Parsed = {
  readonly record: readonly string[];
  readonly info: { readonly bytes: number; readonly records: number; readonly empty_lines: number };
};

/**
 * All records of the text, or undefined if its quotes and the dialect do not make a table: no part of it is returned.
 */
export function parseCsvText(text: string | Buffer, dialect: TextDialect): readonly TextRecord[] | undefined {
  const { delimiter, relaxQuotes = false, trim = false, to = -1 } = dialect;
  const quote = dialect.quote === 'none' || dialect.quote === '' ? null : dialect.quote;
  try {
    const records = parse(text, {
      delimiter,
      quote,
      escape: quote,
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      relax_column_count: true,
      relax_quotes: relaxQuotes,
      trim,
      to,
      info: true,
    }) as unknown as readonly Parsed[];
    return records.map(({ record, info }) => ({
      cells: record,
      row: info.records + info.empty_lines,
      endByte: info.bytes,
    }));
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}
