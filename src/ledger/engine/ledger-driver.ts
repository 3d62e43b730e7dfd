/**
 * The drivers of an open SQLite ledger: the one writer, which counts its commits in the ledger and in its witnesses and holds
 * the lock that `unlock` frees, and a reader. Closing one of them a second time does nothing.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fdatasync, openSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { closeOnce } from '../../database/close-once.ts';
import type { Driver } from '../../database/database-driver.ts';
import { groupCommit, MAX_FLUSHES } from '../../database/group-commit.ts';
import { isDiskFull } from '../../database/storage-errors.ts';
import { must } from '../../model/must.ts';
import { openExternalWitnesses } from '../installation/external-witness.ts';
import { openWitness } from '../installation/installation-file.ts';
import type { StateFolder } from '../installation/state-folder.ts';
import type { Unlock, WriterPlace } from './ledger-engine.ts';

/** Freed when the disk is full, so that answers of requests under way can still be stored. */
const BALLAST_BYTES = 512 * 1024;
const datasync = promisify(fdatasync);

/** The driver of the one writer: counts its commits, in the ledger and in the file next to it. */
export function openWriter(
  db: DatabaseSync,
  state: StateFolder,
  { facts, unlock, onCommit, onClosed }: WriterPlace & { readonly onClosed: () => void },
): Driver {
  let generation = facts.generation + 1;
  const log = openLog(db, `${state.ledger}-wal`);
  const { installation } = facts;
  const witnesses = [
    openWitness(state.witness, installation, generation),
    openExternalWitnesses(state.outside, { installation, generation }),
  ];
  createBallast(state.ballast);
  /** When the commits under way began, by their count. */
  const begun = new Map<number, number>();
  const driver = groupCommit(db, {
    seal: (sql) => {
      const set = `UPDATE meta SET value = ? WHERE key = 'generation' AND value = ?`;
      // Another program has written since, so it holds the ledger now, whatever happened to the lock.
      if (sql.run(set, String(generation + 1), String(generation)) !== 1) {
        throw new Error('another program has taken it over');
      }
      if (onCommit) begun.set(generation + 1, performance.now());
      return generation + 1;
    },
    made: (count) => {
      generation = count;
    },
    flush: log.flush,
    committed: (count) => {
      for (const { recordGeneration } of witnesses) recordGeneration(count);
      const startedMs = begun.get(count);
      if (startedMs !== undefined) onCommit?.(performance.now() - startedMs);
      begun.delete(count);
    },
    isFull: () => isDiskFull(state.ledger),
    makeRoom: () => {
      const exists = existsSync(state.ballast);
      rmSync(state.ballast, { force: true });
      return exists;
    },
  });
  const close = async () => {
    await driver.close();
    onClosed();
    log.close();
    for (const witness of witnesses) witness.close();
    await unlock();
  };
  return { ...driver, close: closeOnce(close) };
}

/**
 * From here on a COMMIT leaves the flush of SQLite's log to us, so that the thread does not wait for the disk: in a
 * write-ahead log this flush is the only difference between NORMAL and FULL. Both flush at checkpoints.
 *
 * Each flush has a file handle of its own: a system may report an error of the disk only once to each handle.
 */
function openLog(db: DatabaseSync, file: string) {
  const handles = Array.from({ length: MAX_FLUSHES }, () => openSync(file, 'r+'));
  const free = [...handles];
  db.exec('PRAGMA synchronous = NORMAL');
  const flush = async () => {
    const handle = must(free.pop(), 'a free handle of the log');
    try {
      await datasync(handle);
    } finally {
      free.push(handle);
    }
  };
  const close = () => {
    for (const handle of handles) closeSync(handle);
  };
  return { flush, close };
}

export function openReader(db: DatabaseSync): Driver {
  const { read, write, close } = groupCommit(db, { seal: () => 0, committed: () => {}, makeRoom: () => false });
  return { read, write, close: closeOnce(close) };
}

/** The driver, whose close frees the lock too. */
export function withUnlock(driver: Driver, unlock: Unlock): Driver {
  const close = async () => {
    await driver.close();
    await unlock();
  };
  return { ...driver, close: closeOnce(close) };
}

/** Creates the reserve if the disk has room for it: the ledger also works without one. */
function createBallast(file: string): void {
  try {
    if (!existsSync(file)) writeFileSync(file, randomBytes(BALLAST_BYTES), { flag: 'wx', mode: 0o600 });
  } catch {
    rmSync(file, { force: true });
  }
}
