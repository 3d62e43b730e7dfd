/**
 * A correction file that came back from a spreadsheet, recognized by its columns `_doc`, `_row`, `_error` in any
 * encoding, delimiter and order of columns. Bytes in, every possible reading out (code pages, quotes, guarded cells as
 * the texts they protect and as written): the one with the fewest differences from the source is right. No table: no
 * reading.
 */

import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { HELPER_COLUMNS, plainMark, readDocMark, unguarded } from '../../model/correction.ts';
import { columnNames } from '../csv/csv-header.ts';
import { parseCsvText, type TextRecord } from '../csv/parse-csv-text.ts';

type CorrectionRow = {
  /** As a spreadsheet counts, the header being 1. */
  readonly line: number;
  /** The mark of the document without its guard sign, if it is one; else the text of the cell, as for `row`. */
  readonly doc: string;
  readonly row: string;
  readonly cells: readonly string[];
  /** So many cells are those of their columns; with other cells than the header, those after them may be of other columns. */
  readonly certain: number;
};

/** One reading of a correction file. Lines without text are not in `rows`. */
export type CorrectionSheet = {
  readonly encoding: string;
  /** Name -> place in `cells`; the helper columns are not among them. */
  readonly columns: ReadonlyMap<string, number>;
  /** Helper columns that the file no longer has. */
  readonly lost: readonly string[];
  readonly rows: readonly CorrectionRow[];
};

/** Encoding and quote of the export that the rows come from: the spreadsheet may have kept them. */
export type SourceDialect = { readonly encoding?: string; readonly quote?: string };

const HEAD_BYTES = 64 * 1024;
const DELIMITERS = [';', ',', '\t', '|'];
const DEFAULT_QUOTE = '"';

/**
 * True if the first row has two of the three helper columns: a missing third one becomes a fault, not an unknown file.
 */
export function isCorrectionCsv(content: Buffer): boolean {
  // Node never comes back from a search with an encoding of two bytes where the buffer begins at an odd address.
  const mentioned = HELPER_COLUMNS.filter(
    (name) => content.includes(name) || content.includes(Buffer.from(name, 'utf16le')),
  );
  return (
    mentioned.length >= 2 && findHead(decodeContent(content.subarray(0, HEAD_BYTES), 'windows-1252')) !== undefined
  );
}

/** The possible readings of the whole file; empty if it cannot be read as a table. */
export function readCorrectionCsv(content: Buffer, source: SourceDialect = {}): readonly CorrectionSheet[] {
  const encodings = [...new Set(detectUnicode(content) ?? [source.encoding ?? 'windows-1252', 'windows-1252'])];
  const quotes = [...new Set([DEFAULT_QUOTE, source.quote ?? DEFAULT_QUOTE])];
  return encodings.flatMap((encoding) =>
    quotes.flatMap((quote) => readSheets(decodeContent(content, encoding), encoding, quote)),
  );
}

/** Encodings that the bytes prove; undefined if the file is in some 8-bit page. */
function detectUnicode(content: Buffer): readonly string[] | undefined {
  if (content[0] === 0xff && content[1] === 0xfe) return ['utf-16le'];
  if (content[0] === 0xfe && content[1] === 0xff) return ['utf-16be'];
  if (content[1] === 0 && content[3] === 0) return ['utf-16le'];
  if (content[0] === 0 && content[2] === 0) return ['utf-16be'];
  return isUtf8(content) ? ['utf-8'] : undefined;
}

function decodeContent(content: Buffer, encoding: string): string {
  // The head of a file may end inside a character.
  const [unicode] = detectUnicode(content) ?? (hasUtf8Mark(content) ? ['utf-8'] : []);
  return iconv.decode(content, unicode ?? encoding).replace(/^\ufeff/, '');
}

function hasUtf8Mark(content: Buffer): boolean {
  return content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf;
}

type Head = { readonly delimiter: string; readonly names: readonly string[]; readonly skip: number };

function findHead(text: string, quote = DEFAULT_QUOTE): Head | undefined {
  const sep = /^"?sep=(.{1,3}?)"?(?:\r\n|\n|\r)/i.exec(text);
  const rest = sep ? text.slice(sep[0].length) : text;
  // Where two of them are side by side, the text between them is the delimiter, whatever it is.
  const between = /_doc["']?([^"'\w]{1,3})["']?_row/.exec(rest)?.[1];
  const likely = [sep?.[1], between, ...DELIMITERS].filter((one) => one !== undefined);
  for (const delimiter of new Set(likely)) {
    const names = parseFirstRecord(rest, delimiter, quote);
    if (names && HELPER_COLUMNS.filter((name) => names.includes(name)).length >= 2) {
      return { delimiter, names, skip: text.length - rest.length };
    }
  }
  return undefined;
}

function parseFirstRecord(text: string, delimiter: string, quote: string): readonly string[] | undefined {
  const dialect = { delimiter, quote, relaxQuotes: true, trim: true, to: 1 };
  return parseCsvText(text.slice(0, HEAD_BYTES), dialect)?.[0]?.cells;
}

function readSheets(text: string, encoding: string, quote: string): readonly CorrectionSheet[] {
  const head = findHead(text, quote);
  if (!head) return [];
  const records = parseCsvText(text.slice(head.skip), { delimiter: head.delimiter, quote, relaxQuotes: true });
  if (!records) return [];
  const asWritten = readSheet(records, encoding);
  const isGuarded = records.some(({ cells }) => findDocMark(cells)?.isGuarded);
  return isGuarded ? [readSheet(withoutGuards(records), encoding), asWritten] : [asWritten];
}

function findDocMark(cells: readonly string[]) {
  for (const cell of cells) {
    const mark = readDocMark(cell);
    if (mark) return mark;
  }
  return undefined;
}

/** Takes the guards off the header and the marked rows. Rows without a mark, of an older file, stay as they are. */
function withoutGuards(records: readonly TextRecord[]): readonly TextRecord[] {
  return records.map((record, at) => {
    const isGuarded = at === 0 || findDocMark(record.cells)?.isGuarded;
    return isGuarded ? { ...record, cells: record.cells.map(unguarded) } : record;
  });
}

function readSheet([header, ...others]: readonly TextRecord[], encoding: string): CorrectionSheet {
  const names = columnNames(header?.cells ?? []);
  const places = new Map(names.map((name, at) => [name, at] as const).reverse());
  const [docAt, rowAt] = [places.get('_doc') ?? -1, places.get('_row') ?? -1];
  const helpers: readonly string[] = HELPER_COLUMNS;
  const columns = new Map([...places].filter(([name]) => !helpers.includes(name)));
  const rows = others.map(({ cells, row }): CorrectionRow => {
    // A row with other cells than the header has its helpers elsewhere: they name the document that is refused for it.
    const found = readDocMark(cells[docAt] ?? '') ? docAt : cells.findIndex((cell) => readDocMark(cell) !== undefined);
    const shift = found >= 0 && docAt >= 0 ? found - docAt : 0;
    const cellAt = (place: number) => cells[place + shift]?.trim() ?? '';
    // With its mark in place, the cells before the mark are in place too; those after it only if none is too many or missing.
    const certain = cells.length === names.length ? cells.length : docAt + 1;
    return {
      line: row,
      doc: plainMark(docAt < 0 ? '' : cellAt(docAt)),
      row: rowAt < 0 ? '' : cellAt(rowAt),
      cells,
      certain: shift === 0 ? certain : 0,
    };
  });
  return {
    encoding,
    columns,
    lost: helpers.filter((name) => !places.has(name)),
    rows: rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
  };
}
