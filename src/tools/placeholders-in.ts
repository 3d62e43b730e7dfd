/**
 * Values that a draft of `infer` leaves for a person to replace, in the text of a mapping. A run does not stop for them:
 * each document that has one is refused, and the other mappings go on.
 */
import { isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { isPlaceholder } from '../documents/placeholders.ts';
import type { Fault } from '../model/fault.ts';

export function placeholdersIn(text: string, file: string): readonly Fault[] {
  const lines = new LineCounter();
  const found: Fault[] = [];
  visit(parseDocument(text, { lineCounter: lines, logLevel: 'silent' }), {
    Scalar: (where, { value, range }, path) => {
      if (where === 'key' || typeof value !== 'string' || !range) return;
      const keys = path.filter(isPair).map(({ key }) => (isScalar(key) ? String(key.value) : ''));
      const at = `/${keys.slice(keys.indexOf('output') + 1).join('/')}`;
      if (!isPlaceholder(at, keys.at(-1) ?? '', value)) return;
      const { line, col } = lines.linePos(range[0]);
      found.push({
        code: 'map/not-filled-in',
        level: 'error',
        message: `"${value}" is a placeholder of the draft: no document with it is ever sent`,
        mark: { file, line, column: col, length: range[1] - range[0], text: text.split(/\r?\n/)[line - 1] ?? '' },
        hint: 'put the real value in its place, or the column that has it',
      });
    },
  });
  return found;
}
