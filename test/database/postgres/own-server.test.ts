/** What all sessions of a server see alike, so on one of its own: replicas, settings, certificates, and what is left of a killed run. */
import { spawn } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openPostgres } from '../../../src/database/postgres/open-postgres.ts';
import type { PostgresPlace } from '../../../src/database/postgres/postgres-place.ts';
import { connectPostgres } from '../../../src/database/postgres/postgres-session.ts';
import { ledgerChecks } from '../../../src/doctor/doctor-ledger.ts';
import { postgresChecks } from '../../../src/doctor/doctor-postgres.ts';
import { ledgerSiteOf, type SiteOwner } from '../../../src/instance/ledger-site-of.ts';
import { type Certificate, makeAuthority } from '../../certificates.ts';
import { temporaryFolder } from '../../ledger/folder.ts';
import { openPostgresScene } from '../../ledger/postgres/scene.ts';
import { openScene, type Scene } from '../../night.ts';
import { endOrphans, placeOf, TestServer } from './server.ts';

/** A server that reads its settings again does it when it has time. */
const PATIENT = { timeout: 60_000, interval: 20 };
const authority = makeAuthority('our authority');
const filesOf = ({ key, cert }: Certificate) => ({ 'server.key': key, 'server.crt': cert });

let server: TestServer;
beforeAll(async () => {
  const rules = 'host all locked all scram-sha-256\nhost all all all trust\nhost replication all all trust\n';
  server = await TestServer.create({ ssl: 'on' }, { ...filesOf(authority.certify('127.0.0.1')), 'pg_hba.conf': rules });
}, 90_000);
afterAll(() => server.remove());

test('a password that the server asks for and the settings lack is taken from nowhere else', async () => {
  const place = placeOf(server.url, 'nightpost');
  const session = await connectPostgres(place);
  await session.ask(`CREATE ROLE locked LOGIN PASSWORD 'p@ss:w/o#r d%20äÖ€'`);
  await session.end();
  const locked = { ...place, user: 'locked' };
  vi.stubEnv('PGPASSWORD', 'p@ss:w/o#r d%20äÖ€');
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(openPostgres(locked)).rejects.toMatchObject({
    code: 'ledger/postgres-refused',
    message: expect.stringContaining('ledger.postgres.password is missing'),
  });
  await expect(openPostgres({ ...locked, password: 'p@ss' })).rejects.toMatchObject({
    code: 'ledger/postgres-refused',
    message: expect.stringContaining('password authentication failed'),
  });
  const { writer, reader } = await openPostgres({ ...locked, password: 'p@ss:w/o#r d%20äÖ€' });
  await Promise.all([writer.end(), reader.end()]);
});

test('a server without a connection left is named as such, and how many a program needs', async () => {
  const place = placeOf(server.url, 'nightpost');
  const session = await connectPostgres(place);
  await session.ask('CREATE ROLE few LOGIN CONNECTION LIMIT 1');
  await session.end();
  await expect(openPostgres({ ...place, user: 'few' })).rejects.toMatchObject({
    code: 'ledger/postgres-unreachable',
    message: expect.stringMatching(/has no connection left: too many connections for role "few"/),
    hint: expect.stringContaining('up to five connections'),
  });
});

