/**
 * Follows what changes in a ledger that another process writes: whether it changed costs a look at one number, and what
 * changed comes from the rows that every change adds. Each question is a read of its own, so the log of the writer stays
 * short. Errors of the engine are thrown as it gives them.
 */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../database/open-database.ts';
import type { LedgerSite } from '../ledger/contract/ledger-site.ts';
import { stateFolder } from '../ledger/installation/state-folder.ts';
import { type LedgerChanges, MOST_CHANGES } from './change-feed.ts';

const PLACE = /^(\d{1,15})\.(\d{1,15})$/;

export async function openLedgerChanges({ folder, postgres }: LedgerSite): Promise<LedgerChanges> {
  if (postgres) return (await import('./postgres-changes.ts')).openPostgresChanges(await postgres());
  return openSqliteChanges(stateFolder(folder).ledger);
}

function openSqliteChanges(file: string): LedgerChanges {
  const open = () => ({ of: statSync(file).ino, db: openDatabase(file, { readOnly: true, checked: true }) });
  let { of, db } = open();
  /** Ids of documents in the rows after one, and the last of these rows. */
  const rowsAfter = (table: 'event' | 'attempt', row: number) => {
    const rows = db.prepare(`SELECT rowid AS row, entry FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`);
    const found = rows.all(row, MOST_CHANGES);
    const ids = found.flatMap(({ entry }) => (entry === null ? [] : [String(entry)]));
    return { ids, last: Number(found.at(-1)?.row ?? row), more: found.length === MOST_CHANGES };
  };
  let version: unknown;
  return {
    hasChanged: async () => {
      // A restored ledger is another file; the number of one that is open is given to no other.
      if (statSync(file).ino !== of) {
        const next = open();
        db.close();
        ({ of, db } = next);
        version = undefined;
      }
      const now = db.prepare('PRAGMA data_version').get()?.data_version;
      const isNew = now !== version;
      version = now;
      return isNew;
    },
    since: async (place) => {
      const now = lastRows(db);
      const [, event, attempt] = PLACE.exec(place ?? '') ?? [];
      const after = { event: Number(event ?? now.event), attempt: Number(attempt ?? now.attempt) };
      const rows = [
        ...db
          .prepare('SELECT entry, file FROM event WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?')
          .all(after.event, now.event, MOST_CHANGES),
        ...db
          .prepare('SELECT entry, NULL AS file FROM attempt WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?')
          .all(after.attempt, now.attempt, MOST_CHANGES),
      ];
      const ids = (column: 'entry' | 'file') => [
        ...new Set(rows.flatMap((row) => (row[column] === null ? [] : [String(row[column])]))),
      ];
      const more = now.event - after.event > MOST_CHANGES || now.attempt - after.attempt > MOST_CHANGES;
      return { place: `${now.event}.${now.attempt}`, documents: ids('entry'), files: ids('file'), more };
    },
    next: async (place) => {
      const [, event, attempt] = PLACE.exec(place) ?? [];
      if (event === undefined) {
        // Of a ledger that was moved here.
        const now = lastRows(db);
        return { place: `${now.event}.${now.attempt}`, documents: [], more: false };
      }
      const events = rowsAfter('event', Number(event));
      const attempts = rowsAfter('attempt', Number(attempt));
      const documents = [...new Set([...events.ids, ...attempts.ids])];
      return { place: `${events.last}.${attempts.last}`, documents, more: events.more || attempts.more };
    },
    [Symbol.asyncDispose]: async () => db.close(),
  };
}

function lastRows(db: DatabaseSync) {
  const last = (table: 'event' | 'attempt') =>
    Number(db.prepare(`SELECT MAX(rowid) AS row FROM ${table}`).get()?.row ?? 0);
  return { event: last('event'), attempt: last('attempt') };
}
