/**
 * The rows of failed documents as a file that a person corrects in a spreadsheet: the bytes, encoding, delimiter,
 * quotes and header of the source, and three columns after. One pass in constant memory. Cells that a spreadsheet may
 * run as a formula are guarded, and the mark of the row records it. A source without a header line of its own (columns
 * by position, record types) comes as cells: UTF-8 with its mark, semicolons. Throws the errors of the reader.
 */
import {
  type FailedRow,
  type FailedRows,
  guardedMark,
  guardFormula,
  HELPER_COLUMNS,
  isFormula,
  type Overlay,
} from '../../model/correction.ts';
import { must } from '../../model/must.ts';
import { uniqueColumnNames } from '../csv/csv-header.ts';
import { type CsvOptions, csvOptions } from '../csv/csv-options.ts';
import { createPreamble } from '../csv/csv-preamble.ts';
import { countRowsAbove, withoutEndMark } from '../csv/csv-reader.ts';
import { createRecordSlicer, type RawRecord } from '../csv/csv-record-slicer.ts';
import { parseCsvText } from '../csv/parse-csv-text.ts';
import { createEncoder, type Encoder } from '../encoding/encoder.ts';
import { readUtf8 } from '../encoding/read-text.ts';
import type { Reader, RecordBounds } from '../reader.ts';

/**
 * An archived export and the rows of it that failed. `overlay`: corrected cells by row and column, written in place.
 */
export type CorrectionSource = {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Name of the source file, without folder. */
  readonly file: string;
  readonly reader: Reader;
  /** The format's part of the mapping's `source`. */
  readonly options: unknown;
  /** The bounds that the file was read with, so that the rows get the same numbers. */
  readonly bounds?: RecordBounds;
  readonly failed: FailedRows;
  readonly overlay: Overlay;
  readonly takeRow?: TakeRow | undefined;
};

/** Gets each row that is written, with its unguarded cells under the columns of the source. */
export type TakeRow = (columns: readonly string[], cells: readonly string[], found: FailedRow) => void;

/** The file piece by piece. A source without failed rows has at most the header. */
export function writeCorrectionCsv(source: CorrectionSource): AsyncIterable<Buffer> {
  const { format } = source.reader;
  if (format !== 'csv') return writeCells(source);
  const options = csvOptions.parse(source.options ?? {});
  return options['record-types'] ? writeCells(source) : writeOriginalBytes(source, options);
}

/** How cells are written. `quote` is '' if the file has none. */
type Dialect = { readonly delimiter: string; readonly quote: string; readonly lineEnd: string };

async function* writeOriginalBytes(source: CorrectionSource, options: CsvOptions): AsyncGenerator<Buffer> {
  const { file, failed } = source;
  const linesAbove = countRowsAbove(options);
  const cutter = createRecordSlicer({ quote: options.quote, linesAbove });
  const sep = createPreamble(0, () => undefined);
  const { 'column-names': given } = options;
  let encoder: Encoder | undefined;
  let header: Header | undefined;

  const readHeader = (record: RawRecord): Header => {
    const delimiter = sep.delimiter() ?? options.delimiter;
    const quote = options.quote === 'none' ? '' : options.quote;
    const dialect = { delimiter, quote, lineEnd: record.lineEnd.toString() || '\r\n' };
    const cells = given ?? splitRecord(record, dialect);
    const columns = given ?? uniqueColumnNames(cells, { file, row: record.row });
    const hasFormula = cells.some(isFormula);
    const names = given || hasFormula ? joinCells(cells.map(guardFormula), dialect) : record.bytes.toString();
    const head = sep.delimiter() === undefined ? '' : `sep=${delimiter}${dialect.lineEnd}`;
    const bytes = utf8(`${head}${names}${delimiter}${joinCells(HELPER_COLUMNS, dialect)}${dialect.lineEnd}`);
    return { columns, hasFormula, dialect, bytes };
  };
  const linesOf = async (records: readonly RawRecord[], { mark, bytes }: Encoder): Promise<Buffer> => {
    const lines: Buffer[] = [];
    for (const record of records) {
      if (record.row <= linesAbove || record.bytes.length === 0) continue;
      if (!header) {
        header = readHeader(record);
        lines.push(mark, bytes(header.bytes));
        // Without given names the record is the header row itself.
        if (!given) continue;
      }
      const found = await failed.at(record.row);
      if (found) lines.push(bytes(correctionLine(source, record, found, header)));
    }
    return Buffer.concat(lines);
  };

  const pieces = withoutEndMark(readUtf8(source.bytes, { file, encoding: options.encoding }));
  for await (const { encoding, data } of pieces) {
    encoder ??= createEncoder(encoding);
    const table = sep.cut(data, false);
    if (table) yield* ifAny(await linesOf(cutter.take(table), encoder));
  }
  if (!encoder) return;
  const rest = sep.cut(Buffer.alloc(0), true);
  yield* ifAny(await linesOf([...(rest ? cutter.take(rest) : []), ...cutter.end()], encoder));
}

