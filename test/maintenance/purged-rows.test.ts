/** A purge removes what a person has written into the rows of a document; those rows change no other document of the export. */
import { expect, test } from 'vitest';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

test('a row that a person gave to a document of its own stays apart once that one is purged', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['A1', 'B1-X6', 'Z1-X6']));
  await scene.night();
  // The second row of B1 is another document.
  await commandIn(scene, 'fix', 'B1-X6', 'Num@5=C1', 'Client@5=Client C1', '--reason', 'two orders');
  await scene.night();
  const purged = await commandIn(scene, 'purge', '--subject', 'Client C1', '--reason', 'asked for it');
  expect(purged.out).toContain('1 receipt');
  expect((await commandIn(scene, 'verify')).out).toContain('no inconsistencies');
  for (const number of ['B1-X6', 'Z1-X6']) {
    const fixed = await commandIn(scene, 'fix', number, 'Qte=3', '--reason', 'the quantity of the order');
    expect(fixed).toMatchObject({ code: 0, out: expect.stringContaining('is now "queued"') });
  }
  await scene.night();
  const entries = (await scene.entries()).map(({ facts, rows, state }) => [facts.identifier, rows, state]);
  expect(entries).toEqual([
    ['A1', [2, 3], 'authorized'],
    ['B1-X6', [4], 'rejected'],
    ['Z1-X6', [6, 7], 'rejected'],
    ['C1', [5], 'authorized'],
  ]);
  expect((await commandIn(scene, 'verify')).out).toContain('no inconsistencies');
});

test('a row without a number that a person has set aside stays left out once it is purged', async () => {
  await using scene = await openScene();
  const rows = sales(['A1', 'B1-X6']).split('\n');
  rows.splice(3, 0, ';05/09/2026;Client Q;1;2;10,50;20');
  scene.drop('ventes.csv', rows.join('\n'));
  await scene.night();
  const found = await scene.entries();
  const row = found.find(({ facts }) => facts.identifier === '')!;
  await commandIn(scene, 'set-aside', row.id, '--reason', 'a remark of the ERP');
  const others = found.filter(({ id, state }) => id !== row.id && state === 'invalid').map(({ id }) => id);
  expect(others).not.toEqual([]);
  await commandIn(scene, 'reprocess', ...others, '--reason', 'without the remark', '--yes');
  await scene.night();
  const open = async () => (await scene.entries()).filter(({ state }) => state === 'rejected');
  expect(await open()).toHaveLength(1);
  const purged = await commandIn(scene, 'purge', '--subject', 'Client Q', '--reason', 'asked for it');
  expect(purged.out).toContain('1 receipt');
  expect((await commandIn(scene, 'verify')).out).toContain('no inconsistencies');
  const fixed = await commandIn(scene, 'fix', 'B1-X6', 'Qte=3', '--reason', 'the quantity of the order');
  expect(fixed).toMatchObject({ code: 0, out: expect.stringContaining('is now "queued"') });
});
