/**
 * What opening, accepting, deciding in and moving a ledger need of the database engine that keeps it. The steps themselves
 * are the same for SQLite (sqlite-engine.ts) and PostgreSQL (postgres/postgres-engine.ts).
 */

import type { Driver } from '../../database/database-driver.ts';
import type { Message } from '../../i18n/message.ts';
import type { OperatorError } from '../../model/fault.ts';
import type { NewWorker } from '../contract/worker-store.ts';
import type { HolderWork } from '../installation/lock-holder.ts';
import type { EngineName } from '../installation/move-marks.ts';
import type { LedgerFacts } from '../installation/send-guard.ts';
import type { Membership } from '../workers/join-ledger.ts';

/** What the driver of the one writer needs besides its database. */
export type WriterPlace = {
  readonly facts: LedgerFacts;
  readonly unlock: Unlock;
  /** The name of this start of a program. */
  readonly start: string;
  /** Throws the OperatorError of the guard if this is no longer the latest ledger (server-claim.ts). */
  readonly lookAgain: (driver: Driver) => Promise<void>;
  /** Gets the milliseconds until a commit is durable, from the sending of its end. */
  readonly onCommit?: ((ms: number) => void) | undefined;
};

export type JoiningWorker = {
  readonly worker: NewWorker;
  readonly meta: { readonly [key: string]: string };
  readonly now: () => Date;
};

export type WorkerDriver = { readonly driver: Driver; readonly membership: Membership };

export type Unlock = () => void | Promise<void>;

/** A ledger that is changed before, or without, a run. Its commits are durable, but nothing counts them: the works do. */
export type LedgerEdit = Driver & {
  /** Upgrades the schema from this version, all or nothing. */
  readonly migrate: (from: number) => Promise<void>;
  /** The error of an index of identities that does not find what it should; undefined if it does. */
  readonly findDamage: () => Promise<OperatorError | undefined>;
  /** The commit with which a writer starts; `generation` is the count that it writes. */
  readonly start: (generation: number, body: Parameters<Driver['write']>[0]) => Promise<void>;
  /** The driver of the one writer, in place of this one; it counts its commits in the ledger and in the witnesses. */
  readonly writer: (place: WriterPlace) => Promise<Driver>;
  /**
   * In place of `start` and `writer`, on a server where several work: makes the program a worker. `meta`: the values that a
   * writer records at its start. Throws LockedError.
   */
  readonly join?: (place: WriterPlace, worker: JoiningWorker) => Promise<WorkerDriver>;
};

export type LedgerEngine = {
  readonly name: EngineName;
  /** The file, or the database with its schema, as people see it. */
  readonly shownPlace: string;
  /** Refuses a folder, or a server, on which a ledger is not safe. */
  readonly refusePlace: () => void;
  /** Throws LockedError. The lock ends with the process, too. `onWait`: what it waits for, where it does. */
  readonly lock: (work: HolderWork, now: Date, onWait?: (says: Message) => void) => Promise<Unlock>;
  /** Whether another program holds the lock. */
  readonly isBusy: () => Promise<boolean>;
  readonly exists: () => Promise<boolean>;
  /** A new, empty ledger with its schema. Throws if there is one. */
  readonly create: () => Promise<LedgerEdit>;
  /** To read; its `write` fails. `checked`: what can be damaged was checked a moment ago. */
  readonly look: (options?: { readonly checked?: boolean }) => Promise<Driver>;
  /** `clock`: that of this machine, for a work that dates what it makes: refused where the engine has another one far from it. */
  readonly edit: (clock?: Date) => Promise<LedgerEdit>;
  /** Where the ledger is, as a fingerprint that a copy does not share. */
  readonly findPlace: () => Promise<string>;
  readonly readStamps: (meta: ReadonlyMap<string, string>) => LedgerFacts['stamp'];
  /** Makes a file of SQLite with everything that the ledger has now, also while another program writes. */
  readonly copyInto: (file: string) => Promise<void>;
  /**
   * The ledger that was made in this file of SQLite, and is closed, becomes the ledger; the present one is kept. Resolves to
   * where it is kept, if there was one.
   */
  readonly replaceBy: (made: string, at: Date) => Promise<string | undefined>;
  /** What a check of everything that is stored finds. */
  readonly findProblems: () => Promise<readonly Message[]>;
  /** Removes what rows had before they were changed or deleted, for the holder of the lock. */
  readonly eraseFreed: () => Promise<void>;
  /** The error that a person can act on. */
  readonly toError: (error: unknown) => unknown;
};
