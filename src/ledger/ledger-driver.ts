/**
 * The drivers of an open ledger: the one writer, which counts its commits in the ledger and in its witnesses, and a reader.
 * Both hold what `unlock` frees, and end once however often they are closed.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fdatasync, openSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { must } from '../model/must.ts';
import type { Driver } from './database/database-driver.ts';
import { groupCommit, MAX_FLUSHES } from './database/group-commit.ts';
import { isDiskFull } from './database/storage-errors.ts';
import { openExternalWitnesses } from './installation/external-witness.ts';
import { openWitness } from './installation/installation-file.ts';
import type { LedgerFacts } from './installation/send-guard.ts';
import type { StateFolder } from './installation/state-folder.ts';

/** Given back to the disk when it is full, so that answers of requests under way can still be stored. */
const BALLAST_BYTES = 512 * 1024;
const datasync = promisify(fdatasync);

/** The driver of the one writer: counts its commits, in the ledger and in the file next to it. */
export function openWriter(db: DatabaseSync, state: StateFolder, found: LedgerFacts, unlock: () => void): Driver {
  let generation = found.generation + 1;
  const log = openLog(db, `${state.ledger}-wal`);
  const { installation } = found;
  const witnesses = [
    openWitness(state.witness, installation, generation),
    openExternalWitnesses(state.outside, { installation, generation }),
  ];
  createBallast(state.ballast);
  const driver = groupCommit(db, {
    seal: (sql) => {
      const set = `UPDATE meta SET value = ? WHERE key = 'generation' AND value = ?`;
      // Another program was let in, whatever became of the lock: it has the ledger now.
      if (sql.run(set, String(generation + 1), String(generation)) !== 1) {
        throw new Error('another program has taken it over');
      }
      return generation + 1;
    },
    made: (count) => {
      generation = count;
    },
    flush: log.flush,
    committed: (count) => {
      for (const { recordGeneration } of witnesses) recordGeneration(count);
    },
    isFull: () => isDiskFull(state.ledger),
    makeRoom: () => {
      const there = existsSync(state.ballast);
      rmSync(state.ballast, { force: true });
      return there;
    },
  });
  const close = async () => {
    await driver.close();
    log.close();
    for (const witness of witnesses) witness.close();
    unlock();
  };
  return { ...driver, close: once(close) };
}

/**
 * From here on a COMMIT leaves the flush of SQLite's log to us, so that the thread does not wait for the disk: this alone
 * is what NORMAL leaves out of FULL in a log that is written ahead. Both flush at checkpoints.
 *
 * Each flush has a handle of its own: a system may report an error of the disk only once to each.
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

export function openReader(db: DatabaseSync, unlock: () => void): Driver {
  const { read, write, close } = groupCommit(db, { seal: () => 0, committed: () => {}, makeRoom: () => false });
  const end = async () => {
    await close();
    unlock();
  };
  return { read, write, close: once(end) };
}

/** Without room for it there is none: the ledger works, only without a reserve. */
function createBallast(file: string): void {
  try {
    if (!existsSync(file)) writeFileSync(file, randomBytes(BALLAST_BYTES), { flag: 'wx', mode: 0o600 });
  } catch {
    rmSync(file, { force: true });
  }
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => {
    closing ??= close();
    return closing;
  };
}
