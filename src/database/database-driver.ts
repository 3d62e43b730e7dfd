/**
 * The interface to a database engine: statements with `?` in one serializable transaction, and no more. A work may run a
 * second time from its start (after a lost commit that was rolled back), so it changes nothing but the database and its
 * result. Errors of the engine reject the promise of the work.
 */

/** A value of a column, as SQLite stores it: numbers are integers or doubles. */
export type DatabaseValue = string | number | null;
/** One row of a query, by column name. */
export type DatabaseRow = { readonly [column: string]: DatabaseValue };
type Soon<T> = T | Promise<T>;

/** The statements of one transaction, valid until its work ends. */
export type Statements = {
  /** Rows of a query, or of a statement with RETURNING. */
  readonly all: (sql: string, ...values: DatabaseValue[]) => Soon<readonly DatabaseRow[]>;
  /** How many rows were changed. */
  readonly run: (sql: string, ...values: DatabaseValue[]) => Soon<number>;
  /**
   * Runs at the end of the commit, once for all works with the same statement and values; no work sees its changes.
   */
  readonly atEnd: (sql: string, ...values: DatabaseValue[]) => void;
};

/** One work. If it throws, everything it changed is undone. */
export type TransactionBody<T> = (sql: Statements) => Promise<T>;

/**
 * The work and others that meet it under other names are right in any order of their statements, so an engine that is far away
 * may run them at the same time. Those of one name, and works that are not apart, never are.
 */
export type Apart = {
  readonly name: string;
  /**
   * The work asks all of its statements, those at the end of the commit too, before it awaits an answer: an engine may commit with
   * them. What the work finds in the answers comes too late to undo anything.
   */
  readonly isAtOnce?: boolean;
};

/** Words in which engines differ. */
export type SqlDialect = {
  /** The time of the database in epoch milliseconds, also within a transaction that began earlier. */
  readonly nowMs: string;
  /** The SHA-256 of a text in lower hexadecimal digits, where the engine calculates it. */
  readonly sha256?: (text: string) => string;
};

export const SQLITE: SqlDialect = { nowMs: "CAST(unixepoch('subsec') * 1000 AS INTEGER)" };

/** An open database with one writer. */
export type Driver = {
  /** Sees what is committed, never part of a transaction. */
  readonly read: <T>(body: TransactionBody<T>) => Promise<T>;
  /**
   * Resolves once durable. Several works may share a commit; one that throws is undone alone. A work may run a second
   * time from its start (another one failed, the disk was full), so it changes nothing but the database. After the disk
   * was full, only works with `ends` are accepted: they end what is under way, in the room that is reserved for them. One with
   * `first` goes before all that wait.
   */
  readonly write: <T>(body: TransactionBody<T>, order?: 'ends' | 'first', apart?: Apart) => Promise<T>;
  readonly close: () => Promise<void>;
  /** That of SQLite by default. */
  readonly dialect?: SqlDialect;
};
