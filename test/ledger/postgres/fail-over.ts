/**
 * A primary and its standby, which gets everything late; documents that are begun and answered; then the primary is killed and
 * the standby promoted. Counts the documents that were sent and that the new primary would send again.
 */
import { once } from 'node:events';
import { createServer, type Socket, connect as toServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Driver, Statements } from '../../../src/database/database-driver.ts';
import { openPostgres } from '../../../src/database/postgres/open-postgres.ts';
import { postgresDriver } from '../../../src/database/postgres/postgres-driver.ts';
import type { PostgresPlace } from '../../../src/database/postgres/postgres-place.ts';
import { createPostgresSchema, migratePostgres } from '../../../src/database/postgres/postgres-schema.ts';
import { connectPostgres, type PostgresSession } from '../../../src/database/postgres/postgres-session.ts';
import type { Ledger } from '../../../src/ledger/contract/ledger.ts';
import type { DueDocument } from '../../../src/ledger/contract/submission-store.ts';
import { createSqlLedger } from '../../../src/ledger/sql-ledger.ts';
import { must } from '../../../src/model/must.ts';
import { placeOf, STANDBY, TestServer } from '../../database/postgres/server.ts';
import { AT, admit, INTENT } from '../acts.ts';
import { answer, valid } from '../make.ts';

export type FailOver = {
  /** Whether a COMMIT waits until the standby has it. */
  readonly synchronous: boolean;
  /** How much later the standby gets what the primary writes. */
  readonly delayMs: number;
  /** The primary is killed once so many documents were sent. */
  readonly sends: number;
  /** Commits that wait for the standby get the order to stop waiting, as from an operator. */
  readonly cancels?: boolean;
  /** Settings of the primary. */
  readonly settings?: { readonly [name: string]: string };
  /** The primary itself starts again, in place of its standby. */
  readonly restarts?: boolean;
};

export type FailOverResult = {
  readonly sent: number;
  /** Sent, and ready on the new primary: each would go out a second time. */
  readonly forgotten: number;
  /** Under way when the primary was killed; the new primary knows them. */
  readonly underWay: number;
  /** The new primary has fewer commits than the witness outside of it: it may not send. */
  readonly found: boolean;
};

const SCHEMA = 'nightpost';
const LANES = 16;

export async function failOver(options: FailOver): Promise<FailOverResult> {
  const { synchronous, delayMs, sends, cancels = false, restarts = false } = options;
  const primary = await TestServer.create();
  const relay = await delaying(primary.port, delayMs);
  let standby: TestServer | undefined;
  try {
    await prepare(placeOf(primary.url, SCHEMA), sends);
    await primary.stop();
    standby = await TestServer.standbyOf(primary, relay.port);
    primary.settings = { ...primary.settings, ...options.settings };
    await primary.start();
    await standby.start();
    await attachStandby(primary, synchronous);

    const witness = { generation: 0 };
    const place = placeOf(primary.url, SCHEMA);
    const { driver, ledger } = await openCounted(place, witness);
    const sent = new Set<string>();
    const [half, enough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const count = (id: string) => {
      sent.add(id);
      if (2 * sent.size >= sends) half.resolve();
      if (sent.size >= sends) enough.resolve();
    };
    const due = [...(await ledger.submissions.due('fr', Date.now(), sends + 4 * LANES))];
    const lanes = Promise.allSettled(Array.from({ length: LANES }, () => sendAll(ledger, due, count)));
    await Promise.race([half.promise, lanes]);
    const stopCancelling = cancels ? await cancelWaits(place) : async () => {};
    await Promise.race([enough.promise, lanes]);
    await stopCancelling();
    await primary.stop('kill');
    await lanes;
    await driver.close();

    if (restarts) await primary.start();
    else await promote(standby);
    const { url } = restarts ? primary : standby;
    return { ...(await judge(placeOf(url, SCHEMA), sent, witness.generation)), sent: sent.size };
  } finally {
    await relay.close();
    await standby?.remove();
    await primary.remove();
  }
}

/** A ledger with enough documents to send. */
async function prepare(place: PostgresPlace, sends: number): Promise<void> {
  const driver = postgresDriver(await openPostgres(place));
  await driver.write(async (sql) => {
    await createPostgresSchema(sql, place.schema);
    await migratePostgres(sql, 0);
    await sql.run(`INSERT INTO meta (key, value) VALUES ('generation', '0')`);
  });
  const ledger = await createSqlLedger({ driver, guard: { send: true }, now: () => new Date() });
  const documents = Array.from({ length: sends + 4 * LANES }, (_, n) => valid({ number: `F-${n}`, row: n + 2 }));
  await admit(ledger, documents);
  await ledger[Symbol.asyncDispose]();
}

/** Each commit counts in the ledger, and then in the witness, as that of a run does. */
async function openCounted(
  place: PostgresPlace,
  witness: { generation: number },
): Promise<{ driver: Driver; ledger: Ledger }> {
  let generation = 0;
  const seal = async (sql: Statements) => {
    const set = `UPDATE meta SET value = ? WHERE key = 'generation' AND value = ?`;
    if ((await sql.run(set, String(generation + 1), String(generation))) !== 1) throw new Error('taken over');
    return generation + 1;
  };
  const committed = (count: number) => {
    generation = count;
    witness.generation = count;
  };
  const driver = postgresDriver(await openPostgres(place), { seal, committed });
  return { driver, ledger: await createSqlLedger({ driver, guard: { send: true }, now: () => new Date() }) };
}

/** One lane of the sender: the byte leaves as soon as `begin` resolves. */
async function sendAll(ledger: Ledger, queue: DueDocument[], sent: (id: string) => void): Promise<void> {
  const { exchange, verdict } = answer(2, 'authorized');
  for (let due = queue.shift(); due; due = queue.shift()) {
    const sending = must(await ledger.submissions.begin(due, INTENT), 'a document that only this one begins');
    sent(due.id);
    await ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, verdict, AT);
  }
}

