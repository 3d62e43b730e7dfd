/**
 * node:sqlite as a Driver: works that arrive together share one commit and its one fsync; one that fails is
 * undone alone.
 *
 * Main thread on purpose: a commit costs less than the way to a worker and back (docs/ledger.md). All promises settle
 * after COMMIT, so nobody ever acts on something that is not durable.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Driver, LedgerUnavailable, type Row, type Statements, type Value, type Work } from './driver.ts';

/** Primary result codes of SQLite that concern the whole transaction, not the one statement. */
const FULL = 13;
const FATAL = new Set([5, 6, 7, 8, 10, 11, FULL, 14, 26]);
const MAX_STATEMENTS = 300;
const MAX_GATHER_MS = 4;

type Waiting = { readonly work: Work<unknown>; readonly settle: (result: Result) => void };
type Result = { readonly value: unknown } | { readonly error: unknown };

export type GroupCommitOptions = {
  /** Runs inside each commit, after the works: the counter of commits. */
  readonly seal: (sql: Statements) => void;
  /** Runs after each commit that is durable. */
  readonly committed: () => void;
  /** The disk is full: frees the reserve; false if there is none left. */
  readonly makeRoom: () => boolean;
};

export function groupCommit(db: DatabaseSync, options: GroupCommitOptions): Driver {
  const sql = statementsOf(db);
  let waiting: Waiting[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };
  // Under load the next commit waits about as long as the last one took: fewer flushes, each for more works, and the
  // thread has half of its time for everything else. A work that comes alone never waits.
  let lastMs = 0;
  let lastSize = 0;
  const schedule = () => {
    const commitNow = () => void inTurn(flush);
    if (lastSize > 1 && lastMs >= 0.5) setTimeout(commitNow, Math.min(lastMs, MAX_GATHER_MS));
    else setImmediate(commitNow);
  };
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    const startedMs = performance.now();
    let results = await commit(db, sql, batch, options);
    if (results instanceof LedgerUnavailable && results.code === 'ledger/disk-full' && options.makeRoom()) {
      results = await commit(db, sql, batch, options);
    }
    lastMs = performance.now() - startedMs;
    lastSize = batch.length;
    const failure = results instanceof LedgerUnavailable ? { error: results } : undefined;
    for (const [index, { settle }] of batch.entries()) settle(failure ?? (results as Result[])[index]!);
  };

  return {
    read: (work) => inTurn(() => work(sql)),
    write: <T>(work: Work<T>) =>
      new Promise<T>((resolve, reject) => {
        if (waiting.length === 0) schedule();
        const settle = (result: Result) => ('error' in result ? reject(result.error) : resolve(result.value as T));
        waiting.push({ work, settle });
      }),
    close: async () => {
      while (waiting.length > 0) await inTurn(flush);
      await inTurn(async () => db.close());
    },
  };
}

async function commit(
  db: DatabaseSync,
  sql: Statements,
  batch: readonly Waiting[],
  { seal, committed }: GroupCommitOptions,
): Promise<Result[] | LedgerUnavailable> {
  try {
    await sql.run('BEGIN IMMEDIATE');
    const results = (await together(sql, batch)) ?? (await oneByOne(db, sql, batch));
    seal(sql);
    await sql.run('COMMIT');
    committed();
    return results;
  } catch (error) {
    rollBack(db);
    return new LedgerUnavailable(primaryCode(error) === FULL ? 'ledger/disk-full' : 'ledger/write-failed', error);
  }
}

/** Most failures have rolled back by themselves; a COMMIT that was merely refused has not. */
function rollBack(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
  } catch {
    // A connection that cannot even roll back reports that at its next BEGIN; the works in hand have failed either way.
  }
}

/** Undefined where one of them fails: hardly ever, so that none pays for being undone alone. */
async function together(sql: Statements, batch: readonly Waiting[]): Promise<Result[] | undefined> {
  const results: Result[] = [];
  for (const { work } of batch) {
    try {
      results.push({ value: await work(sql) });
    } catch (error) {
      if (FATAL.has(primaryCode(error))) throw error;
      return undefined;
    }
  }
  return results;
}

/** From the start again: the ones that fail are undone, the others stay. */
async function oneByOne(db: DatabaseSync, sql: Statements, batch: readonly Waiting[]): Promise<Result[]> {
  rollBack(db);
  await sql.run('BEGIN IMMEDIATE');
  const results: Result[] = [];
  for (const { work } of batch) results.push(await alone(sql, work));
  return results;
}

async function alone(sql: Statements, work: Work<unknown>): Promise<Result> {
  await sql.run('SAVEPOINT work');
  try {
    const value = await work(sql);
    await sql.run('RELEASE work');
    return { value };
  } catch (error) {
    if (FATAL.has(primaryCode(error))) throw error;
    await sql.run('ROLLBACK TO work');
    await sql.run('RELEASE work');
    return { error };
  }
}

/** SQLite's primary result code of an exception, 0 for any other exception. */
export function primaryCode(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : 0;
}

/** Statements prepared once; all values arrive as text, number or null. */
export function statementsOf(db: DatabaseSync): Statements {
  const prepared = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    let statement = prepared.get(text);
    if (!statement) {
      if (prepared.size >= MAX_STATEMENTS) prepared.clear();
      statement = db.prepare(text);
      prepared.set(text, statement);
    }
    return statement;
  };
  return {
    all: (text, ...values: Value[]) => prepare(text).all(...values) as unknown as readonly Row[],
    run: (text, ...values: Value[]) => Number(prepare(text).run(...values).changes),
  };
}
