/**
 * A header that was read in a single-byte page and is UTF-8: its accented names are two wrong letters each, so that no
 * name is found. The watch over the whole file cannot tell yet, because the header is needed before the rest is read.
 */
import type { DataFault } from '../model/fault.ts';
import type { Batch } from '../model/row.ts';
import { singleBytePage } from './code-pages.ts';
import { utf8Words } from './decoder.ts';
import { watchUtf8 } from './utf-8-watch.ts';

/** Undefined where the header may well be in the page it was read in. */
export function utf8Header({ table, encoding }: Pick<Batch, 'table' | 'encoding'>): DataFault | undefined {
  const page = encoding === undefined ? undefined : singleBytePage(encoding);
  if (!page || table.header === undefined) return undefined;
  const watch = watchUtf8();
  const bytes = new Map(Array.from(page, (unit, byte) => [unit, byte]));
  watch.see(Buffer.from(Array.from(table.columns.join('\n'), (each) => bytes.get(each.charCodeAt(0)) ?? 0xff)));
  const found = watch.found();
  if (!found) return undefined;
  const origin = { file: table.file, row: table.header };
  return { ...utf8Words(encoding!, { word: found.word, line: found.line }), level: 'error', origin };
}
