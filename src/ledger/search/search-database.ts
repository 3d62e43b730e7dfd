/**
 * The file of the search index, `<instance>/state/index.sqlite`, which only its owner may read. It holds nothing that
 * the ledger does not have, so a file that is missing, damaged or of another version is made again; where the folder
 * cannot be written, the index lives in memory for one command.
 */
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CANNOT_OPEN, FULL, primaryCode } from '../database/sqlite-result-codes.ts';
import { TERM_COLUMNS } from './search-terms.ts';

/** Of the tables below and of the terms in them: another one is made again. */
const VERSION = 1;
const READ_ONLY = 8;
const [DAMAGED, NO_DATABASE] = [11, 26];
const IN_MEMORY = ':memory:';
const WAIT_MS = 10_000;

/**
 * `n` of a document rises in the order of admission: pages go by it. `numbers` has the whole terms of its numbers, for
 * the middle of one; `terms` a checksum of all its terms. Table `term` finds n by term and keeps no text of its own.
 */
const TABLES = `
CREATE TABLE mark (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE file (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, folded TEXT NOT NULL, mapping TEXT, run TEXT NOT NULL, day TEXT NOT NULL);
CREATE TABLE document (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, state TEXT NOT NULL, service TEXT NOT NULL, file INTEGER NOT NULL,
  since INTEGER NOT NULL, warnings INTEGER NOT NULL, numbers TEXT NOT NULL, terms INTEGER NOT NULL);
CREATE INDEX document_state ON document (state);
CREATE INDEX document_file ON document (file);
CREATE INDEX document_warnings ON document (warnings) WHERE warnings = 1;
CREATE VIRTUAL TABLE term USING fts5(${TERM_COLUMNS.join(', ')}, content='', contentless_delete=1, detail=column,
  prefix='3', tokenize='ascii');
PRAGMA user_version = ${VERSION};
`;

/** Opens the index, empty where it has to be made. */
export function openSearchDatabase(instance: string): DatabaseSync {
  const file = indexFile(instance);
  try {
    return openFile(file);
  } catch (error) {
    if (isDamage(error)) {
      removeSearchIndex(instance);
      return openFile(file);
    }
    if (!cannotBeWritten(error)) throw error;
    return connect(IN_MEMORY);
  }
}

/** Also when another process reads it: that one keeps a file without a name. A missing index is none. */
export function removeSearchIndex(instance: string): void {
  const file = indexFile(instance);
  for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true, maxRetries: 5 });
}

/** Whether the file is no database, or one with a damaged page. */
export function isDamage(error: unknown): boolean {
  return [DAMAGED, NO_DATABASE].includes(primaryCode(error));
}

function cannotBeWritten(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'].includes(code)) return true;
  return [READ_ONLY, FULL, CANNOT_OPEN].includes(primaryCode(error));
}

function indexFile(instance: string): string {
  return join(instance, 'state', 'index.sqlite');
}

function openFile(file: string): DatabaseSync {
  closeSync(openSync(file, 'a', 0o600));
  return connect(file);
}

function connect(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: WAIT_MS });
  try {
    // Its loss costs a minute of work, not a document: a flush for each commit would cost more.
    for (const pragma of [
      'journal_mode = WAL',
      'synchronous = NORMAL',
      'trusted_schema = OFF',
      'cache_size = -16384',
    ]) {
      db.exec(`PRAGMA ${pragma}`);
    }
    db.exec('BEGIN IMMEDIATE');
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    if (version !== VERSION) {
      for (const name of ['mark', 'file', 'document', 'term']) db.exec(`DROP TABLE IF EXISTS ${name}`);
      db.exec(TABLES);
    }
    db.exec('COMMIT');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
