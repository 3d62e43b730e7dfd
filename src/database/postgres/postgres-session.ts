/**
 * One connection to PostgreSQL. Statements are sent as they are asked, without waiting for the answer of the one before,
 * and answered in their order. Errors of the server have its code; after the connection is lost every statement fails.
 */
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { type ConnectionOptions, createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import pg from 'pg';
import { ConnectionLost } from '../../model/ledger-unavailable.ts';
import type { DatabaseRow, DatabaseValue } from '../database-driver.ts';
import { endsConnection, postgresCode } from './postgres-codes.ts';
import type { PostgresPlace } from './postgres-place.ts';
import { postgresText } from './postgres-text.ts';

/** Statements that the server has parsed once; others, of lists of many lengths, are parsed each time. */
const MAX_PREPARED = 300;
const CONNECT_MS = 10_000;
/** A statement that has no answer for so long has lost its server. A ledger of years is counted in less. */
const ANSWER_MS = 600_000;
/** Proxies cut a connection that is silent for 50 seconds, firewalls after some minutes. */
const AWAKE_MS = 15_000;

export type PostgresAnswer = {
  readonly rows: readonly DatabaseRow[];
  /** Rows that were changed. */
  readonly changed: number;
  /** The server's name for what it did: a COMMIT of a failed transaction is a ROLLBACK. */
  readonly command: string;
};

export type PostgresSession = {
  readonly ask: (sql: string, ...values: DatabaseValue[]) => Promise<PostgresAnswer>;
  /** Warnings of the server since the last look. Messages below a warning are not sent. */
  readonly takeWarnings: () => readonly string[];
  readonly isLost: () => boolean;
  /** Ends the connection at once, whatever is under way. */
  readonly cut: () => void;
  readonly end: () => Promise<void>;
};

export type SessionOptions = {
  /** The longest time without an answer, in milliseconds. */
  readonly answerMs?: number;
  /** The longest time that this program may stand still inside a transaction, in milliseconds; half a lease where nothing is given. */
  readonly stillMs?: number;
};

/** A pooler answers in place of the server. It may give each transaction another session, and with it lose locks and settings. */
export class PoolerBetween extends Error {}

/** Connects; the errors are those of the network, of TLS and of the server (postgres-errors.ts). */
export async function connectPostgres(
  place: PostgresPlace,
  { answerMs = ANSWER_MS, stillMs = Math.ceil(place.leaseMs / 2) }: SessionOptions = {},
): Promise<PostgresSession> {
  const client = new pg.Client({
    ...{ host: place.host, port: place.port, database: place.database, user: place.user },
    // A function, also without a password: otherwise the driver looks into the environment and into the home folder.
    password: () => place.password ?? '',
    ssl: place.tls === 'off' ? false : tlsOptions(place),
    application_name: 'nightpost',
    client_encoding: 'UTF8',
    options: sessionSettings(place),
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: answerMs,
    query_timeout: answerMs + CONNECT_MS,
    // A process that stands still inside a transaction must not block those who take its work over.
    idle_in_transaction_session_timeout: stillMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_MS,
    pipeline: true,
    types: { getTypeParser },
  });
  let waiting = 0;
  let askedMs = 0;
  // Within a transaction the server waits for no more than `stillMs`: there, silence has to stay silence.
  const stayAwake = () => {
    if (waiting > 0 || lost || performance.now() - askedMs < awakeMs / 2) return;
    if (client.getTransactionStatus() === 'I') client.query('SELECT 1').catch(heard);
  };
  const awakeMs = Math.min(AWAKE_MS, place.leaseMs / 2);
  let timer: NodeJS.Timeout | undefined;
  // What the types of the package leave out. A connection with TLS has another stream once it is open.
  const { connection } = client as unknown as { readonly connection: EventEmitter & { readonly stream: Socket } };
  const cut = () => {
    lost = true;
    connection.stream.destroy();
  };
  let lost = false;
  /** Why the server ended the connection. It may say so while nothing is asked, or in place of the first of several answers. */
  let lastWord: unknown;
  const heard = (error: unknown) => {
    if (endsConnection(error)) lastWord ??= error;
  };
  let warnings: string[] = [];
  client.on('error', (error) => {
    lost = true;
    heard(error);
  });
  client.on('end', () => {
    lost = true;
    clearInterval(timer);
  });
  client.on('notice', ({ message = '' }) => void warnings.push(message));
  // What a trigger or an extension warns of comes before the end of its own statement, and says nothing of a commit.
  connection.on('commandComplete', ({ text }: { readonly text: string }) => {
    if (text !== 'COMMIT') warnings = [];
  });
  await client.connect();
  try {
    if (await isPooled(client, connection.stream.localPort)) throw new PoolerBetween();
  } catch (error) {
    cut();
    throw error;
  }
  timer = setInterval(stayAwake, awakeMs).unref();
  const prepared = new Map<string, { readonly text: string; readonly name?: string }>();
  const prepare = (sql: string) => {
    let one = prepared.get(sql);
    if (!one) {
      one = { text: postgresText(sql), ...(prepared.size < MAX_PREPARED ? { name: `s${prepared.size}` } : {}) };
      if (one.name !== undefined) prepared.set(sql, one);
    }
    return one;
  };
  let isCorked = false;
  /** What is asked in one turn of the event loop leaves in one packet, where a write of its own would cost more than it. */
  const sendTogether = () => {
    if (isCorked) return;
    isCorked = true;
    const { stream } = connection;
    stream.cork();
    process.nextTick(() => {
      isCorked = false;
      stream.uncork();
    });
  };
  return {
    ask: async (sql, ...values) => {
      sendTogether();
      waiting++;
      try {
        const query = { ...prepare(sql), values: values.map(storable) };
        const { rows, rowCount, command } = await client.query<DatabaseRow>(query);
        return { rows, changed: rowCount ?? 0, command };
      } catch (error) {
        // The answer of a server that ends the connection comes before its end is seen.
        const isEnd = endsConnection(error);
        lost ||= isEnd;
        heard(error);
        throw isEnd || (lost && postgresCode(error) === undefined) ? new ConnectionLost(lastWord ?? error) : error;
      } finally {
        waiting--;
        askedMs = performance.now();
      }
    },
    takeWarnings: () => {
      const taken = warnings;
      warnings = [];
      return taken;
    },
    isLost: () => lost,
    cut,
    end: async () => {
      clearInterval(timer);
      if (!lost) await client.end();
    },
  };
}

/**
 * Most poolers report a process of their own at the start of the session. The same statement lifts a limit of the role or the
 * database that only servers from version 17 on know, and that a copy of a whole ledger would exceed.
 */
const FIRST = `SELECT pg_backend_pid() AS pid, inet_client_port() AS port,
  (SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout') AS lifted`;
/** Pgpool reports the process of the server, and answers this by itself. A server refuses it, with a line in its log. */
const PGPOOL = 'SHOW pool_version';

/** `port`: of this end of the connection. The server has another one if something is in between. */
async function isPooled(client: pg.Client, port: number | undefined): Promise<boolean> {
  const { rows } = await client.query<{ readonly pid: number; readonly port: number | null }>(FIRST);
  const [first] = rows;
  if (first?.pid !== (client as unknown as { readonly processID: number }).processID) return true;
  if (first.port === null || first.port === port) return false;
  return await client.query(PGPOOL).then(
    () => true,
    () => false,
  );
}

/** PostgreSQL stores every character but NUL, which readers refuse; a person may still type one into a search. */
function storable(value: DatabaseValue): DatabaseValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
}

