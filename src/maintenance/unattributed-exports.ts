/**
 * Exports of which no document shows any more whose they are: they were never read, or their documents were purged by age. Whether
 * one has the name of a counterparty, its text shows. Reads only.
 */
import { readerOf } from '../catalogue.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { SourceFile } from '../model/ledger-entry.ts';
import { bytesOf } from '../pipeline/sources/open-file-stream.ts';
import { readText } from '../readers/encoding/read-text.ts';
import { UnreadableFileError } from '../readers/reader.ts';

/** That of most exports that declare none and are not UTF-8. */
const OTHERWISE = 'windows-1252';

/** One that cannot be read may have it. `mapping`: that of the file, if it is known. */
export async function mayHaveName(
  { path, name, encoding }: Pick<SourceFile, 'path' | 'name' | 'encoding'>,
  mapping: Pick<Mapping, 'source'> | undefined,
  subject: string,
): Promise<boolean> {
  const text = subject.trim().toLowerCase();
  const inXml = text.replaceAll('&', '&amp;');
  const wanted = [text, inXml];
  const isIn = async (pieces: AsyncIterable<string>) => {
    let end = '';
    for await (const piece of pieces) {
      const all = end + piece.toLowerCase();
      if (wanted.some((one) => all.includes(one))) return true;
      end = all.slice(-inXml.length);
    }
    return false;
  };
  const { format, options } = mapping?.source ?? {};
  const ways =
    format === 'xlsx'
      ? [() => cellsOf(path, { file: name, source: options })]
      : [encoding ?? 'auto', OTHERWISE].map((one) => () => textOf(path, { file: name, encoding: one }));
  for (const way of ways) {
    try {
      return await isIn(way());
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
    }
  }
  return true;
}

async function* textOf(path: string, options: Parameters<typeof readText>[1]): AsyncGenerator<string> {
  for await (const { data } of readText(bytesOf(path), options)) yield data;
}

async function* cellsOf(path: string, options: { readonly file: string; readonly source: unknown }) {
  for await (const { rows } of readerOf('xlsx').read(bytesOf(path), options)) {
    for (const { cells } of rows) yield `${cells.join('\n')}\n`;
  }
}
