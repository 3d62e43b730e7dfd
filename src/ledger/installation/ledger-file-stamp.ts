/**
 * A stamp in the header of ledger.sqlite, which detects an older file next to the log of a newer one: SQLite would join the
 * two, and the log would have the commit counts of pages that are lost.
 *
 * Each start stamps the file with its commit and, once the stamp is in the file itself and no longer only in the log,
 * records it in the ledger. So the stamp of the file is never below the recorded one, whenever the program stops.
 */
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { selectValue, writeMeta } from '../../database/open-database.ts';

/** The user version in the header has four bytes (https://www.sqlite.org/fileformat2.html, 1.3). */
const LARGEST = 2 ** 31 - 1;

/** Within the transaction of the start. */
export function stampFile(db: DatabaseSync, generation: number): void {
  db.exec(`PRAGMA user_version = ${Math.min(generation, LARGEST)}`);
}

/** While a reader keeps the log in use nothing is recorded: the former stamp stays in force. */
export function recordStamp(db: DatabaseSync): void {
  const { busy, log, checkpointed } = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() ?? {};
  if (busy !== 0 || log !== checkpointed) return;
  writeMeta(db, { stamp: String(selectValue(db, 'PRAGMA user_version')) });
}

/**
 * The stamp in the header of the file, and the one recorded in the ledger; they differ if an older file replaced it.
 */
export function readStamps(
  file: string,
  meta: ReadonlyMap<string, string>,
): { readonly inFile: number; readonly known: number } {
  // Immutable: SQLite reads the file without its log. Never read it by other means: closing the file would free the locks
  // that this process has on it (POSIX), and another process would remove the log.
  const url = pathToFileURL(file);
  url.searchParams.set('mode', 'ro');
  url.searchParams.set('immutable', '1');
  using db = new DatabaseSync(url, { readOnly: true });
  const known = Number(meta.get('stamp') ?? 0);
  try {
    return { inFile: Number(selectValue(db, 'PRAGMA user_version')), known };
  } catch {
    // A stop during a checkpoint: without its log the file cannot be read, with it the ledger is whole.
    return { inFile: known, known };
  }
}
