/**
 * Lays out text for a screen: widths as a terminal counts them, wrapped lines, shortened cells, tables. Texts and a
 * number of columns come in, lines come out. A width of Infinity changes nothing: so is output for a pipe or a file.
 */
import { stripVTControlCharacters, styleText } from 'node:util';
import stringWidth from 'string-width';
import { greatestOf } from '../../text/long-lists.ts';
import { escapeControls } from '../../text/printable.ts';

const PLAIN = /^[\x20-\x7e]*$/;

/** Columns that a text takes on a terminal: combining marks and colors none, wide East Asian letters and emoji two. */
export function widthOf(text: string): number {
  // Most cells are plain, and a night may have thousands of files: only the others are measured letter by letter.
  return PLAIN.test(text) ? text.length : stringWidth(text);
}

/** At most `width` columns, the last of them an ellipsis if the text is longer. Colors of a shortened text are lost. */
export function cutEnd(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return `${startOf(stripVTControlCharacters(text), width - 1)}…`;
}

/** Keeps more of the end than of the start, because the end of a path or of a number distinguishes it. */
export function cutInside(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const letters = lettersOf(stripVTControlCharacters(text));
  const head = startOf(letters, Math.floor((width - 1) / 3));
  const tail = startOf(letters.toReversed(), width - 1 - widthOf(head), (kept) => kept.toReversed());
  return `${head}…${tail}`;
}

/**
 * Every line of a text, broken at spaces where it is wider than `width`. What follows a break begins under the text of
 * its line, at `hanging` columns; a word that is wider than the screen is broken inside. A line that is a command stays
 * whole: a person copies it, and the terminal folds it without a break.
 */
export function wrapped(text: string, width: number, hanging?: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  return text
    .split('\n')
    .flatMap((line) => wrappedLine(line, width, hanging ?? indentOf(line) + 2))
    .join('\n');
}

/** A word with the marks that French separates by a blank: a line neither begins with `:` or `»` nor ends with `«`. */
const WORD = / *(?:« )?[^ ]+(?: [:;!?»]+(?= |$|[),.]))*/g;

/** A command on a line of its own, without words around it, as commands ask for values and reasons. */
const COMMAND_LINE = /^(?:npm run nightpost --|nightpost) (?:[a-z-]+ )*--[a-z-]+ /;

function wrappedLine(line: string, width: number, hanging: number): readonly string[] {
  if (widthOf(line) <= width || COMMAND_LINE.test(line)) return [line];
  const indent = ' '.repeat(Math.min(hanging, Math.floor(width / 2)));
  const lines: string[] = [];
  let shown = '';
  for (const word of line.match(WORD) ?? []) {
    if (widthOf(shown + word) <= width) {
      shown += word;
      continue;
    }
    if (shown !== '') lines.push(shown);
    shown = shown === '' ? word : indent + word.trimStart();
    while (widthOf(shown) > width) {
      const head = startOf(stripVTControlCharacters(shown), width);
      lines.push(head);
      shown = indent + stripVTControlCharacters(shown).slice(head.length);
    }
  }
  return [...lines, shown];
}

