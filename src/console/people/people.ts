/**
 * The people of an instance, their sign-in links, tokens and sessions, and the history of what they did at the door.
 * Names and secrets come in, persons come out; unknown, revoked and expired ones are undefined. Tokens leave once.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Language } from '../../i18n/message.ts';
import { PEOPLE } from '../../i18n/messages/console/console-server-messages.ts';
import type { PersonKeys } from '../../ledger/contract/approval.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import { sha256Hex } from '../../text/sha256.ts';
import { identityActs } from './identities.ts';
import { hashPassword, isPassword, isUsablePassword, SHORTEST_PASSWORD } from './password-hash.ts';
import { openPeopleDatabase } from './people-database.ts';
import { eventActs, type PeopleEvent } from './people-events.ts';
import type { ConsolePerson, ConsoleRole, KnownPerson, OpenSession } from './person.ts';
import { isWeakPassword } from './weak-password.ts';

const MINUTE_MS = 60_000;
const LINK_MS = 24 * 60 * MINUTE_MS;
/** A session ends after an hour without a request, and after twelve hours in any case. */
const SESSION_IDLE_MS = 60 * MINUTE_MS;
export const SESSION_MS = 12 * 60 * MINUTE_MS;
/** A request that comes sooner after the last one is not recorded: each record is a flush of the disk. */
const SEEN_STEP_MS = MINUTE_MS;
const LONGEST_NAME = 100;
/** Acts after which who did them can sign in as the person. */
const GIVES_ACCESS: ReadonlySet<string> = new Set([
  ...['person-added', 'link-made', 'token-made', 'password-set', 'binding-allowed'],
]);

/** Who changes people, for the record. */
export type ChangedBy = { readonly name: string; readonly address: string };

export type People = Disposable & ReturnType<typeof openPeople>;

/** `now` is the clock of the machine, for everything but tests. */
export function openPeople(instance: string, now: () => number = Date.now) {
  const db = openPeopleDatabase(instance);
  const meta = (key: string) => String(db.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.value);
  const events = eventActs(db, now);
  const { record } = events;
  const endSessions = (person: string) => {
    for (const table of ['session', 'link', 'token']) db.prepare(`DELETE FROM ${table} WHERE person = ?`).run(person);
  };
  const changed = (what: string, { id, name }: ConsolePerson, by: ChangedBy, detail?: object) => {
    if (GIVES_ACCESS.has(what)) db.prepare('INSERT OR IGNORE INTO maker (person, name) VALUES (?, ?)').run(id, by.name);
    record(definedOnly({ what, person: id, name, address: by.address, detail: { by: by.name, ...detail } }));
  };
  const store = { db, now, meta, record, endSessions, changed };
  return {
    /** 24 hex digits that keep the paths of this instance apart from those of other servers on the machine. */
    salt: meta('salt'),
    /** For values that only this instance can make. */
    key: meta('key'),
    ...events,
    ...personActs(store),
    keysOf: (person: ConsolePerson): PersonKeys => ({
      id: person.id,
      names: [person.name],
      makers: makersOf(db, person),
    }),
    ...identityActs(db, now),
    ...signInActs(store),
    ...sessionActs(store),
    [Symbol.dispose]: () => db.close(),
  };
}

type Store = {
  readonly db: DatabaseSync;
  readonly now: () => number;
  readonly record: (event: PeopleEvent) => void;
  readonly endSessions: (person: string) => void;
  readonly changed: (what: string, person: ConsolePerson, by: ChangedBy, detail?: object) => void;
};

type Row = { readonly [column: string]: unknown };

function personOf(row: Row): ConsolePerson {
  const { id, name, role, language } = row;
  return { id, name, role, ...(language ? { language } : {}) } as ConsolePerson;
}

function isoTime(ms: unknown): string {
  return new Date(Number(ms)).toISOString();
}

function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase().trim();
}

