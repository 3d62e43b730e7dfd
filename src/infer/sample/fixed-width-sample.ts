/**
 * A text without delimiters to columns by position: a ruler of dashes gives them, or the positions that are blank in all lines.
 * Lines come in, columns and rows come out as of CSV. Lines of several kinds, and columns that touch, come out as a reason.
 */
import type { Message } from '../../i18n/message.ts';
import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { INFER_PROBLEM, SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { createNotes, type DraftNotes } from '../findings/draft-findings.ts';
import { splitSampleLines } from './csv-dialect.ts';
import { NO_DATA, readCsvSample } from './csv-sample.ts';
import {
  columnSpans,
  type FixedSpan,
  hasSeveralKinds,
  rulerSpans,
  spansOf,
  widenSpans,
} from './fixed-width-columns.ts';
import type { SampleTable } from './sample-table.ts';

/** What the block `source` of a mapping with `format: fixed` says. */
export type FixedSource = {
  readonly format: 'fixed';
  /** Where all lines of data have one length. */
  readonly lineLength: number | undefined;
  /** Some lines end before the last column does. */
  readonly blanksCut: boolean;
  readonly finalLineEnd: boolean;
  /** Lines above the data. */
  readonly skipRows: number;
  readonly leaveOut: readonly { readonly at: FixedSpan; readonly 'starts-with': string }[];
  readonly spans: ReadonlyMap<string, FixedSpan>;
};

export type FixedSample = { readonly source: FixedSource; readonly table: SampleTable };

const DELIMITERS = /[;\t|^~¦§]/;
/** Fewer columns than these say that blanks are no border here. */
const LEAST_COLUMNS = 3;
/** Lines above the first line of data that are looked through for a header. */
const MOST_ABOVE = 20;

/** Undefined where the text is another kind of text. */
export function readFixedSample(
  text: string,
  notes: DraftNotes,
): FixedSample | { readonly problem: Message } | undefined {
  const lines = splitSampleLines(text);
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length < 2 || filled.some((line) => DELIMITERS.test(line))) return undefined;
  // A comma that is between digits alone is a decimal mark.
  if (filled.filter((line) => /,(?!\d)|(?<!\d),/.test(line)).length > 0.2 * filled.length) return undefined;
  const wide = filled.filter((line) => line.length >= 20 && /\s{2,}|\d{12,}/.test(line));
  if (wide.length < 0.6 * filled.length) return undefined;
  const { ruler, header, start } = findTop(lines);
  const others = lines.flatMap((line, row) => (row < start || isOther(line, lines[header ?? -1]) ? [row] : []));
  const data = lines.filter((_, row) => !others.includes(row));
  const length = commonLength(data);
  if (hasSeveralKinds(data)) {
    const marks = [...new Set(data.map((line) => line.charAt(0)))];
    return { problem: INFER_PROBLEM.byPosition({ lines: INFER_PROBLEM.severalKinds({ marks }) }) };
  }
  const top = header === undefined ? undefined : lines[header];
  const ruled = ruler === undefined ? undefined : rulerSpans(lines[ruler] ?? '', data);
  const spans = ruled ?? columnSpans(data, top);
  if (spans.length < LEAST_COLUMNS) {
    // Text that only has blanks here and there is no table.
    if (length === undefined && ruler === undefined) return undefined;
    return { problem: INFER_PROBLEM.byPosition({ lines: INFER_PROBLEM.touching({ columns: spans.length }) }) };
  }
  const rows = { lines, others: new Set(others), header, start };
  return readRows(rows, spans, { text, notes, ruled: ruled !== undefined, data, length });
}

type Rows = {
  readonly lines: readonly string[];
  /** Indexes of lines that are no data. */
  readonly others: ReadonlySet<number>;
  readonly header: number | undefined;
  readonly start: number;
};

type Found = {
  readonly text: string;
  readonly notes: DraftNotes;
  readonly ruled: boolean;
  readonly data: readonly string[];
  readonly length: number | undefined;
};

function readRows(rows: Rows, spans: readonly FixedSpan[], found: Found): ReturnType<typeof readFixedSample> {
  const { text, notes, ruled, data, length } = found;
  const { lines, others, start } = rows;
  const own = createNotes();
  const { source, table } = readCsvSample(toCsv(rows, spans), own);
  if (source.recordTypes.length > 0 || source.fillDown.length > 0) {
    return { problem: INFER_PROBLEM.byPosition({ lines: INFER_PROBLEM.unlike() }) };
  }
  for (const { at, says } of own.evidence) if (!OF_CSV.test(at)) notes.addEvidence(at, says);
  for (const { weight, at, says } of own.questions()) if (!OF_CSV.test(at)) notes.addQuestion(weight, at, says);
  const count = SAMPLE_COUNTS.lines({ count: data.length });
  notes.addEvidence(
    'source.columns',
    ruled ? SOURCE_EVIDENCE.ruler() : SOURCE_EVIDENCE.blankPositions({ lines: count }),
  );
  if (!ruled) notes.addQuestion(97, 'source.columns', SAMPLE_QUESTION.positions({ lines: count }));
  if (length !== undefined) notes.addEvidence('source.line-length', SOURCE_EVIDENCE.oneLength({ lines: count }));
  const places = ruled ? spans : widenSpans(spans, data, length);
  const end = places.at(-1)?.end ?? 0;
  const names = table.columns.map(({ name }) => name);
  const finalLineEnd = /[\r\n]\x1a*$/.test(text);
  noteDoubts(table, finalLineEnd, notes);
  return {
    source: {
      format: 'fixed',
      lineLength: length,
      blanksCut: length === undefined && data.some((line) => [...line].length < end),
      finalLineEnd,
      skipRows: start,
      leaveOut: leaveOutRules([...others].filter((row) => row >= start).map((row) => lines[row] ?? '')),
      spans: new Map(names.map((name, n) => [name, places[n] ?? { start: 1, end: 1 }])),
    },
    table: { ...table, cut: createCut(text, start) },
  };
}

