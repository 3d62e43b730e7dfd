/** A backup while documents are on the wire: their receipts show what became of them, and a restore asks no service and no person. */
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Driver } from '../../src/database/database-driver.ts';
import { backupOf } from '../../src/maintenance/restore-instance.ts';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

/** Copies the ledger after each write, and keeps the first copy with a document that is being sent. */
function backupWhileSending(scene: Scene, copy: string): (driver: Driver) => Driver {
  const next = `${copy}.next`;
  return (driver) => ({
    ...driver,
    write: async (work) => {
      const result = await driver.write(work);
      if (existsSync(copy)) return result;
      await backupOf(scene.instance(), next);
      const db = new DatabaseSync(next, { readOnly: true });
      if (db.prepare(`SELECT 1 FROM entry WHERE state = 'sending'`).get()) copyFileSync(next, copy);
      db.close();
      rmSync(next);
      return result;
    },
  });
}

test.each([true, false])('the receipts are there: %s', async (isThere) => {
  await using scene = await openScene();
  const copy = join(scene.root, 'copy.sqlite');
  scene.drop('ventes.csv', sales(['A1', 'A2-X6']));
  await scene.night({ through: backupWhileSending(scene, copy) });
  const before = tally(await scene.entries());
  if (!isThere) for (const path of scene.files('outbox')) rmSync(join(scene.root, path));
  expect(await commandIn(scene, 'ledger', 'restore', copy)).toMatchObject({ code: 0 });
  expect(tally(await scene.entries())).toEqual(isThere ? before : { 'in-doubt': 1, rejected: 1 });
  await scene.night();
  expect((await commandIn(scene, 'verify')).out).not.toMatch(/verify\/(?!response)/);
  expect(scene.sandbox.requests().fr.submit).toBe(2);
});
