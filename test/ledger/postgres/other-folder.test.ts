/** Watches know by their marks that they have one folder: where a share is not mounted on one machine, the second one does not start. */
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Driver } from '../../../src/database/database-driver.ts';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { ledgerPlaceOf } from '../../../src/runs/open-run.ts';
import { expire } from '../../contracts/ledger-workers.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import { openPostgresScene } from './scene.ts';

test('a watch with a copy of the folder is refused next to another one, with its name; one with the same folder is not', async () => {
  const scene = await openPostgresScene();
  const place = ledgerPlaceOf(scene.instance());
  const copy = `${scene.root}-copy`;
  cpSync(scene.root, copy, { recursive: true });
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  const watch = async (folder = scene.root) => await openLedger({ ...place, folder, work: 'watch' });
  const marks = (folder: string) => readdirSync(join(folder, 'state')).filter((name) => name.startsWith('worker-'));
  {
    await using one = await watch();
    await using other = await watch();
    await expect(watch(copy)).rejects.toMatchObject({
      code: 'ledger/other-folder',
      message: expect.stringContaining(String(process.pid)),
    });
    expect((await one.workers.list()).filter(({ goneMs }) => goneMs === undefined)).toHaveLength(2);
    expect([marks(scene.root), marks(copy)]).toEqual([
      [one, other].map(({ roles }) => `worker-${roles!.id}`).toSorted(),
      [],
    ]);
  }
  expect(marks(scene.root)).toEqual([]);

  // What a kill left is removed, and keeps no one else from working.
  const driver = await openDriver(await place.postgres!());
  const [{ id = null } = {}] = await driver.read(async (sql) => await sql.all('SELECT id FROM worker LIMIT 1'));
  writeFileSync(join(scene.root, 'state', `worker-${id}`), '');
  await using alone = await watch(copy);
  expect(marks(copy)).toEqual([`worker-${alone.roles!.id}`]);
  await alone[Symbol.asyncDispose]();
  await using last = await watch();
  expect(marks(scene.root)).toEqual([`worker-${last.roles!.id}`]);
});

test('a watch that ended with its connection keeps its mark: the next one in this folder starts before that lease ends', async () => {
  const scene = await openPostgresScene();
  const place = ledgerPlaceOf(scene.instance());
  const marks = () => readdirSync(join(scene.root, 'state')).filter((name) => name.startsWith('worker-'));
  let own: Driver | undefined;
  const through = (driver: Driver) => {
    own = driver;
    return driver;
  };
  const first = await openLedger({ ...place, work: 'watch', through });
  const [{ pid = null } = {}] = await own!.write(async (sql) => await sql.all('SELECT pg_backend_pid() AS pid'));
  const driver = await openDriver(await place.postgres!());
  await driver.read(async (sql) => await sql.all('SELECT pg_terminate_backend(?)', pid));
  await first[Symbol.asyncDispose]();
  const ids = [first.roles!.id];
  {
    await using second = await openLedger({ ...place, work: 'watch' });
    ids.push(second.roles!.id);
    expect(marks()).toEqual(ids.map((id) => `worker-${id}`).toSorted());
  }
  await expire(driver, first.roles!.id);
  await using third = await openLedger({ ...place, work: 'watch' });
  expect(marks()).toEqual([`worker-${third.roles!.id}`]);
});
