/**
 * node:sqlite as a Driver: works that arrive together share one commit and its one flush; a work that fails is undone
 * alone. The thread does not wait: it makes the next commit while the flush of the last one is still under way.
 *
 * All promises settle after the flush of their own commit and of all before it; reads settle after the flush of the
 * commits that they may have seen. So no caller acts on something that is not durable.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { createTurns } from '../files/turns.ts';
import { LedgerUnavailable } from '../model/ledger-unavailable.ts';
import { must } from '../model/must.ts';
import type { DatabaseRow, DatabaseValue, Driver, Statements, TransactionBody } from './database-driver.ts';
import { CANNOT_OPEN, DEVICE, FULL, primaryCode } from './sqlite-result-codes.ts';

/** Primary result codes of SQLite that concern the whole transaction, not the one statement. */
const FATAL = new Set([5, 6, 7, 8, DEVICE, 11, FULL, CANNOT_OPEN, 26]);
const MAX_STATEMENTS = 300;
/** The most flushes under way at the same time; works that arrive meanwhile share the next commit. */
export const MAX_FLUSHES = 3;

type WaitingWork = {
  readonly work: TransactionBody<unknown>;
  readonly ends: boolean;
  readonly settle: (result: Result) => void;
};
type Result = { readonly value: unknown } | { readonly error: unknown };

/** The steps of a commit that depend on the kind of ledger. */
export type GroupCommitOptions = {
  /** Runs inside each commit, after the works: the counter of commits. */
  readonly seal: (sql: Statements) => number;
  /** The commit with this count was made; it is not durable yet. */
  readonly made?: (count: number) => void;
  /** Makes durable what has been committed. Absent if COMMIT does so itself. */
  readonly flush?: () => Promise<void>;
  /** Runs once the commit with this count is durable, and all before it. */
  readonly committed: (count: number) => void;
  /** Whether the disk has no room, for cases in which SQLite reports only an I/O error. */
  readonly isFull?: () => boolean;
  /** The disk is full: frees the reserve; false if there is none left. */
  readonly makeRoom: () => boolean;
};

/** Works that wait at the same time share one commit; each resolves only after that commit is durable. */
export function groupCommit(db: DatabaseSync, options: GroupCommitOptions): Driver {
  const { flush = async () => {}, committed, makeRoom } = options;
  const deferred: Deferred = new Map();
  const sql = { ...prepareStatements(db), atEnd: deferIn(deferred) };
  const connection: Connection = { db, sql, deferred };
  let waiting: WaitingWork[] = [];
  /** What has been committed so far is durable, or `broken` says why not. */
  let settled: Promise<void> = Promise.resolve();
  let flushes = 0;
  // How much of it is on the disk is unknown, and a second flush would not show it: this driver writes nothing more.
  let broken: LedgerUnavailable | undefined;
  // The disk was full: no new work begins, so that the reserve remains for the ends of what is under way.
  let full: LedgerUnavailable | undefined;

  const inTurn = createTurns();
  const schedule = () => void setImmediate(() => void inTurn(commitWaiting));
  const commitWaiting = async () => {
    if (flushes >= MAX_FLUSHES || waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    const done = broken ?? (await commit(connection, batch, options));
    if (done instanceof LedgerUnavailable && done.code === 'ledger/disk-full') await commitEnds(batch, done);
    else conclude(batch, done);
  };
  const commitEnds = async (batch: readonly WaitingWork[], why: LedgerUnavailable) => {
    full ??= why;
    const ends = batch.filter((one) => one.ends);
    for (const one of batch) if (!one.ends) one.settle({ error: why });
    if (ends.length === 0) return;
    const hasRoom = makeRoom() || ends.length < batch.length;
    conclude(ends, hasRoom ? await commit(connection, ends, options) : why);
  };
  const conclude = (batch: readonly WaitingWork[], done: Committed | LedgerUnavailable) => {
    if (done instanceof LedgerUnavailable) for (const { settle } of batch) settle({ error: done });
    else settled = settle(batch, done, settled, flush());
  };
  const settle = async (
    batch: readonly WaitingWork[],
    done: Committed,
    before: Promise<void>,
    flushed: Promise<void>,
  ) => {
    flushes++;
    // Handled below, in its turn.
    flushed.catch(() => undefined);
    await before;
    try {
      await flushed;
      if (!broken) committed(done.count);
    } catch (error) {
      broken ??= new LedgerUnavailable('ledger/write-failed', error);
    }
    flushes--;
    for (const [index, one] of batch.entries())
      one.settle(broken ? { error: broken } : must(done.results[index], 'the result of a work'));
    if (waiting.length > 0) schedule();
  };

  return {
    read: async (body) => {
      const found = await inTurn(() => body(sql));
      await settled;
      if (broken) throw broken;
      return found;
    },
    write: <T>(body: TransactionBody<T>, order?: 'ends' | 'first') =>
      new Promise<T>((resolve, reject) => {
        if (full && order !== 'ends') return reject(full);
        if (waiting.length === 0) schedule();
        const settle = (result: Result) => ('error' in result ? reject(result.error) : resolve(result.value as T));
        waiting.push({ work: body, ends: order === 'ends', settle });
      }),
    close: async () => {
      while (waiting.length > 0 || flushes > 0) {
        await inTurn(commitWaiting);
        await settled;
      }
      await inTurn(async () => db.close());
    },
  };
}

/** Statements to run at the end of the present commit, each once, by their text and values. */
type Deferred = Map<string, readonly [sql: string, ...values: DatabaseValue[]]>;

function deferIn(deferred: Deferred): Statements['atEnd'] {
  return (...statement) => void deferred.set(statement.join('\n'), statement);
}

type Committed = { readonly results: readonly Result[]; readonly count: number };

type Connection = { readonly db: DatabaseSync; readonly sql: Statements; readonly deferred: Deferred };

async function commit(
  { db, sql, deferred }: Connection,
  batch: readonly WaitingWork[],
  { seal, made, isFull = () => false }: GroupCommitOptions,
): Promise<Committed | LedgerUnavailable> {
  try {
    deferred.clear();
    await sql.run('BEGIN IMMEDIATE');
    const results = (await runTogether(sql, batch)) ?? (await runOneByOne({ db, sql, deferred }, batch));
    for (const statement of deferred.values()) await sql.run(...statement);
    const count = seal(sql);
    await sql.run('COMMIT');
    made?.(count);
    return { results, count };
  } catch (error) {
    rollBack(db);
    const code = primaryCode(error);
    const full = code === FULL || ((code === DEVICE || code === CANNOT_OPEN) && isFull());
    return new LedgerUnavailable(full ? 'ledger/disk-full' : 'ledger/write-failed', error);
  }
}

/** SQLite rolls back by itself after most failures, but not after a COMMIT that it only refused. */
function rollBack(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
  } catch {
    // A connection that cannot roll back reports that at its next BEGIN; these works have failed either way.
  }
}

