/**
 * Input: the place of a server. Output: its two connections, after the checks that the promise rests on: a server that may
 * write, its version, the order of its texts, its isolation, and no pooler in between. Throws OperatorErrors.
 */
import { LEDGER_POSTGRES } from '../../i18n/messages/ledger-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import type { DatabaseValue } from '../database-driver.ts';
import { NOW_MS, type PostgresSessions } from './postgres-driver.ts';
import { postgresRights, toPostgresError } from './postgres-errors.ts';
import type { PostgresPlace } from './postgres-place.ts';
import { connectPostgres, type PostgresSession, type SessionOptions } from './postgres-session.ts';

const OLDEST_POSTGRES = 15;

/** What the server reports of itself. */
type PostgresServer = {
  /** `server_version_num`: 150004 is 15.4. */
  readonly version: number;
  /** Of the files of the server; a restored or copied server keeps it, a new one never has it. */
  readonly systemId: string;
  /** When it was started, as text: no two servers have the same, also where one was made of the other. */
  readonly started: string;
  /** Its clock, in milliseconds since 1970. */
  readonly nowMs: () => number;
};

export type OpenPostgres = PostgresSessions & { readonly server: PostgresServer };

/** Connects twice and checks the server; nothing is left open when a check fails. */
export async function openPostgres(place: PostgresPlace, options: SessionOptions = {}): Promise<OpenPostgres> {
  const open: PostgresSession[] = [];
  const connect = async (more: SessionOptions = {}) => {
    const session = await connectPostgres(place, { ...options, ...more });
    open.push(session);
    return session;
  };
  try {
    const writer = await connect();
    const server = await checkServer(place, writer);
    // A read blocks no other worker: whether a program stood still for too long is for its lease to decide.
    const reader = await connect({ stillMs: place.leaseMs });
    await expectSameServer(place, writer, reader);
    return { writer, reader, server };
  } catch (error) {
    for (const session of open) session.cut();
    throw toPostgresError(error, place);
  }
}

/** While a fail-over is under way an address may lead to one server after the other; all copies have the same id. */
const STARTED = 'CAST(pg_postmaster_start_time() AS TEXT)';

async function expectSameServer(place: PostgresPlace, ...sessions: readonly PostgresSession[]): Promise<void> {
  const answers = await Promise.all(sessions.map((session) => session.ask(`SELECT ${STARTED} AS started`)));
  if (new Set(answers.map(({ rows }) => rows[0]?.started)).size === 1) return;
  const shown = { place: shownPlace(place), problem: LEDGER_POSTGRES.otherServer() };
  throw new OperatorError('ledger/postgres-unreachable', LEDGER_POSTGRES.unreachable(shown), {
    hint: LEDGER_POSTGRES.unreachableHint(),
  });
}

const FACTS = `SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS replica,
  current_setting('default_transaction_read_only') AS read_only, ${NOW_MS} AS now, ${STARTED} AS started,
  current_setting('synchronous_commit') AS durability, pg_encoding_to_char(encoding) AS encoding,
  COALESCE(to_jsonb(pg_database)->>'datlocale', to_jsonb(pg_database)->>'daticulocale', datcollate) AS collation,
  (SELECT system_identifier::text FROM pg_control_system()) AS system
  FROM pg_database WHERE datname = current_database()`;
/**
 * The schema, or one of its tables, that this user does not own. With the rights to read and write alone a night would work,
 * and an upgrade, a restore and a purge would not: the server skips a table that it may not rewrite, with a warning.
 */
const NOT_OWNED = `SELECT object, pg_get_userbyid(owner) AS owner FROM (
  SELECT nspname AS object, nspowner AS owner, 0 AS rank FROM pg_namespace WHERE nspname = ?
  UNION ALL SELECT relname, relowner, 1 FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid
  WHERE nspname = ? AND relkind IN ('r', 'S')) AS objects WHERE NOT pg_has_role(owner, 'USAGE') ORDER BY rank, object LIMIT 1`;
