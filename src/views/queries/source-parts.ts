/**
 * The parts of an archived export that hold some of its rows, as they are in the file: records of a text, elements of
 * XML, rows of a sheet with the texts they share. The file and row numbers in, bytes out. Each part of a text is looked for
 * in the file: if it is not there byte for byte, or a row has no place of its own, there is no part. Throws the errors of
 * the readers.
 */

import { readFile } from 'node:fs/promises';
import { inOnePiece } from '../../files/in-one-piece.ts';
import { csvOptions } from '../../readers/csv/csv-options.ts';
import { createPreamble } from '../../readers/csv/csv-preamble.ts';
import { countRowsAbove, withoutEndMark } from '../../readers/csv/csv-reader.ts';
import { createRecordSlicer, type RawRecord } from '../../readers/csv/csv-record-slicer.ts';
import { createEncoder } from '../../readers/encoding/encoder.ts';
import { readText, readUtf8 } from '../../readers/encoding/read-text.ts';
import { createLineSplitter } from '../../readers/fixed-width/fixed-lines.ts';
import { fixedOptions } from '../../readers/fixed-width/fixed-options.ts';
import type { RecordBounds } from '../../readers/reader.ts';
import { xlsxOptions } from '../../readers/xlsx/xlsx-options.ts';
import { chooseSheet, openWorkbook } from '../../readers/xlsx/xlsx-workbook.ts';
import { detectXmlEncoding } from '../../readers/xml/xml-encoding.ts';
import { xmlOptions } from '../../readers/xml/xml-options.ts';
import { createXmlSlicer } from '../../readers/xml/xml-slicer.ts';
import { dictionary } from '../../text/dictionary.ts';

/** An archived export. `options`: the format's part of the mapping's `source`. `encoding`: that it was read in, if this is known. */
type ArchivedExport = {
  readonly name: string;
  readonly path: string;
  readonly format: string;
  readonly options: unknown;
  readonly encoding: string | undefined;
  readonly bounds: RecordBounds;
};

/** `name`: what the part is, before the name of the export. */
export type SourcePart = { readonly name: 'bytes-of' | 'rows-of' | 'texts-of'; readonly content: Buffer };

/** `rows`: numbers as the reader gives them. */
export async function sourceParts(file: ArchivedExport, rows: readonly number[]): Promise<readonly SourcePart[]> {
  if (rows.length === 0) return [];
  const content = await readFile(file.path);
  const wanted = new Set(rows);
  if (file.format === 'xlsx') return await sheetParts(file, content, wanted);
  const cut = CUTS.get(file.format);
  const pieces = await cut?.(file, content, wanted);
  const found = pieces && asInFile(content, pieces);
  return found ? [{ name: 'bytes-of', content: found }] : [];
}

type Cut = (file: ArchivedExport, content: Buffer, rows: ReadonlySet<number>) => Promise<readonly Buffer[] | undefined>;

const CUTS = dictionary<Cut>({ csv: records, xml: elements, fixed: lines });

/** The pieces joined, if each of them is in the file, in their order. */
function asInFile(content: Buffer, pieces: readonly Buffer[]): Buffer | undefined {
  const found: Buffer[] = [];
  const isWide = content.includes(0);
  let at = 0;
  for (const piece of pieces) {
    const begin = content.indexOf(piece, at);
    if (begin < 0) return undefined;
    at = begin + piece.length;
    const [lineEnd = ''] = isWide || LINE_END.test(piece.toString('latin1').slice(-1)) ? [] : lineEndAt(content, at);
    at += lineEnd.length;
    found.push(content.subarray(begin, at));
  }
  return Buffer.concat(found);
}

const LINE_END = /^(?:\r\n|\r|\n)/;

function lineEndAt(content: Buffer, at: number): readonly string[] {
  return LINE_END.exec(content.toString('latin1', at, at + 2)) ?? [];
}

/** Lines of a text with their line ends; undefined if a row is not one of them. */
async function records(
  { name, options, encoding }: ArchivedExport,
  content: Buffer,
  rows: ReadonlySet<number>,
): Promise<readonly Buffer[] | undefined> {
  const csv = csvOptions.parse(options ?? {});
  const configured = encoding ?? csv.encoding;
  const slicer = createRecordSlicer({ quote: csv.quote, linesAbove: countRowsAbove(csv) });
  const preamble = createPreamble(0, () => undefined);
  const found: Buffer[] = [];
  let encode = (utf8: Buffer) => utf8;
  const keep = (records: readonly RawRecord[]) => {
    for (const { row, bytes, lineEnd } of records) {
      if (rows.has(row)) found.push(encode(Buffer.concat([bytes, lineEnd])));
    }
  };
  for await (const { encoding: read, data } of withoutEndMark(
    readUtf8(inOnePiece(content), { file: name, encoding: configured }),
  )) {
    encode = createEncoder(read).bytes;
    const table = preamble.cut(data, false);
    if (table) keep(slicer.take(table));
  }
  const rest = preamble.cut(Buffer.alloc(0), true);
  keep([...(rest ? slicer.take(rest) : []), ...slicer.end()]);
  return found.length === rows.size ? found : undefined;
}