function indentOf(line: string): number {
  const plain = stripVTControlCharacters(line);
  return plain.length - plain.trimStart().length;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function lettersOf(text: string): readonly string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** As many letters from the start as fit, at least none. `arrange` puts the kept letters into the order of the text. */
function startOf(
  text: string | readonly string[],
  width: number,
  arrange: (kept: readonly string[]) => readonly string[] = (kept) => kept,
): string {
  const kept: string[] = [];
  let used = 0;
  for (const letter of typeof text === 'string' ? lettersOf(text) : text) {
    used += widthOf(letter);
    if (used > width) break;
    kept.push(letter);
  }
  return arrange(kept).join('');
}

/** A column of a table. */
export type Column = {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /**
   * Its cells are words of this program, in color. Other columns may contain foreign text: controls appear as codes.
   */
  readonly styled?: true;
  /**
   * What becomes of its cells where the table is wider than the screen: `middle` (unless given) and `end` shorten them
   * there, `wrap` breaks them at spaces, `below` prints them on lines of their own under the row, `whole` keeps them.
   */
  readonly fit?: 'middle' | 'end' | 'wrap' | 'below' | 'whole';
};

/** A table without lines: two spaces between columns, titles in capitals, each column as wide as its widest cell. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  return fittingTable(columns, rows, width).text;
}

/** A table of at most `width` columns. `shortened` counts the cells that are not printed whole. */
export function fittingTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): { readonly text: string; readonly shortened: number } {
  const titles = columns.map(({ title }) => title.toUpperCase());
  const cells = rows.map((row) => columns.map(({ styled }, at) => shownCell(row[at] ?? '', styled)));
  const sides = columns.map((_, at) => at);
  const whole = sides.map((at) => widest([titles[at] ?? '', ...cells.map((row) => row[at] ?? '')]));
  const isBelow = (at: number) => columns[at]?.fit === 'below' && tableWidth(whole) > width;
  const inRow = sides.filter((at) => !isBelow(at));
  const parts = inRow.map((at) => ({
    ...columns[at],
    title: titles[at] ?? '',
    texts: cells.map((row) => row[at] ?? ''),
  }));
  const widths = fittedWidths(parts, width);
  let shortened = 0;
  const linesOfCell = (text: string, at: number): readonly string[] => {
    const room = widths[at] ?? 0;
    if (widthOf(text) <= room) return [text];
    const fit = parts[at]?.fit;
    if (fit === 'wrap') return wrapped(text, room, 0).split('\n');
    shortened++;
    return [fit === 'end' ? cutEnd(text, room) : cutInside(text, room)];
  };
  const line = (texts: readonly string[]) => {
    const padded = parts.map(({ align }, at) => padded1(texts[at] ?? '', widths[at] ?? 0, align));
    return `  ${padded.join('  ')}`.trimEnd();
  };
  const linesOf = (row: readonly (readonly string[])[]) => {
    const height = Math.max(1, greatestOf(row.map(({ length }) => length)));
    return Array.from({ length: height }, (_, n) => line(row.map((one) => one[n] ?? '')));
  };
  const head = linesOf(parts.map(({ title }, at) => wrapped(title, widths[at] ?? 0, 0).split('\n')));
  const body = cells.flatMap((row) => [
    ...linesOf(inRow.map((at, n) => linesOfCell(row[at] ?? '', n))),
    ...linesBelow(
      sides.filter(isBelow).map((at) => row[at] ?? ''),
      width,
    ),
  ]);
  const dimmed = head.map((one) => styleText('dim', one, { stream: process.stdout }));
  return { text: [...dimmed, ...body].join('\n'), shortened };
}

/** The cells below a row as one text, six columns in. */
function linesBelow(cells: readonly string[], width: number): readonly string[] {
  const text = cells.filter((cell) => cell !== '').join('  ');
  return text === '' ? [] : [wrapped(`      ${text}`, width, 6)];
}

function shownCell(cell: string, styled: true | undefined): string {
  return styled ? cell : escapeControls(cell);
}

function padded1(text: string, width: number, align: Column['align']): string {
  const pad = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? pad + text : text + pad;
}

/** Two spaces in front of each column. */
function tableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one + 2, 0);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
}

/** Columns of a terminal: a cell that is shortened or wrapped keeps so many, as long as the screen allows it. */
const READABLE = 24;
const NARROWEST = 16;
const LEAST = 4;

type Part = Omit<Column, 'title'> & { readonly title: string; readonly texts: readonly string[] };

/** First titles are broken, then the widest cells are shortened; the first column names the row and comes last. */
function fittedWidths(parts: readonly Part[], width: number): readonly number[] {
  const ofCells = parts.map(({ texts }) => widest(texts));
  const least = parts.map(({ title, fit, texts }, at) => {
    const title1 = widest(title.split(' '));
    if (fit === 'whole') return Math.max(title1, ofCells[at] ?? 0);
    const word = fit === 'wrap' ? Math.min(READABLE, widest(texts.flatMap((text) => text.split(' ')))) : LEAST;
    return Math.max(title1, word);
  });
  const limits: readonly (readonly number[])[] = [
    parts.map(({ title }, at) => Math.max(widest(title.split(' ')), ofCells[at] ?? 0)),
    least.map((one, at) => Math.max(one, at === 0 ? (ofCells[at] ?? 0) : Math.min(ofCells[at] ?? 0, READABLE))),
    least.map((one, at) => Math.max(one, Math.min(ofCells[at] ?? 0, NARROWEST))),
    least,
    parts.map(() => LEAST),
  ];
  const widths = parts.map(({ title }, at) => Math.max(widthOf(title), ofCells[at] ?? 0));
  for (const limit of limits) narrow(widths, limit, width);
  return widths;
}

/** Takes columns from the widest one, one by one, until the table fits or all are at their limit. */
function narrow(widths: number[], limit: readonly number[], width: number): void {
  while (tableWidth(widths) > width) {
    const open = widths.map((one, at) => (one > (limit[at] ?? 0) ? one : 0));
    const most = greatestOf(open);
    if (most === 0) return;
    const at = open.lastIndexOf(most);
    widths[at] = most - 1;
  }
}