test('a replica for which no commit waits is an error; settings that can lose a commit are a warning', async () => {
  const place = placeOf(server.url, 'public');
  const resultsFor = async (user: string) => (await postgresChecks({ ...place, user })).map(({ result }) => result);
  const results = () => resultsFor(place.user);
  const session = await connectPostgres(place);
  const set = async (change: string) => {
    await session.ask(`ALTER SYSTEM ${change}`);
    await session.ask('SELECT pg_reload_conf()');
  };
  // The server of the tests has fsync = off on its command line.
  expect((await postgresChecks(place)).at(-1)?.says).toContain('fsync = off');
  expect(await results()).toEqual(['ok', 'ok', 'warning']);
  const clockAt = async (ms: number) => (await postgresChecks(place, () => new Date(Date.now() + ms)))[0]?.result;
  expect([await clockAt(-90_000), await clockAt(-86_400_000)]).toEqual(['warning', 'error']);

  await session.ask('CREATE ROLE plain LOGIN');
  const replica = await follow('replica1', { replays: true });
  await expect.poll(results, PATIENT).toEqual(['ok', 'error', 'warning']);
  await set(`SET synchronous_standby_names = '*'`);
  await expect.poll(results, PATIENT).toEqual(['ok', 'ok', 'warning']);
  expect(await resultsFor('plain')).toEqual(['ok', 'ok', 'warning']);

  // What keeps the log, and never becomes the primary, is none.
  const receiver = await follow('pg_receivewal', { replays: false });
  for (const [names, result, hidden] of [
    ['pg_receivewal', 'error', 'error'],
    ['replica1', 'ok', 'ok'],
    ['FIRST 1 (pg_receivewal, replica1)', 'error', 'ok'],
    ['FIRST 1 (replica1, pg_receivewal)', 'ok', 'ok'],
    ['ANY 1 (replica1, pg_receivewal)', 'error', 'error'],
    ['ANY 2 (replica1, pg_receivewal)', 'ok', 'ok'],
  ] as const) {
    await set(`SET synchronous_standby_names = '${names}'`);
    const found = async () => [names, (await results())[1], (await resultsFor('plain'))[1]];
    await expect.poll(found, PATIENT).toEqual([names, result, hidden]);
  }
  await replica.end();
  await expect.poll(results, PATIENT).toEqual(['ok', 'ok', 'warning']);
  await receiver.end();
  await expect.poll(results, PATIENT).toEqual(['ok', 'error', 'warning']);
  await set('RESET synchronous_standby_names');
  await expect.poll(results, PATIENT).toEqual(['ok', 'ok', 'warning']);
  await session.end();

  await server.stop();
  server.settings = { ...server.settings, fsync: 'on', full_page_writes: 'on' };
  await server.start();
  expect(await results()).toEqual(['ok', 'ok']);
  expect(await postgresChecks({ ...place, port: 1 }).catch(({ code }) => code)).toBe('ledger/postgres-unreachable');
});

/** Follows the server as a replica does, or as a program that keeps its log (https://www.postgresql.org/docs/current/protocol-replication.html). */
async function follow(name: string, { replays }: { readonly replays: boolean }): Promise<pg.Client> {
  const settings = { connectionString: server.url, replication: 'true', application_name: name };
  const client = new pg.Client(settings as pg.ClientConfig);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ readonly xlogpos: string }>('IDENTIFY_SYSTEM');
  const { connection } = client as unknown as {
    readonly connection: EventEmitter & { readonly sendCopyFromChunk: (bytes: Buffer) => void };
  };
  const started = once(connection, 'replicationStart');
  client.query(`START_REPLICATION ${rows[0]?.xlogpos}`).catch(() => undefined);
  await started;
  const [high = '', low = ''] = rows[0]?.xlogpos.split('/') ?? [];
  const at = (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
  const status = Buffer.alloc(34);
  status.write('r');
  for (const [index, place] of [at, at, replays ? at : 0n].entries()) status.writeBigUInt64BE(place, 1 + 8 * index);
  connection.sendCopyFromChunk(status);
  return client;
}

test('an address that leads to one server and then to another is not opened', async () => {
  const other = await TestServer.create();
  onTestFinished(() => other.remove());
  const ports = [server.port, other.port];
  const address = createServer((client) => {
    const to = connect(ports[0]!, '127.0.0.1');
    ports.reverse();
    client
      .on('error', () => {})
      .pipe(to)
      .on('error', () => {})
      .pipe(client);
  }).listen(0, '127.0.0.1');
  await once(address, 'listening');
  onTestFinished(() => void address.close());
  const { port } = address.address() as { readonly port: number };
  await expect(openPostgres({ ...placeOf(server.url, 'public'), port })).rejects.toMatchObject({
    code: 'ledger/postgres-unreachable',
    message: expect.stringContaining('two servers'),
  });
});

test('a replica is refused by name', async () => {
  await server.stop();
  const replica = await TestServer.standbyOf(server, server.port);
  onTestFinished(() => replica.remove());
  await server.start();
  await replica.start();
  const place = placeOf(replica.url, 'public');
  await expect(openPostgres(place)).rejects.toMatchObject({
    code: 'ledger/postgres-replica',
    message: expect.stringContaining(String(replica.port)),
  });
});

