/**
 * Runs a night or a watch and leaves its record in the ledger and two lines in the log, however it ends. In no-send mode
 * nothing is written to a ledger, so that only the log has it. The error of the body is thrown on, unchanged.
 */
import { hostname } from 'node:os';
import { settingsOfRun } from '../../instance/settings-of-run.ts';
import type { RunEnd, RunKind, RunTotals } from '../../ledger/contract/run-record.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { PROGRAM_VERSION } from '../../model/program.ts';
import type { RunContext } from '../../pipeline/context/run-context.ts';
import { exitCodeOfError } from './exit-codes.ts';
import type { Log } from './log-file.ts';

type Recording = {
  readonly kind: RunKind;
  readonly log: Log;
  /** Whether a signal requested the end. */
  readonly isStopped: () => boolean;
};

/** The exit code of the body, and what it did if that could be counted. */
type RunResult = { readonly exit: number; readonly totals?: RunTotals };

/** Returns the exit code of `body`. */
export async function recordedRun(
  work: RunContext,
  { kind, log, isStopped }: Recording,
  body: () => Promise<RunResult>,
): Promise<number> {
  const { ledger, clock, run: id } = work;
  const maySend = ledger.guard.send;
  const startedAt = work.startedAt.toISOString();
  log({ what: 'run-started', kind, version: PROGRAM_VERSION }, id);
  const end = async (ending: RunEnd) => {
    if (maySend) await ledger.endRun(id, ending);
    log(definedOnly({ what: 'run-ended' as const, ...ending }), id);
  };
  const endedAt = () => clock.now().toISOString();
  try {
    if (maySend) {
      const start = { id, kind, startedAt, version: PROGRAM_VERSION, host: hostname(), pid: process.pid };
      await ledger.beginRun(start, settingsOfRun(work.instance.config));
    }
    const { exit, totals } = await body();
    const outcome = isStopped() ? 'stopped' : 'completed';
    await end(definedOnly({ outcome, endedAt: endedAt(), exit, totals } satisfies Loose));
    return exit;
  } catch (error) {
    const code = error instanceof OperatorError || error instanceof LedgerUnavailable ? error.code : 'internal-error';
    const failed = { outcome: 'failed', endedAt: endedAt(), exit: exitCodeOfError(error), error: code } as const;
    // A disk or ledger that failed cannot take the record either; the next run then marks it as died.
    await end(failed).catch(() => undefined);
    throw error;
  }
}

type Loose = { readonly [key in keyof RunEnd]: RunEnd[key] | undefined };
