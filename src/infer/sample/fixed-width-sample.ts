/**
 * Whether a text without delimiters is cut by positions: lines of one length, or lines of a few kinds told by their
 * first character, with blanks that fill the fields up. Gives the advice, or nothing where it is another kind of text.
 */

const DELIMITERS = /[;\t|^~¦§]/;

export function fixedWidthAdvice(text: string): string | undefined {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '' && line !== '\x1a');
  if (lines.length < 2 || lines.some((line) => DELIMITERS.test(line))) return undefined;
  // A comma that stands between digits alone is a decimal mark.
  if (lines.filter((line) => /,(?!\d)|(?<!\d),/.test(line)).length > 0.2 * lines.length) return undefined;
  const filled = lines.filter((line) => line.length >= 20 && /\s{2,}|\d{12,}/.test(line));
  if (filled.length < 0.6 * lines.length) return undefined;
  const lengths = Map.groupBy(lines, (line) => line.length);
  const [length, same] = [...lengths].sort((a, b) => b[1].length - a[1].length)[0]!;
  const marks = [...new Set(lines.map((line) => line[0]!))];
  const even = same.length >= 0.9 * lines.length;
  if (!even && !(marks.length <= 5 && marks.length < lines.length && marks.every((mark) => /[A-Z0-9]/.test(mark))))
    return undefined;
  const says = even ? `lines of ${length} characters` : `lines that begin with ${marks.join(', ')}`;
  return `it has no delimiter and ${says}: its columns are cut by position`;
}
