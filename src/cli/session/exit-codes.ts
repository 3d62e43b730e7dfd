/**
 * The only table of exit codes; no flag changes them. A result or an error comes in, a code comes out. If several
 * apply, the order is: signal, 4, 5, 2, 7, 3.
 */
import { OperatorError } from '../../model/fault.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { SIGNAL_EXITS, type StopSignal } from './stop-signals.ts';

/** Their texts are `exit-code` in locales/<language>/cli-commands.yaml. */
export const EXIT_CODES = [0, 1, 2, 3, 4, 5, 6, 7, 129, 130, 143] as const;

/** Schedulers rely on these numbers: none ever changes its meaning. */
export type ExitCode = (typeof EXIT_CODES)[number];

/** The result of a run or a consultation, as far as it decides the exit code. */
export type Ending = {
  readonly stops: readonly { readonly cause: string }[];
  /** Documents or files that wait for a person: of this run, and of interrupted runs before it. */
  readonly needPeople: number;
  /** Exports that should have arrived and did not. */
  readonly missing?: number;
  /** Exports that stay in the inbox because the system refused: no right to write, no room, no more open files. */
  readonly notTaken?: number;
  readonly signal?: StopSignal;
};

/**
 * 4: credentials; 5: a service stopped or the system refused; 2: the ledger may not send; 7: an export is missing; 3: a
 * person has to act; 0: none of these.
 */
export function exitCodeOf({ stops, needPeople, missing = 0, notTaken = 0, signal }: Ending): ExitCode {
  if (signal) return SIGNAL_EXITS[signal];
  const causes = new Set(stops.map(({ cause }) => cause));
  if (causes.has('credentials')) return 4;
  if (['unreachable', 'paused', 'foreign-echo', 'errors', 'same-cause'].some((cause) => causes.has(cause))) return 5;
  if (notTaken > 0 && !causes.has('no-send')) return 5;
  // A ledger in no-send mode: a person has to decide about it.
  if (causes.has('no-send')) return 2;
  if (missing > 0) return 7;
  return needPeople > 0 || causes.has('not-configured') ? 3 : 0;
}

/** The code of a command that has found something to report, else 0. */
export function exitCodeIf(isFound: boolean, code: ExitCode): ExitCode {
  return isFound ? code : 0;
}

/**
 * The disk failed, the inbox is away, the server of the ledger is away or (for now) not the primary, or a foreign file blocked a write, during the
 * work: documents may have been sent, and the same command may succeed later, so the code is not 2.
 */
const DISK =
  /^(receipts|ledger)\/(disk-full|write-failed|lease-lost|postgres-(?:unreachable|replica)|clock-apart|other-folder|read-only|no-access|too-many-open|in-the-way|device-error)$|^inbox\/folder-not-readable$|^system\//;

/**
 * 1: a bug; 5: a failure of disk or ledger; 6: another process has the lock of the ledger; 2: any other OperatorError.
 */
export function exitCodeOfError(error: unknown): ExitCode {
  if (error instanceof LedgerUnavailable) return 5;
  if (!(error instanceof OperatorError)) return 1;
  if (DISK.test(error.code)) return 5;
  return error.code === 'ledger/locked' ? 6 : 2;
}

/** Of errors that followed each other while things were closed: the first, which is why they were closed. Any other error is itself. */
export function firstError(error: unknown): unknown {
  let first = error;
  while (first instanceof SuppressedError) first = first.suppressed;
  return first;
}
