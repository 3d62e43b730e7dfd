/** One table of exit codes; no flag changes it. Several apply: 4, then 5, 7, 3. */
import { OperatorError } from '../../model/fault.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { SIGNAL_EXITS, type StopSignal } from './stop-signals.ts';

/** Their texts are `exit-code` in locales/<language>/cli-commands.yaml. */
export const EXIT_CODES = [0, 1, 2, 3, 4, 5, 6, 7, 129, 130, 143] as const;

export type ExitCode = (typeof EXIT_CODES)[number];

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

export function exitCodeOf({ stops, needPeople, missing = 0, notTaken = 0, signal }: Ending): ExitCode {
  if (signal) return SIGNAL_EXITS[signal];
  const causes = new Set(stops.map(({ cause }) => cause));
  if (causes.has('credentials')) return 4;
  if (['unreachable', 'paused', 'foreign-echo', 'errors', 'same-cause'].some((cause) => causes.has(cause))) return 5;
  if (notTaken > 0 && !causes.has('no-send')) return 5;
  // A ledger that may not send, or a class whose path is not configured: a person has to correct the settings.
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