/** Also those who made a maker: they can have signed in as that one. */
function makersOf(db: DatabaseSync, { id }: ConsolePerson): readonly string[] {
  const found = new Set<string>();
  for (const ids = [id]; ids.length > 0; ) {
    for (const row of db.prepare('SELECT name FROM maker WHERE person = ?').all(ids.pop() ?? '')) {
      const name = String(row.name);
      if (found.has(name)) continue;
      found.add(name);
      const maker = db.prepare('SELECT id FROM person WHERE folded = ?').get(fold(name));
      if (maker) ids.push(String(maker.id));
    }
  }
  return [...found];
}

function personActs({ db, now, endSessions, changed }: Store) {
  const rowNamed = (name: string) => db.prepare('SELECT * FROM person WHERE folded = ?').get(fold(name));
  const must = (name: string): ConsolePerson => {
    const row = rowNamed(name);
    if (row && row.revoked_at === null) return personOf(row);
    throw new OperatorError('people/unknown', PEOPLE.unknown({ name }), { hint: PEOPLE.unknownHint() });
  };
  return {
    /** A revoked person of that name comes back with the new role. Throws `people/exists` or `people/name`. */
    add: (name: string, role: ConsoleRole, by: ChangedBy, language?: Language): ConsolePerson => {
      const clean = name.normalize('NFC').trim();
      if (clean === '' || clean.length > LONGEST_NAME || /\p{C}/u.test(clean))
        throw new OperatorError('people/name', PEOPLE.name(), { hint: PEOPLE.nameHint() });
      const before = rowNamed(clean);
      if (before && before.revoked_at === null)
        throw new OperatorError('people/exists', PEOPLE.exists({ name: clean }), { hint: PEOPLE.existsHint() });
      const id = before ? String(before.id) : randomUUID();
      db.prepare(
        `INSERT INTO person (id, name, folded, role, language, added_at, added_by) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET role = excluded.role, language = excluded.language, secret = NULL,
         added_at = excluded.added_at, added_by = excluded.added_by, revoked_at = NULL`,
      ).run(id, clean, fold(clean), role, language ?? null, now(), by.name);
      const person = personOf({ id, name: clean, role, language });
      // Who comes back may be somebody else: no identity, and no open binding, of before counts. The makers do: an administrator whose
      // two accounts make each other again would be two people.
      for (const table of ['identity', 'binding']) db.prepare(`DELETE FROM ${table} WHERE person = ?`).run(id);
      changed('person-added', person, by, { role });
      return person;
    },
    /** Undefined: no such person, or a revoked one. */
    named: (name: string): ConsolePerson | undefined => {
      const row = rowNamed(name);
      return row && row.revoked_at === null ? personOf(row) : undefined;
    },
    withId: (id: string): ConsolePerson | undefined => {
      const row = db.prepare('SELECT * FROM person WHERE id = ? AND revoked_at IS NULL').get(id);
      return row && personOf(row);
    },
    hasPassword: (id: string): boolean =>
      (db.prepare('SELECT secret FROM person WHERE id = ?').get(id)?.secret ?? null) !== null,
    isRevoked: (name: string): boolean => (rowNamed(name)?.revoked_at ?? null) !== null,
    list: (): readonly KnownPerson[] =>
      db
        .prepare(
          `SELECT *, (SELECT count(*) FROM session s WHERE s.person = person.id AND s.seen > ? AND s.began > ?) AS sessions,
             (SELECT max(at) FROM event e WHERE e.person = person.id AND e.what = 'signed-in') AS signed_in
           FROM person ORDER BY folded`,
        )
        .all(now() - SESSION_IDLE_MS, now() - SESSION_MS)
        .map((row) => ({
          ...personOf(row),
          addedAt: isoTime(row.added_at),
          addedBy: String(row.added_by),
          hasPassword: row.secret !== null,
          sessions: Number(row.sessions),
          lastSignInAt: row.signed_in === null ? null : isoTime(row.signed_in),
          revokedAt: row.revoked_at === null ? null : isoTime(row.revoked_at),
        })),
    /** Ends the sessions of the person, so that the old role is used no more. Throws `people/unknown`. */
    setRole: (name: string, role: ConsoleRole, by: ChangedBy): void => {
      const person = must(name);
      if (person.role === role) return;
      db.prepare('UPDATE person SET role = ? WHERE id = ?').run(role, person.id);
      endSessions(person.id);
      changed('role-changed', person, by, { from: person.role, to: role });
    },
    setLanguage: (id: string, language: Language): void => {
      db.prepare('UPDATE person SET language = ? WHERE id = ?').run(language, id);
    },
    /** The person stays in the history, and can no longer sign in. Throws `people/unknown`. */
    revoke: (name: string, by: ChangedBy): void => {
      const person = must(name);
      db.prepare('UPDATE person SET revoked_at = ?, secret = NULL WHERE id = ?').run(now(), person.id);
      endSessions(person.id);
      changed('person-revoked', person, by);
    },
    /** Ends all sessions. Throws `people/unknown`, `people/short-password` or `people/weak-password`. */
    setPassword: async (name: string, password: string, by: ChangedBy, company = ''): Promise<void> => {
      const person = must(name);
      if (!isUsablePassword(password)) {
        throw new OperatorError('people/short-password', PEOPLE.shortPassword({ least: SHORTEST_PASSWORD }), {
          hint: PEOPLE.shortPasswordHint(),
        });
      }
      if (isWeakPassword(password, [person.name, company]))
        throw new OperatorError('people/weak-password', PEOPLE.weakPassword(), { hint: PEOPLE.weakPasswordHint() });
      const secret = await hashPassword(password);
      db.prepare('UPDATE person SET secret = ? WHERE id = ? AND revoked_at IS NULL').run(secret, person.id);
      endSessions(person.id);
      changed('password-set', person, by);
    },
    /** The next company account of this name is the person, within a day. Throws `people/unknown`. */
    allowBinding: (name: string, by: ChangedBy): void => {
      const person = must(name);
      identityActs(db, now).openBinding(person.id);
      changed('binding-allowed', person, by);
    },
    /** The secret part of a sign-in link that works once, within a day. Throws `people/unknown`. */
    makeLink: (name: string, by: ChangedBy): string => {
      const person = must(name);
      const token = newToken();
      db.prepare('DELETE FROM link WHERE ends < ?').run(now());
      db.prepare('INSERT INTO link (hash, person, ends) VALUES (?, ?, ?)').run(
        sha256Hex(token),
        person.id,
        now() + LINK_MS,
      );
      changed('link-made', person, by);
      return token;
    },
    /** A token of the API for a person or a service account; it works until the person is revoked or the role changes. */
    makeToken: (name: string, by: ChangedBy): string => {
      const person = must(name);
      const token = newToken();
      db.prepare('INSERT INTO token (hash, person, made_at) VALUES (?, ?, ?)').run(sha256Hex(token), person.id, now());
      changed('token-made', person, by);
      return token;
    },
  };
}

