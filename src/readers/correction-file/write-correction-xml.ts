/**
 * The elements of failed documents as an XML file that a person corrects in an editor: byte for byte, inside the root and
 * the elements around them, each after a comment that says which document it is. And the way back.
 *
 * The comment in front identifies rows by the numbers of the source: `_row="3-5"`, and `_first` where the element begins with
 * rows of another document.
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

/** Stands between the faults of a row. */
const FAULT_SEPARATOR = ' | ';

/** A document of more rows has other troubles. */
const MAX_RUN = 1_000_000;

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
    const [declaration = ''] = /^<\?xml\s[^>]*\?>/.exec(text) ?? [];
    return `${declaration}${declaration === '' ? '' : '\n'}${head}${declaration === '' ? '\n' : ''}${text.slice(declaration.length)}`;
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

/** No part of it reaches beyond the next "<": a file full of beginnings is read in one pass. */
const COMMENT = /<!--\s*_doc="([^"<]*)"\s+_row="([^"<]*)"(?:\s+_first="(\d{1,9})")?\s+_error="[^"<]*"\s*-->/g;

/** What a comment says; `rows` is empty where it cannot be read. */
export type CorrectionMark = {
  /** Place in the text. */
  readonly at: number;
  readonly doc: string;
  readonly row: string;
  readonly rows: readonly number[];
  /** Row of the source that the element after it begins with. */
  readonly first: number;
};

/** Recognized by its comments, of which one is at the top. */
export function isCorrectionXml(text: string): boolean {
  if (!/^\ufeff?\s*</.test(text)) return false;
  const comments = text.match(/<!--[^<]*?-->/g) ?? [];
  return comments.some((one) => HELPER_COLUMNS.filter((name) => one.includes(name)).length >= 2);
}

export function readCorrectionMarks(text: string): readonly CorrectionMark[] {
  return [...text.matchAll(COMMENT)].map(({ index, 1: doc, 2: row, 3: first }) => {
    const rows = parseRowRanges(row!);
    return { at: index, doc: doc!, row: row!, rows, first: first === undefined ? (rows[0] ?? 0) : Number(first) };
  });
}

function parseRowRanges(text: string): readonly number[] {
  const runs = text.split(',').map((run) => /^\s*(\d{1,9})(?:-(\d{1,9}))?\s*$/.exec(run));
  if (runs.some((run) => !run || Number(run[2] ?? run[1]) - Number(run[1]) > MAX_RUN)) return [];
  return runs.flatMap((run) => {
    const from = Number(run![1]);
    return Array.from({ length: Math.max(0, Number(run![2] ?? from) - from + 1) }, (_, at) => from + at);
  });
}
