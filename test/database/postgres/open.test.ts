/** A server on which a ledger is not safe does not open, and the error names what to do; codes are compared, not sentences. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../src/database/postgres/open-postgres.ts';
import type { PostgresPlace } from '../../../src/database/postgres/postgres-place.ts';
import { connectPostgres } from '../../../src/database/postgres/postgres-session.ts';
import { postgresEngine } from '../../../src/ledger/engine/postgres-engine.ts';
import { lockPostgres } from '../../../src/ledger/engine/postgres-lock.ts';
import { stateFolder } from '../../../src/ledger/installation/state-folder.ts';
import type { OperatorError } from '../../../src/model/fault.ts';
import { temporaryFolder } from '../../ledger/folder.ts';
import { relayTo, replacing } from './relay.ts';
import { placeOf } from './server.ts';

const place = () => placeOf(inject('postgres'), 'public');

/** A database next to the one of the tests, removed after the test. */
async function database(name: string, options: string, ...then: readonly string[]): Promise<PostgresPlace> {
  const session = await connectPostgres(place());
  await session.ask(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await session.ask(`CREATE DATABASE ${name} TEMPLATE template0 ${options}`);
  for (const statement of then) await session.ask(statement);
  onTestFinished(async () => {
    await session.ask(`DROP DATABASE ${name} WITH (FORCE)`);
    await session.end();
  });
  return { ...place(), database: name };
}

async function codeOf(where: PostgresPlace): Promise<unknown> {
  return await openPostgres(where).then(
    async ({ writer, reader }) => {
      await Promise.all([writer.end(), reader.end()]);
      return 'open';
    },
    ({ code }) => code,
  );
}

/** The first message of a session with a number of a process has another one, as a pooler makes it. */
function otherProcess(answer: Buffer): Buffer {
  const at = answer.indexOf(Buffer.from('K\0\0\0\x0c', 'latin1'));
  if (at < 0) return answer;
  const changed = Buffer.from(answer);
  changed.writeUInt32BE(changed.readUInt32BE(at + 5) + 1, at + 5);
  return changed;
}

test('a server as it should be opens, and names itself', async () => {
  const { writer, reader, server } = await openPostgres(place());
  await Promise.all([writer.end(), reader.end()]);
  expect(server.version).toBeGreaterThanOrEqual(150_000);
  expect(server.systemId).toMatch(/^\d{10,}$/);
});

test('a server that is not there, or that does not know us', async () => {
  expect(await codeOf({ ...place(), port: 1 })).toBe('ledger/postgres-unreachable');
  expect(await codeOf({ ...place(), host: 'nightpost.invalid' })).toBe('ledger/postgres-unreachable');
  expect(await codeOf({ ...place(), database: 'nowhere' })).toBe('ledger/postgres-refused');
  expect(await codeOf({ ...place(), user: 'stranger' })).toBe('ledger/postgres-refused');
});

test('a connection that is not encrypted although it has to be', async () => {
  // Through the relay, whose own connection to a server with TLS is encrypted already.
  const plain = await relayTo(place());
  expect(await codeOf({ ...plain, tls: 'required' })).toBe('ledger/postgres-tls');
});

test('a server that ends while TLS begins does not answer: nothing about its certificate is wrong', async () => {
  const server = createServer((client) => client.once('data', () => client.end('S'))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  expect(await codeOf({ ...place(), port, tls: 'required' })).toBe('ledger/postgres-unreachable');
});

test('a database that sorts by the rules of a language, or is not in UTF-8', async () => {
  const french = await database('nightpost_french', `LOCALE_PROVIDER icu ICU_LOCALE 'fr' ENCODING 'UTF8'`);
  const refused = await openPostgres(french).catch((error: OperatorError) => error);
  expect(refused).toMatchObject({
    code: 'ledger/postgres-collation',
    message: expect.stringMatching(/encoding UTF8 and the collation fr\.$/),
  });
  const [command = ''] = /CREATE DATABASE .*'C'/.exec((refused as OperatorError).hint ?? '') ?? [];
  // As the administrator does: the command of the hint makes one that opens.
  const session = await connectPostgres(place());
  const again = { ...place(), database: 'nightpost Again' };
  await session.ask(`DROP DATABASE IF EXISTS "${again.database}"`);
  await session.ask(command.replace(french.database, again.database));
  expect(await codeOf(again)).toBe('open');
  await session.ask(`DROP DATABASE "${again.database}" WITH (FORCE)`);
  await session.end();
  expect(await codeOf(await database('nightpost_latin', `LOCALE 'C' ENCODING 'LATIN1'`))).toBe(
    'ledger/postgres-collation',
  );
  expect(await codeOf(await database('nightpost_bytes', `LOCALE 'C' ENCODING 'UTF8'`))).toBe('open');
});

test('a user without the rights of an owner, until an administrator does what the hint says', async () => {
  const admin = await connectPostgres(place());
  await admin.ask('DROP ROLE IF EXISTS nightpost_guest');
  await admin.ask(`CREATE ROLE nightpost_guest LOGIN PASSWORD 'guest'`);
  onTestFinished(async () => {
    await admin.ask('DROP OWNED BY nightpost_guest');
    await admin.ask('DROP ROLE nightpost_guest');
    await admin.end();
  });
  const guest = { ...place(), user: 'nightpost_guest', password: 'guest', schema: 'books' };
  const create = async () => {
    const made = await postgresEngine({ place: guest, state: stateFolder(temporaryFolder()) })
      .create()
      .catch((error: OperatorError) => error);
    if (made instanceof Error) return [made.code, made.message, made.hint];
    await made.close();
    return 'made';
  };
  const refused = (why: string) => ['ledger/postgres-refused', expect.stringContaining(why), expect.any(String)];
  const first = await create();
  expect(first).toEqual(refused('permission denied for database'));
  // With every right on the rows, but not the owner: an upgrade and a purge would fail later.
  await admin.ask('CREATE SCHEMA books');
  await admin.ask('CREATE TABLE books.meta (key TEXT)');
  await admin.ask('GRANT ALL ON SCHEMA books TO nightpost_guest');
  expect(await create()).toEqual(refused(`books belongs to ${place().user}`));
  await admin.ask('ALTER SCHEMA books OWNER TO nightpost_guest');
  expect(await create()).toEqual(refused(`meta belongs to ${place().user}`));
  await admin.ask('DROP SCHEMA books CASCADE');
  const [command = ''] = /CREATE SCHEMA .*?"nightpost_guest"/.exec(String(first[2])) ?? [];
  await admin.ask(command);
  expect(await create()).toBe('made');
  expect(await codeOf(guest)).toBe('open');
  await admin.ask('DROP SCHEMA books CASCADE');
});

test('a server that only reads', async () => {
  const set = 'ALTER DATABASE nightpost_reads SET default_transaction_read_only = on';
  const reads = await database('nightpost_reads', `LOCALE 'C' ENCODING 'UTF8'`, set);
  expect(await codeOf(reads)).toBe('ledger/postgres-replica');
});

test('an old server, a pooler, and a program that only speaks the protocol', async () => {
  const { writer, reader, server } = await openPostgres(place());
  await Promise.all([writer.end(), reader.end()]);
  const old = await relayTo(place(), undefined, replacing(String(server.version), '140009'));
  expect(await codeOf(old)).toBe('ledger/postgres-version');
  const pooled = await relayTo(place(), undefined, otherProcess);
  expect(await codeOf(pooled)).toBe('ledger/postgres-pooler');
  // Pgpool keeps the number of the process, and answers a statement that a server does not know.
  const pgpool = await relayTo(place(), undefined, undefined, replacing('SHOW pool_version', 'SHOW lock_timeout'));
  expect(await codeOf(pgpool)).toBe('ledger/postgres-pooler');
  // A lock that is taken through it could stay with a session of somebody else.
  const note = join(temporaryFolder(), 'ledger.lock');
  await expect(lockPostgres({ place: pooled, note }, 'run', new Date())).rejects.toMatchObject({
    code: 'ledger/postgres-pooler',
  });
  const other = await relayTo(place(), undefined, replacing('serializable', 'snapshotread'));
  expect(await codeOf(other)).toBe('ledger/postgres-isolation');
  expect(await codeOf(await relayTo(place()))).toBe('open');
});

test('no limit of the database or the role ends a session, a long transaction or a wait of ours', async (context) => {
  const { writer, reader, server } = await openPostgres(place());
  await Promise.all([writer.end(), reader.end()]);
  context.skip(server.version < 170_000, 'servers before version 17 do not know transaction_timeout');
  const limits = ['transaction_timeout', 'idle_session_timeout', 'lock_timeout'];
  const set = limits.map((name) => `ALTER DATABASE nightpost_limits SET ${name} = '1min'`);
  const limited = await connectPostgres(await database('nightpost_limits', `LOCALE 'C' ENCODING 'UTF8'`, ...set));
  for (const name of limits) {
    expect([name, (await limited.ask(`SELECT current_setting('${name}') AS now`)).rows]).toEqual([
      name,
      [{ now: '0' }],
    ]);
  }
  await limited.end();
});

test('a statement that has no answer for too long ends, and its session goes on', async () => {
  const session = await connectPostgres(place(), { answerMs: 100 });
  await expect(session.ask('SELECT pg_sleep(600)')).rejects.toMatchObject({ code: '57014' });
  expect((await session.ask('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await session.end();
});

test('a session that would answer a COMMIT before it is durable waits for it all the same', async () => {
  const set = 'ALTER DATABASE nightpost_hasty SET synchronous_commit = off';
  const hasty = await database('nightpost_hasty', `LOCALE 'C' ENCODING 'UTF8'`, set);
  const { writer, reader } = await openPostgres(hasty);
  const { rows } = await writer.ask(`SELECT current_setting('synchronous_commit') AS value`);
  await Promise.all([writer.end(), reader.end()]);
  expect(rows).toEqual([{ value: 'on' }]);
});
