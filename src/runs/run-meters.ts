/**
 * What only a process at work can count: commits and tokens. The holder of the lock alone keeps its counts, with the sums of the
 * ledger, for the next run. No method throws, but `save` for an error of the disk.
 */
import { writeDurable } from '../files/write-durable.ts';
import { type CarriedSums, carriedSumsFile, readCarriedSums } from '../views/metrics/carried-sums.ts';
import { COMMIT_BUCKETS } from '../views/metrics/metric-list.ts';

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
      await writeDurable(carriedSumsFile(instance), JSON.stringify({ version: 1, ...sums() }));
    },
  };
}
