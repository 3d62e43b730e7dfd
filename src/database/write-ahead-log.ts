/**
 * Gives a database its write-ahead log. A database comes in; an error of SQLite is thrown as it is, BUSY only once the time is
 * over.
 */
import type { DatabaseSync } from 'node:sqlite';
import { BUSY, primaryCode } from './sqlite-result-codes.ts';

const LOOK_MS = 5;

/** While another program writes into a file that has no log yet, SQLite refuses the log at once, whatever its timeout. */
export function useWriteAheadLog(db: DatabaseSync, waitMs: number): void {
  const untilMs = performance.now() + waitMs;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (primaryCode(error) !== BUSY || performance.now() > untilMs) throw error;
      Atomics.wait(pause, 0, 0, LOOK_MS);
    }
  }
}