/** Lines by position, as their reader cuts them. */
async function lines(
  { name, options, encoding }: ArchivedExport,
  content: Buffer,
  rows: ReadonlySet<number>,
): Promise<readonly Buffer[] | undefined> {
  const fixed = fixedOptions.parse(options);
  const configured = encoding ?? fixed.encoding;
  const splitter = createLineSplitter(name, fixed['line-ends'] === 'none' ? fixed['line-length'] : undefined);
  const found: Buffer[] = [];
  let row = 0;
  let encode = (utf8: Buffer) => utf8;
  const keep = (line: string) => void (rows.has(++row) && found.push(encode(Buffer.from(line))));
  for await (const { encoding: read, data } of readText(inOnePiece(content), { file: name, encoding: configured })) {
    encode = createEncoder(read).bytes;
    for (const line of splitter.take(data)) keep(line);
  }
  for (const line of splitter.take()) keep(line);
  keep(splitter.rest());
  return found.length === rows.size ? found : undefined;
}

/** The elements that have the rows, each with all of its rows; undefined if a row is in none. */
async function elements(
  { name, options, bounds }: ArchivedExport,
  content: Buffer,
  rows: ReadonlySet<number>,
): Promise<readonly Buffer[] | undefined> {
  const slicer = createXmlSlicer(name, options, bounds);
  const { encoding: configured } = xmlOptions.parse(options);
  const declared = detectXmlEncoding(name, configured);
  const found: Buffer[] = [];
  const left = new Set(rows);
  let encode = (utf8: Buffer) => utf8;
  const keep = (slices: ReturnType<typeof slicer.take>) => {
    for (const slice of slices) {
      if (slice.what !== 'unit') continue;
      const own = Array.from({ length: slice.rows }, (_, at) => slice.first + at).filter((row) => left.delete(row));
      if (own.length > 0 && !slice.isCut) found.push(encode(Buffer.from(slice.text)));
    }
  };
  for await (const { encoding, data } of readText(inOnePiece(content), {
    file: name,
    encoding: configured,
    declared,
  })) {
    encode = createEncoder(encoding).bytes;
    keep(slicer.take(data));
  }
  keep(slicer.end());
  return left.size === 0 ? found : undefined;
}

/** Longer parts of a workbook are not looked through. */
const LONGEST_PART = 256 * 1024 * 1024;
const ROW = /<(?:\w+:)?row\b[^>]*?\br="(\d+)"[^>]*?(?:\/>|>[\s\S]*?<\/(?:\w+:)?row>)/g;
const TEXT = /<((?:\w+:)?si)\b[^>]*?(?:\/>|>[\s\S]*?<\/\1>)/g;
const SHARED = /<(?:\w+:)?c\b[^>]*?\bt="s"[^>]*>[\s\S]*?<(?:\w+:)?v>(\d+)</g;

/** The XML of the rows and, each after its index, of the texts that their cells share with other rows. */
async function sheetParts(
  { name, options }: ArchivedExport,
  content: Buffer,
  rows: ReadonlySet<number>,
): Promise<SourcePart[]> {
  const workbook = await openWorkbook(inOnePiece(content), name);
  const { archive } = workbook;
  const { path } = chooseSheet(workbook, xlsxOptions.parse(options ?? {}).sheet);
  const found = matches(await partText(archive.open(path)), ROW).filter(([, row]) => rows.has(Number(row)));
  if (found.length !== rows.size) return [];
  const parts: SourcePart[] = [{ name: 'rows-of', content: Buffer.from(found.map(([row]) => `${row}\n`).join('')) }];
  const shared = new Set(found.flatMap(([row]) => matches(row, SHARED).map(([, index]) => Number(index))));
  const strings = archive.paths.find((one) => /(?:^|\/)sharedStrings\.xml$/i.test(one));
  if (shared.size === 0 || strings === undefined) return parts;
  const texts = matches(await partText(archive.open(strings)), TEXT).flatMap(([text], index) =>
    shared.has(index) ? [`<!-- ${index} -->\n${text}\n`] : [],
  );
  return [...parts, { name: 'texts-of', content: Buffer.from(texts.join('')) }];
}

function matches(xml: string, pattern: RegExp): readonly (readonly [whole: string, group: string])[] {
  return [...xml.matchAll(pattern)].map(([whole, group = '']) => [whole, group]);
}

/** Parts of a workbook are UTF-8 in practice; another encoding has no rows that are found. */
async function partText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > LONGEST_PART) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
