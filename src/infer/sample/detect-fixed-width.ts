/**
 * A text without delimiters to columns by position: a ruler of dashes gives them, or the positions that are blank in all lines.
 * Lines of several kinds, and columns that touch, come out as a reason.
 */
import type { Message } from '../../i18n/message.ts';
import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { INFER_PROBLEM, SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { createNotes, type DraftNotes } from '../findings/draft-findings.ts';
import { noteNoLineEnd, splitSampleLines } from './csv-dialect.ts';
import { cutLines } from './detect-csv.ts';
import { findRecordTypes } from './detect-record-types.ts';
import {
  columnSpans,
  type FixedSpan,
  hasSeveralKinds,
  rulerSpans,
  spansOf,
  widenSpans,
} from './fixed-width-columns.ts';
import type { Detected, FixedSource } from './sample-source.ts';
import type { SampleColumn } from './sample-table.ts';
import { layOutTable, NO_DATA } from './table-layout.ts';

const DELIMITERS = /[;\t|^~¦§]/;
/** Fewer columns than these say that blanks are no border here. */
const LEAST_COLUMNS = 3;
/** Lines above the first line of data that are looked through for a header. */
const MOST_ABOVE = 20;

/** Undefined where the text is another kind of text. */
export function detectFixedWidth(
  text: string,
  encoding: string,
  notes: DraftNotes,
): Detected<FixedSource> | { readonly problem: Message } | undefined {
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
  return detectColumns(rows, spans, { text, encoding, notes, ruled: ruled !== undefined, data, length });
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
  readonly encoding: string;
  readonly notes: DraftNotes;
  readonly ruled: boolean;
  readonly data: readonly string[];
  readonly length: number | undefined;
};

function detectColumns(
  { lines, others, header, start }: Rows,
  spans: readonly FixedSpan[],
  { text, encoding, notes, ruled, data, length }: Found,
): ReturnType<typeof detectFixedWidth> {
  const records = lines.flatMap((line, row) =>
    row === header || !others.has(row) ? [{ cells: spansOf(line, spans), row: row + 1 }] : [],
  );
  const layout = layOutTable(records, (top) => records.filter(({ row }) => row >= top), notes);
  if (findRecordTypes(records, createNotes()) || (layout.source['fill-down'] ?? []).length > 0) {
    return { problem: INFER_PROBLEM.byPosition({ lines: INFER_PROBLEM.unlike() }) };
  }
  const places = ruled ? spans : widenSpans(spans, data, length);
  const end = places.at(-1)?.end ?? 0;
  const finalLineEnd = /[\r\n]\x1a*$/.test(text);
  noteForm({ notes, ruled, data, length });
  if (!finalLineEnd) noteNoLineEnd(notes);
  const top = Math.max(start, layout.header);
  return {
    columns: layout.columns,
    source: definedOnly({
      format: 'fixed',
      encoding,
      'line-length': length,
      'trailing-blanks': length === undefined && data.some((line) => [...line].length < end) ? 'cut' : 'kept',
      'skip-rows': top,
      'leave-out': leaveOutRules([...others].filter((row) => row >= top).map((row) => lines[row] ?? '')),
      columns: Object.fromEntries(layout.columns.map(({ name }, n) => [name, spanText(places[n])])),
      'final-line-end': finalLineEnd ? 'required' : 'optional',
    }),
    cut: (wanted) => cutLines(text, { quote: 'none', header: 0 }, (row) => row <= top || wanted.includes(row)),
  };
}

function noteForm({ notes, ruled, data, length }: Pick<Found, 'notes' | 'ruled' | 'data' | 'length'>): void {
  const lines = SAMPLE_COUNTS.lines({ count: data.length });
  notes.addEvidence('source.columns', ruled ? SOURCE_EVIDENCE.ruler() : SOURCE_EVIDENCE.blankPositions({ lines }));
  if (!ruled) notes.addQuestion(97, 'source.columns', SAMPLE_QUESTION.positions({ lines }));
  if (length !== undefined) notes.addEvidence('source.line-length', SOURCE_EVIDENCE.oneLength({ lines }));
}

function spanText({ start, end }: FixedSpan = { start: 1, end: 1 }): string {
  return start === end ? String(start) : `${start}-${end}`;
}

/** Asks about the first column of digits that may have decimals. */
export function noteImpliedDecimals(columns: readonly SampleColumn[], notes: DraftNotes): void {
  const unmarked = columns.find(({ cells }) => isWithoutMark(cells));
  if (!unmarked) return;
  const { name: column, cells } = unmarked;
  notes.addQuestion(88, 'source.types', SAMPLE_QUESTION.impliedDecimals({ column, cell: cells[0] ?? '' }));
}

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
function leaveOutRules(lines: readonly string[]): FixedSource['leave-out'] {
  const rules = new Map<string, FixedSource['leave-out'][number]>();
  for (const line of lines) {
    const word = /\S{1,20}/.exec(line);
    if (!word) continue;
    const start = [...line.slice(0, word.index)].length + 1;
    const at = spanText({ start, end: start + [...word[0]].length - 1 });
    rules.set(`${at} ${word[0]}`, { at, 'starts-with': word[0] });
  }
  return [...rules.values()];
}
