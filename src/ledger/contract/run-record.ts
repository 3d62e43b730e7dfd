/** The record that a run leaves in the ledger: when, how it ended, and what it did. Times are ISO 8601 in UTC. */
import type { State } from '../../model/state.ts';

/** `run`: one night; `watch`: from its start to its signal. */
export type RunKind = 'run' | 'watch';

/**
 * `stopped`: a signal requested the end; `failed`: an error ended it, its code is in `error`; `died`: it recorded no end,
 * which the next run found.
 */
export type RunOutcome = 'completed' | 'stopped' | 'failed' | 'died';

/** What a run did. Amounts are exact decimals by currency, as in its report: credit notes subtract. */
export type RunTotals = {
  /** Exports that it took in. */
  readonly files: number;
  readonly filesRefused: number;
  readonly exportsMissing: number;
  /** Documents of these files by their state at the end of the run. */
  readonly documents: { readonly [state in State]?: number };
  readonly authorized: { readonly [currency: string]: string };
  /** Documents of any run that were queued, or waited for a person, at the end. */
  readonly queued: number;
  readonly waiting: number;
};

/** Settings that decide what is made of an export and where it is sent: dotted path -> value as text, without secrets. */
export type RunSettings = { readonly [path: string]: string };

/** How a run began. */
export type RunStart = {
  /** Its name in receipts and folders: 20261120-0130-7f3a. */
  readonly id: string;
  readonly kind: RunKind;
  readonly startedAt: string;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
};

/** How a run ended. `exit` is its exit code; the end of one that died is unknown. */
export type RunEnd = {
  readonly outcome: RunOutcome;
  readonly endedAt?: string;
  readonly exit?: number;
  /** Code of the error of a failed run. */
  readonly error?: string;
  readonly totals?: RunTotals;
};

/** Without `outcome` it works now, or died and no run has begun since. */
export type RunRecord = RunStart & Partial<RunEnd>;
