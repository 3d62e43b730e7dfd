/**
 * Rebuilds the file of the ledger without its freed pages, which still hold what rows had before: names, contents. For the holder of
 * the lock, between two of its commits. A stop at any instant leaves the ledger as it was, or whole without them.
 */
import { openDatabase } from '../../database/open-database.ts';
import { toStorageError } from '../../database/storage-errors.ts';

/** Others read for some milliseconds. */
const WAIT_MS = 10_000;

/**
 * Needs as much room as the ledger in its folder, and as much in the folder for temporary files. False if another program
 * keeps reading, so that the log could not be emptied: its last reader does it. Errors of the disk are OperatorError `ledger/*`.
 */
export function eraseFreedPages(ledger: string): boolean {
  const db = openDatabase(ledger, { checked: true });
  try {
    // Not in memory, where a large ledger has no room.
    for (const pragma of [`busy_timeout = ${WAIT_MS}`, 'temp_store = FILE', 'secure_delete = ON'])
      db.exec(`PRAGMA ${pragma}`);
    db.exec('VACUUM');
    return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch (error) {
    throw toStorageError(error, ledger);
  } finally {
    db.close();
  }
}
