/** A ledger on PostgreSQL that an older or a newer version of the program wrote: brought up to date alone and at once, or refused. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SCHEMA_VERSION } from '../../../src/database/migrations.ts';
import type { PostgresPlace } from '../../../src/database/postgres/postgres-place.ts';
import type { Ledger } from '../../../src/ledger/contract/ledger.ts';
import { type OpenOptions, openLedger } from '../../../src/ledger/open-ledger.ts';
import { must } from '../../../src/model/must.ts';
import { ledgerPlaceOf } from '../../../src/runs/open-run.ts';
import { OLDER_SCHEMA, TO_OLDER_SCHEMA } from '../../database/older-schema.ts';
import { relayTo } from '../../database/postgres/relay.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import { type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { openPostgresScene } from './scene.ts';

const LONG = `nt|sales|${'ab'.repeat(5000)}`;

/** After a night with two documents: its ledger, in the schema of the version before, with a long key as that one stored it. */
async function older() {
  const scene = await openPostgresScene();
  scene.drop('ventes-1.csv', sales(['F1', 'F2']));
  await scene.night();
  const place = ledgerPlaceOf(scene.instance());
  const server = await must(place.postgres, 'a server')();
  const driver = await openDriver(server);
  await driver.write(async (sql) => {
    for (const statement of TO_OLDER_SCHEMA) await sql.run(statement);
    await sql.run('INSERT INTO numbering (key, sequence, scope, number) VALUES (?, ?, ?, 7)', LONG, 'note', '[]');
  });
  const schema = async () =>
    await driver.read(async (sql) => {
      const [version] = await sql.all(`SELECT value FROM meta WHERE key = 'schema'`);
      const columns = await sql.all(
        `SELECT 1 FROM information_schema.columns WHERE table_schema = ? AND column_name = 'whole'`,
        server.schema,
      );
      const [number] = await sql.all('SELECT octet_length(key) AS length FROM numbering');
      return [Number(version?.value), columns.length, number?.length];
    });
  return { scene, place, server, driver, schema };
}

const OLD = [OLDER_SCHEMA, 0, LONG.length];
const NEW = [SCHEMA_VERSION, 2, 900 + 72];

async function nightAfter(scene: Scene): Promise<void> {
  scene.drop('ventes-2.csv', sales(['F2', 'F3']));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 3, duplicate: 1 });
  expect(scene.sandbox.acceptances().map(({ requests }) => requests)).toEqual([1, 1, 1]);
}

test('the first command brings it up to date, and the next night goes on', async () => {
  const { scene, schema, driver } = await older();
  await driver.write(async (sql) => {
    await sql.run("UPDATE identity SET folded = 'as before'");
  });
  expect(await schema()).toEqual(OLD);
  expect((await commandIn(scene, 'status')).code).toBe(0);
  expect(await schema()).toEqual(NEW);
  await nightAfter(scene);
  expect((await commandIn(scene, 'verify', '--all')).code).toBe(0);
  // A number that went out before the upgrade is known in every spelling.
  scene.drop('ventes-3.csv', sales(['F-02']));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 3, duplicate: 1, held: 1 });
});

test('a connection that ends in the middle of the upgrade leaves the ledger as it was; a look next to one goes on', async () => {
  const { scene, place, server, schema } = await older();
  const through = async (at: string, fate: 'cut-before' | 'answer-lost') => {
    const relayed: PostgresPlace = await relayTo(server, ({ type, sql }) =>
      type === 'E' && sql.startsWith(at) ? fate : 'passes',
    );
    const options: OpenOptions = { ...place, postgres: async () => relayed };
    return await openLedger(options).catch(({ code }) => code);
  };
  expect(await through('ALTER TABLE sequence ADD COLUMN whole', 'cut-before')).toBe('ledger/postgres-unreachable');
  expect(await through('UPDATE numbering', 'answer-lost')).toBe('ledger/postgres-unreachable');
  expect(await schema()).toEqual(OLD);
  // A watch brings it up to date, and works, between the look of a command and its own upgrade.
  const watches: Ledger[] = [];
  let asked = 0;
  const postgres = async () => {
    if (++asked === 2) watches.push(await openLedger({ ...place, work: 'watch' }));
    return server;
  };
  await using look = await openLedger({ ...place, postgres, readOnly: true });
  expect([look.guard, await schema()]).toEqual([{ send: true }, NEW]);
  for (const watch of watches) await watch[Symbol.asyncDispose]();
  await nightAfter(scene);
  expect(await schema()).toEqual(NEW);
});

test('while a worker of the older version lives, nothing changes the tables under it', async () => {
  const { scene, place, schema, driver } = await older();
  {
    await using _ = await openLedger({ ...place, work: 'watch' });
    // The watch brought it up to date for itself; as far as the others know it is an older one.
    await driver.write(async (sql) => {
      for (const statement of TO_OLDER_SCHEMA) await sql.run(statement);
    });
    for (const work of ['run', 'watch', 'act'] as const) {
      await expect(openLedger({ ...place, work })).rejects.toMatchObject({
        code: 'ledger/locked',
        holder: { work: 'watch' },
      });
    }
    const { code, err } = await commandIn(scene, 'status');
    expect([code, err]).toEqual([6, expect.stringContaining('Stop each watch of the version before')]);
    await expect(openLedger({ ...place, work: 'watch' })).rejects.toHaveProperty(
      'hint',
      expect.stringContaining('Stop each watch of the version before'),
    );
    expect((await schema()).slice(0, 2)).toEqual(OLD.slice(0, 2));
  }
  await using ledger = await openLedger({ ...place, work: 'watch' });
  expect([ledger.guard.send, await schema()]).toEqual([true, NEW]);
});

test('a ledger of a newer version is refused by name, and nothing is sent', async () => {
  const { scene, driver } = await older();
  await driver.write(async (sql) => {
    await sql.run(`UPDATE meta SET value = '${SCHEMA_VERSION + 1}' WHERE key = 'schema'`);
  });
  scene.drop('ventes-2.csv', sales(['F3']));
  const ran = await commandIn(scene, 'run');
  expect([ran.code, `${ran.out}${ran.err}`]).toEqual([2, expect.stringContaining(`schema ${SCHEMA_VERSION + 1}`)]);
  const accepted = await commandIn(scene, 'doctor', '--accept-ledger', 'tried');
  expect(`${accepted.out}${accepted.err}`).toContain('ledger/newer-schema');
  expect(scene.sandbox.acceptances()).toHaveLength(2);
});

test('a ledger with the tables of a newer version is not copied: what this one does not know would be missing', async () => {
  const scene = await openPostgresScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night();
  const driver = await openDriver(await must(ledgerPlaceOf(scene.instance()).postgres, 'a server')());
  await driver.write(async (sql) => {
    await sql.run('ALTER TABLE identity ADD COLUMN later TEXT');
    await sql.run(`UPDATE meta SET value = '${SCHEMA_VERSION + 1}' WHERE key = 'schema'`);
  });
  const { code, err } = await commandIn(scene, 'backup', join(scene.root, 'copy.sqlite'));
  expect([code, err]).toEqual([2, expect.stringContaining('ledger/newer-schema')]);
  expect(readdirSync(scene.root).filter((name) => name.startsWith('copy'))).toEqual([]);
});
