/**
 * What the tables of a ledger have on PostgreSQL alone, after the migrations of every engine. Each statement does nothing the
 * second time.
 */
import { STARTS } from '../long-texts.ts';
import { THIS_TRANSACTION } from './transaction-mark.ts';

/** Tables to which every change of an entry adds a row: followers read them in the order of transactions. */
const FOLLOWED = ['event', 'attempt'] as const;

/** The requests of people, which a file in a folder that several machines share could not keep. */
const REQUEST = `CREATE TABLE IF NOT EXISTS request (
  n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL, person TEXT NOT NULL,
  session TEXT, reason TEXT NOT NULL, act TEXT NOT NULL, look TEXT, tries BIGINT NOT NULL, done TEXT, answer TEXT,
  keys TEXT, about TEXT, expires TEXT, verdict TEXT)`;

/** In place of the indexes of the migrations (long-texts.ts). */
const START_INDEXES = [
  'DROP INDEX IF EXISTS entry_identifier',
  `CREATE INDEX IF NOT EXISTS entry_identifier_start ON entry (${STARTS.identifier})`,
  'DROP INDEX IF EXISTS entry_receiver',
  `CREATE INDEX IF NOT EXISTS entry_receiver_start ON entry (service, ${STARTS.receiver}) WHERE receiver IS NOT NULL`,
];

export const POSTGRES_PARTS: readonly string[] = [
  ...START_INDEXES,
  ...FOLLOWED.flatMap((table) => [
    // Rows that are there already, of a copy, have no number: they are older than every mark.
    `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS tx BIGINT`,
    `ALTER TABLE ${table} ALTER COLUMN tx SET DEFAULT ${THIS_TRANSACTION}`,
    `CREATE INDEX IF NOT EXISTS ${table}_tx ON ${table} (tx)`,
  ]),
  REQUEST,
  'CREATE INDEX IF NOT EXISTS request_open ON request (n) WHERE done IS NULL',
];

/** Logical replication copies rows, and not the counter that numbers the requests: the next one would meet one that is there. */
const REQUESTS_COUNTED = `SELECT setval(counter, last) FROM (SELECT MAX(n) AS last,
  CAST(pg_get_serial_sequence('request', 'n') AS regclass) AS counter FROM request) AS requests
  WHERE last > COALESCE(pg_sequence_last_value(counter), 0)`;

/** A server that a dump was restored to counts from an earlier number: rows of the other one count as added now. */
export const RENUMBERED: readonly string[] = [
  ...FOLLOWED.map((table) => `UPDATE ${table} SET tx = ${THIS_TRANSACTION} WHERE tx > ${THIS_TRANSACTION}`),
  REQUESTS_COUNTED,
];

/** Takes the requests of people along from the schema that was set aside: what was asked for is not part of what is restored. */
export function requestsFrom(aside: string): string {
  const columns = 'id, at, person, session, reason, act, look, tries, done, answer, keys, about, expires, verdict';
  return `INSERT INTO request (${columns}) SELECT ${columns} FROM "${aside}".request ORDER BY n`;
}
