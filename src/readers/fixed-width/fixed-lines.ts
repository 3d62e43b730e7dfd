/**
 * Text cut into lines, or into records of one length if a file has no line ends. LF, CR LF and CR end a line; DOS end
 * marks (0x1A) after the last line are not part of it. Throws UnreadableFileError (fixed/no-line-end).
 */

import { FIXED_WIDTH } from '../../i18n/messages/readers-messages.ts';
import { withMessage } from '../../model/fault.ts';
import { withoutTrailing } from '../../text/trailing.ts';
import { UnreadableFileError } from '../reader.ts';

/** Fed with the text of one file step by step; a line may span steps. */
export type LineSplitter = {
  /** Lines that are complete now, without their ends. The call without text is the last one. */
  readonly take: (text?: string) => readonly string[];
  /** After the last call: the text after the last line end, or ''. */
  readonly rest: () => string;
};

/** UTF-16 units of one line. A longer one means that the file has no line ends, and memory must not grow with it. */
const MAX_LINE = 1024 * 1024;
const END_MARK = '\u001a';

/** `length`: characters of each record in a file without line ends; undefined if line ends separate the lines. */
export function createLineSplitter(file: string, length: number | undefined): LineSplitter {
  let rest = '';
  let count = 0;
  const take = (text?: string): readonly string[] => {
    rest = text === undefined ? withoutTrailing(rest, END_MARK) : rest + text;
    const lines = length === undefined ? atLineEnds(text === undefined) : everySoMany(length);
    count += lines.length;
    if (rest.length > MAX_LINE) throw noLineEnd(file, count + 1);
    return lines;
  };
  const atLineEnds = (last: boolean) => {
    const lines: string[] = [];
    let from = 0;
    for (const match of rest.matchAll(/\r\n|\n|\r/g)) {
      // The line feed of this pair may come with the next text.
      if (match[0] === '\r' && match.index === rest.length - 1 && !last) break;
      lines.push(rest.slice(from, match.index));
      from = match.index + match[0].length;
    }
    rest = rest.slice(from);
    return lines;
  };
  const everySoMany = (size: number) => {
    const lines: string[] = [];
    // Marks may be the padding after the last record: whether a record follows, the next text shows.
    const text = withoutTrailing(rest, END_MARK);
    let at = 0;
    for (let end = indexAfter(text, at, size); end !== undefined; end = indexAfter(text, at, size)) {
      lines.push(rest.slice(at, end));
      at = end;
    }
    rest = rest.slice(at);
    return lines;
  };
  return { take, rest: () => rest };
}

/** Index after `count` characters; undefined if the text has fewer. A character beyond the basic plane is two units. */
function indexAfter(text: string, from: number, count: number): number | undefined {
  let at = from;
  for (let n = 0; n < count; n++) {
    const code = text.codePointAt(at);
    if (code === undefined) return undefined;
    at += code > 0xffff ? 2 : 1;
  }
  return at;
}

function noLineEnd(file: string, row: number): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: 'fixed/no-line-end',
      level: 'error',
      ...withMessage(FIXED_WIDTH.noLineEnd({ row }), FIXED_WIDTH.withoutEnds()),
      origin: { file, row },
    },
  ]);
}
