/**
 * Finds values in the text of a mapping that a draft of `infer` leaves for a person to replace. A file under such a
 * mapping is refused as a whole; other mappings continue.
 */
import { isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { Mark } from '../../model/fault.ts';
import { isPlaceholder, MARKS_OF_DRAFTS } from './placeholders.ts';

/** The value and its place in the mapping file. */
export type Placeholder = { readonly value: string; readonly mark: Mark };

/** `file` is the name for the marks. Only values below `output` count, by the same test as payloads. */
export function placeholdersIn(text: string, file: string): readonly Placeholder[] {
  if (!MARKS_OF_DRAFTS.some((mark) => text.includes(mark))) return [];
  try {
    return findPlaceholders(text, file);
  } catch (error) {
    // Thousands of levels: the reader of the mapping reports them.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function findPlaceholders(text: string, file: string): readonly Placeholder[] {
  const lines = new LineCounter();
  const found: Placeholder[] = [];
  visit(parseDocument(text, { lineCounter: lines, logLevel: 'silent' }), {
    Scalar: (where, { value, range }, path) => {
      if (where === 'key' || typeof value !== 'string' || !range) return;
      const keys = path.filter(isPair).map(({ key }) => (isScalar(key) ? String(key.value) : ''));
      const at = `/${keys.slice(keys.indexOf('output') + 1).join('/')}`;
      if (!isPlaceholder(at, keys.at(-1) ?? '', value)) return;
      const { line, col } = lines.linePos(range[0]);
      found.push({
        value,
        mark: { file, line, column: col, length: range[1] - range[0], text: text.split(/\r?\n/)[line - 1] ?? '' },
      });
    },
  });
  return found;
}
