/**
 * Opens the queue of requests of an instance: `<instance>/state/requests.sqlite`, which only its owner may read, or a table of
 * the ledger on PostgreSQL. Errors of the disk are thrown as OperatorError `ledger/*`, others as the engine gives them.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { prepareStatements } from '../../database/group-commit.ts';
import { BUSY, primaryCode } from '../../database/sqlite-result-codes.ts';
import { toStorageError } from '../../database/storage-errors.ts';
import { useWriteAheadLog } from '../../database/write-ahead-log.ts';
import type { LedgerSite } from '../contract/ledger-site.ts';
import type { RequestQueue } from '../contract/request-queue.ts';
import { type QueueDatabase, requestsIn } from './queue-statements.ts';

const VERSION = 2;
/** Another program writes for some milliseconds. */
const WAIT_MS = 5000;
/** Of a program that has more to do, and looks again. */
const SHORT_WAIT_MS = 50;
const TABLES = `
CREATE TABLE request (
  n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL, person TEXT NOT NULL, session TEXT,
  reason TEXT NOT NULL, act TEXT NOT NULL, look TEXT, tries INTEGER NOT NULL DEFAULT 0, done TEXT, answer TEXT);
CREATE INDEX request_open ON request (n) WHERE done IS NULL;
`;
/** Version 2: acts that wait for another person. `expires` is set as long as one is needed; `verdict` is what the person said. */
const APPROVALS = `
ALTER TABLE request ADD COLUMN keys TEXT;
ALTER TABLE request ADD COLUMN about TEXT;
ALTER TABLE request ADD COLUMN expires TEXT;
ALTER TABLE request ADD COLUMN verdict TEXT;
PRAGMA user_version = ${VERSION};
`;

/**
 * `asks`: what is added is flushed. A holder leaves that to the ledger: an answer that is lost is read there again. `serves`: the
 * same next to other work, which stands still while this program waits for another one, so that it does not wait long.
 */
export type QueueRole = 'asks' | 'holds' | 'serves';

/** Another program was writing for longer than this one waits: the next look may find the queue free. */
export function isQueueBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY;
}

/** To read: undefined if no one ever asked for something. */
export async function findRequestQueue(site: LedgerSite, role: QueueRole): Promise<RequestQueue | undefined> {
  return site.postgres || existsSync(queueFile(site)) ? await openRequestQueue(site, role) : undefined;
}

export async function openRequestQueue(site: LedgerSite, role: QueueRole): Promise<RequestQueue> {
  if (site.postgres) {
    const { openPostgresQueue } = await import('./postgres-queue.ts');
    return openPostgresQueue(await site.postgres());
  }
  const file = queueFile(site);
  try {
    return requestsIn(sqliteQueue(connect(file, role), file));
  } catch (error) {
    throw toStorageError(error, file);
  }
}

function queueFile({ folder }: LedgerSite): string {
  return join(folder, 'state', 'requests.sqlite');
}

function connect(file: string, role: QueueRole): DatabaseSync {
  // Created, never opened if it exists: closing a file frees all locks that this process has on it (POSIX).
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const waitMs = role === 'serves' ? SHORT_WAIT_MS : WAIT_MS;
  const db = new DatabaseSync(file, { timeout: waitMs });
  try {
    const flush = role === 'asks' ? 'FULL' : 'NORMAL';
    useWriteAheadLog(db, waitMs);
    for (const pragma of [`synchronous = ${flush}`, 'trusted_schema = OFF', 'secure_delete = ON'])
      db.exec(`PRAGMA ${pragma}`);
    db.exec('BEGIN IMMEDIATE');
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    if (version === 0) db.exec(TABLES);
    if (version < VERSION) db.exec(APPROVALS);
    db.exec('COMMIT');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Every method of the queue is one statement, which SQLite commits by itself. */
function sqliteQueue(db: DatabaseSync, file: string): QueueDatabase {
  const sql = prepareStatements(db);
  const version = db.prepare('PRAGMA data_version');
  let seen: unknown;
  const stored = async <T>(work: (statements: typeof sql) => Promise<T>): Promise<T> => {
    try {
      return await work(sql);
    } catch (error) {
      throw toStorageError(error, file);
    }
  };
  return {
    read: stored,
    write: stored,
    close: async () => db.close(),
    hasChanged: () =>
      stored(async () => {
        const now = version.get()?.data_version;
        const isNew = now !== seen;
        seen = now;
        return isNew;
      }),
  };
}