function tlsOptions({ tls, ca }: PostgresPlace): ConnectionOptions {
  if (tls === 'required') return { rejectUnauthorized: false };
  return ca === undefined ? { secureContext: contextOfSystem() } : { ca };
}

let knownHere: SecureContext | undefined;

/** The authorities that come with Node, and those that an administrator has given to the system; read once. */
function contextOfSystem(): SecureContext {
  knownHere ??= createSecureContext({ ca: [...getCACertificates('default'), ...getCACertificates('system')] });
  return knownHere;
}

/** Settings of the session that the text and the order of what is stored depend on, whatever the server's defaults are. */
function sessionSettings({ schema }: PostgresPlace): string {
  const settings = {
    search_path: schema,
    timezone: 'UTC',
    standard_conforming_strings: 'on',
    client_min_messages: 'warning',
    // A watch may wait for a night, and one writer for another: no connection of ours ends for that.
    idle_session_timeout: '0',
    lock_timeout: '0',
    // The server frees the lock of a machine that is gone within a minute, not after the two hours of most systems.
    tcp_keepalives_idle: '30',
    tcp_keepalives_interval: '10',
    tcp_keepalives_count: '3',
    // Statements of the ledger are short: compiling one costs more than it.
    jit: 'off',
    // A scan of a whole small table would meet every other transaction that changes a row of it.
    enable_seqscan: 'off',
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** Types of the catalog of PostgreSQL (pg_type.dat) whose values are numbers here, as they are in SQLite. */
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);
const BOOLEAN = 16;

function getTypeParser(oid: number): (value: string) => DatabaseValue {
  if (NUMBERS.has(oid)) return Number;
  if (oid === BOOLEAN) return (value) => (value === 't' ? 1 : 0);
  return (value) => value;
}
