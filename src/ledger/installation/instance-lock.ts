/**
 * One program at a time works in an instance: an exclusive lock on a second small database, which the system frees when
 * its holder ends, also by a crash. The ledger itself stays readable for others.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { INSTANCE_LOCK } from '../../i18n/messages/ledger-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import { primaryCode } from '../database/sqlite-result-codes.ts';
import { toStorageError } from '../database/storage-errors.ts';

const BUSY = 5;

/** Holds the lock until the returned function is called, or the process ends. */
export function lockInstance(file: string): () => void {
  // Created, never opened if it exists: closing a file frees all locks that this process has on it (POSIX).
  let db: DatabaseSync | undefined;
  try {
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    db = new DatabaseSync(file, { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    if (primaryCode(error) !== BUSY) throw toStorageError(error, file);
    throw new OperatorError('ledger/locked', INSTANCE_LOCK.other(), {
      hint: INSTANCE_LOCK.wait(),
      cause: error,
    });
  }
  const locked = db;
  return () => {
    if (locked.isOpen) locked.close();
  };
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
