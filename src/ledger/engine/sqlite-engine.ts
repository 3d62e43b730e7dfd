/**
 * The embedded engine: `<instance>/state/ledger.sqlite`, its lock next to it. A missing, emptied or damaged file is an
 * OperatorError `ledger/*`, and nothing is ever made in its place; only `create` makes a file, where there is none.
 */
import { closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { damagedLedger } from '../../database/damaged-ledger.ts';
import { prepareStatements } from '../../database/group-commit.ts';
import { findIdentityDamage } from '../../database/identity-index.ts';
import { createDatabase, migrate, openDatabase } from '../../database/open-database.ts';
import { findSqliteProblems } from '../../database/sqlite-problems.ts';
import { toStorageError } from '../../database/storage-errors.ts';
import { syncFolder } from '../../files/fsync-directory.ts';
import { installationPlace, refuseNetworkFolder } from '../installation/installation-place.ts';
import { isLocked, lockInstance } from '../installation/instance-lock.ts';
import { readStamps, recordStamp, stampFile } from '../installation/ledger-file-stamp.ts';
import type { StateFolder } from '../installation/state-folder.ts';
import { eraseFreedPages } from './erase-freed-pages.ts';
import { openReader, openWriter } from './ledger-driver.ts';
import type { LedgerEdit, LedgerEngine } from './ledger-engine.ts';
import { doubting, type WholeCheck, wholeCheck } from './whole-check.ts';

type Surroundings = { readonly machine?: string | undefined; readonly now?: (() => Date) | undefined };

/** `machine` replaces the machine id (LedgerPlace). Without a clock every program reads the whole ledger. */
export function sqliteEngine(state: StateFolder, { machine, now }: Surroundings = {}): LedgerEngine {
  const file = state.ledger;
  const whole = wholeCheck(file, state.checked, now);
  return {
    name: 'sqlite',
    shownPlace: file,
    refusePlace: () => refuseNetworkFolder(state.folder),
    lock: async (work, now) => {
      // An instance without state/ has no ledger: reported as such, and no folder is made for a lock.
      if (!existsSync(state.folder)) openDatabase(file);
      return lockInstance(state.lock, work, now);
    },
    isBusy: async () => existsSync(state.lock) && isLocked(state.lock),
    exists: async () => existsSync(file),
    create: async () => editSqlite(createDatabase(file), state),
    look: async ({ checked = false } = {}) =>
      doubting(openReader(openDatabase(file, { readOnly: true, checked: checked || whole.isRecent() })), whole),
    edit: async () => editSqlite(openDatabase(file, { checked: true }), state, whole),
    findPlace: async () => installationPlace(state.folder, file, machine),
    copyInto: async (copy) => {
      const sound = whole.reading();
      using source = openDatabase(file, { readOnly: true });
      const damage = findIdentityDamage(source);
      if (damage) throw damagedLedger(file, damage);
      sound();
      source.prepare('VACUUM INTO ?').run(copy);
    },
    replaceBy: async (made, at) => {
      flush(made);
      const kept = moveAside(state, at);
      if (kept !== undefined) await syncFolder(kept);
      renameSync(made, file);
      await syncFolder(state.folder);
      return kept;
    },
    findProblems: async () => findSqliteProblems(file),
    eraseFreed: async () => void eraseFreedPages(file),
    readStamps: (meta) => readStamps(file, meta),
    toError: (error) => toStorageError(error, file),
  };
}

/** Renames it with all its files; never deletes it. */
function moveAside(state: StateFolder, at: Date): string | undefined {
  const files = [state.ledger, `${state.ledger}-wal`, `${state.ledger}-shm`].filter((path) => existsSync(path));
  if (files.length === 0) return undefined;
  const kept = join(state.folder, `before-${at.toISOString().replaceAll(':', '')}`);
  mkdirSync(kept, { mode: 0o700 });
  if (existsSync(state.witness)) copyFileSync(state.witness, join(kept, basename(state.witness)));
  for (const path of files) renameSync(path, join(kept, basename(path)));
  return kept;
}

function flush(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/** The caller has the lock, or is alone with the file. */
export function editSqlite(db: DatabaseSync, state: StateFolder, whole?: WholeCheck): LedgerEdit {
  const sql = prepareStatements(db);
  const write: LedgerEdit['write'] = async (body) => {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = await body(sql);
      db.exec('COMMIT');
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
  return {
    read: async (body) => await body(sql),
    write,
    close: async () => {
      if (!db.isOpen) return;
      db.close();
      whole?.closed();
    },
    migrate: async (from) => migrate(db, from),
    findDamage: async () => {
      if (whole?.isRecent()) return undefined;
      const damage = findIdentityDamage(db);
      if (damage) return damagedLedger(state.ledger, damage);
      whole?.passed();
      return undefined;
    },
    start: async (generation, body) => {
      await write(async (statements) => {
        await body(statements);
        stampFile(db, generation);
      });
      recordStamp(db);
    },
    writer: async (place) => {
      const driver = openWriter(db, state, { ...place, onClosed: () => whole?.closed() });
      return whole ? doubting(driver, whole) : driver;
    },
  };
}
