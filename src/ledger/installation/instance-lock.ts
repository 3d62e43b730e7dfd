/**
 * One program at a time works in an instance: an exclusive lock on a second small database, which the system frees when
 * its holder ends, also by a crash. The ledger itself stays readable for others.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { BUSY, primaryCode } from '../../database/sqlite-result-codes.ts';
import { toStorageError } from '../../database/storage-errors.ts';
import type { Language, Message } from '../../i18n/message.ts';
import { INSTANCE_LOCK } from '../../i18n/messages/ledger-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import { localTime, machineZone } from '../../text/local-time.ts';
import { type HolderWork, type LockHolder, readLockHolder, removeLockHolder, writeLockHolder } from './lock-holder.ts';

/** Another process holds the lock: `ledger/locked`. `holder` is undefined if it is not known. */
export class LockedError extends OperatorError {
  readonly holder: LockHolder | undefined;

  constructor(holder: LockHolder | undefined, cause: unknown, hint = INSTANCE_LOCK.wait()) {
    super('ledger/locked', lockedBy(holder), { hint, cause });
    this.holder = holder;
  }
}

/**
 * Holds the lock until the returned function is called, or the process ends; `work` and `now` are what others read about it. Throws
 * LockedError.
 */
export function lockInstance(file: string, work: HolderWork, now: Date): () => void {
  // Created, never opened if it exists: closing a file frees all locks that this process has on it (POSIX).
  let db: DatabaseSync | undefined;
  try {
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    db = new DatabaseSync(file, { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    if (primaryCode(error) !== BUSY) throw toStorageError(error, file);
    throw new LockedError(readLockHolder(file), error);
  }
  writeLockHolder(file, work, now);
  const locked = db;
  return () => {
    if (!locked.isOpen) return;
    removeLockHolder(file);
    locked.close();
  };
}

/** Who is at work, and since when, as a sentence. */
export function lockedBy(holder: LockHolder | undefined): Message {
  if (!holder) return INSTANCE_LOCK.other();
  const { work, pid, host, since } = holder;
  // A worker on the same database may be on another machine.
  const place = host === hostname() ? String(pid) : INSTANCE_LOCK.elsewhere({ pid: String(pid), host });
  return INSTANCE_LOCK[work]({ pid: place, since: minuteOf(since) });
}

/** On the clock of this machine, as each language writes it. */
function minuteOf(at: LockHolder['since']): Message {
  const zone = machineZone();
  const written = (language: Language) => localTime(at, { zone, language });
  return { words: { en: written('en'), fr: written('fr'), es: written('es') } };
}

/** Whether another process holds the lock now; takes none itself. Not for a process that holds it: closing would free it. */
export function isLocked(file: string): boolean {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (primaryCode(error) === BUSY) return true;
    throw error;
  } finally {
    db.close();
  }
}
