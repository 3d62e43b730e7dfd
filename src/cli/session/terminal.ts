/**
 * What a person sees: tables, a live line on a terminal, plain lines elsewhere. Data is printed on stdout, everything
 * else on stderr. Text for people passes a filter for secrets and control characters.
 */
import { stripVTControlCharacters, styleText } from 'node:util';
import { SHORTEST_IN_DATA, scrubRevealed } from '../../instance/secrets.ts';
import { escapeControls, stripTerminalControls } from '../../text/printable.ts';
import { asInvoked } from './command-name.ts';

/** The output of a command. Each method adds the line end, except `live`. */
export type Terminal = {
  readonly out: (text: string) => void;
  /** Byte by byte for a pipe or a file, such as a payload; filtered on a screen. */
  readonly exactly: (text: string) => void;
  readonly talk: (text: string) => void;
  /** The live line at the bottom; an empty text removes it. On a pipe: at most one line per 10 s. */
  readonly live: (text: string) => void;
  readonly columns: number;
  readonly isLive: boolean;
};

/** Milliseconds between two live lines on a terminal, and between two plain lines elsewhere. */
const LIVE_EVERY_MS = 100;
const PLAIN_EVERY_MS = 10_000;

/** The last filter before a screen or a pipe: removes revealed secrets and characters that control a terminal. */
export function shownSafely(text: string): string {
  return stripTerminalControls(scrubRevealed(text));
}

/** The same for data, where a short secret would match parts of numbers and words. */
function dataSafely(text: string): string {
  return stripTerminalControls(scrubRevealed(text, SHORTEST_IN_DATA));
}

type TerminalOptions = {
  readonly quiet?: boolean;
  /** Programs read the output: commands in it stay as they are. */
  readonly json?: boolean;
  readonly now?: () => number;
};

/** `now` gives milliseconds. With `quiet`, `talk` and `live` print nothing; data is printed always. */
export function openTerminal(options: TerminalOptions = {}): Terminal {
  const now = options.now ?? Date.now;
  const isLive = process.stderr.isTTY === true && process.env.TERM !== 'dumb';
  const columns = process.stderr.columns ?? 100;
  let shown = '';
  // The first plain line waits a full interval: a short run prints nothing but its result.
  let lastMs = isLive ? 0 : now();
  const clear = () => {
    if (shown !== '') process.stderr.write('\r\u001b[2K');
    shown = '';
  };
  const talk = (text: string) => {
    if (options.quiet) return;
    clear();
    process.stderr.write(`${shownSafely(asInvoked(text))}\n`);
  };
  return {
    isLive,
    columns,
    talk,
    out: (text) => {
      clear();
      process.stdout.write(`${dataSafely(options.json ? text : asInvoked(text))}\n`);
    },
    exactly: (text) => {
      clear();
      process.stdout.write(`${process.stdout.isTTY ? dataSafely(text) : text}\n`);
    },
    live: (text) => {
      if (options.quiet) return;
      if (text === '') return clear();
      if (now() - lastMs < (isLive ? LIVE_EVERY_MS : PLAIN_EVERY_MS)) return;
      lastMs = now();
      if (!isLive) return void process.stderr.write(`${shownSafely(stripVTControlCharacters(text))}\n`);
      clear();
      shown = shownSafely(cut(text, columns - 1));
      process.stderr.write(shown);
    },
  };
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const PLAIN = /^[\x20-\x7e]*$/;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** Columns that a text takes on a terminal: combining marks none, wide East Asian letters and emoji two. */
export function widthOf(text: string): number {
  // Each segment costs memory outside of the heap: 20 KiB a row in the table of a night with thousands of files.
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text))) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return `${[...stripVTControlCharacters(text)].slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** A column of a table. */
export type Column = {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /**
   * Its cells are words of this program, in color. Other columns may contain foreign text: controls appear as codes.
   */
  readonly styled?: true;
};

/** A table without lines: two spaces between columns, titles in capitals, each column as wide as its widest cell. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const shown = (cell: string, at: number) => (columns[at]?.styled ? cell : escapeControls(cell));
  const all = [columns.map(({ title }) => title.toUpperCase()), ...rows.map((row) => row.map(shown))];
  const widths = columns.map((_, at) => all.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), 0));
  const lines = all.map((row, index) => {
    const cells = columns.map(({ align }, at) => {
      const cell = row[at] ?? '';
      const pad = ' '.repeat((widths[at] ?? 0) - widthOf(cell));
      return align === 'right' ? pad + cell : cell + pad;
    });
    const line = `  ${cells.join('  ')}`.trimEnd();
    return index === 0 ? dim(line) : line;
  });
  return lines.join('\n');
}

/** Columns of a terminal: a column is never narrower, on any screen. */
const NARROWEST = 16;

/** A table of at most `width` columns, with cells shortened in the middle. `shortened` counts these cells. */
export function fittingTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = process.stdout.columns ?? 120,
): { readonly text: string; readonly shortened: number } {
  const shown = rows.map((row) => row.map(escapeControls));
  const widths = columns.map(({ title }, at) =>
    shown.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), title.length),
  );
  const room = Math.max(width - 2 * columns.length, columns.length * NARROWEST);
  while (sumOf(widths) > room) {
    // The first column names the row: it is shortened last.
    const others = widths.slice(1).some((one) => one > 1.5 * NARROWEST) ? widths.slice(1) : widths;
    const widest = Math.max(...others);
    widths[widths.lastIndexOf(widest)] = widest - 1;
  }
  let shortened = 0;
  const fitted = shown.map((row) =>
    row.map((cell, at) => {
      const most = widths[at] ?? 0;
      if (widthOf(cell) <= most) return cell;
      shortened++;
      return cutInside(cell, most);
    }),
  );
  return { text: table(columns, fitted), shortened };
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one, 0);
}

/** Keeps more of the end than of the start, because the end of a path distinguishes it. */
function cutInside(text: string, width: number): string {
  const letters = [...text];
  const at = (count: number) => {
    const head = Math.floor((count - 1) / 3);
    return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (count - 1 - head)).join('')}`;
  };
  let left = Math.min(letters.length, width);
  while (left > 2 && widthOf(at(left)) > width) left--;
  return at(left);
}

/** A bar of `width` characters; full for a total of 0. */
export function bar(done: number, total: number, width = 24): string {
  const full = total === 0 ? width : Math.round((done / total) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

export const dim = (text: string): string => styleText('dim', text, { stream: process.stdout });
export const bold = (text: string): string => styleText('bold', text, { stream: process.stdout });
export const red = (text: string): string => styleText('red', text, { stream: process.stderr });
export const green = (text: string): string => styleText('green', text, { stream: process.stdout });
export const yellow = (text: string): string => styleText('yellow', text, { stream: process.stdout });