test('doctor looks at the server of the settings, and at none where the ledger is in its folder', async () => {
  const namesIn = async (scene: Scene) =>
    (await ledgerChecks(scene.instance(), { deep: false })).checks.map(({ what }) => what);
  const here = await openScene();
  onTestFinished(() => here[Symbol.asyncDispose]());
  expect(await namesIn(await openPostgresScene())).toContain('replicas of the PostgreSQL server');
  expect(await namesIn(here)).not.toContain('replicas of the PostgreSQL server');
});

test('tls: verify takes a certificate of the authority for the host, in its time, and no other', async () => {
  const place: PostgresPlace = { ...placeOf(server.url, 'public'), tls: 'verify', ca: authority.cert };
  const found = async (where: PostgresPlace) =>
    await openPostgres(where).then(
      async ({ writer, reader }) => {
        const { rows } = await writer.ask('SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
        await Promise.all([writer.end(), reader.end()]);
        return [rows[0]?.ssl, rows[0]?.version];
      },
      ({ code, message }) => [code, message],
    );
  const refused = (why: string) => ['ledger/postgres-tls', expect.stringContaining(why)];
  expect(await found(place)).toEqual([1, 'TLSv1.3']);
  const { ca: _, ...withoutAuthority } = place;
  expect(await found(withoutAuthority)).toEqual(refused('certificate'));
  expect(await found({ ...place, ca: makeAuthority('our authority').cert })).toEqual(refused('certificate'));
  expect(await found({ ...place, host: 'localhost' })).toEqual(refused('Host: localhost.'));
  expect(await found({ ...withoutAuthority, tls: 'required' })).toEqual([1, 'TLSv1.3']);

  const file = join(temporaryFolder(), 'authority.pem');
  writeFileSync(file, authority.cert);
  const { code, out, err } = await verifyingWith(file, withoutAuthority);
  expect([code, out, err]).toEqual([0, 'open', '']);

  const session = await connectPostgres(place);
  server.write(filesOf(authority.certify('127.0.0.1', new Date('2026-01-01'))));
  await session.ask('SELECT pg_reload_conf()');
  await session.end();
  await expect.poll(() => found(place), PATIENT).toEqual(refused('expired'));
});

test('a file of authorities has to contain a certificate', async () => {
  const folder = temporaryFolder();
  const codeWith = async (text: string) => {
    writeFileSync(join(folder, 'authority.pem'), text);
    const settings = { ledger: { postgres: { ca: 'authority.pem', lease: 1000 } } };
    const site = ledgerSiteOf({ folder, settings } as unknown as SiteOwner);
    return await site.postgres!().then(
      ({ ca }) => ca === text,
      ({ code, message }) => [code, message.replace(folder, '')],
    );
  };
  expect(await codeWith(`# ours\n${authority.cert}${authority.certify('a').cert}`)).toBe(true);
  expect(await codeWith('')).toEqual(['ledger/postgres-tls', expect.stringContaining('contains no certificate')]);
  const damaged = authority.cert.replace(/\n.{20}/, '\n');
  expect(await codeWith(damaged)).toEqual(['ledger/postgres-tls', expect.stringContaining('cannot be read')]);
});

/** Connects in a process of its own, whose system has this file of authorities. */
async function verifyingWith(file: string, place: PostgresPlace) {
  const module = JSON.stringify(new URL('../../../src/database/postgres/postgres-session.ts', import.meta.url).href);
  const text = `const { connectPostgres } = await import(${module});
    await (await connectPostgres(${JSON.stringify(place)})).end(); process.stdout.write('open');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
    env: { ...process.env, SSL_CERT_FILE: file },
  });
  const [out, err, [code]] = await Promise.all([readText(child.stdout), readText(child.stderr), once(child, 'close')]);
  return { code, out, err };
}

test('the server of a process that is killed ends with it, and the next test run ends none of a living one', async () => {
  await server.stop();
  const module = JSON.stringify(new URL('./server.ts', import.meta.url).href);
  const values = JSON.stringify([server.folder, server.port, server.settings]);
  const text = `const { TestServer } = await import(${module}); await new TestServer(...${values}).start(); console.log('up');`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  await endOrphans();
  const up = await connectPostgres(placeOf(server.url, 'public'));
  other.kill('SIGKILL');
  await once(other, 'exit');
  await expect.poll(() => existsSync(server.folder), PATIENT).toBe(false);
  await expect(up.ask('SELECT 1')).rejects.toThrow();
  await expect(connectPostgres(placeOf(server.url, 'public'))).rejects.toThrow('ECONNREFUSED');
});
