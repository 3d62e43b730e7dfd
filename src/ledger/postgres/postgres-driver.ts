/**
 * PostgreSQL as a Driver: works that arrive together share one SERIALIZABLE transaction, in which those that are apart do not
 * wait for each other; a work that fails is undone alone; a transaction that meets another one runs again. Reads have a
 * connection of their own; those that wait at the same time share a snapshot and its round trips.
 *
 * A COMMIT without a clear answer is unknown, never success: this driver then writes and reads nothing more.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { must } from '../../model/must.ts';
import { closeOnce } from '../database/close-once.ts';
import type {
  DatabaseRow,
  DatabaseValue,
  Driver,
  SqlDialect,
  Statements,
  TransactionBody,
} from '../database/database-driver.ts';
import { isConflict, isFatal, isUndone } from './postgres-codes.ts';
import { unavailable } from './postgres-errors.ts';
import type { PostgresSession } from './postgres-session.ts';
import { shiftsOf } from './work-shifts.ts';

/**
 * Of two transactions that meet, the server lets one through. One whose program stands still in the middle keeps others from it
 * until the server ends it, after half a lease (postgres-session.ts).
 */
const MOST_CONFLICT_MS = 20_000;
const MOST_WAIT_MS = 50;

export type PostgresDriverOptions = {
  /** One statement inside each commit, which no work sees or changes: the counter of commits. */
  readonly seal?: (sql: Statements) => Promise<number>;
  /** Runs once the commit with this count is durable, before its works resolve. */
  readonly committed?: (count: number) => void;
  /** The same for the rows that the statements at the end of the commit (`atEnd`) returned, if there are any. */
  readonly counted?: (rows: readonly DatabaseRow[]) => void;
  /** In place of 20 seconds: how long a commit meets other transactions until it fails. */
  readonly conflictMs?: number;
  /** Other workers write too: a commit that met one of them runs again with the ledger to itself, if it gets it in so many milliseconds. */
  readonly aloneWithinMs?: number;
  /** A commit begins no more works after so many milliseconds: those that are left are in the next one. */
  readonly mostMs?: number;
  /** Gets the milliseconds from the end of the works of a commit until it is durable. */
  readonly onCommit?: ((ms: number) => void) | undefined;
};

/** The connections of a driver, each used by it alone. */
export type PostgresSessions = { readonly writer: PostgresSession; readonly reader: PostgresSession };

type WaitingWork = {
  readonly work: TransactionBody<unknown>;
  readonly ends: boolean;
  readonly apart: string | undefined;
  readonly settle: (result: Result) => void;
};
type Result = { readonly value: unknown } | { readonly error: unknown };
type WaitingRead = Pick<WaitingWork, 'work' | 'settle'>;

