/** One table of exit codes; no flag changes it. Several apply: 4, then 5, 7, 3. */
import { OperatorError } from '../../model/fault.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { SIGNAL_EXITS, type StopSignal } from './stop-signals.ts';

export const EXITS = {
  0: 'done; also "nothing to do" and documents in contingency',
  1: 'internal error (a bug)',
  2: 'usage, configuration or mapping error; nothing was sent',
  3: 'finished, documents need people',
  4: 'credentials refused; stopped, the rest stays queued',
  5: 'service unreachable, error limit hit, one cause for many rejections, disk or system refused (rights, room, open files), or a foreign file in the way; stopped, the rest stays queued or held',
  6: 'another run holds the lock',
  7: 'an expected export did not arrive',
  129: 'the terminal was closed (SIGHUP; on Windows the console, or Ctrl+Break); requests in flight drained, safe to run again',
  130: 'interrupted (Ctrl+C); requests in flight drained, safe to run again',
  143: 'asked to end (SIGTERM); requests in flight drained, safe to run again',
} as const;

export type ExitCode = keyof typeof EXITS;

export type Ending = {
  readonly stops: readonly { readonly cause: string }[];
  /** Documents or files that wait for a person: of this run, and of runs before it that told nobody. */
  readonly needPeople: number;
  /** Exports that should have arrived and did not. */
  readonly missing?: number;
  /** Exports that stay in the inbox because the system refused: no right to write, no room, no more open files. */
  readonly notTaken?: number;
  readonly signal?: StopSignal;
};

export function exitCodeOf({ stops, needPeople, missing = 0, notTaken = 0, signal }: Ending): ExitCode {
  if (signal) return SIGNAL_EXITS[signal];
  const causes = new Set(stops.map(({ cause }) => cause));
  if (causes.has('credentials')) return 4;
  if (['unreachable', 'paused', 'foreign-echo', 'errors', 'same-cause'].some((cause) => causes.has(cause))) return 5;
  if (notTaken > 0 && !causes.has('no-send')) return 5;
  // A ledger that may not send, or a class whose path is not configured: a person has to mend the set-up.
  if (causes.has('no-send')) return 2;
  if (missing > 0) return 7;
  return needPeople > 0 || causes.has('not-configured') ? 3 : 0;
}

/** The disk gave way, or something foreign lay there, in the middle of the work: documents may have gone out, so this is no 2. */
const DISK =
  /^(receipts|ledger)\/(disk-full|write-failed|read-only|no-access|too-many-open|in-the-way|device-error)$|^system\//;

export function exitCodeOfError(error: unknown): ExitCode {
  if (error instanceof LedgerUnavailable) return 5;
  if (!(error instanceof OperatorError)) return 1;
  if (DISK.test(error.code)) return 5;
  return error.code === 'ledger/locked' ? 6 : 2;
}
