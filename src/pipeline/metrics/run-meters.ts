/**
 * What only a process at work can count: commits and tokens. Its counts, and the sums of the ledger, are carried from run
 * to run in state/metrics.json, so that counters never go back; the holder of the lock alone writes it. A file that is
 * missing or damaged is begun again. No method throws, but `save` for an error of the disk.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurable } from '../../files/write-durable.ts';
import {
  type Distribution,
  type LedgerSums,
  ledgerSumsShape,
  NO_SUMS,
  noValues,
} from '../../ledger/search/ledger-sums.ts';
import { COMMIT_BUCKETS } from './metric-list.ts';
import { NO_ROWS, type RowTally, rowTallyShape } from './row-tally.ts';

const count = z.int().min(0);
const carriedShape = z.strictObject({
  version: z.literal(1),
  ledger: ledgerSumsShape,
  rows: rowTallyShape.default(NO_ROWS),
  tokens: z.record(z.string(), count),
  commits: z.strictObject({ buckets: z.array(count).length(COMMIT_BUCKETS.length), sum: z.number(), count }),
});

/** The sums of all runs so far. `tokens`: issued, by service; `commits`: seconds. */
export type CarriedSums = {
  readonly ledger: LedgerSums;
  readonly rows: RowTally;
  readonly tokens: { readonly [service: string]: number };
  readonly commits: Distribution;
};

const NOTHING: CarriedSums = { ledger: NO_SUMS, rows: NO_ROWS, tokens: {}, commits: noValues(COMMIT_BUCKETS) };

export function readCarriedSums(instance: string): CarriedSums {
  try {
    return carriedShape.parse(JSON.parse(readFileSync(fileIn(instance), 'utf8')));
  } catch {
    return NOTHING;
  }
}

function fileIn(instance: string): string {
  return join(instance, 'state', 'metrics.json');
}

/** Counts of this process. */
export type RunMeters = {
  /** A commit became durable, after so many milliseconds. */
  readonly onCommit: (ms: number) => void;
  readonly onToken: (service: string) => void;
  /** Of all runs, this one included. */
  readonly sums: () => CarriedSums;
  /** Keeps the sums, with those of the ledger and of rows, for later runs. */
  readonly save: (counted: Pick<CarriedSums, 'ledger' | 'rows'>) => Promise<void>;
};

export function openRunMeters(instance: string): RunMeters {
  const before = readCarriedSums(instance);
  const tokens = new Map(Object.entries(before.tokens));
  const commits = { ...before.commits };
  let { ledger, rows } = before;
  const sums = (): CarriedSums => ({ ledger, rows, tokens: Object.fromEntries(tokens), commits });
  return {
    onCommit: (ms) => {
      commits.count++;
      commits.sum += ms / 1000;
      commits.buckets = commits.buckets.map((value, n) => (ms <= (COMMIT_BUCKETS[n] ?? 0) * 1000 ? value + 1 : value));
    },
    onToken: (service) => void tokens.set(service, (tokens.get(service) ?? 0) + 1),
    sums,
    save: async (counted) => {
      ({ ledger, rows } = counted);
      await writeDurable(fileIn(instance), JSON.stringify({ version: 1, ...sums() }));
    },
  };
}
