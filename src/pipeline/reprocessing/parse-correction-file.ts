/**
 * The possible readings of a correction file, once the source of its rows is known: a table in some encoding and
 * quoting, or elements under the paths of the mapping. Bytes in, lines with cells out; throws UnreadableFileError.
 */
import { definedOnly } from '../../model/defined-only.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { type CorrectionSheet, readCorrectionCsv } from '../../readers/correction-file/read-correction-csv.ts';
import { isCompound, isZip, readCorrectionWorkbook } from '../../readers/correction-file/read-correction-workbook.ts';
import { decodeLatin, HEAD_BYTES } from '../../readers/correction-file/recognize-correction-file.ts';
import {
  type CorrectionMark,
  isCorrectionXml,
  readCorrectionMarks,
  roomForRows,
} from '../../readers/correction-file/write-correction-xml.ts';
import { readText } from '../../readers/encoding/read-text.ts';
import type { XlsxCell } from '../../readers/xlsx/read-xlsx-table.ts';
import { detectXmlEncoding } from '../../readers/xml/xml-encoding.ts';
import { createXmlSlicer } from '../../readers/xml/xml-slicer.ts';
import { appendAll, greatestOf } from '../../text/long-lists.ts';
import type { ArchivedSource } from '../publishing/correction-files.ts';
import { bytesOf } from '../sources/open-file-stream.ts';
import { spelledAsExport } from './spell-as-export.ts';

/** A row of the file with the texts of `_doc` and `_row`. */
export type CorrectionLine = {
  /** Of a table the line, as a spreadsheet counts; of XML the ordinal among the rows that the comments name. */
  readonly line: number;
  /** XML only: the line of the comment in the file; editors jump there. */
  readonly inFile?: number;
  readonly doc: string;
  readonly row: string;
};

/**
 * `text`: no spreadsheet converted the cell. `unreadable`: an error value, or digits that were lost. Absent from files
 * that do not tell text from numbers.
 */
export type KindAt = (column: string) => 'text' | 'value' | 'unreadable';

/** A line with its cells under the columns of the source. */
export type ReadLine = CorrectionLine & {
  /** Undefined where the file has no such column. */
  readonly cell: (column: string) => string | undefined;
  readonly kindAt?: KindAt;
  /** True if its cells of some of these columns may be those of other columns. */
  readonly isMoved?: (columns: readonly string[]) => boolean;
};

/** The file as far as it can be read without its source. */
export type CorrectionContent = {
  readonly encoding: string;
  /** Helper columns that the file no longer has. */
  readonly lost: readonly string[];
  readonly lines: readonly CorrectionLine[];
  /** Each possible reading; `source` and `first` are the source of the lines. */
  readonly readings: (source: ArchivedSource, first: SourceFile) => Promise<readonly (readonly ReadLine[])[]>;
  /** Cells that were corrected earlier are in it as the source has them: XML is kept byte for byte. */
  readonly asInSource: boolean;
  /** Sheets of a workbook with data that is not read; `sheet`: the one with the corrections. */
  readonly ignored?: { readonly sheet: string; readonly others: readonly string[] };
};

/** Undefined if it is not a correction file or cannot be read as one. Throws UnreadableFileError if it is not text. */
export async function readCorrection(
  file: Pick<SourceFile, 'name' | 'path'>,
  content: Buffer,
): Promise<CorrectionContent | undefined> {
  if (isCorrectionXml(decodeLatin(content.subarray(0, HEAD_BYTES)))) return await xmlContent(file);
  if (isZip(content) || isCompound(content)) return await workbookContent(file.name, content);
  const [sheet] = readCorrectionCsv(content);
  if (!sheet) return undefined;
  const readings: CorrectionContent['readings'] = async ({ options }, first) => {
    const { quote } = options as { readonly quote?: string };
    const dialect = definedOnly({ encoding: first.encoding || undefined, quote: quote || undefined });
    return readCorrectionCsv(content, dialect).map(linesOf);
  };
  const lines = linesOf(sheet).map(({ line, doc, row }) => ({ line, doc, row }));
  return { encoding: sheet.encoding, lost: sheet.lost, lines, readings, asInSource: false };
}

function linesOf({ rows, columns }: CorrectionSheet): readonly ReadLine[] {
  return rows.map(({ cells, certain, ...row }) => {
    const isMoved = (names: readonly string[]) => names.some((name) => (columns.get(name) ?? -1) >= certain);
    return { ...row, cell: cellsByName(columns, cells), isMoved };
  });
}

/** From a column to its cell; undefined for a column that is not there. */
function cellsByName(columns: ReadonlyMap<string, number>, cells: readonly string[]) {
  return (column: string): string | undefined => {
    const at = columns.get(column);
    return at === undefined ? undefined : (cells[at] ?? '');
  };
}

