/**
 * The lines of a night's table: one per file; if there are many, one per file that needs a person or is not read to its
 * end, and one with the totals of all others.
 */
import { SignedSums } from '../../model/signed-sums.ts';
import type { State } from '../../model/state.ts';
import type { FileLine } from './report-shape.ts';

/** Lines that a person still reads. */
const MOST_LINES = 40;

/** The lines to print, in their order. */
export type Folded = {
  readonly each: readonly FileLine[];
  /** The totals of the files that have no line. */
  readonly others?: { readonly files: number; readonly line: FileLine };
};

/** Folds only from 41 files on, and never a single file. */
export function foldedLines(lines: readonly FileLine[], needsPerson: (line: FileLine) => boolean): Folded {
  if (lines.length <= MOST_LINES) return { each: lines };
  const isShown = (line: FileLine) => needsPerson(line) || line.state === 'loading';
  const others = lines.filter((line) => !isShown(line));
  if (others.length <= 1) return { each: lines };
  return { each: lines.filter(isShown), others: { files: others.length, line: together(others) } };
}

/** Adds counts and exact amounts per currency, with two decimals. */
function together(lines: readonly FileLine[]): FileLine {
  const counts: { [state in State]?: number } = {};
  const sent = new SignedSums();
  const sum = { documents: 0, rows: 0, warnings: 0, setAside: 0 };
  for (const line of lines) {
    for (const name of ['documents', 'rows', 'warnings', 'setAside'] as const) sum[name] += line[name];
    for (const [state, count] of Object.entries(line.counts)) {
      counts[state as State] = (counts[state as State] ?? 0) + count;
    }
    sent.addAll(line.sent);
  }
  return { id: '', ...sum, file: '', state: 'admitted', counts, sent: sent.amounts(), faults: [] };
}
