/**
 * Positions of a fixed-width line that no column covers: a column that begins or ends one off leaves text there.
 *
 * Each gap is looked at until it shows text once, so that a file of good lines pays for a few slices a line.
 */

import type { Message } from '../../i18n/message.ts';
import { FIXED } from '../../i18n/messages/readers-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { type FieldSpan, type FixedColumns, fieldEnd, spanPhrase } from './fixed-options.ts';

type Line = { readonly length: number; readonly cut: (span: FieldSpan) => string };

export type Gaps = {
  readonly see: (line: Line, row: number) => void;
  /** What stood in the gaps, once a gap. */
  readonly found: () => readonly Found[];
};

type Found = { readonly span: FieldSpan; readonly sample: string; readonly row: number; readonly beside: Message };

const SAMPLE = 30;
/** Longer than any line: what follows the last column. */
const OPEN = 1024 * 1024;

/** `marker`: where the type of a record stands, which needs no column. */
export function gapsOf(columns: FixedColumns, marker?: FieldSpan): Gaps {
  let open = between(columns, marker);
  const found: Found[] = [];
  const see = (line: Line, row: number) => {
    const before = found.length;
    for (const gap of open) {
      const text = line.cut(gap.span);
      if (text.trim() !== '') found.push({ ...told(gap.span, text), row, beside: gap.beside });
    }
    if (found.length > before) open = open.filter(({ beside }) => !found.some((one) => one.beside === beside));
  };
  return { see, found: () => found };
}

/** Only as far as there is text: a gap may be open at its end. */
function told({ start }: FieldSpan, text: string): Pick<Found, 'span' | 'sample'> {
  const blanks = text.length - text.trimStart().length;
  const shown = text.trim();
  return { span: { start: start + blanks, length: Array.from(shown).length }, sample: shown.slice(0, SAMPLE) };
}

function between(columns: FixedColumns, marker: FieldSpan | undefined) {
  const covered: (readonly [string | Message, FieldSpan])[] = Object.entries(columns).map(([name, span]) => [
    `"${name}"`,
    span,
  ]);
  if (marker) covered.push([FIXED.marker(), marker]);
  covered.sort(([, a], [, b]) => a.start - b.start);
  const gaps: { readonly span: FieldSpan; readonly beside: Message }[] = [];
  let from = 1;
  let before: string | Message | undefined;
  for (const [name, span] of covered) {
    if (span.start > from) {
      const beside = before === undefined ? FIXED.before({ name }) : FIXED.between({ before, name });
      gaps.push({ span: { start: from, length: span.start - from }, beside });
    }
    if (fieldEnd(span) < from) continue;
    from = fieldEnd(span) + 1;
    before = name;
  }
  gaps.push({ span: { start: from, length: OPEN }, beside: FIXED.after({ name: before ?? '' }) });
  return gaps;
}

/** One warning of the file; undefined where all text stands in columns. */
export function gapFault(file: string, found: readonly Found[]): DataFault | undefined {
  const [first] = found;
  if (!first) return undefined;
  const places = found.map(({ span, sample, row, beside }) =>
    FIXED.gap({ sample, span: spanPhrase(span), row, neighbors: beside }),
  );
  return {
    code: 'fixed/text-between-columns',
    level: 'warning',
    ...withMessage(FIXED.gaps({ places }), FIXED.correctPositions()),
    origin: { file, row: first.row },
    given: first.sample,
  };
}
