/** Ledgers on PostgreSQL that are none, or not the one of this instance: each has its code, and nothing is sent or made. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import type { DatabaseRow } from '../../../src/database/database-driver.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../../../src/database/migrations.ts';
import type { PostgresPlace } from '../../../src/database/postgres/postgres-place.ts';
import { makeDurableFolder } from '../../../src/files/fsync-directory.ts';
import { chooseEngine } from '../../../src/ledger/choose-engine.ts';
import { schemaNumber } from '../../../src/ledger/engine/postgres-lock.ts';
import { initLedger, openLedger } from '../../../src/ledger/open-ledger.ts';
import { openDriver, removedAfterTest, temporarySchema } from '../../database/postgres/schema.ts';
import { openScene } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { admit, all } from '../acts.ts';
import { BINDING, temporaryFolder } from '../folder.ts';
import { clock, valid } from '../make.ts';
import { postgresSettings } from './scene.ts';

function placeAt(server: PostgresPlace, folder = join(temporaryFolder(), 'instance')) {
  return { folder, binding: BINDING, now: clock().now, postgres: async () => server };
}

/** A new ledger with one document, closed. */
async function used() {
  const server = removedAfterTest();
  const place = placeAt(server);
  await initLedger(place);
  await using ledger = await openLedger(place);
  await admit(ledger, [valid()]);
  return { server, place };
}

async function change(server: PostgresPlace, ...statements: readonly string[]): Promise<void> {
  const driver = await openDriver(server);
  await driver.write(async (sql) => {
    for (const statement of statements) await sql.run(statement);
  });
}

