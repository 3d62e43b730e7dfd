/**
 * PostgreSQL as a Driver: works that arrive together share one SERIALIZABLE transaction, in which those that are apart do not
 * wait for each other; a work that fails is undone alone; a transaction that meets another one runs again. Reads have a
 * connection of their own; those that wait at the same time share a snapshot and its round trips.
 *
 * A COMMIT without a clear answer is unknown, never success: this driver then writes and reads nothing more.
 */
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { must } from '../../model/must.ts';
import { closeOnce } from '../close-once.ts';
import type { Apart, Driver, SqlDialect, TransactionBody } from '../database-driver.ts';
import { isFatal } from './postgres-codes.ts';
import { type CommitOptions, CommitUnknown, commit, endEmpty, type WaitingWork } from './postgres-commit.ts';
import { unavailable } from './postgres-errors.ts';
import type { PostgresSession } from './postgres-session.ts';
import { openTransaction, type Result } from './postgres-transaction.ts';

/** A commit begins the next transaction: in so many milliseconds it gets its first work, or ends. */
const EMPTY_MS = 20;

/** The connections of a driver. Of two drivers with the same ones, the first has ended its works before the second begins. */
export type PostgresSessions = { readonly writer: PostgresSession; readonly reader: PostgresSession };

type WaitingRead = Pick<WaitingWork, 'work' | 'settle'>;

/** Works that wait at the same time share one commit; each resolves only after that commit is durable. */
export function postgresDriver({ writer, reader }: PostgresSessions, options: CommitOptions = {}): Driver {
  let waiting: WaitingWork[] = [];
  let urgent: WaitingWork[] = [];
  let asked: WaitingRead[] = [];
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
    const done = broken ?? (await commit(writer, batch, options));
    emptyEnds.refresh();
    if (done instanceof LedgerUnavailable && done.code === 'ledger/disk-full') await commitEnds(batch, done);
    else conclude(batch, done);
  };
  // A program that is stopped within a transaction loses its connection.
  const emptyEnds = setTimeout(() => {
    commits = commits.then(() => endEmpty(writer));
  }, EMPTY_MS).unref();
  const commitEnds = async (batch: readonly WaitingWork[], why: LedgerUnavailable) => {
    full ??= why;
    const ends = batch.filter((one) => one.ends);
    for (const one of batch) if (!one.ends) one.settle({ error: why });
    if (ends.length > 0) conclude(ends, ends.length < batch.length ? await commit(writer, ends, options) : why);
  };
  const conclude = (batch: readonly WaitingWork[], done: readonly Result[] | LedgerUnavailable | CommitUnknown) => {
    if (done instanceof CommitUnknown) broken ??= unavailable(done);
    const failed = broken ?? (done instanceof LedgerUnavailable ? done : undefined);
    const count = failed ? batch.length : (done as readonly Result[]).length;
    if (count < batch.length) {
      waiting = [...batch.slice(count), ...waiting];
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
    clearTimeout(emptyEnds);
    await endEmpty(writer);
    await reads;
    await Promise.all([writer.end(), reader.end()]);
  });

  return {
    read: <T>(body: TransactionBody<T>) =>
      new Promise<T>((resolve, reject) => {
        // In this turn of the event loop: the end of the reads before leaves in the same packet.
        if (asked.length === 0) reads = reads.then(readAsked);
        const settle = (result: Result) => {
          if (broken) reject(broken);
          else if ('error' in result) reject(result.error);
          else resolve(result.value as T);
        };
        asked.push({ work: body, settle });
      }),
    write: <T>(body: TransactionBody<T>, order?: 'ends' | 'first', apart?: Apart) =>
      new Promise<T>((resolve, reject) => {
        if (full && order !== 'ends') return reject(full);
        if (waiting.length + urgent.length === 0) schedule();
        const settle = (result: Result) => ('error' in result ? reject(result.error) : resolve(result.value as T));
        (order === 'first' ? urgent : waiting).push({ work: body, ends: order === 'ends', apart, settle });
      }),
    close,
    dialect: POSTGRES,
  };
}

/** Not the time at which the transaction began, which is that of `now()`. */
export const NOW_MS = 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)';
const POSTGRES: SqlDialect = {
  nowMs: NOW_MS,
  sha256: (text) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`,
};

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
