/**
 * One program at a time works with a ledger: an advisory lock of the server, which it frees when the session of its holder
 * ends. A holder that lost its session cannot commit once another one has: each commit counts on from its own (openWriter).
 */
import { crc32 } from 'node:zlib';
import { LockedError } from '../installation/instance-lock.ts';
import { type HolderWork, readLockHolder, removeLockHolder, writeLockHolder } from '../installation/lock-holder.ts';
import { toPostgresError } from '../postgres/postgres-errors.ts';
import type { PostgresPlace } from '../postgres/postgres-place.ts';
import { connectPostgres } from '../postgres/postgres-session.ts';

/** A number of our own, so that no other program takes this lock: "NPst". */
const OURS = 0x4e50_7374;

type Locking = {
  readonly place: PostgresPlace;
  /** The path of the lock of an instance; its holder is noted next to it. */
  readonly note: string;
};

/** Throws LockedError. The returned function frees the lock. */
export async function lockPostgres(
  { place, note }: Locking,
  work: HolderWork,
  now: Date,
): Promise<() => Promise<void>> {
  try {
    const session = await connectPostgres(place);
    const { rows } = await session.ask(`SELECT pg_try_advisory_lock(${OURS}, ${schemaNumber(place)}) AS taken`);
    if (rows[0]?.taken === 1) {
      writeLockHolder(note, work, now);
      return async () => {
        removeLockHolder(note);
        await session.end();
      };
    }
    await session.end();
  } catch (error) {
    throw toPostgresError(error, place);
  }
  throw new LockedError(readLockHolder(note), undefined);
}

/** Whether another program holds the lock now; takes none itself. */
export async function isPostgresLocked(place: PostgresPlace): Promise<boolean> {
  try {
    const session = await connectPostgres(place);
    const { rows } = await session.ask(
      `SELECT 1 AS one FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ${OURS}
       AND objid = ${schemaNumber(place) >>> 0} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await session.end();
    return rows.length > 0;
  } catch (error) {
    throw toPostgresError(error, place);
  }
}

/** Locks are per database, so the schema is the rest. */
function schemaNumber({ schema }: PostgresPlace): number {
  return crc32(schema) | 0;
}
