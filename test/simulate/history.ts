/** What happened in a life, for the judge. */
import type { Notice } from './receivers.ts';
import type { Service } from './service.ts';

/** `code` is undefined where the program was stopped. */
export type Ended = { readonly code: number | undefined; readonly out: string; readonly err: string };

/** The exit code of a program that SIGTERM has ended. */
export const ENDED_BY_SIGNAL = 143;

/** What a person decided about a number, from `at` to `until`. `isSure`: its command ended, and was not stopped. */
export type Decided = {
  readonly act: string;
  readonly number: string;
  readonly at: number;
  readonly until?: number;
  readonly as?: string;
  readonly isSure?: boolean;
};

/** What must have changed nothing; undefined where something else was at work. */
export type Refusal = {
  readonly says: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** An export as it was when a run began. */
export type Export = { readonly name: string; readonly text: string };

/** As it was put into the inbox. */
export type Dropped = Export & { readonly at: number };

/** One run: what it took from the inbox, and what happened before and during it. */
export type Ran = {
  readonly from: number;
  readonly to: number;
  /** On the clock, in milliseconds. */
  readonly hours: { readonly from: number; readonly to: number };
  readonly taken: readonly Export[];
  readonly ended: Ended;
  /** Its report as it was written; undefined where it was stopped before. */
  readonly report: object | undefined;
  /** Receivers of notices that took them during the run. */
  readonly up: readonly string[];
};

/** Everything that happened, for the judge. */
export type History = {
  readonly root: string;
  readonly service: Service;
  readonly decisions: Decided[];
  /** Acts that the console refused, or was asked for twice. */
  readonly refusals: Refusal[];
  readonly runs: Ran[];
  /** Whole exports and correction files that were put into the inbox. */
  readonly dropped: Dropped[];
  /** When a command was stopped. */
  readonly stops: number[];
  /** When half an export was put into the inbox. */
  readonly halves: number[];
  /** When the clock was set. */
  readonly jumps: number[];
  /** Writes of the command that was typed last. */
  lastWrites: number;
  /** Commands that ended with an error of the program, or hung. */
  readonly broken: string[];
  /** When a ledger was first replaced or accepted; 0: never. Of the states before, the judge knows nothing from then on. */
  recovered: number;
  /** A purge may have removed what earlier exports left. */
  purged: number;
  /** What was put into the inbox to be sent with documents. */
  readonly attached: Dropped[];
  /** The receivers that hear of each run; the others only where something is new. */
  readonly always: ReadonlySet<string>;
  /** What the receivers of notices got. */
  readonly notices: readonly Notice[];
};