/** Works that wait at the same time share one commit; each resolves only after that commit is durable. */
export function postgresDriver({ writer, reader }: PostgresSessions, options: PostgresDriverOptions = {}): Driver {
  let waiting: WaitingWork[] = [];
  let urgent: WaitingWork[] = [];
  let asked: WaitingRead[] = [];
  const connection: Connection = {
    session: writer,
    hasBegun: false,
    hasMore: () => waiting.length + urgent.length > 0,
  };
  let commits: Promise<unknown> = Promise.resolve();
  let reads: Promise<unknown> = Promise.resolve();
  // Whether a commit is stored is unknown: what is written or read from here on could rest on it.
  let broken: LedgerUnavailable | undefined;
  // The disk of the server was full: no new work begins, what is under way may still end.
  let full: LedgerUnavailable | undefined;

  const commitWaiting = async () => {
    const batch = [...urgent, ...waiting];
    if (batch.length === 0) return;
    [urgent, waiting] = [[], []];
    const done = broken ?? (await commit(connection, batch, options));
    if (done instanceof LedgerUnavailable && done.code === 'ledger/disk-full') await commitEnds(batch, done);
    else conclude(batch, done);
  };
  const commitEnds = async (batch: readonly WaitingWork[], why: LedgerUnavailable) => {
    full ??= why;
    const ends = batch.filter((one) => one.ends);
    for (const one of batch) if (!one.ends) one.settle({ error: why });
    if (ends.length > 0) conclude(ends, ends.length < batch.length ? await commit(connection, ends, options) : why);
  };
  const conclude = (batch: readonly WaitingWork[], done: readonly Result[] | LedgerUnavailable | CommitUnknown) => {
    if (done instanceof CommitUnknown) broken ??= unavailable(done);
    const failed = broken ?? (done instanceof LedgerUnavailable ? done : undefined);
    const count = failed ? batch.length : (done as readonly Result[]).length;
    if (count < batch.length) {
      waiting.unshift(...batch.slice(count));
      schedule();
    }
    for (const [index, one] of batch.slice(0, count).entries())
      one.settle(failed ? { error: failed } : must((done as readonly Result[])[index], 'the result of a work'));
  };
  const schedule = () =>
    void setImmediate(() => {
      commits = commits.then(commitWaiting);
    });
  const readAsked = async () => {
    const batch = asked;
    asked = [];
    await readTogether(reader, batch);
  };
  const close = closeOnce(async () => {
    while (waiting.length + urgent.length > 0) {
      commits = commits.then(commitWaiting);
      await commits;
    }
    await commits;
    await reads;
    await Promise.all([writer.end(), reader.end()]);
  });

  return {
    read: <T>(work: TransactionBody<T>) =>
      new Promise<T>((resolve, reject) => {
        // In this turn of the event loop: the end of the reads before leaves in the same packet.
        if (asked.length === 0) reads = reads.then(readAsked);
        const settle = (result: Result) => {
          if (broken) reject(broken);
          else if ('error' in result) reject(result.error);
          else resolve(result.value as T);
        };
        asked.push({ work, settle });
      }),
    write: <T>(work: TransactionBody<T>, order?: 'ends' | 'first', apart?: string) =>
      new Promise<T>((resolve, reject) => {
        if (full && order !== 'ends') return reject(full);
        if (waiting.length + urgent.length === 0) schedule();
        const settle = (result: Result) => ('error' in result ? reject(result.error) : resolve(result.value as T));
        (order === 'first' ? urgent : waiting).push({ work, ends: order === 'ends', apart, settle });
      }),
    close,
    dialect: POSTGRES,
  };
}

/** Not the time at which the transaction began, which is that of `now()`. */
export const NOW_MS = 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)';
const POSTGRES: SqlDialect = { nowMs: NOW_MS };

/** A commit may be stored, here or on a replica or in its witnesses, or not. */
class CommitUnknown extends Error {}

/**
 * All statements of these reads see the same moment. A transaction that only reads, and at this level, never has to run again;
 * but an error of the server ends it for all reads in it, so those that have failed then run alone.
 */
