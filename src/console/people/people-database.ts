/**
 * The file of people, `<instance>/state/people.sqlite`: readable by its owner alone. Of passwords it has the scrypt hash,
 * of sessions, links and tokens the SHA-256, so a copy of the file signs no one in. Errors of SQLite are thrown.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDurableFolder } from '../../files/fsync-directory.ts';
import { makeForOwner } from '../../files/make-for-owner.ts';

const VERSION = 1;
const WAIT_MS = 5_000;

/** `folded`: the name in small letters and NFKC, which is unique. `secret`: the hash of a password, or null. */
const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE person (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE, role TEXT NOT NULL, language TEXT, secret TEXT,
  added_at INTEGER NOT NULL, added_by TEXT NOT NULL, revoked_at INTEGER) WITHOUT ROWID;
CREATE TABLE session (
  hash TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES person, began INTEGER NOT NULL, seen INTEGER NOT NULL,
  address TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX session_person ON session (person);
CREATE TABLE link (hash TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES person, ends INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE token (hash TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES person, made_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE event (
  n INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, what TEXT NOT NULL, person TEXT, name TEXT NOT NULL,
  address TEXT NOT NULL, detail TEXT);
PRAGMA user_version = ${VERSION};
`;

/** Who can have signed in as a person, because they made the account, a link, a token or a password of it. */
const MAKERS = `
CREATE TABLE maker (person TEXT NOT NULL REFERENCES person, name TEXT NOT NULL, PRIMARY KEY (person, name)) WITHOUT ROWID;
INSERT OR IGNORE INTO maker SELECT id, added_by FROM person;
INSERT OR IGNORE INTO maker SELECT person, detail ->> '$.by' FROM event
  WHERE what IN ('person-added', 'link-made', 'token-made', 'password-set', 'binding-allowed')
  AND person IN (SELECT id FROM person) AND detail ->> '$.by' IS NOT NULL;
`;

/**
 * Who a person is elsewhere: the issuer and its `sub`, not a name, which people may choose. `follows`: the role is that of the
 * groups, because this way made the person. `binding`: an administrator lets the next identity of this name be the person.
 */
const IDENTITIES = `
CREATE TABLE IF NOT EXISTS identity (
  issuer TEXT NOT NULL, sub TEXT NOT NULL, person TEXT NOT NULL REFERENCES person, follows INTEGER NOT NULL,
  bound_at INTEGER NOT NULL, PRIMARY KEY (issuer, sub)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS binding (person TEXT PRIMARY KEY REFERENCES person, ends INTEGER NOT NULL) WITHOUT ROWID;
`;

/**
 * The bytes of a copy as of one instant, for a backup: without sessions and sign-in links, which a restore would bring back.
 * Undefined where no one ever had access.
 */
export function copyPeople(instance: string): Buffer | undefined {
  const file = join(instance, 'state', 'people.sqlite');
  if (!existsSync(file)) return undefined;
  const copy = `${file}.copy-${process.pid}`;
  rmSync(copy, { force: true });
  closeSync(openSync(copy, 'w', 0o600));
  try {
    using people = openPeopleDatabase(instance);
    people.prepare('VACUUM INTO ?').run(copy);
    using db = new DatabaseSync(copy);
    db.exec('DELETE FROM session; DELETE FROM link; DELETE FROM binding; VACUUM');
    db.close();
    return readFileSync(copy);
  } finally {
    rmSync(copy, { force: true });
  }
}

/** Makes the file with its first use. Several processes may have it open. */
export function openPeopleDatabase(instance: string): DatabaseSync {
  const folder = join(instance, 'state');
  makeDurableFolder(folder);
  const file = join(folder, 'people.sqlite');
  makeForOwner(file);
  const db = new DatabaseSync(file, { timeout: WAIT_MS });
  try {
    for (const pragma of ['foreign_keys = ON', 'trusted_schema = OFF', 'synchronous = FULL'])
      db.exec(`PRAGMA ${pragma}`);
    db.exec('BEGIN IMMEDIATE');
    if (Number(db.prepare('PRAGMA user_version').get()?.user_version) === 0) {
      db.exec(TABLES);
      const set = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
      set.run('salt', randomBytes(12).toString('hex'));
      set.run('key', randomBytes(32).toString('hex'));
    }
    // Added later, so a file of before gets it as well.
    db.exec('CREATE INDEX IF NOT EXISTS event_person ON event (person, n)');
    db.exec(IDENTITIES);
    const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'maker'").get();
    if (!isThere) db.exec(MAKERS);
    db.exec('COMMIT');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
