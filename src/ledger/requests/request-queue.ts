/**
 * The requests of people, in `<instance>/state/requests.sqlite`, which only its owner may read: written and flushed before
 * anyone is promised anything, carried out by the holder of the lock. Not part of the ledger: this file has what people
 * asked for, the ledger what was done. Errors of the disk are thrown as OperatorError `ledger/*`, others as SQLite gives them.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toStorageError } from '../database/storage-errors.ts';

const VERSION = 2;
/** Another program writes for some milliseconds. */
const WAIT_MS = 5000;
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

/** A request before it is queued. `id`: a key that the asker chose; `act` and `look` are JSON, `at` is ISO 8601. */
type NewRequest = {
  readonly id: string;
  readonly at: string;
  readonly person: string;
  /** Of the console, for the history. */
  readonly session?: string | undefined;
  readonly reason: string;
  readonly act: string;
  /** What the person has seen: the count and the hash of a selection. */
  readonly look?: string | undefined;
  /** `PersonKeys` of who asks, as JSON. */
  readonly keys?: string | undefined;
  /** It waits for another person from the begin. */
  readonly approval?: NeededApproval | undefined;
};

/** `about`: the documents for which another person is needed, as JSON. After `expires` (ISO 8601) the act is not done. */
export type NeededApproval = { readonly about: string; readonly expires: string };

/** `verdict`: what another person said, an `ApprovalVerdict` as JSON. */
type Approvable = { readonly keys?: string } & Partial<NeededApproval> & { readonly verdict?: string };

/** `tries`: how often it was begun before, by a program that ended during it. */
export type QueuedRequest = Pick<NewRequest, 'id' | 'at' | 'person' | 'reason' | 'act'> & {
  readonly look?: string;
  readonly tries: number;
} & Approvable;

/** A request with its answer, if there is one. `at` and `done` are ISO 8601. */
export type KnownRequest = Pick<NewRequest, 'id' | 'at' | 'person' | 'reason' | 'act'> & {
  readonly look?: string;
  readonly done?: string;
  readonly answer?: string;
} & Approvable;

export type RequestQueue = Disposable & {
  /** Durable when it returns. An id that is known changes nothing. */
  readonly add: (request: NewRequest) => void;
  /**
   * The oldest request without an answer that was begun at most `tries` times, but none of `except` (ids); undefined without
   * one. One that waits for another person is not seen, until that person has answered or its time is over at `now` (ISO 8601).
   */
  readonly next: (tries: number, now: string, except?: readonly string[]) => QueuedRequest | undefined;
  /** From now on it waits for another person; nothing changes for one that does, or that a person has answered. */
  readonly hold: (id: string, needed: NeededApproval) => void;
  /** Durable when it returns. False, and nothing changes, unless it waits for another person at `now` (ISO 8601). */
  readonly judge: (id: string, verdict: string, now: string) => boolean;
  /** Those that wait for another person at `now` (ISO 8601), the oldest first. */
  readonly waitingForPeople: (now: string) => readonly KnownRequest[];
  /** Counts a try: one that ends the program is seen by the next holder. */
  readonly begin: (id: string) => void;
  /** The try ended in order, before the act was complete. */
  readonly putBack: (id: string) => void;
  /** The request is not carried out, because it could not even begin; one that has begun, or that another person has to approve, stays. */
  readonly withdraw: (id: string) => void;
  /** The content of the act is dropped: the ledger has what was done. */
  readonly answer: (id: string, answer: string, at: string) => void;
  /** Undefined while there is no answer. */
  readonly answerOf: (id: string) => string | undefined;
  /** The first request whose id begins so; without `answer` while it waits. */
  readonly beginning: (prefix: string) => { readonly id: string; readonly answer?: string } | undefined;
  /** How many have no answer yet, without those that wait for another person. */
  readonly waiting: () => number;
  /** Undefined for an id that no one asked under, and for a request that was forgotten. */
  readonly find: (id: string) => KnownRequest | undefined;
  /** The last reasons of a person, each once, the latest first. */
  readonly reasonsOf: (person: string, most: number) => readonly string[];
  /** Whether another process has written since the last call; true the first time. */
  readonly hasChanged: () => boolean;
  /** Drops the requests that were answered before `at` (ISO 8601). */
  readonly forget: (at: string) => void;
  /** Drops the answered requests whose answer (JSON) is meant; no byte of them stays in the file. */
  readonly forgetAnswers: (isMeant: (answer: string) => boolean) => void;
};

/** Whether anyone ever asked for something: without a file there is no queue. */
export function hasRequestQueue(instance: string): boolean {
  return existsSync(queueFile(instance));
}

/** `asks`: what is added is flushed. A holder leaves that to the ledger: an answer that is lost is read there again. */
export function openRequestQueue(instance: string, role: 'asks' | 'holds'): RequestQueue {
  const file = queueFile(instance);
  try {
    const db = connect(file, role);
    return queueOn(db, file);
  } catch (error) {
    throw toStorageError(error, file);
  }
}

function queueFile(instance: string): string {
  return join(instance, 'state', 'requests.sqlite');
}

