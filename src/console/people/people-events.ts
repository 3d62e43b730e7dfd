/** The history of people at the door of the console: sign-ins, failures, changes, what they looked at. Rows of `event`. */
import type { DatabaseSync } from 'node:sqlite';
import { definedOnly } from '../../model/defined-only.ts';

const LONGEST_NAME = 100;

/** What a person did at the door, or saw. */
export type PeopleEvent = {
  readonly what: string;
  readonly person?: string;
  readonly name: string;
  readonly address: string;
  readonly detail?: object;
};

/** An event as it was recorded; `at` is ISO 8601 in UTC, `n` grows. */
export type RecordedPeopleEvent = PeopleEvent & { readonly n: number; readonly at: string };

/** `before`: only events with a smaller `n`. `person`: an id. */
type EventFilter = { readonly before?: number | undefined; readonly person?: string | undefined };

type Row = { readonly [column: string]: unknown };

export function eventActs(db: DatabaseSync, now: () => number) {
  return {
    record: ({ what, person, name, address, detail }: PeopleEvent): void => {
      db.prepare('INSERT INTO event (at, what, person, name, address, detail) VALUES (?, ?, ?, ?, ?, ?)').run(
        ...[now(), what, person ?? null, name.slice(0, LONGEST_NAME), address, detail ? JSON.stringify(detail) : null],
      );
    },
    /** The latest first. */
    events: (limit: number, { before, person }: EventFilter = {}): readonly RecordedPeopleEvent[] => {
      const below = before ?? Number.MAX_SAFE_INTEGER;
      const rows =
        person === undefined
          ? db.prepare('SELECT * FROM event WHERE n < ? ORDER BY n DESC LIMIT ?').all(below, limit)
          : db
              .prepare('SELECT * FROM event WHERE person = ? AND n < ? ORDER BY n DESC LIMIT ?')
              .all(person, below, limit);
      return rows.map(eventOf);
    },
    /** How many events are older than `at` (milliseconds), and their end. */
    countEvents: (at: number): number => Number(db.prepare('SELECT count(*) AS n FROM event WHERE at < ?').get(at)?.n),
    forgetEvents: (at: number): void => void db.prepare('DELETE FROM event WHERE at < ?').run(at),
  };
}

function eventOf({ n, at, what, person, name, address, detail }: Row): RecordedPeopleEvent {
  return definedOnly({
    n: Number(n),
    at: new Date(Number(at)).toISOString(),
    what: String(what),
    name: String(name),
    address: String(address),
    person: person === null ? undefined : String(person),
    detail: typeof detail === 'string' ? (JSON.parse(detail) as object) : undefined,
  });
}
