/** The proof of a morning report: what a person can check about ledger, copies, disk and clock. Reads only; nothing throws. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunContext } from '../../pipeline/context/run-context.ts';
import { diskOf } from '../queries/instance-health.ts';
import { latestCopy } from '../queries/latest-copy.ts';
import type { NightTally } from './night-tally.ts';
import type { NightReport } from './report-shape.ts';

/** `lastAt`: the latest instant that the ledger has of an earlier report, ISO 8601. */
type Measured = {
  readonly tally: NightTally;
  readonly seconds: number;
  readonly now: string;
  readonly lastAt?: string;
};

export async function nightProof(
  { ledger, instance }: Pick<RunContext, 'ledger' | 'instance'>,
  { tally, seconds, now, lastAt }: Measured,
): Promise<NightReport['proof']> {
  const { guard } = ledger;
  const authorized = tally.files.reduce((sum, { counts }) => sum + (counts.authorized ?? 0), 0);
  return {
    ...tally.rows,
    guard: guard.send ? { send: true } : { send: false, code: guard.code },
    quarantine: (await ledger.intake.quarantine()) !== undefined,
    backupAt: latestCopy(namesIn(join(instance.folder, 'backups')), new Date(now))?.toISOString() ?? null,
    disk: diskOf(instance.paths.state) ?? null,
    clockBefore: lastAt !== undefined && lastAt > now ? lastAt : null,
    longestAnswerMs: tally.longestAnswerMs === undefined ? null : Math.round(tally.longestAnswerMs),
    documentsPerSecond: authorized > 0 && seconds > 0 ? Math.round((authorized / seconds) * 10) / 10 : null,
  };
}

/** None of a folder that is missing or cannot be read: `doctor` reports that. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