async function codeOf(place: Parameters<typeof openLedger>[0]): Promise<string> {
  try {
    await using ledger = await openLedger(place);
    return ledger.guard.send ? 'send' : ledger.guard.code;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test('a server that does not answer, an account, a database and a schema that are not there', async () => {
  const { server, place } = await used();
  expect(await codeOf(place)).toBe('send');
  expect(await codeOf({ ...place, readOnly: true })).toBe('send');
  for (const [wrong, code] of [
    [{ port: 1 }, 'ledger/postgres-unreachable'],
    [{ user: 'stranger' }, 'ledger/postgres-refused'],
    [{ database: 'nothing' }, 'ledger/postgres-refused'],
    [{ tls: 'required' as const }, 'ledger/postgres-tls'],
    [{ schema: `${server.schema}_no` }, 'ledger/missing'],
  ] as const) {
    expect(await codeOf({ ...place, postgres: async () => ({ ...server, ...wrong }) })).toBe(code);
  }
  expect(await codeOf(place)).toBe('send');
});

test.each(['SQLite', 'PostgreSQL'])(
  'a ledger whose making was cut off between its tables and its values is made whole: %s',
  async (name) => {
    const folder = join(temporaryFolder(), 'instance');
    const place =
      name === 'SQLite' ? { folder, binding: BINDING, now: clock().now } : placeAt(removedAfterTest(), folder);
    makeDurableFolder(join(folder, 'state'));
    const made = await (await chooseEngine(place)).create();
    await made.close();
    await initLedger(place);
    expect(await codeOf(place)).toBe('send');
    await expect(initLedger(place)).rejects.toMatchObject({ code: 'ledger/exists' });
  },
);

test('a schema with other tables, of another installation, of a newer and of an older version', async () => {
  const others = await temporarySchema('empty');
  await change(others, 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)');
  expect(await codeOf(placeAt(others))).toBe('ledger/postgres-schema');
  await expect(initLedger(placeAt(others))).rejects.toMatchObject({ code: 'ledger/postgres-schema' });

  const { server, place } = await used();
  const { place: stranger } = await used();
  expect(await codeOf({ ...stranger, postgres: place.postgres })).toBe('ledger/foreign');
  await expect(initLedger(placeAt(server))).rejects.toMatchObject({ code: 'ledger/exists' });
  await change(server, `UPDATE meta SET value = '${SCHEMA_VERSION + 1}' WHERE key = 'schema'`);
  expect(await codeOf(place)).toBe('ledger/newer-schema');

  const old = await temporarySchema('empty');
  const version = SCHEMA_VERSION - 1;
  await change(old, ...MIGRATIONS.slice(0, version).flat());
  await change(old, `INSERT INTO meta (key, value) VALUES ('schema', '${version}')`);
  const reader = await openDriver(server);
  const facts = await reader.read(async (sql) => await sql.all(`SELECT key, value FROM meta WHERE key <> 'schema'`));
  const set = 'ON CONFLICT (key) DO UPDATE SET value = excluded.value';
  const insert = ({ key, value }: DatabaseRow) => `INSERT INTO meta (key, value) VALUES ('${key}', '${value}') ${set}`;
  await change(old, ...facts.map(insert));
  // Its place is that of another schema: a person has to accept it, until then it stays as it was found.
  expect(await codeOf({ ...place, postgres: async () => old })).toBe('ledger/copied');
});

test('an older state, a copy, and a witness that is gone', async () => {
  const { server, place } = await used();
  await change(server, `UPDATE meta SET value = '1' WHERE key = 'generation'`);
  expect(await codeOf(place)).toBe('ledger/older');

  const copied = await used();
  await change(copied.server, `ALTER SCHEMA ${copied.server.schema} RENAME TO ${copied.server.schema}_copy`);
  const copy = { ...copied.server, schema: `${copied.server.schema}_copy` };
  expect(await codeOf({ ...copied.place, postgres: async () => copy })).toBe('ledger/copied');
  rmSync(join(copied.place.folder, 'state', 'installation.json'));
  expect(await codeOf({ ...copied.place, postgres: async () => copy })).toBe('ledger/foreign');
});

test('one program at a time, and one that lost its lock writes nothing more', async () => {
  const { server, place } = await used();
  const first = await openLedger({ ...place, work: 'run', now: () => new Date() });
  await expect(openLedger(place)).rejects.toMatchObject({ code: 'ledger/locked', holder: { work: 'run' } });
  await using look = await openLedger({ ...place, readOnly: true });
  expect(await all(look.queries.find({}))).toHaveLength(1);
  await change(
    server,
    // Other tests have programs at work on the same server.
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${schemaNumber(server) >>> 0}`,
  );
  // The server frees the lock a moment after it was asked to end its session.
  await using second = await vi.waitFor(() => openLedger(place), 60_000);
  await admit(second, [valid({ number: 'F-2' })]);
  await expect(admit(first, [valid({ number: 'F-3' })])).rejects.toMatchObject({ code: 'ledger/write-failed' });
  await first[Symbol.asyncDispose]();
  expect(await all(second.queries.find({}))).toHaveLength(2);
});

test('settings that name a server while the file is in use start nothing', async () => {
  await using scene = await openScene();
  const file = join(scene.root, 'nightpost.yaml');
  const before = scene.read('nightpost.yaml');
  writeFileSync(file, `${before}${stringify({ ledger: { postgres: postgresSettings() } })}`);
  for (const command of [['run'], ['status'], ['backup'], ['init', scene.root, '--ledger']]) {
    expect(await commandIn(scene, ...command)).toMatchObject({ code: 2, err: expect.stringContaining('ledger move') });
  }
  expect(await commandIn(scene, 'ledger', 'move')).toMatchObject({ code: 2, err: expect.stringContaining('--to') });
  expect((await commandIn(scene, 'ledger', 'move', '--json')).out).toContain('ledger/move-no-target');
  writeFileSync(file, before);
  const { out } = await commandIn(scene, 'ledger', 'move', '--to', 'postgres', '--json');
  expect(out).toContain('ledger/move-no-server');
  expect(existsSync(join(scene.root, 'state/ledger.sqlite'))).toBe(true);
});
