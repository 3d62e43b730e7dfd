/** The records of runs as people ask for them: a run without an end works now, or it died. Reads only. */

import { z } from 'zod';
import { ledgerSiteOf, type SiteOwner } from '../../instance/ledger-site-of.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import { isLedgerBusy } from '../../ledger/ledger-health.ts';
import type { Exact } from '../../model/defined-only.ts';
import { stateShape } from './document-summary.ts';

const text = z.string();
const count = z.int().nonnegative();
const time = text.describe('ISO 8601, UTC');

/** What a run did, as its record in the ledger has it. */
const totals = z.strictObject({
  files: count,
  filesRefused: count,
  exportsMissing: count,
  documents: z.partialRecord(stateShape, count),
  authorized: z.record(text, text).describe('exact sums by currency'),
  queued: count,
  waiting: count,
});

/** A record with what became of its run: `running` while it works. */
export const runShape = z.strictObject({
  id: text,
  kind: z.enum(['run', 'watch']),
  startedAt: time,
  version: text,
  host: text,
  pid: z.int(),
  outcome: z.enum(['completed', 'stopped', 'failed', 'died', 'running']),
  endedAt: time.optional(),
  exit: z.int().optional(),
  error: text.optional(),
  totals: totals.optional(),
});
export type RecordedRun = Exact<z.infer<typeof runShape>>;

type Place = { readonly instance: SiteOwner; readonly ledger: Pick<Ledger, 'runs'> };

/**
 * The latest first, at most `limit`; `from`: this run and those before it. Not for a process that holds the lock of the
 * instance itself.
 */
export async function recordedRuns(
  { instance, ledger }: Place,
  limit: number,
  from?: string,
): Promise<readonly RecordedRun[]> {
  const records = await ledger.runs.list(limit, from);
  // A run that begins marks the open ones before it as died. It need not be the latest: the clock of another may have been ahead.
  const isOpen = records.some(({ outcome }) => outcome === undefined);
  const works = isOpen && (await isLedgerBusy(ledgerSiteOf(instance)));
  return records.map((record) => ({ ...record, outcome: record.outcome ?? (works ? 'running' : 'died') }));
}

/** A begin that is so much later than now was recorded by another clock. */
const AHEAD_MS = 60_000;
/** Runs among which the last one by the clock of now is looked for. */
const LOOKED_AT = 50;

/** Whether its clock was ahead of that of now. */
export function isAhead({ startedAt }: Pick<RecordedRun, 'startedAt'>, now: Date): boolean {
  return Date.parse(startedAt) - now.getTime() > AHEAD_MS;
}

/** `last` by the clock of now. `ahead`: the latest, where its clock was ahead of that; the last one too where all were. */
export async function lastRunOf(
  place: Place,
  now: Date,
): Promise<{ readonly last?: RecordedRun; readonly ahead?: RecordedRun }> {
  const [latest] = await recordedRuns(place, 1);
  if (!latest || !isAhead(latest, now)) return latest ? { last: latest } : {};
  const runs = await recordedRuns(place, LOOKED_AT);
  return { last: runs.find((one) => !isAhead(one, now)) ?? latest, ahead: latest };
}
