/**
 * The lines above the table: a `sep=` line for Excel, and report titles above the header row. They are cut off as lines
 * before a parser sees them: a title may have a lone quote, which would be an error inside the table. Nothing throws.
 */
import type { SkippedRow } from '../../model/row.ts';

/** Fed with the first bytes of a file until `cut` returns the first bytes of the table. */
export type Preamble = {
  /** The bytes that belong to the table; undefined while still above it. */
  readonly cut: (bytes: Buffer, last: boolean) => Buffer | undefined;
  /** Delimiter of the `sep=` line, where the file has one. */
  readonly delimiter: () => string | undefined;
  /**
   * Rows cut off so far. The `sep=` line does not count, because Excel hides it from the row numbers that people see.
   */
  readonly rows: () => number;
};

const SEP = /^sep=(.{1,3}?)(?:\r\n|\n|\r)/i;
/** Long enough for a whole `sep=` line. */
const SEP_BYTES = 16;
/** The most bytes of a line above the table that are kept, to look for control totals. */
const SHOWN_BYTES = 64 * 1024;

/** `lines`: how many lines are above the header row. `leaveOut` gets each line with its text (UTF-8), in order. */
export function createPreamble(lines: number, leaveOut: (left: SkippedRow, text: string) => void): Preamble {
  let held: Buffer | undefined = Buffer.alloc(0);
  let delimiter: string | undefined;
  let row = 0;
  let afterReturn = false;
  let text: Buffer = Buffer.alloc(0);

  const cutSep = (all: Buffer, last: boolean): Buffer | undefined => {
    held = all.length < SEP_BYTES && !last ? all : undefined;
    if (held) return undefined;
    const line = SEP.exec(all.toString('utf8', 0, SEP_BYTES));
    if (!line) return all;
    delimiter = line[1];
    leaveOut({ row: 0, rule: 'preamble: sep= line' }, '');
    return all.subarray(Buffer.byteLength(line[0]));
  };
  const cutLines = (bytes: Buffer): Buffer | undefined => {
    let at = 0;
    if (afterReturn && bytes.length > 0) {
      if (bytes[0] === 10) at = 1;
      afterReturn = false;
    }
    while (row < lines) {
      const end = findLineEnd(bytes, at);
      text = Buffer.concat([text, bytes.subarray(at, end < 0 ? bytes.length : end)]).subarray(0, SHOWN_BYTES);
      if (end < 0) return undefined;
      at = end + 1;
      row++;
      leaveOut({ row, rule: 'preamble' }, text.toString('utf8'));
      text = Buffer.alloc(0);
      if (bytes[end] !== 13) continue;
      if (bytes[at] === 10) at++;
      else if (at === bytes.length) afterReturn = true;
    }
    // The line feed of the last pair may come with the next bytes.
    return afterReturn ? undefined : bytes.subarray(at);
  };
  const cut = (bytes: Buffer, last: boolean) => {
    const rest = held ? cutSep(Buffer.concat([held, bytes]), last) : bytes;
    if (rest === undefined) return undefined;
    return row < lines || afterReturn ? cutLines(rest) : rest;
  };
  return { cut, delimiter: () => delimiter, rows: () => row };
}

/** The first line end at or after `from`: line feed, carriage return or both. -1 if the bytes have none. */
function findLineEnd(bytes: Buffer, from: number): number {
  const lineFeed = bytes.indexOf(10, from);
  const carriageReturn = bytes.subarray(from, lineFeed < 0 ? bytes.length : lineFeed).indexOf(13);
  return carriageReturn < 0 ? lineFeed : from + carriageReturn;
}
