/**
 * What is measured against what: runs that take turns within a round, and the figures read off their medians.
 *
 * A ratio is taken round by round, between neighbors in time, and the median of the ratios is shown.
 */
import type { FormatName } from './exports/exports.ts';
import type { Quality } from './exports/format.ts';
import type { Result } from './result.ts';

export type Run = {
  /** Its name in cases.ts, or `python` for the script that makes the same documents. */
  readonly case: string;
  /** Documents. */
  readonly size: number;
  readonly format?: FormatName;
  readonly quality?: Quality;
  /** Documents of a file, all of them where it is absent. */
  readonly perFile?: number;
  /** Documents of the export, if it has more than are measured. */
  readonly queue?: number;
  readonly latencyMs?: number;
  /** Another checkout, whose sources run. */
  readonly root?: string;
};

export type Figure = {
  readonly says: string;
  readonly unit: string;
  /** From the results of one round, by the name of their run. */
  readonly of: (round: Round) => number | undefined;
  readonly goal?: { readonly atLeast?: number; readonly atMost?: number };
};

export type Round = { readonly [run: string]: Result | undefined };

export type Group = {
  readonly name: string;
  readonly title: string;
  readonly rounds: number;
  /** How the figures come from the rounds, in place of their number. */
  readonly how?: string;
  readonly runs: { readonly [run: string]: Run };
  /** Every other round takes the runs from the last to the first. */
  readonly isSwapped?: boolean;
  /** The figures are of the least times of each run: what else a machine does only adds to them. */
  readonly isLeast?: boolean;
  readonly figures: readonly Figure[];
  /** Runs whose documents have to equal those of another one, compared after the first round. */
  readonly sameDocuments?: { readonly [run: string]: string };
};

/** Sizes of a group: those of the page, or those that show in seconds that it runs. */
export type Size = <T>(whole: T, quick: T) => T;
