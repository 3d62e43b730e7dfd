/**
 * Input: works that share a transaction on a connection to PostgreSQL. Output: their results, once they are durable. Works that are
 * apart do not wait for each other; one that fails is undone alone; a transaction that meets another one runs again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { appendAll } from '../../text/long-lists.ts';
import type { Apart, DatabaseRow, Statements, TransactionBody } from '../database-driver.ts';
import { isConflict, isFatal, isUndone } from './postgres-codes.ts';
import { unavailable } from './postgres-errors.ts';
import type { PostgresSession } from './postgres-session.ts';
import { openTransaction, type Result, settle, type Transaction } from './postgres-transaction.ts';
import { shiftsOf } from './work-shifts.ts';

/**
 * Of two transactions that meet, the server lets one through. One whose program stands still in the middle keeps others from it
 * until the server ends it, after half a lease (postgres-session.ts).
 */
const MOST_CONFLICT_MS = 20_000;
const MOST_WAIT_MS = 50;

export type CommitOptions = {
  /**
   * One statement inside each commit, which no work sees or changes: the counter of commits. Where nothing may be committed it fails
   * on the server.
   */
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
  /** Gets the milliseconds from the sending of the end of a commit until it is durable. */
  readonly onCommit?: ((ms: number) => void) | undefined;
};

/** A work that waits for its commit. `ends`: it may also run when the disk of the server was full. */
export type WaitingWork = {
  readonly work: TransactionBody<unknown>;
  readonly ends: boolean;
  readonly apart: Apart | undefined;
  readonly settle: (result: Result) => void;
};

/** Connections on which a transaction without statements is open, which began with the end of the last one: whoever commits next uses it. */
const begun = new WeakSet<PostgresSession>();

/** A commit may be stored, here or on a replica or in its witnesses, or not. */
export class CommitUnknown extends Error {}

/** The results of the first works, in their order, of all of them unless the commit was late; or why none of them is done. */
export async function commit(
  session: PostgresSession,
  batch: readonly WaitingWork[],
  options: CommitOptions,
): Promise<readonly Result[] | LedgerUnavailable | CommitUnknown> {
  const { conflictMs = MOST_CONFLICT_MS } = options;
  const startedMs = performance.now();
  for (let [run, tries, isAlone] = [runTogether, 1, false]; ; tries++) {
    try {
      return await commitOnce(session, batch, { run, isAlone }, options);
    } catch (error) {
      if (error instanceof CommitUnknown) return error;
      await rollBack(session);
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
  session: PostgresSession,
  batch: readonly WaitingWork[],
  { run, isAlone }: { readonly run: typeof runTogether; readonly isAlone: boolean },
  { seal, committed, counted, onCommit, aloneWithinMs, mostMs = Number.POSITIVE_INFINITY }: CommitOptions,
): Promise<readonly Result[]> {
  if (!begun.delete(session)) await begin(session);
  const transaction = openTransaction(session);
  if (aloneWithinMs !== undefined) await takeTurn(transaction, isAlone ? aloneWithinMs : undefined);
  const sealed = seal?.(transaction.sql);
  // Both are awaited below, after others that may throw first.
  sealed?.catch(() => undefined);
  const isLate = () => performance.now() - transaction.begunMs > mostMs;
  const isAtOnce = run === runTogether && areAtOnce(batch);
  const asked = isAtOnce ? askAtOnce(transaction, batch) : run(transaction, batch, isLate);
  // Where the seal fails, that is why the works fail.
  const running = asked.finally(() => {
    transaction.isOver = true;
    return sealed;
  });
  running.catch(() => undefined);
  // Nothing else is awaited before the end is sent: works that ask at once are one round trip with it.
  if (!isAtOnce) await running;
  const startedMs = performance.now();
  const ended = transaction.end();
  const answer = await endTransaction(session);
  if (answer !== 'COMMIT') {
    await running;
    if (isAtOnce && transaction.failure) throw whyFailed(transaction, transaction.failure);
    await Promise.all(ended);
    throw new Error(`the server answered a COMMIT with ${answer}`);
  }
  begun.add(session);
  onCommit?.(performance.now() - startedMs);
  try {
    const [results, count] = [await running, await sealed];
    const rows = (await Promise.all(ended)).flatMap((one) => one.rows);
    if (count !== undefined) committed?.(count);
    if (rows.length > 0) counted?.(rows);
    return results;
  } catch (error) {
    throw new CommitUnknown((error as Error).message, { cause: error });
  }
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
async function endTransaction(session: PostgresSession): Promise<string> {
  let command: string;
  try {
    ({ command } = await session.ask('COMMIT AND CHAIN'));
  } catch (error) {
    if (isUndone(error)) throw error;
    throw new CommitUnknown(`the server did not confirm a commit: ${(error as Error).message}`, { cause: error });
  }
  const [warning] = session.takeWarnings();
  if (warning !== undefined) throw new CommitUnknown(`the server confirmed a commit with a warning: ${warning}`);
  return command;
}

/** Without works it changes nothing, however it ends. */
export async function endEmpty(session: PostgresSession): Promise<void> {
  if (begun.delete(session)) await session.ask('COMMIT').catch(() => undefined);
}

async function rollBack(session: PostgresSession): Promise<void> {
  // A connection that cannot roll back fails at its next BEGIN; these works have failed either way.
  if (!session.isLost()) await session.ask('ROLLBACK').catch(() => undefined);
}

/** A work, not the whole transaction: each of them has to run alone to see which. */
class WorkFailed extends Error {}

function whyFailed({ session }: Transaction, { error }: { readonly error: unknown }): unknown {
  return session.isLost() || isFatal(error) ? error : new WorkFailed();
}

/** Whether the transaction may end with the statements that these works ask first: they ask no others. */
function areAtOnce(batch: readonly WaitingWork[]): boolean {
  return batch.every(({ apart }) => apart?.isAtOnce) && shiftsOf(batch).length === 1;
}

async function askAtOnce({ sql }: Transaction, batch: readonly WaitingWork[]): Promise<readonly Result[]> {
  return await Promise.all(batch.map(({ work: body }) => settle(body, sql)));
}

/** Works fail seldom, so they get a savepoint of their own only then. Throws WorkFailed. */
async function runTogether(
  transaction: Transaction,
  batch: readonly WaitingWork[],
  isLate: () => boolean,
): Promise<readonly Result[]> {
  const { sql } = transaction;
  const results: Result[] = [];
  for (const shift of shiftsOf(batch)) {
    if (results.length > 0 && isLate()) break;
    // Each to its end, also after another one has failed: what it asks later would be part of another transaction.
    const ended = await Promise.all(shift.map(({ work: body }) => settle(body, sql)));
    for (const result of ended) if ('error' in result) throw whyFailed(transaction, transaction.failure ?? result);
    appendAll(results, ended);
  }
  return results;
}

/** Those that fail are undone, the others stay. */
async function runOneByOne(
  transaction: Transaction,
  batch: readonly WaitingWork[],
  isLate: () => boolean,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const { work: body } of batch) {
    if (results.length > 0 && isLate()) break;
    results.push(await runAlone(transaction, body));
  }
  return results;
}

async function runAlone({ session, sql, deferred }: Transaction, body: TransactionBody<unknown>): Promise<Result> {
  const before = [...deferred.keys()];
  await session.ask('SAVEPOINT work');
  try {
    const value = await body(sql);
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
