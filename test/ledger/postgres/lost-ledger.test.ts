/** Stops, backups and losses of a ledger on PostgreSQL: the next night goes on, and nothing is sent twice. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { ledgerPlaceOf } from '../../../src/runs/open-run.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import { type Scene, sales, stopAtWrite, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { admit, INTENT } from '../acts.ts';
import { valid } from '../make.ts';
import { openPostgresScene } from './scene.ts';

/** How many documents the service has accepted, none of them twice. */
function accepted(scene: Scene): number {
  const acceptances = scene.sandbox.acceptances();
  expect(acceptances.filter(({ requests }) => requests > 1)).toEqual([]);
  return acceptances.length;
}

test('a stop at any of the first commits: the next night ends what was begun', async () => {
  const scene = await openPostgresScene();
  for (const [n, at] of [3, 6, 9, 12].entries()) {
    scene.drop(`ventes-${n}.csv`, sales([`F${n}-1`, `F${n}-2`]));
    await scene.night({ through: stopAtWrite(at) }).catch(() => undefined);
    await scene.night();
  }
  const states = tally(await scene.entries());
  expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(8);
  expect(accepted(scene)).toBeGreaterThanOrEqual(states.authorized ?? 0);
  expect(Object.keys(states).filter((state) => state === 'sending' || state === 'staged')).toEqual([]);
  expect((await commandIn(scene, 'verify', '--all')).code).toBe(0);
});

test('a program that has the ledger for itself, and another one that writes all the same: nothing more is recorded', async () => {
  const scene = await openPostgresScene();
  const place = ledgerPlaceOf(scene.instance());
  await using ledger = await openLedger({ ...place, work: 'run' });
  await admit(ledger, [valid({ identifier: 'F1' })]);
  const [due] = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 1);
  const other = await openDriver(await place.postgres!());
  const count = `UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE key = 'generation'`;
  await other.write(async (sql) => await sql.run(count));
  await expect(ledger.submissions.begin(due!, INTENT)).rejects.toMatchObject({ code: 'ledger/write-failed' });
  expect(await other.read(async (sql) => await sql.all('SELECT state, submits FROM entry'))).toEqual([
    { state: 'ready', submits: 0 },
  ]);
});

test('a backup that is restored learns from the receipts; a lost schema is rebuilt from them', async () => {
  const scene = await openPostgresScene();
  scene.drop('ventes-1.csv', sales(['F-1']));
  await scene.night();
  expect((await commandIn(scene, 'backup')).code).toBe(0);
  scene.drop('ventes-2.csv', sales(['F-2']));
  await scene.night();
  expect(accepted(scene)).toBe(2);

  const [backup] = readdirSync(join(scene.root, 'backups'));
  const restored = await commandIn(scene, 'ledger', 'restore', join(scene.root, 'backups', backup!), '--json');
  expect(JSON.parse(restored.out)).toMatchObject({
    learnt: 1,
    held: 0,
    inDoubt: 0,
    kept: expect.stringMatching(/_before_/),
  });
  scene.drop('ventes-3.csv', sales(['F-2', 'F-3']));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2, duplicate: 1, held: 1 });
  expect(accepted(scene)).toBe(2);
  expect((await commandIn(scene, 'ledger', 'rebuild')).code).toBe(2);

  const place = ledgerPlaceOf(scene.instance());
  const server = await place.postgres!();
  const driver = await openDriver(server);
  await driver.write(async (sql) => void (await sql.run(`DROP SCHEMA "${server.schema}" CASCADE`)));
  await expect(openLedger(place)).rejects.toMatchObject({ code: 'ledger/missing' });
  expect((await commandIn(scene, 'init', scene.root, '--ledger')).code).toBe(2);
  expect((await commandIn(scene, 'ledger', 'rebuild')).code).toBe(0);
  scene.drop('ventes-4.csv', sales(['F-1', 'F-2', 'F-3']));
  await scene.night();
  expect(accepted(scene)).toBe(2);
  expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
  const [before] = await driver.read(
    async (sql) =>
      await sql.all(`SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE ?`, `${server.schema}_before_%`),
  );
  expect(before?.name).toBe(JSON.parse(restored.out).kept);
  await driver.write(async (sql) => void (await sql.run(`DROP SCHEMA "${before!.name}" CASCADE`)));
});

test('what a person forgets leaves the tables', async () => {
  const scene = await openPostgresScene();
  scene.drop('ventes-1.csv', sales(['F-1']));
  await scene.night();
  expect((await commandIn(scene, 'purge', '--subject', 'Client F-1', '--reason', 'asked')).code).toBe(0);
  const place = ledgerPlaceOf(scene.instance());
  const driver = await openDriver(await place.postgres!());
  const rows = await driver.read(async (sql) => await sql.all('SELECT facts, content FROM revision'));
  expect(JSON.stringify(rows)).not.toContain('Client');
});
