/** The first command after an upgrade of the program only looks: it brings the ledger up to date, or reports why not. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { TO_OLDER_SCHEMA } from '../database/older-schema.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

/** As the version before the latest change of the tables wrote it. */
function makeOlder(scene: Scene): void {
  using db = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
  for (const statement of TO_OLDER_SCHEMA) db.exec(statement);
}

test('status of an older ledger brings it up to date', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  makeOlder(scene);
  expect((await commandIn(scene, 'status')).code).toBe(0);
  expect((await commandIn(scene, 'show', 'F1')).code).toBe(0);
  expect((await commandIn(scene, 'verify')).code).toBe(0);
});

test('an older ledger in no-send mode stays as it is, and the command says so', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  makeOlder(scene);
  rmSync(join(scene.root, 'state/installation.json'));
  rmSync(join(scene.root, 'archive/.ledger-witness.json'));
  const looked = await commandIn(scene, 'show', 'F1');
  expect([looked.code, looked.err]).toEqual([2, expect.stringContaining('ledger/older-schema')]);
});

const SEQUENCE = { sequences: { fr: { start: 5 } } };

test.each([
  ['sequences'],
  ['next', 'fr', '7', 'as the service says'],
  ['next', 'fr', '7', 'as the service says', '--within', 'A'.repeat(3000)],
  ['end-quarantine', 'compared'],
  ['receipts'],
  ['receipts', '--dry-run'],
] as const)('ledger %s (%s) is the first command after an upgrade', async (...args) => {
  await using scene = await openScene({ settings: SEQUENCE });
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  makeOlder(scene);
  const { code, err } = await commandIn(scene, 'ledger', ...args);
  expect([code, err]).toEqual([0, '']);
  expect((await commandIn(scene, 'verify')).code).toBe(0);
});