/** Undefined if one of them fails. That is rare, so works get a savepoint of their own only then. */
async function runTogether(sql: Statements, batch: readonly WaitingWork[]): Promise<Result[] | undefined> {
  const results: Result[] = [];
  for (const { work: body } of batch) {
    try {
      results.push({ value: await body(sql) });
    } catch (error) {
      if (FATAL.has(primaryCode(error))) throw error;
      return undefined;
    }
  }
  return results;
}

/** Runs the works a second time from the start: those that fail are undone, the others stay. */
async function runOneByOne({ db, sql, deferred }: Connection, batch: readonly WaitingWork[]): Promise<Result[]> {
  rollBack(db);
  deferred.clear();
  await sql.run('BEGIN IMMEDIATE');
  const results: Result[] = [];
  for (const { work: body } of batch) results.push(await runAlone(sql, deferred, body));
  return results;
}

async function runAlone(sql: Statements, deferred: Deferred, body: TransactionBody<unknown>): Promise<Result> {
  const before = [...deferred.keys()];
  await sql.run('SAVEPOINT work');
  try {
    const value = await body(sql);
    await sql.run('RELEASE work');
    return { value };
  } catch (error) {
    if (FATAL.has(primaryCode(error))) throw error;
    for (const key of deferred.keys()) if (!before.includes(key)) deferred.delete(key);
    await sql.run('ROLLBACK TO work');
    await sql.run('RELEASE work');
    return { error };
  }
}

/** Statements prepared once; all values arrive as text, number or null. */
export function prepareStatements(db: DatabaseSync): Statements {
  const prepared = new Map<string, Prepared>();
  const prepare = (text: string): Prepared => {
    let one = prepared.get(text);
    if (!one) {
      if (prepared.size >= MAX_STATEMENTS) prepared.clear();
      one = { statement: db.prepare(text), columns: undefined };
      prepared.set(text, one);
    }
    return one;
  };
  return {
    all: (text, ...values: DatabaseValue[]) => selectRows(prepare(text), values),
    run: (text, ...values: DatabaseValue[]) => Number(prepare(text).statement.run(...values).changes),
    atEnd: (text, ...values: DatabaseValue[]) => void prepare(text).statement.run(...values),
  };
}

type Prepared = { readonly statement: StatementSync; columns: readonly string[] | undefined };

/** Rows arrive as arrays and get their names here: objects that the binding of SQLite makes cost half as much more. */
function selectRows(one: Prepared, values: readonly DatabaseValue[]): readonly DatabaseRow[] {
  if (!one.columns) {
    one.columns = one.statement.columns().map(({ name }) => name);
    one.statement.setReturnArrays(true);
  }
  const { columns } = one;
  const rows = one.statement.all(...values) as unknown as readonly (readonly DatabaseValue[])[];
  return rows.map((values) => {
    const row: { [column: string]: DatabaseValue } = {};
    let n = 0;
    for (const name of columns) row[name] = values[n++] ?? null;
    return row;
  });
}