/** Waits until the primary knows its standby, and then for it in each commit. */
export async function attachStandby(primary: TestServer, synchronous: boolean): Promise<void> {
  const session = await connectPostgres(placeOf(primary.url, 'public'));
  const state = `SELECT 1 FROM pg_stat_replication WHERE application_name = '${STANDBY}' AND state = 'streaming'`;
  while ((await session.ask(state)).rows.length === 0) await sleep(20);
  if (synchronous) {
    await session.ask(`ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`);
    await session.ask('SELECT pg_reload_conf()');
    const sync = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`;
    while ((await session.ask(sync)).rows.length === 0) await sleep(20);
  }
  await session.end();
}

/** Again and again cancels the wait of each session for the standby. */
async function cancelWaits(place: PostgresPlace): Promise<() => Promise<void>> {
  const session = await connectPostgres(place);
  let ended = false;
  const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
  const loop = (async () => {
    while (!ended) {
      await session.ask(cancel);
      await sleep(5);
    }
  })();
  return async () => {
    ended = true;
    await loop;
    await session.end();
  };
}

export async function promote(standby: TestServer): Promise<void> {
  const session: PostgresSession = await connectPostgres(placeOf(standby.url, 'public'));
  await session.ask('SELECT pg_promote()');
  await session.end();
}

async function judge(
  place: PostgresPlace,
  sent: ReadonlySet<string>,
  witness: number,
): Promise<Omit<FailOverResult, 'sent'>> {
  const session = await connectPostgres(place);
  const { rows } = await session.ask('SELECT id, state FROM entry');
  const [meta = {}] = (await session.ask(`SELECT value FROM meta WHERE key = 'generation'`)).rows;
  await session.end();
  const states = new Map(rows.map(({ id, state }) => [id as string, state as string]));
  const known = [...sent].map((id) => states.get(id));
  return {
    forgotten: known.filter((state) => state === 'ready' || state === undefined).length,
    underWay: known.filter((state) => state === 'sending').length,
    found: Number(meta.value) < witness,
  };
}

type Delay = {
  readonly port: number;
  /** From here on the standby gets nothing more. */
  readonly hold: () => void;
  readonly close: () => Promise<void>;
};

/** Passes what the server at the port writes on to its standby, later; what the standby answers at once. */
export async function delaying(port: number, delayMs: number): Promise<Delay> {
  let held = false;
  const sockets = new Set<Socket>();
  const relay = createServer((standby) => {
    const primary = toServer(port, '127.0.0.1');
    for (const one of [standby, primary]) {
      sockets.add(one);
      one
        .setNoDelay()
        .on('error', () => {})
        .on('close', () => sockets.delete(one));
    }
    standby.on('data', (bytes) => primary.write(bytes)).on('end', () => primary.end());
    // What was on its way when the primary was killed is lost with it.
    primary.on('data', (bytes) => {
      setTimeout(() => primary.destroyed || held || standby.write(bytes), delayMs);
    });
    primary.on('close', () => standby.destroy());
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port: own } = relay.address() as { readonly port: number };
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    relay.close();
    await once(relay, 'close');
  };
  const hold = () => {
    held = true;
  };
  return { port: own, hold, close };
}
