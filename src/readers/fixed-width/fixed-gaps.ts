/**
 * Positions of a fixed-width line that no column covers: a column that begins or ends one position off leaves text
 * there. Lines in, one warning of the file out (fixed/text-between-columns). A gap is looked at until it shows text
 * once, so that a correct file costs a few slices a line.
 */

import type { Message } from '../../i18n/message.ts';
import { FIXED_WIDTH } from '../../i18n/messages/readers-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { type FieldSpan, type FixedColumns, fieldEnd, spanMessage } from './fixed-options.ts';

type Line = { readonly length: number; readonly cut: (span: FieldSpan) => string };

/** The gaps of one kind of line. `see` gets each line without a fault. */
export type GapWatch = {
  readonly see: (line: Line, row: number) => void;
  /** The first text found in each gap. */
  readonly found: () => readonly GapText[];
};

type GapText = { readonly span: FieldSpan; readonly sample: string; readonly row: number; readonly neighbors: Message };

const SAMPLE = 30;
/** The length of the gap after the last column: longer than any line. */
const OPEN = 1024 * 1024;

/** `marker`: position of the record type, which is no gap although no column covers it. */
export function watchGaps(columns: FixedColumns, marker?: FieldSpan): GapWatch {
  let open = findGaps(columns, marker);
  const found: GapText[] = [];
  const see = (line: Line, row: number) => {
    const before = found.length;
    for (const gap of open) {
      const text = line.cut(gap.span);
      if (text.trim() !== '') found.push({ ...trimToText(gap.span, text), row, neighbors: gap.beside });
    }
    if (found.length > before) open = open.filter(({ beside }) => !found.some((one) => one.neighbors === beside));
  };
  return { see, found: () => found };
}

/** Only the part with text: the last gap has no end. */
function trimToText({ start }: FieldSpan, text: string): Pick<GapText, 'span' | 'sample'> {
  const blanks = text.length - text.trimStart().length;
  const shown = text.trim();
  return { span: { start: start + blanks, length: Array.from(shown).length }, sample: shown.slice(0, SAMPLE) };
}

function findGaps(columns: FixedColumns, marker: FieldSpan | undefined) {
  const covered: (readonly [string | Message, FieldSpan])[] = Object.entries(columns).map(([name, span]) => [
    `"${name}"`,
    span,
  ]);
  if (marker) covered.push([FIXED_WIDTH.marker(), marker]);
  covered.sort(([, a], [, b]) => a.start - b.start);
  const gaps: { readonly span: FieldSpan; readonly beside: Message }[] = [];
  let from = 1;
  let before: string | Message | undefined;
  for (const [name, span] of covered) {
    if (span.start > from) {
      const beside = before === undefined ? FIXED_WIDTH.before({ name }) : FIXED_WIDTH.between({ before, name });
      gaps.push({ span: { start: from, length: span.start - from }, beside });
    }
    if (fieldEnd(span) < from) continue;
    from = fieldEnd(span) + 1;
    before = name;
  }
  gaps.push({ span: { start: from, length: OPEN }, beside: FIXED_WIDTH.after({ name: before ?? '' }) });
  return gaps;
}

/** One warning with all gaps of the file; undefined if all text is in columns. */
export function gapFault(file: string, found: readonly GapText[]): DataFault | undefined {
  const [first] = found;
  if (!first) return undefined;
  const places = found.map(({ span, sample, row, neighbors }) =>
    FIXED_WIDTH.gap({ sample, span: spanMessage(span), row, neighbors: neighbors }),
  );
  return {
    code: 'fixed/text-between-columns',
    level: 'warning',
    ...withMessage(FIXED_WIDTH.gaps({ places }), FIXED_WIDTH.correctPositions()),
    origin: { file, row: first.row },
    given: first.sample,
  };
}
