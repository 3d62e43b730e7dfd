/** A file that a person names is taken as a look would take it, but at once: with its marker, and not without it. */
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Night, openScene, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';

const marked = () => openScene({ settings: { inbox: { settle: '1ms', marker: '.done' } } });
const refused = ({ told }: Night) => told.flatMap((one) => (one.what === 'inbox-refused' ? [one.fault.code] : []));
const half = (text: string) => text.split('\n').slice(0, 2).join('\n');
const inInbox = (scene: Scene, name: string) => join(scene.root, 'inbox', name);

test('the marker is removed with its file: the next file of the name waits for its own', async () => {
  await using scene = await marked();
  scene.drop('ventes.csv', sales(['F1']));
  scene.drop('ventes.csv.done', '');
  await scene.night({ files: [inInbox(scene, 'ventes.csv')] });
  expect(scene.files('inbox')).toEqual([]);
  scene.drop('ventes.csv', half(sales(['F2'])));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  scene.drop('ventes.csv', sales(['F2']));
  scene.drop('ventes.csv.done', '');
  await scene.night();
  expect((await scene.entries()).map(({ facts, rows }) => [facts.identifier, rows.length]).toSorted()).toEqual([
    ['F1', 2],
    ['F2', 2],
  ]);
});

test('without its marker it is refused, and taken with the marker later', async () => {
  await using scene = await marked();
  scene.drop('ventes.csv', half(sales(['F1'])));
  scene.drop('ventes-2.csv', sales(['F2']));
  scene.drop('ventes-2.csv.done', '');
  const files = ['ventes.csv', 'ventes-2.csv'].map((name) => inInbox(scene, name));
  expect(refused(await scene.night({ files }))).toEqual(['inbox/no-marker']);
  expect(scene.files('inbox')).toEqual(['inbox/ventes.csv']);
  const asked = await commandIn(scene, 'run', inInbox(scene, 'ventes.csv'));
  expect(asked.code).not.toBe(0);
  expect(asked.out + asked.err).toContain('ventes.csv.done');
  scene.drop('ventes.csv', sales(['F1']));
  scene.drop('ventes.csv.done', '');
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
});

test('a file from elsewhere comes whole, and brings its marker', async () => {
  await using scene = await marked();
  const elsewhere = join(scene.root, 'ventes.csv');
  writeFileSync(elsewhere, sales(['F1']));
  await scene.night({ files: [elsewhere] });
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  expect(scene.files('inbox')).toEqual([]);
});

test('a refused file that is read again has its marker, also where a request was cut off before it', async () => {
  await using scene = await marked();
  const wrong = sales(['F1']).replace('Num;', 'Numero;');
  scene.drop('ventes.csv', wrong);
  scene.drop('ventes.csv.done', '');
  await scene.night();
  expect((await scene.look((ledger) => ledger.queries.files({}))).map(({ state }) => state)).toEqual(['refused']);
  scene.drop('ventes.csv', wrong);
  await commandIn(scene, 'reprocess', 'ventes.csv', '--reason', 'once more', '--yes');
  expect((await scene.look((ledger) => ledger.queries.files({}))).map(({ state }) => state)).toEqual([
    'refused',
    'refused',
  ]);
  expect(scene.files('inbox')).toEqual([]);
});

test.each([
  ['a link', 'inbox/symbolic-link', (scene: Scene) => symlinkSync(outside(scene), inInbox(scene, 'ventes.csv'))],
  ['a second name', 'inbox/hard-link', (scene: Scene) => linkSync(outside(scene), inInbox(scene, 'ventes.csv'))],
  ['a folder', 'inbox/subfolder', (scene: Scene) => mkdirSync(inInbox(scene, 'ventes.csv'))],
])('%s is refused as in a look: %s', async (_, code, put) => {
  await using scene = await openScene();
  put(scene);
  expect(refused(await scene.night({ files: [inInbox(scene, 'ventes.csv')] }))).toEqual([code]);
  expect(await scene.entries()).toEqual([]);
});

function outside(scene: Scene): string {
  const path = join(scene.root, 'ventes.csv');
  writeFileSync(path, sales(['F1']));
  return path;
}