/** 256 random bits. */
function newToken(): string {
  return randomBytes(32).toString('base64url');
}

const LIVING = 'SELECT p.* FROM person p';

function signInActs({ db, now }: Store) {
  return {
    /** Uses up the link. */
    personOfLink: (token: string): ConsolePerson | undefined => {
      const used = db
        .prepare('DELETE FROM link WHERE hash = ? AND ends > ? RETURNING person')
        .get(sha256Hex(token), now());
      const row = used && db.prepare(`${LIVING} WHERE id = ? AND revoked_at IS NULL`).get(String(used.person));
      return row && personOf(row);
    },
    /** `busy`: too many others sign in at this moment. */
    personOfPassword: async (name: string, password: string): Promise<ConsolePerson | 'busy' | undefined> => {
      const row = db.prepare(`${LIVING} WHERE folded = ? AND revoked_at IS NULL`).get(fold(name));
      const isRight = await isPassword(password, row?.secret as string | null | undefined);
      if (isRight === undefined) return 'busy';
      // The person may have been revoked, or may have got another password, during the comparison.
      const after = db.prepare(`${LIVING} WHERE folded = ? AND revoked_at IS NULL`).get(fold(name));
      return isRight && row && after && after.secret === row.secret ? personOf(after) : undefined;
    },
    personOfToken: (token: string): ConsolePerson | undefined => {
      const sql = `${LIVING} JOIN token t ON t.person = p.id WHERE t.hash = ? AND p.revoked_at IS NULL`;
      const row = db.prepare(sql).get(sha256Hex(token));
      return row && personOf(row);
    },
  };
}