function noteDoubts({ columns }: SampleTable, finalLineEnd: boolean, notes: DraftNotes): void {
  const unmarked = columns.find(({ cells }) => isWithoutMark(cells));
  if (unmarked) {
    const [cell = ''] = unmarked.cells;
    notes.addQuestion(88, 'source.types', SAMPLE_QUESTION.impliedDecimals({ column: unmarked.name, cell }));
  }
  if (finalLineEnd) return;
  notes.addEvidence('source.final-line-end', SOURCE_EVIDENCE.noLastLineEnd());
  notes.addQuestion(30, 'source.final-line-end', SAMPLE_QUESTION.noLastLineEnd());
}

/** Findings about the CSV that the lines become, and about the blank lines in it. */
const OF_CSV = /^source\.(?:format|encoding|delimiter|quote|final-line-end|leave-out)/;

/** The line of dashes, the header above it or at the top, and where the data begin. */
function findTop(lines: readonly string[]): Pick<Rows, 'header' | 'start'> & { readonly ruler: number | undefined } {
  const top = lines.slice(0, MOST_ABOVE);
  const rulers = top.flatMap((line, row) => (isRuler(line) ? [row] : []));
  const [first, second] = rulers;
  if (first !== undefined) {
    // A ruler above the header, and another one below it.
    const ruler = second === first + 2 && !/\d{2}/.test(lines[first + 1] ?? '') ? second : first;
    const above = lines[ruler - 1] ?? '';
    return { ruler, header: ruler > 0 && above.trim() !== '' ? ruler - 1 : undefined, start: ruler + 1 };
  }
  const header = top.findIndex((line, row) => isHeader(line, lines.slice(row + 1)));
  if (header < 0) return { ruler: undefined, header: undefined, start: 0 };
  const isDashed = /^\s*[-=_*]{3,}\s*$/.test(lines[header + 1] ?? '');
  return { ruler: undefined, header, start: header + (isDashed ? 2 : 1) };
}

/** Groups of dashes with blanks between them. */
function isRuler(line: string): boolean {
  return /^\s*(?:-{2,}|={2,}|_{2,})(?:\s+(?:-+|=+|_+))+\s*$/.test(line);
}

/** Three words and more, none of them a number, above a line with digits. */
function isHeader(line: string, below: readonly string[]): boolean {
  const words = line.trim().split(/\s+/);
  const next = below.find((one) => /[^\s\-=_*]/.test(one)) ?? '';
  return words.length >= 3 && /\s{2}/.test(line.trim()) && !/(?<!\S)[-+]?\d/.test(line) && /\d{2}/.test(next);
}

/** Blank, a rule, a total, or the header of another page. */
function isOther(line: string, header: string | undefined): boolean {
  const text = line.trim();
  return !/[\p{L}\p{N}]/u.test(text) || NO_DATA.test(text) || text === header?.trim();
}

/** Undefined where lines differ. Counted in characters. */
function commonLength(lines: readonly string[]): number | undefined {
  const lengths = new Set(lines.map((line) => [...line].length));
  return lengths.size === 1 ? [...lengths][0] : undefined;
}

/** Digits of one width, filled up with zeros: amounts may be among them. Days of the calendar are not. */
function isWithoutMark(cells: readonly string[]): boolean {
  const [first = ''] = cells;
  const isEven = cells.every((cell) => /^\d{7,}-?$/.test(cell) && cell.length === first.length);
  return isEven && cells.every((cell) => cell.startsWith('00'));
}

/** The first word of each, where it is. A blank line needs no rule. */
function leaveOutRules(lines: readonly string[]): FixedSource['leaveOut'] {
  const rules = new Map<string, FixedSource['leaveOut'][number]>();
  for (const line of lines) {
    const word = /\S{1,20}/.exec(line);
    if (!word) continue;
    const start = [...line.slice(0, word.index)].length + 1;
    const at = { start, end: start + [...word[0]].length - 1 };
    rules.set(`${start} ${word[0]}`, { at, 'starts-with': word[0] });
  }
  return [...rules.values()];
}

/** A line for each line, so that both have the same numbers, and a first one that names the delimiter. */
function toCsv({ lines, others, header }: Rows, spans: readonly FixedSpan[]): string {
  const rows = lines.map((line, row) => {
    if (row !== header && others.has(row)) return '';
    return spansOf(line, spans)
      .map((cell) => (cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell))
      .join(';');
  });
  return `sep=;\n${rows.map((row) => `${row}\n`).join('')}`;
}

/** The lines above the data and those of these rows, as they are in the text. */
function createCut(text: string, start: number) {
  const lines = text.replace(/\x1a+$/, '').match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  return (rows: readonly number[]): string => {
    const cut = lines.filter((_, at) => at < start || rows.includes(at + 1)).join('');
    return /[\r\n]$/.test(cut) ? cut : `${cut}\r\n`;
  };
}
