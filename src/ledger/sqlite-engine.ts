/**
 * The embedded engine: `<instance>/state/ledger.sqlite`, its lock next to it. A missing, emptied or damaged file is an
 * OperatorError `ledger/*`, and nothing is ever made in its place; only `create` makes a file, where there is none.
 */
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { damagedLedger } from './database/damaged-ledger.ts';
import { prepareStatements } from './database/group-commit.ts';
import { findIdentityDamage } from './database/identity-index.ts';
import { createDatabase, migrate, openDatabase } from './database/open-database.ts';
import { toStorageError } from './database/storage-errors.ts';
import { installationPlace, refuseNetworkFolder } from './installation/installation-place.ts';
import { lockInstance } from './installation/instance-lock.ts';
import { readStamps, recordStamp, stampFile } from './installation/ledger-file-stamp.ts';
import type { StateFolder } from './installation/state-folder.ts';
import { openReader, openWriter } from './ledger-driver.ts';
import type { LedgerEdit, LedgerEngine } from './ledger-engine.ts';

/** `machine` replaces the machine id (LedgerPlace). `file`: another one than the ledger itself, while it is made. */
export function sqliteEngine(state: StateFolder, machine?: string, file = state.ledger): LedgerEngine {
  return {
    refusePlace: () => refuseNetworkFolder(state.folder),
    lock: async (work, now) => {
      // An instance without state/ has no ledger: reported as such, and no folder is made for a lock.
      if (!existsSync(state.folder)) openDatabase(file);
      return lockInstance(state.lock, work, now);
    },
    exists: async () => existsSync(file),
    create: async () => editSqlite(createDatabase(file), state),
    look: async ({ checked = false } = {}) => openReader(openDatabase(file, { readOnly: true, checked })),
    edit: async () => editSqlite(openDatabase(file, { checked: true }), state),
    findPlace: async () => installationPlace(state.folder, file, machine),
    readStamps: (meta) => readStamps(file, meta),
    toError: (error) => toStorageError(error, file),
  };
}

/** The caller has the lock, or is alone with the file. */
export function editSqlite(db: DatabaseSync, state: StateFolder): LedgerEdit {
  const sql = prepareStatements(db);
  const write: LedgerEdit['write'] = async (work) => {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = await work(sql);
      db.exec('COMMIT');
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
  return {
    read: async (work) => await work(sql),
    write,
    close: async () => {
      if (db.isOpen) db.close();
    },
    migrate: async (from) => migrate(db, from),
    findDamage: async () => {
      const damage = findIdentityDamage(db);
      return damage && damagedLedger(state.ledger, damage);
    },
    start: async (generation, work) => {
      await write(async (statements) => {
        await work(statements);
        stampFile(db, generation);
      });
      recordStamp(db);
    },
    writer: async (place) => openWriter(db, state, place),
  };
}