/** Without `one` (an id) all of them; `keep` is never ended. */
type EndedSessions = { readonly one?: string; readonly keep?: string };

function sessionActs({ db, now, record, changed }: Store) {
  const end = (token: string) => void db.prepare('DELETE FROM session WHERE hash = ?').run(sha256Hex(token));
  return {
    /** The secret of a new session, for the cookie. */
    beginSession: ({ id, name }: ConsolePerson, address: string, how: string): string => {
      const token = newToken();
      db.prepare('DELETE FROM session WHERE began < ? OR seen < ?').run(now() - SESSION_MS, now() - SESSION_IDLE_MS);
      const add = db.prepare('INSERT INTO session (hash, person, began, seen, address) VALUES (?, ?, ?, ?, ?)');
      add.run(sha256Hex(token), id, now(), now(), address);
      record({ what: 'signed-in', person: id, name, address, detail: { how } });
      return token;
    },
    personOfSession: (token: string): ConsolePerson | undefined => {
      const hash = sha256Hex(token);
      const row = db
        .prepare(
          `SELECT p.*, s.seen AS seen FROM session s JOIN person p ON p.id = s.person
           WHERE s.hash = ? AND s.began > ? AND s.seen > ? AND p.revoked_at IS NULL`,
        )
        .get(hash, now() - SESSION_MS, now() - SESSION_IDLE_MS);
      if (row && now() - Number(row.seen) > SEEN_STEP_MS)
        db.prepare('UPDATE session SET seen = ? WHERE hash = ?').run(now(), hash);
      return row && personOf(row);
    },
    endSession: end,
    /** Sessions that began before `at` (epoch milliseconds): all of them have ended after half a day. */
    countSessions: (at: number): number =>
      Number(db.prepare('SELECT count(*) AS n FROM session WHERE began < ?').get(at)?.n),
    forgetSessions: (at: number): void => void db.prepare('DELETE FROM session WHERE began < ?').run(at),
    /** Those that have not ended, the latest first; of all people without `person` (an id). */
    sessions: (person?: string): readonly OpenSession[] =>
      db
        .prepare(
          `SELECT s.*, p.name AS name FROM session s JOIN person p ON p.id = s.person
           WHERE s.began > ? AND s.seen > ? AND (? IS NULL OR s.person = ?) ORDER BY s.seen DESC`,
        )
        .all(now() - SESSION_MS, now() - SESSION_IDLE_MS, person ?? null, person ?? null)
        .map(({ hash, began, seen, address }) => ({
          id: String(hash),
          beganAt: isoTime(began),
          seenAt: isoTime(seen),
          address: String(address),
        })),
    /** Ends one session of the person, or all but `keep`. Ids are those of `sessions`; others change nothing. */
    endSessionsOf: (person: ConsolePerson, { one, keep }: EndedSessions, by: ChangedBy): number => {
      const sql = 'DELETE FROM session WHERE person = ? AND (? IS NULL OR hash = ?) AND hash IS NOT ?';
      const ended = Number(db.prepare(sql).run(person.id, one ?? null, one ?? null, keep ?? null).changes);
      if (ended > 0) changed('sessions-ended', person, by, { count: ended });
      return ended;
    },
  };
}
