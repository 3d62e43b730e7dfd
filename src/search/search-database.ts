/**
 * The file of the search index, `<instance>/state/index.sqlite`, or one of this machine where the ledger is on PostgreSQL. Only
 * the owner of its folder may read it. It holds nothing that the ledger does not have, so a file that is missing, damaged, of
 * another version or account is made again; where the folder cannot be written, the index is in memory for one command.
 */
import { lstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CANNOT_OPEN, FULL, primaryCode } from '../database/sqlite-result-codes.ts';
import { useWriteAheadLog } from '../database/write-ahead-log.ts';
import { errnoName, isOutOfRoom } from '../files/errno-name.ts';
import { IN_THE_WAY } from '../files/guarded-place.ts';
import { makeForOwner } from '../files/make-for-owner.ts';
import type { LedgerSite } from '../ledger/contract/ledger-site.ts';
import { sha256Hex } from '../text/sha256.ts';

/** Of the tables below and of the terms in them: another one is made again. */
const VERSION = 8;
const READ_ONLY = 8;
const [DAMAGED, NO_DATABASE] = [11, 26];
const IN_MEMORY = ':memory:';
const WAIT_MS = 10_000;
const FORMER = ['mark', 'file', 'document', 'number', 'word', 'term', 'open'];

/**
 * `n` of a document rises in the order of admission: pages go by it. `numbers` has its numbers, each as one
 * term; they and their digits are rows of `number` too, for beginnings and middles. `terms` is a checksum of all its
 * terms. Table `term` finds n by a whole term and keeps no text of its own; `word` has the terms of names, so that a beginning
 * becomes a few whole terms. Table `open` has the documents that are open, or were: `work` is there while one is (`workOf`);
 * `turn` rises with each commit that changes one, and is 0 for those of the first reading.
 */
const TABLES = `
CREATE TABLE mark (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE file (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, folded TEXT NOT NULL, mapping TEXT, run TEXT NOT NULL, day TEXT NOT NULL,
  state TEXT NOT NULL, rereads INTEGER NOT NULL);
CREATE INDEX file_folded ON file (folded);
CREATE TABLE document (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, state TEXT NOT NULL, service TEXT NOT NULL, file INTEGER NOT NULL,
  since INTEGER NOT NULL, warnings INTEGER NOT NULL, numbers TEXT NOT NULL, terms INTEGER NOT NULL);
CREATE INDEX document_state ON document (state);
CREATE INDEX document_file ON document (file);
CREATE INDEX document_warnings ON document (warnings) WHERE warnings = 1;
CREATE TABLE open (
  id TEXT PRIMARY KEY, state TEXT NOT NULL, since INTEGER NOT NULL, work TEXT, turn INTEGER NOT NULL);
CREATE INDEX open_state ON open (state, since, id);
CREATE INDEX open_turn ON open (turn);
CREATE TABLE number (term TEXT NOT NULL, n INTEGER NOT NULL, whole INTEGER NOT NULL, PRIMARY KEY (term, n)) WITHOUT ROWID;
CREATE TABLE word (term TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE VIRTUAL TABLE term USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
PRAGMA user_version = ${VERSION};
`;

/** `isCurrent`: false once its file was removed or replaced, as a purge does; `inMemory`: no file could be made. */
export type SearchDatabase = {
  readonly db: DatabaseSync;
  readonly inMemory: boolean;
  readonly isCurrent: () => boolean;
};

/** Opens the index, empty where it has to be made. */
export function openSearchDatabase(site: LedgerSite): SearchDatabase {
  const file = searchIndexFile(site);
  if (!isOurs(site)) return searchDatabaseInMemory();
  try {
    return openFile(file);
  } catch (error) {
    if (!isDamage(error) && !cannotBeWritten(error)) throw error;
  }
  try {
    // The file of another account: who may write the folder may replace it.
    removeSearchIndex(site);
    return openFile(file);
  } catch (error) {
    if (!cannotBeWritten(error)) throw error;
    return searchDatabaseInMemory();
  }
}

export function searchDatabaseInMemory(): SearchDatabase {
  return { db: connect(IN_MEMORY), inMemory: true, isCurrent: () => true };
}

/** Also when another process reads it: that one keeps a file without a name. A missing index is none. */
export function removeSearchIndex(site: LedgerSite): void {
  if (!isOurs(site)) return;
  const file = searchIndexFile(site);
  for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true, maxRetries: 5 });
}

/** Whether the file is no database, or one with a damaged page. */
export function isDamage(error: unknown): boolean {
  return [DAMAGED, NO_DATABASE].includes(primaryCode(error));
}

/** Whether the index has no place on the disk. */
export function cannotBeWritten(error: unknown): boolean {
  if (['EACCES', 'EPERM', 'EROFS', IN_THE_WAY].includes(errnoName(error) ?? '')) return true;
  return hasNoRoom(error) || [READ_ONLY, CANNOT_OPEN].includes(primaryCode(error));
}

export function hasNoRoom(error: unknown): boolean {
  return isOutOfRoom(error) || primaryCode(error) === FULL;
}

/**
 * Absolute path of the file of the index. With PostgreSQL it is in the folder for temporary files of this machine: the instance
 * folder may be one that several machines share, where SQLite may not keep a file.
 */
export function searchIndexFile({ folder, postgres }: LedgerSite): string {
  return join(postgres ? localFolder(folder) : join(folder, 'state'), 'index.sqlite');
}

/** For this account alone, by the path of the instance folder. */
function localFolder(folder: string): string {
  return join(tmpdir(), `nightpost-${process.getuid?.() ?? 'index'}-${sha256Hex(folder).slice(0, 16)}`);
}

/** Whether its folder is one that others cannot change: anyone may make one in the folder for temporary files. */
function isOurs(site: LedgerSite): boolean {
  if (!site.postgres) return true;
  const folder = localFolder(site.folder);
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const found = lstatSync(folder);
    if (process.getuid === undefined) return found.isDirectory();
    return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o077) === 0;
  } catch {
    return false;
  }
}

function openFile(file: string): SearchDatabase {
  const { ino } = makeForOwner(file);
  const isCurrent = () => statSync(file, { throwIfNoEntry: false })?.ino === ino;
  return { db: connect(file), inMemory: false, isCurrent };
}

function connect(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: WAIT_MS });
  try {
    // Its loss costs a minute of work, not a document: a flush for each commit would cost more.
    useWriteAheadLog(db, WAIT_MS);
    for (const pragma of ['synchronous = NORMAL', 'trusted_schema = OFF', 'cache_size = -16384'])
      db.exec(`PRAGMA ${pragma}`);
    db.exec('BEGIN IMMEDIATE');
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    if (version !== VERSION) {
      for (const name of FORMER) db.exec(`DROP TABLE IF EXISTS ${name}`);
      db.exec(TABLES);
    }
    db.exec('COMMIT');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
