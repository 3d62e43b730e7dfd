/**
 * A beginning that is read in a single-byte page and is UTF-8, found before the watch over the whole file can: a header is
 * needed before the rest is read, and a caller that wants one document reads no further.
 */
import type { DataFault } from '../../model/fault.ts';
import type { Batch } from '../../model/row.ts';
import { singleBytePage } from './code-pages.ts';
import { utf8InPageFault } from './decoder.ts';
import { watchUtf8 } from './mojibake-detector.ts';

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Of accented names two wrong letters each are left, so that no name is found. Undefined where the header may well be in the page it was read in. */
export function detectUtf8Header({ table, encoding }: Pick<Batch, 'table' | 'encoding'>): DataFault | undefined {
  const page = encoding === undefined ? undefined : singleBytePage(encoding);
  if (!page || table.header === undefined) return undefined;
  const watch = watchUtf8();
  const bytes = new Map(Array.from(page, (unit, byte) => [unit, byte]));
  watch.see(Buffer.from(Array.from(table.columns.join('\n'), (each) => bytes.get(each.charCodeAt(0)) ?? 0xff)));
  const found = watch.found();
  if (!found) return undefined;
  const origin = { file: table.file, row: table.header };
  return { ...utf8InPageFault(encoding!, { word: found.word, line: found.line }), level: 'error', origin };
}

/** Undefined where the first bytes of a file may well be in the encoding that the mapping says. */
export function detectUtf8Beginning(head: Buffer, encoding: string, file: string): DataFault | undefined {
  if (encoding === 'auto' || !singleBytePage(encoding) || head.indexOf(UTF8_MARK) === 0) return undefined;
  const watch = watchUtf8();
  watch.see(head);
  const found = watch.found();
  if (!found) return undefined;
  return { ...utf8InPageFault(encoding, found), level: 'error', origin: { file, row: found.line, line: found.line } };
}
