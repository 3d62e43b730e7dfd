/**
 * Watches work next to each other, everything else is alone with a ledger: an advisory lock of the server, shared or not, which
 * it frees when the session of its holder ends. A holder that lost its session cannot commit once another one has: its count of
 * commits has moved on (openWriter), or its lease has ended (join-ledger.ts).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { Statements } from '../../database/database-driver.ts';
import { askPostgres } from '../../database/postgres/ask-postgres.ts';
import { NOW_MS } from '../../database/postgres/postgres-driver.ts';
import { toPostgresError } from '../../database/postgres/postgres-errors.ts';
import type { PostgresPlace } from '../../database/postgres/postgres-place.ts';
import { connectPostgres, type PostgresSession } from '../../database/postgres/postgres-session.ts';
import type { Message } from '../../i18n/message.ts';
import { INSTANCE_LOCK, LEDGER_WORKER } from '../../i18n/messages/ledger-messages.ts';
import { LockedError } from '../installation/instance-lock.ts';
import {
  type HolderWork,
  type LockHolder,
  readLockHolder,
  removeLockHolder,
  writeLockHolder,
} from '../installation/lock-holder.ts';

/** A number of our own, so that no other program takes this lock: "NPst". */
const OURS = 0x4e50_7374;

const LOOK_MS = 100;
/** A watch registers, or lets go again, soon after it has the lock. */
const REGISTERS_MS = 15_000;

type Locking = {
  readonly place: PostgresPlace;
  /** The path of the lock of an instance; its holder is noted next to it. */
  readonly note: string;
};

/**
 * Throws LockedError. The returned function frees the lock. A program that is to be alone waits until the lease of a worker that was
 * killed has ended; `onWait` is called once then.
 */
export async function lockPostgres(
  { place, note }: Locking,
  work: HolderWork,
  now: Date,
  onWait: (says: Message) => void = () => {},
): Promise<() => Promise<void>> {
  let session: PostgresSession | undefined;
  try {
    session = await connectPostgres(place);
    const isShared = work === 'watch';
    await takeLock(session, { place, note }, isShared);
    if (!isShared) await untilNoneLives(session, place, onWait);
    const locked = session;
    const since = now.toISOString();
    writeLockHolder(note, work, now);
    return async () => {
      // Another watch may have replaced it, and works on.
      const noted = readLockHolder(note);
      if (!isShared || (noted?.pid === process.pid && noted.since === since)) removeLockHolder(note);
      // Through a proxy the session may end later than its connection.
      await locked.ask('SELECT pg_advisory_unlock_all()').catch(() => undefined);
      await locked.end();
    };
  } catch (error) {
    await session?.end().catch(() => undefined);
    throw toPostgresError(error, place);
  }
}

async function takeLock(session: PostgresSession, { place, note }: Locking, isShared: boolean): Promise<void> {
  const take = isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  const startedMs = performance.now();
  for (;;) {
    const { rows } = await session.ask(`SELECT ${take}(${OURS}, ${schemaNumber(place)}) AS taken`);
    if (rows[0]?.taken === 1) return;
    const living = await findLiving(statementsOf(session), place);
    const holder = living?.holder ?? readLockHolder(note);
    // Two watches that start at the same instant each look at the ledger first: neither may keep the other one from preparing it.
    // One that lets go meanwhile has removed its note by the time of this look.
    const isPassing = !isShared && !living && (holder === undefined || holder.work === 'watch');
    if (!isPassing || performance.now() - startedMs > REGISTERS_MS) {
      // The server may not know yet that it is dead.
      const hint = living && INSTANCE_LOCK.waitOrLease({ seconds: secondsOf(living) });
      throw new LockedError(holder, undefined, hint);
    }
    await sleep(LOOK_MS);
  }
}

function statementsOf({ ask }: PostgresSession): Pick<Statements, 'all'> {
  return { all: async (text, ...values) => (await ask(text, ...values)).rows };
}

type LivingWorker = {
  readonly id: string;
  readonly until: number;
  readonly leftMs: number;
  readonly holder: LockHolder;
};

function secondsOf({ leftMs }: Pick<LivingWorker, 'leftMs'>): number {
  return Math.max(1, Math.ceil(leftMs / 1000));
}

/** The oldest worker whose lease lasts; undefined also where there are no tables yet. */
export async function findLiving(
  sql: Pick<Statements, 'all'>,
  { schema }: Pick<PostgresPlace, 'schema'>,
): Promise<LivingWorker | undefined> {
  const there = await sql.all(`SELECT 1 AS one FROM pg_tables WHERE schemaname = '${schema}' AND tablename = 'worker'`);
  if (there.length === 0) return undefined;
  const [row] = await sql.all(
    `SELECT id, host, pid, work, started_at, until, until - ${NOW_MS} AS left_ms FROM "${schema}".worker
     WHERE gone IS NULL AND until > ${NOW_MS} ORDER BY started_at, id LIMIT 1`,
  );
  if (!row) return undefined;
  const { host, pid, work, started_at: since } = row;
  return {
    id: row.id as string,
    until: row.until as number,
    leftMs: row.left_ms as number,
    holder: { work, pid, host, since } as LockHolder,
  };
}

/** A worker that has no session any more was killed, unless it renews its lease: then it only lost this one session. */
async function untilNoneLives(
  session: PostgresSession,
  place: PostgresPlace,
  onWait: (says: Message) => void,
): Promise<void> {
  const seen = new Map<string, number>();
  for (;;) {
    const living = await findLiving(statementsOf(session), place);
    if (!living) return;
    const { id, until, holder } = living;
    if ((seen.get(id) ?? until) !== until) throw new LockedError(holder, undefined);
    const { host, pid } = holder;
    if (seen.size === 0) {
      onWait(LEDGER_WORKER.mayBeDead({ host, pid: String(pid), seconds: secondsOf(living) }));
    }
    seen.set(id, until);
    await sleep(LOOK_MS);
  }
}

/** Whether another program holds the lock now; takes none itself. */
export async function isPostgresLocked(place: PostgresPlace): Promise<boolean> {
  const held = `SELECT 1 AS one FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ${OURS}
    AND objid = ${schemaNumber(place) >>> 0} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return await askPostgres(place, async ({ ask }) => (await ask(held)).rows.length > 0);
}

/** Locks are per database, so the schema is the rest. */
export function schemaNumber({ schema }: PostgresPlace): number {
  return crc32(schema) | 0;
}