function connect(file: string, role: 'asks' | 'holds'): DatabaseSync {
  // Created, never opened if it exists: closing a file frees all locks that this process has on it (POSIX).
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file, { timeout: WAIT_MS });
  try {
    const flush = role === 'asks' ? 'FULL' : 'NORMAL';
    for (const pragma of [
      'journal_mode = WAL',
      `synchronous = ${flush}`,
      'trusted_schema = OFF',
      'secure_delete = ON',
    ]) {
      db.exec(`PRAGMA ${pragma}`);
    }
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

const COLUMNS = 'id, at, person, reason, act, look, keys, about, expires, verdict';
const OPEN = `SELECT ${COLUMNS}, tries FROM request WHERE done IS NULL AND tries <= ?
  AND (expires IS NULL OR verdict IS NOT NULL OR expires <= ?)
  AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY n LIMIT 1`;
const ADD = `INSERT INTO request (id, at, person, session, reason, act, look, keys, about, expires)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
const WAITS = 'done IS NULL AND verdict IS NULL AND expires > ?';

function queueOn(db: DatabaseSync, file: string): RequestQueue {
  const [add, next] = [db.prepare(ADD), db.prepare(OPEN)];
  const begin = db.prepare('UPDATE request SET tries = tries + 1 WHERE id = ?');
  const putBack = db.prepare('UPDATE request SET tries = MAX(tries - 1, 0) WHERE id = ?');
  const withdraw = db.prepare('DELETE FROM request WHERE id = ? AND done IS NULL AND tries = 0 AND expires IS NULL');
  const end = db.prepare(`UPDATE request SET done = ?, answer = ?, act = '' WHERE id = ? AND done IS NULL`);
  const answer = db.prepare('SELECT answer FROM request WHERE id = ?');
  const beginning = db.prepare('SELECT id, answer FROM request WHERE id >= ? AND id < ? ORDER BY id LIMIT 1');
  const find = db.prepare(`SELECT ${COLUMNS}, done, answer FROM request WHERE id = ?`);
  const hold = db.prepare(`UPDATE request SET about = ?, expires = ?, tries = 0
    WHERE id = ? AND done IS NULL AND expires IS NULL AND verdict IS NULL`);
  const judge = db.prepare(`UPDATE request SET verdict = ? WHERE id = ? AND ${WAITS}`);
  const people = db.prepare(`SELECT ${COLUMNS} FROM request WHERE ${WAITS} ORDER BY n`);
  const reasons = db.prepare(
    `SELECT reason FROM request WHERE person = ? AND reason <> '' GROUP BY reason ORDER BY MAX(n) DESC LIMIT ?`,
  );
  const forget = db.prepare('DELETE FROM request WHERE done < ?');
  const answered = db.prepare('SELECT id, answer FROM request WHERE done IS NOT NULL');
  const drop = db.prepare('DELETE FROM request WHERE id = ?');
  const waiting = db.prepare(
    'SELECT count(*) AS n FROM request WHERE done IS NULL AND (expires IS NULL OR verdict IS NOT NULL)',
  );
  const version = db.prepare('PRAGMA data_version');
  let seen: unknown;
  const stored = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw toStorageError(error, file);
    }
  };
  return {
    add: ({ id, at, person, session = null, reason, act, look = null, keys = null, approval }) =>
      stored(() => {
        const { about = null, expires = null } = approval ?? {};
        add.run(id, at, person, session, reason, act, look, keys, about, expires);
      }),
    next: (tries, now, except = []) =>
      stored(() => {
        const row = next.get(tries, now, JSON.stringify(except));
        return row && (withoutNulls(row) as QueuedRequest);
      }),
    hold: (id, { about, expires }) => stored(() => void hold.run(about, expires, id)),
    judge: (id, verdict, now) => stored(() => judge.run(verdict, id, now).changes > 0),
    waitingForPeople: (now) => stored(() => people.all(now).map((row) => withoutNulls(row) as KnownRequest)),
    begin: (id) => stored(() => void begin.run(id)),
    putBack: (id) => stored(() => void putBack.run(id)),
    withdraw: (id) => stored(() => void withdraw.run(id)),
    answer: (id, text, at) => stored(() => void end.run(at, text, id)),
    answerOf: (id) => stored(() => (answer.get(id)?.answer ?? undefined) as string | undefined),
    beginning: (prefix) =>
      stored(() => {
        const row = beginning.get(prefix, `${prefix}\u{10ffff}`);
        return row && { id: String(row.id), ...(row.answer !== null && { answer: String(row.answer) }) };
      }),
    waiting: () => stored(() => Number(waiting.get()?.n)),
    find: (id) =>
      stored(() => {
        const row = find.get(id);
        return row && (withoutNulls(row) as KnownRequest);
      }),
    reasonsOf: (person, most) => stored(() => reasons.all(person, most).map(({ reason }) => String(reason))),
    hasChanged: () => {
      const now = stored(() => version.get()?.data_version);
      const isNew = now !== seen;
      seen = now;
      return isNew;
    },
    forget: (at) => stored(() => void forget.run(at)),
    forgetAnswers: (isMeant) =>
      stored(() => {
        const ids = answered.all().flatMap(({ id, answer: text }) => (isMeant(String(text)) ? [String(id)] : []));
        for (const id of ids) drop.run(id);
      }),
    [Symbol.dispose]: () => db.close(),
  };
}

function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
