/**
 * The elements of failed documents as an XML file that a person corrects in an editor: byte for byte, in the root and
 * the elements around them, each after a comment with its document. The comment has the row numbers of the source
 * (`_row="3-5"`), and `_first` if the element begins with rows of another document. Also reads these comments back.
 * Throws the errors of the XML reader.
 */

import { format, type Language } from '../../i18n/message.ts';
import { CORRECTION_XML } from '../../i18n/messages/readers-messages.ts';
import { type FailedRow, HELPER_COLUMNS } from '../../model/correction.ts';
import { createEncoder } from '../encoding/encoder.ts';
import { readText } from '../encoding/read-text.ts';
import { detectXmlEncoding } from '../xml/xml-encoding.ts';
import { xmlOptions } from '../xml/xml-options.ts';
import { createXmlSlicer, type XmlSlice } from '../xml/xml-slicer.ts';
import type { CorrectionSource } from './write-correction-csv.ts';

/** Between the faults of a row. */
const FAULT_SEPARATOR = ' | ';

/** The most rows that all comments of a file name: more are a typing error, and would fill the memory. */
const MOST_ROWS_MARKED = 1_000_000;
/** As many may be named by a file of any size, whose elements a person may have removed. */
const FEW_ROWS_MARKED = 10_000;
/** The characters of the shortest element, and so of a row. */
const SHORTEST_ELEMENT = 4;

/** The file piece by piece in the encoding of the source; its leading comment is in `language`. */
export async function* writeCorrectionXml(
  { bytes, file, options, bounds, failed, overlay }: CorrectionSource,
  language: Language,
): AsyncGenerator<Buffer> {
  const head = `<!-- ${format(CORRECTION_XML.head(), language)} -->`;
  const slicer = createXmlSlicer(file, options, bounds);
  const { encoding: configured } = xmlOptions.parse(options);
  const declared = detectXmlEncoding(file, configured);
  let encode: ((text: string) => Buffer) | undefined;
  let begun = false;

  const given = async (slice: XmlSlice): Promise<string> => {
    if (slice.what === 'around') return slice.text;
    if (slice.isCut) return slice.before.trimEnd();
    const found: FailedRow[] = [];
    for (let row = slice.first; row < slice.first + slice.rows; row++) {
      const one = await failed.at(row);
      const corrected = [...(overlay.get(row) ?? [])].map(([column, to]) => `corrected before: ${column} is "${to}"`);
      if (one)
        found.push({ ...one, error: [one.error, ...corrected].filter((text) => text !== '').join(FAULT_SEPARATOR) });
    }
    if (found.length === 0) return slice.before.trimEnd();
    const indent = /\r?\n[ \t]*$/.exec(slice.before)?.[0] ?? '\n';
    const comments = [...Map.groupBy(found, ({ doc }) => doc)].map(([doc, rows]) => rowComment(doc, rows, slice.first));
    return slice.before + [...comments, slice.text].join(indent);
  };
  const textOf = async (slices: readonly XmlSlice[]): Promise<string> => {
    let text = '';
    for (const slice of slices) text += await given(slice);
    if (begun || text === '') return text;
    begun = true;
    const [declaration] = /^<\?xml\s[^>]*\?>/.exec(text) ?? [];
    if (declaration === undefined) return `${head}\n${text}`;
    return `${declaration}\n${head}${text.slice(declaration.length)}`;
  };

  for await (const { encoding, data } of readText(bytes, { file, encoding: configured, declared })) {
    if (!encode) {
      const encoder = createEncoder(encoding);
      encode = (text) => encoder.bytes(Buffer.from(text, 'utf8'));
      if (encoding.startsWith('utf-16')) yield encoder.mark;
    }
    const text = await textOf(slicer.take(data));
    if (text !== '') yield encode(text);
  }
  const text = await textOf(slicer.end());
  if (encode) yield encode(text);
}

function rowComment(doc: string, rows: readonly FailedRow[], first: number): string {
  const from = rows[0]?.row === first ? '' : ` _first="${first}"`;
  // A fault around several rows of an element is a fault of each of them.
  const error = new Set(rows.flatMap((one) => one.error.split(FAULT_SEPARATOR)).filter((text) => text !== ''));
  return `<!-- _doc="${doc}" _row="${rowRanges(rows.map(({ row }) => row))}"${from} _error="${escapeComment([...error].join(FAULT_SEPARATOR))}" -->`;
}

/** Two hyphens end a comment too early (XML 1.0, 2.5); a quote would end the text. */
function escapeComment(text: string): string {
  return text
    .replaceAll('"', "'")
    .replaceAll('<', '[')
    .replaceAll('>', ']')
    .replace(/-(?=-)/g, '- ')
    .replace(/-$/, '- ');
}

function rowRanges(rows: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last && last[1] === row - 1) last[1] = row;
    else runs.push([row, row]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}

/** No part of the pattern matches past the next "<": a file full of comment beginnings is read in one pass. */
const COMMENT = /<!--\s*_doc="([^"<]*)"\s+_row="([^"<]*)"(?:\s+_first="(\d{1,9})")?\s+_error="[^"<]*"\s*-->/g;

/** The content of one comment; `rows` is empty if the text of `_row` cannot be read, or names too many rows. */
export type CorrectionMark = {
  /** Index of the comment in the text, in UTF-16 units. */
  readonly at: number;
  readonly doc: string;
  readonly row: string;
  readonly rows: readonly number[];
  /** Row of the source that the element after it begins with. */
  readonly first: number;
};

/** True if a comment in `text` has two of the helper names. `text` is the beginning of the file. */
export function isCorrectionXml(text: string): boolean {
  if (!/^\ufeff?\s*</.test(text)) return false;
  const comments = text.match(/<!--[^<]*?-->/g) ?? [];
  return comments.some((one) => HELPER_COLUMNS.filter((name) => one.includes(name)).length >= 2);
}

/** The rows that the comments of a file may still name, all together. */
export type RoomForRows = { left: number };

/** A small file cannot have the elements of many rows. `text` is the whole file. */
export function roomForRows({ length }: string): RoomForRows {
  return { left: Math.min(MOST_ROWS_MARKED, Math.max(FEW_ROWS_MARKED, Math.floor(length / SHORTEST_ELEMENT))) };
}

/** The comments of `text` in its order. A comment that a person has damaged is not among them. */
export function readCorrectionMarks(text: string, room: RoomForRows = roomForRows(text)): readonly CorrectionMark[] {
  return [...text.matchAll(COMMENT)].map(({ index, 1: doc = '', 2: row = '', 3: first }) => {
    const rows = parseRowRanges(row, room.left);
    room.left -= rows.length;
    return { at: index, doc, row, rows, first: Number(first ?? rows[0] ?? 0) };
  });
}

/** "3-5, 9" as 3, 4, 5 and 9; empty where a part of it is not a range of rows, or they are more than `most`. */
function parseRowRanges(text: string, most: number): readonly number[] {
  const rows: number[] = [];
  for (const run of text.split(',')) {
    const [, from, to = from] = /^\s*(\d{1,9})(?:-(\d{1,9}))?\s*$/.exec(run) ?? [];
    if (from === undefined || rows.length + Number(to) - Number(from) >= most) return [];
    for (let row = Number(from); row <= Number(to); row++) rows.push(row);
  }
  return rows;
}
