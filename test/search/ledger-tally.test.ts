/** Counts for metrics, carried from look to look: equal to a count from the begin, whatever happened between. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { tallyLedger } from '../../src/search/ledger-tally.ts';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

test('sums that are carried from night to night are those of a count from the begin', async () => {
  await using scene = await openScene();
  const file = join(scene.root, 'state/ledger.sqlite');
  const count = async (before?: Parameters<typeof tallyLedger>[1]) => await tallyLedger({ folder: scene.root }, before);
  let carried = (await count()).sums;
  expect(carried).toMatchObject({ documents: {}, outcomes: [] });
  for (const [night, numbers] of [['F1', 'F2'], ['F3'], ['F4', 'F5', 'F6']].entries()) {
    scene.drop(`ventes-${night}.csv`, sales(numbers, night === 1 ? 'x' : '2'));
    await scene.night();
    const next = await count(carried);
    expect(next).toEqual(await count());
    carried = next.sums;
  }
  const { states } = await count(carried);
  const counts = states.map(({ service, state, closed, count: n }) => [service, state, closed, n]);
  expect(counts.sort()).toEqual([
    ['fr', 'authorized', false, 5],
    ['fr', 'invalid', false, 1],
  ]);
  expect(carried.outcomes).toEqual([{ service: 'fr', act: 'submit', outcome: 'authorized', count: 5 }]);
  expect(carried.seconds.fr).toMatchObject({ count: 5 });

  // A row that is read a second time would count twice.
  expect((await count(carried)).sums).toEqual(carried);
  // An attempt that is under way counts once it has an outcome.
  const db = new DatabaseSync(file);
  const [attempt] = db.prepare('SELECT rowid AS row, outcome FROM attempt ORDER BY rowid DESC LIMIT 1').all();
  const set = db.prepare('UPDATE attempt SET outcome = ? WHERE rowid = ?');
  set.run(null, attempt!.row!);
  const before = (await count()).sums;
  expect(before.outcomes).toMatchObject([{ count: 4 }]);
  set.run(attempt!.outcome!, attempt!.row!);
  expect((await count(before)).sums).toEqual(carried);

  // The ledger of another history under the same name: its sums are its own.
  db.exec('PRAGMA foreign_keys = OFF');
  db.exec(`UPDATE attempt SET entry = 'other' WHERE rowid = (SELECT MAX(rowid) FROM attempt)`);
  db.close();
  const other = await count(carried);
  expect(other.sums.outcomes).toMatchObject([{ count: 4 }]);
  expect(other).toEqual(await count());
});

test('a document that a person has set aside is closed, whatever its state', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2'], 'x'));
  await scene.night();
  expect((await commandIn(scene, 'set-aside', 'F1', '--reason', 'test')).code).toBe(0);
  const { states } = await tallyLedger({ folder: scene.root }, undefined);
  const waiting = states.filter(({ state }) => state === 'invalid').map(({ closed, count }) => [closed, count]);
  expect(waiting.sort()).toEqual([
    [false, 1],
    [true, 1],
  ]);
});