/** Numbers and dates that a spreadsheet stores come in the spelling of the export, as far as its mapping knows one. */
async function workbookContent(file: string, content: Buffer): Promise<CorrectionContent | undefined> {
  const found = await readCorrectionWorkbook(content, file);
  if (!found) return undefined;
  const { sheet, others, lost, columns, rows } = found;
  const readings: CorrectionContent['readings'] = async ({ mapping }) => [
    rows.map(({ cells, ...row }): ReadLine => {
      const cellAt = (column: string) => cells[columns.get(column) ?? -1];
      const cell = (column: string) => {
        if (!columns.has(column)) return undefined;
        const given = cellAt(column);
        return given === undefined ? '' : spelledAsExport(given, mapping.convertOf(column));
      };
      return { ...row, cell, kindAt: (column) => kindOfCell(cellAt(column)) };
    }),
  ];
  const lines = rows.map(({ line, doc, row }) => ({ line, doc, row }));
  const ignored = others.length > 0 ? { sheet, others } : undefined;
  return definedOnly({ encoding: 'utf-8', lost, lines, readings, asInSource: false, ignored });
}

function kindOfCell(cell: XlsxCell | undefined): ReturnType<KindAt> {
  if (cell?.problem !== undefined) return 'unreadable';
  const isText = cell === undefined || (!cell.isFormula && (cell.kind === 'text' || cell.kind === 'empty'));
  return isText ? 'text' : 'value';
}

async function xmlContent(file: Pick<SourceFile, 'name' | 'path'>): Promise<CorrectionContent> {
  let text = '';
  let encoding = '';
  const declared = detectXmlEncoding(file.name, 'auto');
  const pieces = readText(bytesOf(file.path), { file: file.name, encoding: 'auto', declared });
  for await (const piece of pieces) {
    text += piece.data;
    ({ encoding } = piece);
  }
  const lines = readCorrectionMarks(text)
    .flatMap(({ at, doc, row, rows }) => {
      const inFile = lineAt(text, at);
      return rows.length === 0 ? [{ inFile, doc, row }] : rows.map((one) => ({ inFile, doc, row: String(one) }));
    })
    .map((one, at): CorrectionLine => ({ line: at + 1, ...one }));
  const readings = async (source: ArchivedSource) => [await elementsOf(file, text, source, lines)];
  return { encoding, lost: [], lines, readings, asInSource: true };
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** Rows of the elements after each comment; the reader refuses a file that is not XML, or not that of the mapping. */
async function elementsOf(
  file: Pick<SourceFile, 'name' | 'path'>,
  text: string,
  { reader, options }: ArchivedSource,
  named: readonly CorrectionLine[],
): Promise<ReadLine[]> {
  const ordinals = new Map(named.map(({ line, doc, row }) => [JSON.stringify([doc, row]), line]));
  const cells = new Map<number, (column: string) => string | undefined>();
  for await (const { table, rows } of reader.read(bytesOf(file.path), { file: file.name, source: options })) {
    const places = new Map(table.columns.map((column, at) => [column, at]));
    for (const row of rows) cells.set(row.row, cellsByName(places, row.cells));
  }
  const slicer = createXmlSlicer(file.name, options);
  const lines: ReadLine[] = [];
  const room = roomForRows(text);
  let line = 1;
  for (const slice of [...slicer.take(text), ...slicer.end()]) {
    if (slice.what === 'unit') {
      const marks = readCorrectionMarks(slice.before, room);
      const at = line + slice.before.split('\n').length - 1;
      if (marks.length === 0) lines.push({ line: at, inFile: at, doc: '', row: '', cell: () => undefined });
      for (const mark of marks)
        appendAll(lines, rowsOfMark(mark, slice, { isAlone: marks.length === 1, inFile: at, ordinals, cells }));
      line = at + slice.text.split('\n').length - 1;
    } else line += slice.text.split('\n').length - 1;
  }
  return lines;
}

type InSlice = {
  /** No other comment is before the element. */
  readonly isAlone: boolean;
  readonly inFile: number;
  /** Of the rows that the comments name, by `_doc` and row. */
  readonly ordinals: ReadonlyMap<string, number>;
  readonly cells: ReadonlyMap<number, (column: string) => string | undefined>;
};

function rowsOfMark(
  { doc, rows, first }: CorrectionMark,
  slice: { readonly first: number; readonly rows: number },
  { isAlone, inFile, ordinals, cells }: InSlice,
): readonly ReadLine[] {
  const last = greatestOf(rows);
  const named = new Set(rows);
  return Array.from({ length: slice.rows }, (_, at) => at).flatMap((at) => {
    const row = first + at;
    // Beyond the last one an element was added.
    const isOurs = named.has(row) || (isAlone && row > last);
    const cell = cells.get(slice.first + at) ?? (() => undefined);
    const line = ordinals.get(JSON.stringify([doc, String(row)])) ?? 0;
    return isOurs ? [{ line, inFile, doc, row: String(row), cell }] : [];
  });
}
