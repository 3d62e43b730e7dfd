/**
 * Opens the SQLite file of a ledger: settings for durability, the check of its integrity, the schema.
 *
 * Opening never creates a file: to SQLite, a missing or emptied file is a healthy empty database.
 */
import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { LEDGER_FILE } from '../i18n/messages/ledger-messages.ts';
import { OperatorError } from '../model/fault.ts';
import { isVersionBelow } from '../text/version-order.ts';
import { damagedLedger } from './damaged-ledger.ts';
import type { DatabaseRow } from './database-driver.ts';
import { prepareStatements } from './group-commit.ts';
import { addMissingChecksums } from './identity-index.ts';
import { MIGRATIONS } from './migrations.ts';
import { restoreHint } from './restore-hint.ts';
import { CANNOT_OPEN, CORRUPT, primaryCode } from './sqlite-result-codes.ts';
import { toStorageError } from './storage-errors.ts';
import { upgradeKeys } from './upgrade-keys.ts';

/** In older versions two connections can damage a database in WAL mode (fixed in 3.51.3). */
export const OLDEST_SQLITE = [3, 51, 3] as const;
/**
 * A cache of 8 MiB: each commit after a split of a page scans all of it, and pages in use at one time are close together;
 * the system caches the rest.
 */
const SETTINGS = ['foreign_keys = ON', 'trusted_schema = OFF', 'cell_size_check = ON', 'cache_size = -8192'];
/**
 * The journal of a savepoint stays in memory: otherwise SQLite writes each page that a work changes into a temporary file
 * first, for a rare undo that no crash needs.
 */
const UNDO_IN_MEMORY = 'temp_store = MEMORY';
/** FULL: with NORMAL a power cut can lose the record of a sent document. A few documents fill a page; the log has 32 MiB. */
const WRITER_SETTINGS = ['page_size = 8192', 'journal_mode = WAL', 'synchronous = FULL', 'wal_autocheckpoint = 4096'];

/** Throws `ledger/old-sqlite` for a version that can damage a ledger. */
export function requireSqlite(version: string): void {
  if (!isVersionBelow(version, OLDEST_SQLITE)) return;
  throw new OperatorError('ledger/old-sqlite', LEDGER_FILE.oldSqlite({ version }), {
    hint: LEDGER_FILE.oldSqliteHint({ oldest: OLDEST_SQLITE.join('.') }),
  });
}

/** The value of a statement that has one row of one column. */
export function selectValue(db: DatabaseSync, sql: string): SQLOutputValue | undefined {
  return Object.values(db.prepare(sql).get() ?? {})[0];
}

type OpenOptions = { readonly readOnly?: boolean; readonly checked?: boolean };

/**
 * Opens an existing ledger, or throws an OperatorError. `checked`: its pages were checked a moment ago. Damage is looked for twice: a
 * disk that failed once shows pages of a whole file as damaged, and to restore a backup would be the wrong remedy.
 */
export function openDatabase(file: string, options: OpenOptions = {}): DatabaseSync {
  try {
    return openOnce(file, options);
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code !== 'ledger/damaged') throw error;
    return openOnce(file, options);
  }
}

function openOnce(file: string, options: OpenOptions): DatabaseSync {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined)
    throw new OperatorError('ledger/missing', LEDGER_FILE.missing({ file }), { hint: restoreHint(file) });
  if (size === 0) throw new OperatorError('ledger/empty', LEDGER_FILE.empty({ file }), { hint: restoreHint(file) });
  let db: DatabaseSync | undefined;
  try {
    db = connect(file, options.readOnly === true);
    requireSqlite(String(selectValue(db, 'SELECT sqlite_version()')));
    if (!options.checked) {
      const problem = selectValue(db, 'PRAGMA quick_check(1)');
      if (problem !== 'ok') throw pageError(String(problem));
    }
    db.prepare(`SELECT value FROM meta WHERE key = 'schema'`).get();
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof OperatorError) throw error;
    const storageError = primaryCode(error) === CORRUPT ? error : toStorageError(error, file);
    if (storageError !== error) throw storageError;
    if ([5, 6, 8, CANNOT_OPEN].includes(primaryCode(error))) throw unreadableLedger(file, error);
    throw damagedLedger(file, (error as Error).message, error);
  }
}

/** `unable to get the page. error code=8458`: the disk, where the code is one of those (https://www.sqlite.org/rescode.html). */
function pageError(problem: string): Error {
  const [, code] = /error code=(\d+)/.exec(problem) ?? [];
  return Object.assign(new Error(problem), code === undefined ? {} : { errcode: Number(code) });
}

/** A new, empty ledger with its schema; readable by its owner only. Fails if the file exists. */
export function createDatabase(file: string): DatabaseSync {
  closeSync(openSync(file, 'wx', 0o600));
  const db = connect(file, false);
  requireSqlite(String(selectValue(db, 'SELECT sqlite_version()')));
  migrate(db, 0);
  return db;
}

/** Upgrades the schema in one transaction: a crash leaves the old one whole. */
export function migrate(db: DatabaseSync, from: number): void {
  if (from >= MIGRATIONS.length) return;
  db.exec('BEGIN IMMEDIATE');
  for (const statement of MIGRATIONS.slice(from).flat()) db.exec(statement);
  addMissingChecksums(db);
  upgradeAllKeys(db);
  writeMeta(db, { schema: String(MIGRATIONS.length) });
  db.exec('COMMIT');
}

function upgradeAllKeys(db: DatabaseSync): void {
  const steps = upgradeKeys();
  for (let step = steps.next(); !step.done; ) {
    const [sql, ...values] = step.value;
    step = steps.next(db.prepare(sql).all(...values) as unknown as readonly DatabaseRow[]);
  }
}

export function readMeta(db: DatabaseSync): ReadonlyMap<string, string> {
  const rows = db.prepare('SELECT key, value FROM meta').all();
  return new Map(rows.map((row) => [row.key as string, row.value as string]));
}

export function writeMeta(db: DatabaseSync, values: { readonly [key: string]: string }): void {
  const { run } = prepareStatements(db);
  const set = 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
  for (const [key, value] of Object.entries(values)) void run(set, key, value);
}

function connect(file: string, readOnly: boolean): DatabaseSync {
  const url = pathToFileURL(file);
  url.searchParams.set('mode', readOnly ? 'ro' : 'rw');
  const db = new DatabaseSync(url, { readOnly, timeout: 5000 });
  for (const pragma of [...SETTINGS, UNDO_IN_MEMORY, ...(readOnly ? [] : WRITER_SETTINGS)]) db.exec(`PRAGMA ${pragma}`);
  return db;
}

function unreadableLedger(file: string, cause: unknown): OperatorError {
  return new OperatorError('ledger/unreadable', LEDGER_FILE.unreadable({ file, problem: (cause as Error).message }), {
    hint: LEDGER_FILE.unreadableHint(),
    cause,
  });
}
