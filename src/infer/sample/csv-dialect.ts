/**
 * Text of a delimited file to its delimiter, quote, line ends and records. The delimiter is the character that cuts the
 * most rows into one and the same number of cells.
 */
import type { Message } from '../../i18n/message.ts';
import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { must } from '../../model/must.ts';
import { parseCsvText } from '../../readers/csv/parse-csv-text.ts';
import { withoutTrailing } from '../../text/trailing.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import type { SampleRecord } from './sample-table.ts';

/** How a delimited file is written. `sepLine`: the line `sep=` for Excel with its line end, or ''. */
export type Dialect = {
  readonly delimiter: string;
  readonly quote: '"' | "'" | 'none';
  readonly finalLineEnd: boolean;
  readonly sepLine: string;
};

const DELIMITERS = [';', '\t', '|', ',', '^', '~', '¦', '§'];
const { tab, semicolon, comma, pipe } = SOURCE_EVIDENCE;
const DELIMITER_NAMES = new Map([
  ['\t', tab()],
  [';', semicolon()],
  [',', comma()],
  ['|', pipe()],
]);

function nameDelimiter(delimiter: string): string | Message {
  return DELIMITER_NAMES.get(delimiter) ?? delimiter;
}

/** The dialect of the text; a `sep=` line decides the delimiter. Adds a question where another one cuts nearly as well. */
export function findDialect(text: string, notes: DraftNotes): Dialect {
  const sepLine = /^sep=.{1,3}?(?:\r\n|\n|\r)/i.exec(text)?.[0] ?? '';
  const lines = splitSampleLines(text.slice(sepLine.length));
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, ...scoreDelimiter(lines, delimiter) })).sort(
    (a, b) => b.score - a.score,
  );
  const named = sepLine === '' ? undefined : sepLine.slice(4).replace(/[\r\n]+$/, '');
  const best =
    named === undefined ? must(scored[0], 'a delimiter to try') : { ...scoreDelimiter(lines, named), delimiter: named };
  const runnerUp = scored.find(({ delimiter, cells }) => delimiter !== best.delimiter && cells > 1);
  const { rows, cells } = best;
  const name = nameDelimiter(best.delimiter);
  notes.addEvidence(
    'source.delimiter',
    named === undefined
      ? SOURCE_EVIDENCE.delimiterCuts({ name, rows, lines: SAMPLE_COUNTS.lines({ count: lines.length }), cells })
      : SOURCE_EVIDENCE.delimiterNamed({ name, line: sepLine.trim() }),
  );
  if (cells < 2) notes.addQuestion(95, 'source.delimiter', SAMPLE_QUESTION.noDelimiter());
  else if (named === undefined && runnerUp && runnerUp.score > 0.8 * best.score) {
    const other = nameDelimiter(runnerUp.delimiter);
    const question = SAMPLE_QUESTION.twoDelimiters({ name, cells, other, otherCells: runnerUp.cells });
    notes.addQuestion(60, 'source.delimiter', question);
  }
  noteLineEnds(text, notes);
  const finalLineEnd = /[\r\n]\x1a*$/.test(text);
  if (!finalLineEnd) noteNoLineEnd(notes);
  return { delimiter: best.delimiter, quote: findQuote(text, best.delimiter, notes), finalLineEnd, sepLine };
}

export function noteNoLineEnd(notes: DraftNotes): void {
  notes.addEvidence('source.final-line-end', SOURCE_EVIDENCE.noLastLineEnd());
  notes.addQuestion(30, 'source.final-line-end', SAMPLE_QUESTION.noLastLineEnd());
}

/** The records of the table without empty lines, which are counted; undefined where its quotes are broken. */
export function parseRecords(
  table: string,
  dialect: Pick<Dialect, 'delimiter' | 'quote'>,
  rowsAbove: number,
): readonly SampleRecord[] | undefined {
  const records = parseCsvText(withoutTrailing(table, '\u001a'), dialect);
  return records?.map(({ cells, row }) => ({ cells, row: rowsAbove + row }));
}

/** Lines without their ends and without the end mark of DOS. */
export function splitSampleLines(text: string): readonly string[] {
  const lines = text.replace(/\x1a+$/, '').split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Cells of one line, quotes honoured where a cell begins with one. */
export function splitCells(line: string, delimiter: string): readonly string[] {
  if (!line.includes('"')) return line.split(delimiter);
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"' && (quoted || cell === '')) quoted = !quoted;
    else if (!quoted && line.startsWith(delimiter, at)) {
      cells.push(cell);
      cell = '';
      at += delimiter.length - 1;
    } else cell += line[at];
  }
  return [...cells, cell];
}

/** The commonest number of cells, how many lines have it, and a score of both. */
function scoreDelimiter(lines: readonly string[], delimiter: string): { score: number; cells: number; rows: number } {
  const widths = new Map<number, number>();
  const some = lines.slice(0, 2000).filter((line) => line.trim() !== '');
  for (const line of some) {
    const cells = splitCells(line, delimiter).length;
    widths.set(cells, (widths.get(cells) ?? 0) + 1);
  }
  const [cells, rows] = [...widths].filter(([width]) => width > 1).sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [
    1, 0,
  ];
  // Files of several record types are even in few widths rather than in one.
  const inFew = [...widths]
    .filter(([width]) => width > 1)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3);
  const share = inFew.reduce((sum, [, n], at) => sum + n / (at + 1), 0) / Math.max(some.length, 1);
  return { score: share * Math.log2(cells), cells, rows };
}

/** Double quotes unless the file has more cells in single quotes than lines, or quotes that do not close. */
function findQuote(text: string, delimiter: string, notes: DraftNotes): Dialect['quote'] {
  if (!text.includes('"')) {
    const single = splitSampleLines(text)
      .flatMap((line) => line.split(delimiter))
      .filter((cell) => /^'.*'$/.test(cell));
    if (single.length > splitSampleLines(text).length) {
      notes.addEvidence('source.quote', SOURCE_EVIDENCE.singleQuotes({ count: single.length }));
      return "'";
    }
    return '"';
  }
  // Above the table a lone quote does no harm.
  const wide = splitSampleLines(text).filter((line) => line.includes(delimiter));
  if (parseRecords(wide.join('\n'), { delimiter, quote: '"' }, 0) !== undefined) return '"';
  if (parseRecords(text, { delimiter, quote: '"' }, 0) !== undefined) return '"';
  const odd = wide.flatMap((line) => line.split(delimiter)).find((cell) => /[^"]"/.test(cell) || /^"[^"]*$/.test(cell));
  notes.addEvidence('source.quote', SOURCE_EVIDENCE.quotesInside({ example: odd?.trim().slice(0, 30) ?? '"' }));
  return 'none';
}

function noteLineEnds(text: string, notes: DraftNotes): void {
  const pairs = text.split('\r\n').length - 1;
  const feeds = text.split('\n').length - 1 - pairs;
  const returns = text.split('\r').length - 1 - pairs;
  const kinds = [
    [SOURCE_EVIDENCE.crLf, pairs],
    [SOURCE_EVIDENCE.lf, feeds],
    [SOURCE_EVIDENCE.cr, returns],
  ] as const;
  const found = kinds.flatMap(([kind, count]) => (count > 0 ? kind({ lines: SAMPLE_COUNTS.lines({ count }) }) : []));
  if (found.length > 0) notes.addEvidence('source.format', SOURCE_EVIDENCE.lineEnds({ kinds: found }));
}
