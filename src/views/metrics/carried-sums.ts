/**
 * The sums that are carried from run to run in state/metrics.json, so that counters never go back. A file that is missing or
 * damaged is begun again; nothing throws. `runs/run-meters.ts` writes them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Distribution, type LedgerSums, ledgerSumsShape, NO_SUMS, noValues } from '../../search/ledger-sums.ts';
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
    return carriedShape.parse(JSON.parse(readFileSync(carriedSumsFile(instance), 'utf8')));
  } catch {
    return NOTHING;
  }
}

export function carriedSumsFile(instance: string): string {
  return join(instance, 'state', 'metrics.json');
}