async function readTogether(reader: PostgresSession, batch: readonly WaitingRead[]): Promise<void> {
  if (batch.length === 0) return;
  const transaction = openTransaction(reader);
  const begun = reader.ask('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  begun.catch(() => undefined);
  const failed: (WaitingRead & { readonly error: unknown })[] = [];
  await Promise.all(
    batch.map(async (one) => {
      try {
        const value = await one.work(transaction.sql);
        // Not awaited before: what was found without it is thrown away.
        await begun;
        one.settle({ value });
      } catch (error) {
        failed.push({ ...one, error });
      }
    }),
  );
  // Not awaited: the next statement is answered after it.
  reader.ask('COMMIT').catch(() => undefined);
  const isShared = batch.length > 1 && transaction.failure !== undefined && !reader.isLost();
  for (const one of failed) {
    if (isShared) await readTogether(reader, [one]);
    else one.settle({ error: reader.isLost() || isFatal(one.error) ? unavailable(one.error) : one.error });
  }
}

type Deferred = Map<string, readonly [sql: string, ...values: DatabaseValue[]]>;

type Transaction = {
  readonly session: PostgresSession;
  readonly sql: Statements;
  readonly deferred: Deferred;
  /** The first error of the server: all later ones only report that the transaction has failed. */
  failure: { readonly error: unknown } | undefined;
  /** The works have ended: what one of them still asks would be part of the next transaction. */
  isOver: boolean;
  /** When the works began: no wait for other workers counts. */
  begunMs: number;
};

function openTransaction(session: PostgresSession): Transaction {
  const deferred: Deferred = new Map();
  const ask: PostgresSession['ask'] = async (text, ...values) => {
    if (transaction.isOver) throw new Error('the transaction of this work has ended');
    try {
      return await session.ask(text, ...values);
    } catch (error) {
      transaction.failure ??= { error };
      throw error;
    }
  };
  const sql: Statements = {
    all: async (text, ...values) => (await ask(text, ...values)).rows,
    run: async (text, ...values) => (await ask(text, ...values)).changed,
    atEnd: (...statement) => void deferred.set(statement.join('\n'), statement),
  };
  const begunMs = performance.now();
  const transaction: Transaction = { session, sql, deferred, failure: undefined, isOver: false, begunMs };
  return transaction;
}

type Connection = {
  readonly session: PostgresSession;
  /** Whether the next transaction began with the end of the last one. */
  hasBegun: boolean;
  readonly hasMore: () => boolean;
};

async function commit(
  connection: Connection,
  batch: readonly WaitingWork[],
  options: PostgresDriverOptions,
): Promise<readonly Result[] | LedgerUnavailable | CommitUnknown> {
  const { conflictMs = MOST_CONFLICT_MS } = options;
  const startedMs = performance.now();
  for (let [run, tries, isAlone] = [runTogether, 1, false]; ; tries++) {
    try {
      return await commitOnce(connection, batch, { run, isAlone }, options);
    } catch (error) {
      if (error instanceof CommitUnknown) return error;
      await rollBack(connection.session);
      // Every second time: another program may stand still with the lock that it takes.
      isAlone = !(error instanceof WorkFailed) && !isAlone;
      if (error instanceof WorkFailed) run = runOneByOne;
      else if (!isConflict(error) || performance.now() - startedMs > conflictMs) return unavailable(error);
    }
    // The other one has committed by then, or has lost to a third.
    await sleep(Math.min(tries - 1, MOST_WAIT_MS));
  }
}

async function commitOnce(
  connection: Connection,
  batch: readonly WaitingWork[],
  { run, isAlone }: { readonly run: typeof runTogether; readonly isAlone: boolean },
  { seal, committed, counted, onCommit, aloneWithinMs, mostMs = Number.POSITIVE_INFINITY }: PostgresDriverOptions,
): Promise<readonly Result[]> {
  const { session } = connection;
  if (!connection.hasBegun) await begin(session);
  connection.hasBegun = false;
  const transaction = openTransaction(session);
  if (aloneWithinMs !== undefined) await takeTurn(transaction, isAlone ? aloneWithinMs : undefined);
  const sealed = seal?.(transaction.sql);
  // Thrown below, or what the works throw comes first.
  sealed?.catch(() => undefined);
  const isLate = () => performance.now() - transaction.begunMs > mostMs;
  const results = await run(transaction, batch, isLate).finally(() => {
    transaction.isOver = true;
  });
  const startedMs = performance.now();
  const ended = [...transaction.deferred.values()].map((statement) => session.ask(...statement));
  // A failure of one of them turns the COMMIT into a ROLLBACK, also if that is on its way already.
  for (const one of ended) one.catch(() => undefined);
  const count = await sealed;
  const chain = connection.hasMore() || results.length < batch.length;
  const answer = await endTransaction(session, chain ? 'COMMIT AND CHAIN' : 'COMMIT');
  const rows = (await Promise.all(ended)).flatMap((one) => one.rows);
  if (answer !== 'COMMIT') throw new Error(`the server answered a COMMIT with ${answer}`);
  connection.hasBegun = chain;
  onCommit?.(performance.now() - startedMs);
  try {
    if (count !== undefined) committed?.(count);
    if (rows.length > 0) counted?.(rows);
  } catch (error) {
    throw new CommitUnknown((error as Error).message, { cause: error });
  }
  return results;
}

/** Alone on the wire: statements that were sent after a BEGIN which fails would each be a transaction of its own. */
async function begin(session: PostgresSession): Promise<void> {
  session.takeWarnings();
  await session.ask('BEGIN ISOLATION LEVEL SERIALIZABLE');
}

/**
 * The server undoes, of transactions that meet, the one that reads and changes more: a large commit would lose to the small ones of
 * other workers again and again. All of them pass one lock, which one that has lost takes for itself. No transaction sees the ledger before
 * it has the lock, so whoever waits for it loses nothing.
 */
async function takeTurn(transaction: Transaction, aloneWithinMs: number | undefined): Promise<void> {
  const { sql } = transaction;
  const begin = () => {
    transaction.begunMs = performance.now();
  };
  if (aloneWithinMs === undefined) {
    // Sent with the statements after it, which fail where it fails.
    void Promise.resolve(sql.run('LOCK TABLE meta IN ROW SHARE MODE')).then(begin, () => undefined);
    return;
  }
  const limit = (ms: number) => sql.run(`SET LOCAL lock_timeout = ${Math.ceil(ms)}`);
  await Promise.all([limit(aloneWithinMs), sql.run('LOCK TABLE meta IN EXCLUSIVE MODE'), limit(0)]);
  begin();
}

/**
 * The server's word for what it did. With a warning it says COMMIT all the same: it stopped waiting for its replica, which
 * may have nothing, and a fail-over would forget what we go on to send. AND CHAIN begins the next transaction, at the same
 * isolation, only if this one has ended well.
 */
async function endTransaction(session: PostgresSession, commit: 'COMMIT' | 'COMMIT AND CHAIN'): Promise<string> {
  let command: string;
  try {
    ({ command } = await session.ask(commit));
  } catch (error) {
    if (isUndone(error)) throw error;
    throw new CommitUnknown(`the server did not confirm a commit: ${(error as Error).message}`, { cause: error });
  }
  const [warning] = session.takeWarnings();
  if (warning !== undefined) throw new CommitUnknown(`the server confirmed a commit with a warning: ${warning}`);
  return command;
}

async function rollBack(session: PostgresSession): Promise<void> {
  // A connection that cannot roll back fails at its next BEGIN; these works have failed either way.
  if (!session.isLost()) await session.ask('ROLLBACK').catch(() => undefined);
}

/** A work, not the whole transaction: each of them has to run alone to see which. */
class WorkFailed extends Error {}

/** Works fail seldom, so they get a savepoint of their own only then. Throws WorkFailed. */
async function runTogether(
  transaction: Transaction,
  batch: readonly WaitingWork[],
  isLate: () => boolean,
): Promise<readonly Result[]> {
  const { session, sql } = transaction;
  const results: Result[] = [];
  for (const shift of shiftsOf(batch)) {
    if (results.length > 0 && isLate()) break;
    // Each to its end, also after another one has failed: what it asks later would be part of another transaction.
    const ended = await Promise.all(shift.map(({ work }) => settle(work, sql)));
    for (const result of ended) {
      if (!('error' in result)) continue;
      const { error } = transaction.failure ?? result;
      throw session.isLost() || isFatal(error) ? error : new WorkFailed();
    }
    results.push(...ended);
  }
  return results;
}

async function settle(work: TransactionBody<unknown>, sql: Statements): Promise<Result> {
  try {
    return { value: await work(sql) };
  } catch (error) {
    return { error };
  }
}

/** Those that fail are undone, the others stay. */
async function runOneByOne(
  transaction: Transaction,
  batch: readonly WaitingWork[],
  isLate: () => boolean,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const { work } of batch) {
    if (results.length > 0 && isLate()) break;
    results.push(await runAlone(transaction, work));
  }
  return results;
}

async function runAlone({ session, sql, deferred }: Transaction, work: TransactionBody<unknown>): Promise<Result> {
  const before = [...deferred.keys()];
  await session.ask('SAVEPOINT work');
  try {
    const value = await work(sql);
    await session.ask('RELEASE work');
    return { value };
  } catch (error) {
    if (session.isLost() || isFatal(error)) throw error;
    for (const key of deferred.keys()) if (!before.includes(key)) deferred.delete(key);
    await session.ask('ROLLBACK TO work');
    await session.ask('RELEASE work');
    return { error };
  }
}
