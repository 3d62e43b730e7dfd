/**
 * Recognizes a text without delimiters whose columns are cut by position: lines of one length, or lines of a few kinds by
 * their first character, with blanks that fill up the fields.
 */
import type { Message } from '../../i18n/message.ts';
import { INFER_PROBLEM } from '../../i18n/messages/infer-messages.ts';

const DELIMITERS = /[;\t|^~¦§]/;

/** Why the text is one of fixed width; undefined where it is another kind of text. */
export function findFixedWidth(text: string): Message | undefined {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '' && line !== '\x1a');
  if (lines.length < 2 || lines.some((line) => DELIMITERS.test(line))) return undefined;
  // A comma that is between digits alone is a decimal mark.
  if (lines.filter((line) => /,(?!\d)|(?<!\d),/.test(line)).length > 0.2 * lines.length) return undefined;
  const filled = lines.filter((line) => line.length >= 20 && /\s{2,}|\d{12,}/.test(line));
  if (filled.length < 0.6 * lines.length) return undefined;
  const lengths = Map.groupBy(lines, (line) => line.length);
  const [[length, same] = [0, []]] = [...lengths].sort((a, b) => b[1].length - a[1].length);
  const marks = [...new Set(lines.map((line) => line.charAt(0)))];
  const even = same.length >= 0.9 * lines.length;
  if (!even && !(marks.length <= 5 && marks.length < lines.length && marks.every((mark) => /[A-Z0-9]/.test(mark))))
    return undefined;
  const found = even ? INFER_PROBLEM.sameLength({ length }) : INFER_PROBLEM.firstCharacters({ marks });
  return INFER_PROBLEM.byPosition({ lines: found });
}
