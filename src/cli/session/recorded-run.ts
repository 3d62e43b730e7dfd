/**
 * Runs a night or a watch and leaves its record in the ledger and two lines in the log, however it ends. In no-send mode
 * nothing is written to a ledger, so that only the log has it. The error of the body is thrown on, unchanged.
 */
import { hostname } from 'node:os';
import type { Instance } from '../../instance/instance.ts';
import { settingsOfRun } from '../../instance/settings-of-run.ts';
import type { RunEnd, RunKind, RunTotals } from '../../ledger/contract/run-record.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { PROGRAM_BUILD } from '../../model/program.ts';
import { beginNotices, reportStartFailure } from '../../notices/run-notices.ts';
import type { RunContext } from '../../pipeline/context/run-context.ts';
import type { NightReport } from '../../views/reporting/report-shape.ts';
import { runResult } from '../../views/wording/run-lines.ts';
import { exitCodeOfError, firstError } from './exit-codes.ts';
import type { Log } from './log-file.ts';
import { exitOfPrinted } from './lost-output.ts';

type Recording = {
  readonly kind: RunKind;
  readonly log: Log;
  /** Whether a signal requested the end. */
  readonly isStopped: () => boolean;
};

/** The exit code of the body, and what it did if that could be counted; `failure`: why it ended with 4 or 5. */
type RunResult = {
  readonly exit: number;
  readonly totals?: RunTotals;
  readonly failure?: string;
  readonly report?: NightReport;
};

/** Returns the exit code of `body`. Notices are sent after everything else, and change nothing of it. */
export async function recordedRun(
  context: RunContext,
  { kind, log, isStopped }: Recording,
  body: () => Promise<RunResult>,
): Promise<number> {
  const { ledger, clock, run: id, instance } = context;
  const maySend = ledger.guard.send;
  const startedAt = context.startedAt.toISOString();
  const start = { id, kind, startedAt, version: PROGRAM_BUILD, host: hostname(), pid: process.pid };
  log({ what: 'run-started', kind, version: PROGRAM_BUILD }, id);
  const now = () => clock.now();
  const notices = beginNotices({ instance, ledger, run: id, kind, now, emit: (event) => log(event, id) });
  const end = async (ending: RunEnd & { readonly exit: number }, { failure, report }: Partial<RunResult> = {}) => {
    const about = definedOnly({ run: id, exit: ending.exit, error: ending.error ?? failure });
    const facts = { result: runResult({ ...start, ...ending }), ...(report && { report }) };
    if (maySend) await ledger.runs.endRun(id, ending, await notices.compose(about, facts));
    log(definedOnly({ what: 'run-ended' as const, ...ending }), id);
    return () => notices.send(about, facts, maySend);
  };
  const endedAt = () => clock.now().toISOString();
  try {
    if (maySend) await ledger.runs.beginRun(start, settingsOfRun(instance.config));
    const result = await body();
    const { totals } = result;
    const exit = await exitOfPrinted(result.exit);
    const outcome = isStopped() ? 'stopped' : 'completed';
    const send = await end(definedOnly({ outcome, endedAt: endedAt(), exit, totals } satisfies Loose), result);
    await send();
    return exit;
  } catch (error) {
    const code = codeOfError(error);
    if (typeof error === 'object' && error !== null) reported.add(error);
    const exit = exitCodeOfError(error);
    const failed = { outcome: 'failed', endedAt: endedAt(), exit, error: code } as const;
    // A disk or ledger that failed cannot take the record either; the next run then marks it as died.
    const unrecorded = { run: id, exit, error: code };
    const send = await end(failed).catch(() => () => notices.send(unrecorded, {}, false));
    await send();
    throw error;
  }
}

type Loose = { readonly [key in keyof RunEnd]: RunEnd[key] | undefined } & { readonly exit: number };

/** A run that fails before it has a record reports that too. Another process at work is no failure. The first error is thrown on. */
export async function withStartNotices(instance: Instance, kind: RunKind, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (thrown) {
    const error = firstError(thrown);
    const exit = exitCodeOfError(error);
    const isReported = exit === ANOTHER_AT_WORK || reported.has(error as object);
    if (!isReported) await reportStartFailure(instance, { exit, error: codeOfError(error) }, kind);
    throw error;
  }
}

/** The exit code of a run that another one keeps from working. */
const ANOTHER_AT_WORK = 6;
/** Errors whose run has reported them. */
const reported = new WeakSet<object>();

function codeOfError(error: unknown): string {
  return error instanceof OperatorError || error instanceof LedgerUnavailable ? error.code : 'internal-error';
}
