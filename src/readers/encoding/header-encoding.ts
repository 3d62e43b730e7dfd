/**
 * Finds another encoding in the beginning of a file that the mapping reads in a single-byte page. The watch over the
 * whole file would be too late: a header is needed first, and a caller that wants one document stops early.
 * The header or first bytes in, faults out (text/is-utf-8, text/utf-8-twice, text/mixed-encodings,
 * text/other-page).
 */
import type { DataFault } from '../../model/fault.ts';
import type { Batch } from '../../model/row.ts';
import { singleBytePage } from './code-pages.ts';
import { watchEncoding } from './decoder.ts';

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Looks at the names of the columns: with the accents of the wrong encoding, no name is found.
 * None if the header may well be in the page.
 */
export function detectHeaderEncoding({ table, encoding }: Pick<Batch, 'table' | 'encoding'>): readonly DataFault[] {
  if (encoding === undefined || table.header === undefined) return [];
  const page = singleBytePage(encoding);
  if (!page) return [];
  const watch = watchEncoding(encoding);
  const bytes = new Map(Array.from(page, (unit, byte) => [unit, byte]));
  watch.see(Buffer.from(Array.from(table.columns.join('\n'), (each) => bytes.get(each.charCodeAt(0)) ?? 0xff)));
  const origin = { file: table.file, row: table.header };
  return watch.found().map(({ fault }) => ({ ...fault, level: 'error', origin }));
}

/**
 * Looks at the first bytes of the file. None if they may well be in the encoding of the mapping, or if it is
 * `auto`.
 */
export function detectBeginningEncoding(head: Buffer, encoding: string, file: string): readonly DataFault[] {
  if (encoding === 'auto' || !singleBytePage(encoding) || head.indexOf(UTF8_MARK) === 0) return [];
  const watch = watchEncoding(encoding);
  watch.see(head);
  return watch.found().map(({ line, fault }) => ({ ...fault, level: 'error', origin: { file, row: line, line } }));
}
