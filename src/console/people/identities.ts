/**
 * Identities at a provider or a proxy, and the people that they are. Issuer and `sub` come in, the id of a person comes out;
 * undefined for an identity that no one has. Errors of SQLite are thrown.
 */
import type { DatabaseSync } from 'node:sqlite';

/** `sub`: what the issuer never gives to another person. */
export type OuterIdentity = { readonly issuer: string; readonly sub: string };

/** `follows`: the role is that of the groups. */
type Bound = { readonly person: string; readonly follows: boolean };

const BINDING_MS = 24 * 3_600_000;

export function identityActs(db: DatabaseSync, now: () => number) {
  return {
    personOfIdentity: ({ issuer, sub }: OuterIdentity): Bound | undefined => {
      const row = db.prepare('SELECT person, follows FROM identity WHERE issuer = ? AND sub = ?').get(issuer, sub);
      return row && { person: String(row.person), follows: row.follows === 1 };
    },
    bindIdentity: ({ issuer, sub }: OuterIdentity, { person, follows }: Bound): void => {
      db.prepare('INSERT INTO identity (issuer, sub, person, follows, bound_at) VALUES (?, ?, ?, ?, ?)').run(
        issuer,
        sub,
        person,
        Number(follows),
        now(),
      );
    },
    /** Lets one identity of the name be this person, within a day. */
    openBinding: (person: string): void => {
      const sql = 'INSERT INTO binding (person, ends) VALUES (?, ?) ON CONFLICT DO UPDATE SET ends = excluded.ends';
      db.prepare(sql).run(person, now() + BINDING_MS);
    },
    /** Whether there was one, which is used up. */
    takeBinding: (person: string): boolean =>
      db.prepare('DELETE FROM binding WHERE person = ? AND ends > ?').run(person, now()).changes > 0,
    /** Of a person whom `way` made before identities were recorded. */
    isUnboundOf: (person: string, way: string): boolean =>
      db
        .prepare('SELECT 1 FROM person p WHERE id = ? AND added_by = ? AND id NOT IN (SELECT person FROM identity)')
        .get(person, way) !== undefined,
  };
}
