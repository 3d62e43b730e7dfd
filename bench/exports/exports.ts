/**
 * Exports for all cases: the n-th document is the same on every machine. Files are written once into .bench/, which git
 * does not see, and used again; a text can also be made while it is read, so that 2 GB of it need no disk.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import iconv from 'iconv-lite';
import { BENCH_FOLDER } from '../folders.ts';
import { DIVALTO } from './divalto.ts';
import { CII, UBL } from './en16931.ts';
import { type Format, NUMBER, numberOf, type Quality, type Sums, templateOf } from './format.ts';
import { HOST } from './host.ts';
import { REMISSION } from './remission.ts';
import { SAGE } from './sage.ts';
import { WORKBOOK } from './workbook.ts';

const CHUNK = 64 * 1024;

export const FORMATS = {
  csv: SAGE,
  xml: DIVALTO,
  'ubl-each': UBL.each,
  'ubl-all': UBL.all,
  'cii-each': CII.each,
  'cii-all': CII.all,
  fixed: HOST,
  workbook: WORKBOOK,
  remission: REMISSION,
} as const satisfies { readonly [name: string]: Format };

export type FormatName = keyof typeof FORMATS;

/** An export: so many documents of a format; `from` is the number of the first. */
export type Export = {
  readonly format: FormatName;
  readonly documents: number;
  readonly quality?: Quality;
  /** Documents of a file, all of them where it is absent. */
  readonly perFile?: number;
};

/** The folder of its files, made where it is not there yet, also by another process at the same time. */
export async function exportFolder({ format, documents, quality = 'spotless', perFile }: Export): Promise<string> {
  const each = perFile ?? (format.endsWith('-each') ? 1 : documents);
  const folder = join(BENCH_FOLDER, 'exports', `${format}-${quality}-${documents}-by-${each}`);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}.new-`);
  for (let from = 0; from < documents; from += each) {
    const { name, bytes } = await exportFile(format, { from, to: Math.min(from + each, documents), quality });
    writeFileSync(join(unfinished, name), bytes);
  }
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}

type Part = { readonly from: number; readonly to: number; readonly quality: Quality };

async function exportFile(name: FormatName, part: Part): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const format: Format = FORMATS[name];
  const { pack } = format;
  const bytes = pack
    ? await pack([...textChunks(format, part)].join(''))
    : Buffer.concat([...byteChunks(format, part)]);
  return { name: format.nameOf(numberOf(part.from)), bytes };
}

/** The bytes of a text format, made while they are read. */
export function exportChunks(name: FormatName, documents: number): Generator<Buffer> {
  return byteChunks(FORMATS[name], { from: 0, to: documents, quality: 'spotless' });
}

function* byteChunks(format: Format, part: Part): Generator<Buffer> {
  for (const text of textChunks(format, part)) yield iconv.encode(text, format.encoding);
}

function* textChunks(format: Format, { from, to, quality }: Part): Generator<string> {
  const templates = format.templatesOf(quality);
  const sums: { -readonly [name in keyof Sums]: Sums[name] } = { documents: to - from, rows: 0, quantity: 0, net: 0 };
  let text = format.head;
  for (let n = from; n < to; n++) {
    const { text: document, rows = 0, quantity = 0, net = 0 } = templateOf(templates, n);
    text += document.replaceAll(NUMBER, numberOf(n));
    sums.rows += rows;
    sums.quantity += quantity;
    sums.net += net;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  yield text + format.tail(sums);
}
