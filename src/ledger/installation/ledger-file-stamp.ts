/**
 * A stamp in the header of ledger.sqlite, which shows an older file beside the log of a newer one: SQLite would put the
 * two together, and the commits in the log would speak for pages that are not there.
 *
 * Each start stamps the file with its commit and, once that is in the file itself and no longer in the log alone, notes
 * it in the ledger. So the stamp of the file is never below the one noted, whenever the program stops.
 */
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { selectValue, writeMeta } from '../database/open-database.ts';

/** The user version in the header has four bytes (https://www.sqlite.org/fileformat2.html, 1.3). */
const LARGEST = 2 ** 31 - 1;

/** Within the transaction of the start. */
export function stampFile(db: DatabaseSync, generation: number): void {
  db.exec(`PRAGMA user_version = ${Math.min(generation, LARGEST)}`);
}

/** Beside a reader that keeps the log in use nothing is noted: the former stamp goes on to count. */
export function recordStamp(db: DatabaseSync): void {
  const { busy, log, checkpointed } = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() ?? {};
  if (busy !== 0 || log !== checkpointed) return;
  writeMeta(db, { stamp: String(selectValue(db, 'PRAGMA user_version')) });
}

/**
 * The stamp in the header of the file, and the one that the ledger knows; they differ if an older file was put back.
 */
export function readStamps(
  file: string,
  meta: ReadonlyMap<string, string>,
): { readonly stamp: { readonly inFile: number; readonly known: number } } {
  // Immutable: SQLite reads the file without its log. Never with other means: closing the file would free the locks
  // that this process has on it (POSIX), and another one would take the log away.
  const url = pathToFileURL(file);
  url.searchParams.set('mode', 'ro');
  url.searchParams.set('immutable', '1');
  using db = new DatabaseSync(url, { readOnly: true });
  const known = Number(meta.get('stamp') ?? 0);
  try {
    return { stamp: { inFile: Number(selectValue(db, 'PRAGMA user_version')), known } };
  } catch {
    // A stop while the log was put into the file: without its log it cannot be read, with it the ledger is whole.
    return { stamp: { inFile: known, known } };
  }
}