/** Texts in the order of their bytes; each collation for people puts at least two of them in another one. */
const IN_ORDER = ['*', '-', 'A', 'B', '[', '_', 'a', 'b', '|', 'É', 'é'];
const ORDERED = `SELECT word FROM (VALUES ${IN_ORDER.map((word) => `('${word}')`).join(', ')}) AS words (word) ORDER BY word`;
/** Below `on`, a COMMIT is answered before it is durable, here or on the synchronous replica. */
const LESS_THAN_ON = new Set<DatabaseValue>(['off', 'local', 'remote_write']);

async function checkServer(place: PostgresPlace, session: PostgresSession): Promise<PostgresServer> {
  const [facts = {}] = (await session.ask(FACTS)).rows;
  const answeredAt = performance.now();
  const { version, replica, read_only: readOnly, durability, encoding, collation, system } = facts;
  if (Math.floor(Number(version) / 10_000) < OLDEST_POSTGRES) {
    throw new OperatorError('ledger/postgres-version', LEDGER_POSTGRES.version({ version: shownVersion(version) }), {
      hint: LEDGER_POSTGRES.versionHint({ oldest: OLDEST_POSTGRES }),
    });
  }
  if (replica === 1 || readOnly === 'on') {
    throw new OperatorError('ledger/postgres-replica', LEDGER_POSTGRES.replica({ place: shownPlace(place) }), {
      hint: LEDGER_POSTGRES.replicaHint(),
    });
  }
  const { rows } = await session.ask(ORDERED);
  if (encoding !== 'UTF8' || rows.map(({ word }) => word).join() !== IN_ORDER.join()) {
    const values = { database: place.database, collation: String(collation), encoding: String(encoding) };
    throw new OperatorError('ledger/postgres-collation', LEDGER_POSTGRES.collation(values), {
      hint: LEDGER_POSTGRES.collationHint({ database: place.database, user: place.user }),
    });
  }
  const [other] = (await session.ask(NOT_OWNED, place.schema, place.schema)).rows;
  if (other) {
    const problem = LEDGER_POSTGRES.otherOwner({ object: String(other.object), owner: String(other.owner) });
    throw postgresRights(place, problem);
  }
  await session.ask('BEGIN ISOLATION LEVEL SERIALIZABLE');
  const [{ level = null } = {}] = (await session.ask(`SELECT current_setting('transaction_isolation') AS level`)).rows;
  await session.ask('ROLLBACK');
  if (level !== 'serializable') {
    throw new OperatorError('ledger/postgres-isolation', LEDGER_POSTGRES.isolation({ level: String(level) }), {
      hint: LEDGER_POSTGRES.isolationHint(),
    });
  }
  if (LESS_THAN_ON.has(durability ?? null)) await session.ask('SET synchronous_commit = on');
  const nowMs = () => Number(facts.now) + performance.now() - answeredAt;
  return { version: Number(version), systemId: String(system), started: String(facts.started), nowMs };
}

/** A clock as wrong as that gives documents another day, and exports another hour. Smaller differences are for `doctor`. */
const WRONG_CLOCK_MS = 15 * 60_000;

/** Milliseconds since 1970: of the server and of this machine. */
type TwoClocks = { readonly there: number; readonly here: number };

/** For a program that reads exports or sends; `isAtWork`: it has begun. Throws OperatorError `ledger/clock-apart`. */
export function expectClock(place: PostgresPlace, { there, here }: TwoClocks, isAtWork = false): void {
  const apartMs = Math.abs(here - there);
  if (apartMs <= WRONG_CLOCK_MS) return;
  const times = { here: shownTime(here), there: shownTime(there), place: shownPlace(place) };
  const shown = { ...times, minutes: Math.round(apartMs / 60_000) };
  const message = isAtWork ? LEDGER_POSTGRES.clockSet(shown) : LEDGER_POSTGRES.clock(shown);
  throw new OperatorError('ledger/clock-apart', message, { hint: LEDGER_POSTGRES.clockHint() });
}

function shownTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function shownVersion(version: DatabaseValue | undefined): string {
  return `${Math.floor(Number(version) / 10_000)}.${Number(version) % 10_000}`;
}

function shownPlace({ host, port }: PostgresPlace): string {
  return `${host}:${port}`;
}
