/** Two watches on one ledger with two folders, as where a share is not mounted on one machine: the second one does not start. */
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { ledgerPlaceOf } from '../../../src/pipeline/open-run.ts';
import { openPostgresScene } from './scene.ts';
import { openDriver } from './schema.ts';

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
    expect((await one.workers()).filter(({ goneMs }) => goneMs === undefined)).toHaveLength(2);
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
