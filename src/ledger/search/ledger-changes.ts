/**
 * Follows what changes in a ledger that another process writes: whether it changed costs a look at one number, and what
 * changed comes from the rows that every change adds. Each question is a read of its own, so the log of the writer stays
 * short. Errors of SQLite are thrown as it gives them.
 */
import { openDatabase } from '../database/open-database.ts';
import { stateFolder } from '../installation/state-folder.ts';

/** After this many looks the file is opened again: a restored ledger is another file. */
const LOOKS = 60;
const MOST_ROWS = 2000;
const PLACE = /^(\d{1,15})\.(\d{1,15})$/;

/** `place` is a text for the next question; `more`: there were too many to name all. Ids, each once. */
export type ChangesSince = {
  readonly place: string;
  readonly documents: readonly string[];
  readonly files: readonly string[];
  readonly more: boolean;
};

export type LedgerChanges = Disposable & {
  /** Whether anything was committed since the last call; true the first time. */
  hasChanged(): boolean;
  /** What changed after a place; nothing without one. A place of another ledger is one of the past or of now. */
  since(place: string | undefined): ChangesSince;
  /** The documents of the next rows after a place, and the place after these rows: page by page, nothing is left out. */
  next(place: string): { readonly place: string; readonly documents: readonly string[]; readonly more: boolean };
};

export function openLedgerChanges(instance: string): LedgerChanges {
  const open = () => openDatabase(stateFolder(instance).ledger, { readOnly: true, checked: true });
  let db = open();
  /** Ids of documents in the rows after one, and the last of these rows. */
  const rowsAfter = (table: 'event' | 'attempt', row: number) => {
    const rows = db.prepare(`SELECT rowid AS row, entry FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`);
    const found = rows.all(row, MOST_ROWS);
    const ids = found.flatMap(({ entry }) => (entry === null ? [] : [String(entry)]));
    return { ids, last: Number(found.at(-1)?.row ?? row), more: found.length === MOST_ROWS };
  };
  let looks = 0;
  let version: unknown;
  return {
    hasChanged: () => {
      looks = (looks + 1) % LOOKS;
      if (looks === 0) {
        db.close();
        db = open();
        version = undefined;
      }
      const now = db.prepare('PRAGMA data_version').get()?.data_version;
      const isNew = now !== version;
      version = now;
      return isNew;
    },
    since: (place) => {
      const last = (table: 'event' | 'attempt') =>
        Number(db.prepare(`SELECT MAX(rowid) AS row FROM ${table}`).get()?.row ?? 0);
      const now = { event: last('event'), attempt: last('attempt') };
      const [, event, attempt] = PLACE.exec(place ?? '') ?? [];
      const after = { event: Number(event ?? now.event), attempt: Number(attempt ?? now.attempt) };
      const rows = [
        ...db
          .prepare('SELECT entry, file FROM event WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?')
          .all(after.event, now.event, MOST_ROWS),
        ...db
          .prepare('SELECT entry, NULL AS file FROM attempt WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?')
          .all(after.attempt, now.attempt, MOST_ROWS),
      ];
      const ids = (column: 'entry' | 'file') => [
        ...new Set(rows.flatMap((row) => (row[column] === null ? [] : [String(row[column])]))),
      ];
      const more = now.event - after.event > MOST_ROWS || now.attempt - after.attempt > MOST_ROWS;
      return { place: `${now.event}.${now.attempt}`, documents: ids('entry'), files: ids('file'), more };
    },
    next: (place) => {
      const [, event = '0', attempt = '0'] = PLACE.exec(place) ?? [];
      const events = rowsAfter('event', Number(event));
      const attempts = rowsAfter('attempt', Number(attempt));
      const documents = [...new Set([...events.ids, ...attempts.ids])];
      return { place: `${events.last}.${attempts.last}`, documents, more: events.more || attempts.more };
    },
    [Symbol.dispose]: () => db.close(),
  };
}
