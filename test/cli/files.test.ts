/** Files are found and shown as documents are: a refused one, of which there is no document, is in every answer. */
import { expect, test } from 'vitest';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

async function json<T>(scene: Scene, ...words: string[]): Promise<T> {
  return JSON.parse((await commandIn(scene, ...words, '--json')).out) as T;
}

type Shown = { readonly id: string; readonly name: string; readonly state: string; readonly need: string };
type Found = { readonly documents: readonly object[]; readonly files: readonly Shown[] };

const shownFile = (scene: Scene, name: string) => json<Shown>(scene, 'show', name);

test('a refused file is shown and found by its name and by a part of it, with what to do', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  scene.drop('DIV_20261121_2.xml', '<a>not an export</a>');
  await scene.night();
  const shown = await commandIn(scene, 'show', 'DIV_20261121_2.xml');
  expect(shown.code).toBe(0);
  for (const part of ['intake/no-mapping', 'nightpost set-aside DIV_20261121_2.xml']) expect(shown.out).toContain(part);
  const { id } = await shownFile(scene, 'DIV_20261121_2.xml');
  expect(await shownFile(scene, id)).toMatchObject({ name: 'DIV_20261121_2.xml', state: 'refused', need: 'action' });
  for (const text of ['div_20261121_2.XML', '20261121', 'DIV']) {
    const found = await json<Found>(scene, 'find', text);
    expect([text, found.documents.length, found.files.map((file) => file.id)]).toEqual([text, 0, [id]]);
  }
  const printed = (await commandIn(scene, 'find', 'DIV')).out;
  expect(printed).toContain('nightpost show DIV_20261121_2.xml');
  expect((await commandIn(scene, 'list', '--file', 'DIV')).out).toContain('DIV_20261121_2.xml');
  expect(await shownFile(scene, 'ventes.csv')).toMatchObject({ need: 'nothing', documents: { authorized: 1 } });
  expect((await commandIn(scene, 'show', 'DIV')).code).toBe(2);
});

test('whether a refused file still needs a person is as errors has it', async () => {
  await using scene = await openScene();
  for (const name of ['one.xml', 'two.xml', 'ventes.csv']) scene.drop(name, `<a>${name}</a>`);
  await scene.night();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  expect((await commandIn(scene, 'set-aside', 'two.xml', '--reason', 'no export')).code).toBe(0);
  expect(await shownFile(scene, 'one.xml')).toMatchObject({ need: 'action' });
  expect(await shownFile(scene, 'two.xml')).toMatchObject({ need: 'set-aside' });
  const both = await json<readonly Shown[]>(scene, 'show', 'ventes.csv');
  expect(both.map(({ state, need }) => [state, need])).toEqual([
    ['admitted', 'nothing'],
    ['refused', 'replaced'],
  ]);
});

test('the same bytes refused twice count once in run, status and errors', async () => {
  await using scene = await openScene();
  scene.drop('one.xml', '<a>not an export</a>');
  scene.drop('copy.xml', '<a>not an export</a>');
  const run = await json<{ readonly filesRefused: number; readonly files: readonly object[] }>(scene, 'run');
  const status = await json<{ readonly filesRefused: number; readonly lastRun: object }>(scene, 'status');
  const errors = await json<{ readonly files: readonly object[] }>(scene, 'errors');
  expect([run.filesRefused, status.filesRefused, errors.files.length]).toEqual([1, 1, 1]);
  expect(status.lastRun).toMatchObject({ totals: { filesRefused: 1 } });
});

test('undo of a set-aside file says what is listed then', async () => {
  await using scene = await openScene();
  const undone = (name: string) => json<{ readonly listed: string | null }>(scene, 'undo', name, '--reason', 'test');
  const setAside = async (name: string) =>
    expect((await commandIn(scene, 'set-aside', name, '--reason', 'test')).code).toBe(0);
  scene.drop('one.xml', '<a>not an export</a>');
  scene.drop('ventes.csv', 'not,an,export\n');
  await scene.night();
  await setAside('one.xml');
  expect((await undone('one.xml')).listed).toBe('one.xml');
  await setAside('one.xml');
  scene.drop('later.xml', '<a>not an export</a>');
  await setAside('ventes.csv');
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  expect((await undone('one.xml')).listed).toBe('later.xml');
  expect((await undone('ventes.csv')).listed).toBeNull();
});

test.each([
  [['--service', 'de'], 'list/unknown-value', 'fr, sv'],
  [['--mapping', 'sale'], 'list/unknown-value', 'sales'],
  [['--run', '20200101-0000-0000'], 'list/unknown-value', '2'],
  [['--after', '0197-none'], 'list/unknown-document', '--after'],
])('list %j is refused with the known values', async (words, code, hint) => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await commandIn(scene, 'run');
  const answer = await commandIn(scene, 'list', ...words, '--json');
  const { error } = JSON.parse(answer.out) as { readonly error: { readonly code: string; readonly hint: string } };
  expect([answer.code, error.code]).toEqual([2, code]);
  expect(error.hint).toContain(hint);
});

test.each([
  ['21/11/2026', '2026-11-21'],
  ['1.2.2026', '2026-02-01'],
  ['11/31/2026', undefined],
  ['yesterday', undefined],
])('a day is ISO; for %s the hint is %s', async (typed, near) => {
  await using scene = await openScene();
  const { code, err, out } = await commandIn(scene, 'list', '--day', typed);
  expect(code).toBe(2);
  expect(`${err}${out}`.match(/\d{4}-\d\d-\d\d/)?.[0]).toBe(near ?? '2026-11-21');
});
