/**
 * The part of the ledger for several programs that work on one ledger at the same time (PostgreSQL): which of them live, and
 * which role each of them has. A worker lives until its lease ends, on the clock of the database.
 */
import type { Statements } from '../../database/database-driver.ts';

/** The part of a lease in which a commit of many works ends: other workers wait for it, and so does the renewal of that lease. */
export const SHORT_COMMITS = 30;

/** SHA-256 (hex) of the settings, and of each mapping by its id: to name those that differ between two workers. */
export type WorkerSetup = { readonly settings: string; readonly mappings: { readonly [id: string]: string } };

/** A program as it registers. `startedAt` in ISO 8601 in UTC, on its own clock. */
export type NewWorker = {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** Only watches work next to each other; everything else needs to be alone. */
  readonly work: 'run' | 'watch' | 'act' | 'upkeep';
  /** Of the program. */
  readonly version: string;
  /** SHA-256 (hex) of settings and mappings: workers that differ would convert one export differently. */
  readonly settingsSha256: string;
  readonly startedAt: string;
  readonly setup?: WorkerSetup;
};

/** A worker as others see it. Milliseconds on the clock of the database. */
export type RecordedWorker = NewWorker & {
  /** How long its lease lasts, or how long ago it ended (negative). */
  readonly leftMs: number;
  /** Since when it is gone (epoch milliseconds); absent while it lives. */
  readonly goneMs?: number;
  /** It is gone because its lease ended: it was killed, or stands still and may go on at any time. */
  readonly lapsed?: true;
  readonly roles: readonly string[];
  /** How many files it has claimed that are not in the archive. */
  readonly files: number;
};

/** A file, by its id and name, with the id of the worker that reads it. */
export type WorkerFile = { readonly id: string; readonly name: string; readonly worker: string };

/** What only one worker does at a time: sending to a service, writing receipts, and so on. */
export type RoleName = `send ${string}` | 'receipts' | 'expected' | 'acts';

/** This process as a worker, for the statements of the ledger. */
export type OwnWorker = {
  readonly id: string;
  /** The SQL text for the time of the database in epoch milliseconds. */
  readonly nowMs: string;
  /** The fence of a role that it holds: it counts up each time a worker takes the role. */
  readonly fenceOf: (role: RoleName) => number | undefined;
  /** Throws `ledger/lease-lost` once its lease may have ended: others may have taken its work over. */
  readonly expectLease: () => void;
  /**
   * Throws `ledger/lease-lost` within a transaction once others have marked it as gone, and keeps them from it until the
   * transaction ends: what travelled slowly must not arrive after they looked.
   */
  readonly expectLiving: (sql: Statements) => Promise<void>;
  /** Throws `ledger/lease-lost` within a transaction if another worker may have the role. */
  readonly expectRole: (sql: Statements, role: RoleName) => Promise<void>;
};

/** Roles and leases of this process. Each method writes in a commit of its own. */
export type WorkerStore = {
  /** Of this worker. */
  readonly id: string;
  /** How long a lease lasts without being renewed, in milliseconds. */
  readonly leaseMs: number;
  /** Aborted with the error `ledger/lease-lost` as its reason, or `ledger/clock-apart`. */
  readonly lost: AbortSignal;
  /** Takes those of the roles that no living worker has. Resolves to all roles that it holds. */
  takeRoles(roles: readonly RoleName[]): Promise<readonly RoleName[]>;
  /** False for good once its lease may have ended, by either clock. */
  holds(role: RoleName): boolean;
  /**
   * Receipts and summaries that it wrote when its lease may have ended: they become due once more, for the worker that writes
   * them now. The one write that needs no lease.
   */
  giveUpWrites(what: { readonly entries: readonly string[]; readonly files: readonly string[] }): Promise<void>;
  /** Marks workers whose lease has ended as gone, and frees their roles. Resolves to those that went now. */
  sweep(): Promise<readonly RecordedWorker[]>;
  /** Milliseconds until the first lease of another worker ends if it is not renewed; Infinity without another one. */
  untilLapse(): Promise<number>;
  /** Makes the files of all workers that are gone this worker's own. Resolves to the worker of each, undefined for a run. */
  adoptFiles(): Promise<readonly (string | undefined)[]>;
};

/** For everyone who looks. */
export type WorkerQueries = {
  /** All workers that live, and those that are gone and left something, or went within the last day; oldest first. */
  list(): Promise<readonly RecordedWorker[]>;
  /** Files that a worker has claimed and that are not in the archive; the oldest first, at most `most`. */
  files(most: number): Promise<readonly WorkerFile[]>;
};
