/** What a walk is, over the ledger or over the program, to those that draw, repeat and judge it. */
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import type { Clock } from '../../../src/pipeline/context/run-context.ts';
import type { Dossier, Seen } from './judge.ts';
import type { Step } from './step.ts';
import type { Task } from './task.ts';
import type { Program } from './walk-instance.ts';

/** A document of a walk, as people and the walk see it now. */
export type WalkDocument = {
  readonly number: string;
  readonly dossier: Dossier;
  /** Absent until its first export is admitted. */
  entry?: LedgerEntry;
  /** An export that does not count yet. */
  staged?: { readonly file: string; readonly program: Program };
  /** What each person saw at an earlier look. */
  readonly looks: Map<number, LedgerEntry>;
  /** The number of the document that was split from it; one of the walk once it counts. */
  part?: string;
  /** What the receipt says that a person has put into a folder of decisions. */
  moved?: Seen;
};

/** A walk over the ledger, or over the program. */
export type Walk = {
  readonly documents: readonly WalkDocument[];
  /** What stands still, or waits for the service. */
  readonly tasks: () => readonly Pick<Task, 'kind' | 'doc' | 'waits'>[];
  readonly complaints: readonly string[];
  /** False if it does not fit now. */
  readonly take: (step: Step) => Promise<boolean>;
  /** What is under way ends, the service answers well, the clock goes on until nothing is due; then the end is judged. */
  readonly finish: () => Promise<void>;
};

/** `pass` moves it, also back. */
export type WalkClock = Clock & { readonly pass: (ms: number) => void };
