/**
 * The lines of a night's table: one for each file; of very many files one for each that waits for a person or is not
 * read to its end, and one with the totals of all others.
 */
import { Decimal } from '../../model/decimal.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import type { State } from '../../model/state.ts';
import type { CorrectionTally } from '../../pipeline/reprocessing/correction-results.ts';

/** As many as a person reads. */
const MOST_LINES = 40;

export type Folded = {
  readonly each: readonly FileLine[];
  /** All others together. */
  readonly others?: { readonly files: number; readonly line: FileLine };
};

export function foldedLines(lines: readonly FileLine[], needsPerson: (line: FileLine) => boolean): Folded {
  if (lines.length <= MOST_LINES) return { each: lines };
  const isShown = (line: FileLine) => needsPerson(line) || line.state === 'loading';
  const others = lines.filter((line) => !isShown(line));
  if (others.length <= 1) return { each: lines };
  return { each: lines.filter(isShown), others: { files: others.length, line: together(others) } };
}

function together(lines: readonly FileLine[]): FileLine {
  const counts: { [state in State]?: number } = {};
  const sent = new Map<string, Decimal>();
  const sum = { documents: 0, rows: 0, warnings: 0, setAside: 0 };
  for (const line of lines) {
    for (const name of ['documents', 'rows', 'warnings', 'setAside'] as const) sum[name] += line[name];
    for (const [state, count] of Object.entries(line.counts)) {
      counts[state as State] = (counts[state as State] ?? 0) + count;
    }
    for (const [currency, amount] of Object.entries(line.sent)) {
      sent.set(currency, (sent.get(currency) ?? Decimal.zero).plus(must(Decimal.parse(amount), 'an exact amount')));
    }
  }
  const amounts = Object.fromEntries([...sent].map(([currency, amount]) => [currency, amount.toText(2)]));
  return { ...sum, file: '', state: 'admitted', counts, sent: amounts, faults: [] };
}

export type FileLine = {
  readonly file: string;
  readonly state: SourceFile['state'];
  readonly documents: number;
  readonly rows: number;
  /** Of a correction file: documents of other files that it speaks of. */
  readonly corrections?: CorrectionTally;
  readonly counts: { readonly [state in State]?: number };
  /** Of these, documents that passed the checks with warnings. */
  readonly warnings: number;
  /** Documents that a person has dismissed. */
  readonly setAside: number;
  /** Currency -> final amounts of authorized documents, exact. */
  readonly sent: { readonly [currency: string]: string };
  readonly faults: SourceFile['faults'];
};
