/** A ledger that is restored or rebuilt knows from the receipts what people have decided, and all rows of a document. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

test.each(['a backup of before', 'rebuild'])('what a person has closed stays closed: %s', async (from) => {
  await using scene = await openScene();
  const copy = join(scene.root, 'copy.sqlite');
  scene.drop('ventes.csv', sales(['A1-X6', 'A2-X11', 'A3-X11']));
  await scene.night();
  await commandIn(scene, 'acknowledge', 'A3-X11', '--reason', 'the accountant knows');
  await commandIn(scene, 'backup', copy);
  await commandIn(scene, 'set-aside', 'A1-X6', '--reason', 'the customer has gone');
  await commandIn(scene, 'acknowledge', 'A2-X11', '--reason', 'the accountant knows');
  await commandIn(scene, 'undo', 'A3-X11', '--reason', 'too early');
  await scene.night();
  const closed = async () => (await scene.entries()).map(({ closed: decision }) => decision);
  const before = await closed();
  expect(before).toMatchObject([{ as: 'set-aside' }, { as: 'acknowledged' }, undefined]);
  if (from === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
  const back = from === 'rebuild' ? ['rebuild'] : ['restore', copy];
  expect((await commandIn(scene, 'ledger', ...back)).code).toBe(0);
  expect(await closed()).toEqual(before);
  const receipt = () => scene.read(scene.files('error').find((path) => path.endsWith('A1-X6.receipt.json'))!);
  const { words } = JSON.parse(receipt());
  await scene.night();
  expect(JSON.parse(receipt())).toMatchObject({ words, closed: before[0] });
});

test('a rebuilt ledger knows all rows of a document, also those that a receipt names as ranges', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['A1']));
  await scene.night();
  const path = scene.files('outbox').find((one) => one.endsWith('A1.receipt.json'))!;
  const receipt = JSON.parse(scene.read(path));
  // As a document of more than 50,000 rows has it.
  const source = { ...receipt.source, rows: [2], allRows: '2-3' };
  writeFileSync(join(scene.root, path), JSON.stringify({ ...receipt, source }));
  rmSync(join(scene.root, 'state'), { recursive: true });
  expect((await commandIn(scene, 'ledger', 'rebuild')).code).toBe(0);
  expect(await scene.entries()).toMatchObject([{ rows: [2, 3] }]);
});

test.each(['a backup of before', 'rebuild'])(
  'the contents of documents that are set aside are proven: %s',
  async (from) => {
    await using scene = await openScene({ settings: { run: { hold: { over: { EUR: '1000' } } } } });
    const copy = join(scene.root, 'copy.sqlite');
    await commandIn(scene, 'backup', copy);
    scene.drop('ventes.csv', sales(['B1', 'B2']));
    scene.drop('ventes-held.csv', sales(['B3'], '90'));
    scene.drop('ventes-wrong.csv', sales(['B4', 'B5'], '2O'));
    await scene.night();
    scene.drop('ventes-again.csv', sales(['B2'], '3'));
    await scene.night();
    const why = ['--reason', 'the customer has gone'];
    for (const { id, state } of await scene.entries())
      if (state !== 'authorized') expect(await commandIn(scene, 'set-aside', id, ...why)).toMatchObject({ code: 0 });
    await commandIn(scene, 'fix', 'B5', 'Qte=90', ...why);
    await commandIn(scene, 'undo', 'B5', ...why);
    await scene.night();
    const states = async () =>
      (await scene.entries()).map(({ facts, state, evidence }) => [facts.identifier, state, evidence?.as]);
    const before = await states();
    expect(before.filter(([, , as]) => as === 'invalid')).toHaveLength(4);
    expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
    if (from === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
    const back = from === 'rebuild' ? ['rebuild'] : ['restore', copy];
    expect((await commandIn(scene, 'ledger', ...back)).code).toBe(0);
    await scene.night();
    expect(await states()).toEqual(before);
    expect((await commandIn(scene, 'verify')).out).toContain('Verified');
  },
);

test('a decision of after the backup leaves no receipt that differs from the ledger', async () => {
  await using scene = await openScene({ settings: { run: { hold: { over: { EUR: '1000' } } } } });
  const copy = join(scene.root, 'copy.sqlite');
  scene.drop('ventes.csv', sales(['C1'], '90'));
  await scene.night();
  await commandIn(scene, 'backup', copy);
  expect(await commandIn(scene, 'release', 'C1', '--reason', 'as agreed')).toMatchObject({ code: 0 });
  expect(await commandIn(scene, 'ledger', 'receipts')).toMatchObject({ code: 0 });
  expect((await commandIn(scene, 'ledger', 'restore', copy)).code).toBe(0);
  await scene.night();
  expect((await scene.entries()).map(({ state }) => state)).toEqual(['held']);
  expect((await commandIn(scene, 'verify')).out).toContain('Verified');
});
