/** What `doctor` finds about the replicas of a server, and its settings: on a server of its own, because all see the same. */
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { ledgerChecks } from '../../../src/doctor/doctor-ledger.ts';
import { postgresChecks } from '../../../src/doctor/doctor-postgres.ts';
import { connectPostgres } from '../../../src/ledger/postgres/postgres-session.ts';
import { openScene, type Scene } from '../../night.ts';
import { openPostgresScene } from './scene.ts';
import { placeOf, TestServer } from './server.ts';

test('a replica for which no commit waits is an error; settings that can lose a commit are a warning', async () => {
  const server = await TestServer.create();
  onTestFinished(() => server.remove());
  const place = placeOf(server.url, 'public');
  const results = async () => (await postgresChecks(place)).map(({ result }) => result);
  const session = await connectPostgres(place);
  const set = async (change: string) => {
    await session.ask(`ALTER SYSTEM ${change}`);
    await session.ask('SELECT pg_reload_conf()');
  };
  // The server of the tests has fsync = off on its command line.
  expect((await postgresChecks(place)).at(-1)?.says).toContain('fsync = off');
  expect(await results()).toEqual(['ok', 'warning']);

  // The server counts each connection that speaks the protocol of replicas.
  const replica = new pg.Client({ connectionString: server.url, replication: 'true' } as pg.ClientConfig);
  replica.on('error', () => {});
  await replica.connect();
  expect(await results()).toEqual(['error', 'warning']);
  await set(`SET synchronous_standby_names = '*'`);
  await expect.poll(results).toEqual(['ok', 'warning']);
  await replica.end();
  await session.end();

  await server.stop();
  server.settings = { ...server.settings, fsync: 'on', full_page_writes: 'on' };
  await server.start();
  expect(await results()).toEqual(['ok']);
  expect(await postgresChecks({ ...place, port: 1 }).catch(({ code }) => code)).toBe('ledger/postgres-unreachable');
});

test('doctor looks at the server of the settings, and at none where the ledger is in its folder', async () => {
  const namesIn = async (scene: Scene) =>
    (await ledgerChecks(scene.instance(), { deep: false })).checks.map(({ what }) => what);
  const here = await openScene();
  onTestFinished(() => here[Symbol.asyncDispose]());
  expect(await namesIn(await openPostgresScene())).toContain('replicas of the PostgreSQL server');
  expect(await namesIn(here)).not.toContain('replicas of the PostgreSQL server');
});