function* ifAny(bytes: Buffer): Generator<Buffer> {
  if (bytes.length > 0) yield bytes;
}

/** The first line of the file, `bytes` in UTF-8 with the helper columns, and what it decides for the others. */
type Header = {
  readonly columns: readonly string[];
  readonly hasFormula: boolean;
  readonly dialect: Dialect;
  readonly bytes: Buffer;
};

/**
 * The bytes of the source with the helper cells after them; rewritten only if a correction or a guard changes a cell.
 */
function correctionLine(
  { overlay, takeRow }: CorrectionSource,
  record: RawRecord,
  found: FailedRow,
  { columns, hasFormula, dialect }: Header,
): Buffer {
  const { doc, row, error } = found;
  const { delimiter, lineEnd } = dialect;
  const corrected = overlay.get(record.row);
  const correct = (cell: string, at: number) => corrected?.get(columns[at] ?? '') ?? cell;
  const cells = splitRecord(record, dialect).map(correct);
  takeRow?.(columns, cells, found);
  const isGuarded = cells.some(isFormula);
  const own = corrected || isGuarded ? utf8(joinCells(cells.map(guardFormula), dialect)) : record.bytes;
  const missing = delimiter.repeat(Math.max(0, columns.length - cells.length));
  const mark = isGuarded || hasFormula ? guardedMark(doc) : doc;
  const tail = joinCells([mark, String(row), guardFormula(error)], dialect);
  return Buffer.concat([own, utf8(`${missing}${delimiter}${tail}`), utf8(record.lineEnd.toString() || lineEnd)]);
}

/** Most rows have no quote: they are split without the parser, which would be most of the work. */
function splitRecord({ bytes }: RawRecord, { delimiter, quote }: Dialect): readonly string[] {
  if (quote === '' || !bytes.includes(quote)) return bytes.toString().split(delimiter);
  const [record] = must(parseCsvText(bytes, { delimiter, quote }), 'a record that the reader has accepted');
  return record?.cells ?? [''];
}

function joinCells(cells: readonly string[], dialect: Dialect): string {
  return cells.map((cell) => quoteCell(cell, dialect)).join(dialect.delimiter);
}

/**
 * Without quotes, a delimiter or line end inside a cell becomes a blank: otherwise it would move the cells after it.
 */
function quoteCell(cell: string, { delimiter, quote }: Dialect): string {
  const breaks = cell.includes(delimiter) || /[\r\n]|^\s|\s$/.test(cell);
  if (quote === '') return breaks ? cell.replaceAll(delimiter, ' ').replace(/[\r\n]+/g, ' ') : cell;
  return breaks || cell.includes(quote) ? quote + cell.replaceAll(quote, quote + quote) + quote : cell;
}

const CELLS: Dialect = { delimiter: ';', quote: '"', lineEnd: '\r\n' };

async function* writeCells({
  bytes,
  file,
  reader,
  options,
  failed,
  overlay,
  takeRow,
}: CorrectionSource): AsyncGenerator<Buffer> {
  let begun = false;
  for await (const { table, rows } of reader.read(bytes, { file, source: options })) {
    const lines: string[] = [];
    const hasFormula = table.columns.some(isFormula);
    if (!begun) lines.push(`\ufeff${joinCells([...table.columns.map(guardFormula), ...HELPER_COLUMNS], CELLS)}`);
    begun = true;
    for (const { row, cells } of rows) {
      const found = await failed.at(row);
      if (!found) continue;
      const corrected = overlay.get(row);
      // The padding of columns by position is no part of the value.
      const own = cells.map((cell, at) => corrected?.get(table.columns[at] ?? '') ?? cell.trim());
      takeRow?.(table.columns, own, found);
      const mark = hasFormula || own.some(isFormula) ? guardedMark(found.doc) : found.doc;
      lines.push(joinCells([...own.map(guardFormula), mark, String(row), guardFormula(found.error)], CELLS));
    }
    if (lines.length > 0) yield utf8(lines.map((line) => line + CELLS.lineEnd).join(''));
  }
}

function utf8(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}
