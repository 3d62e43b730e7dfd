/** Lists of the API: readings again take no place of an export, and a state that is named twice repeats no document. */
import { expect, test } from 'vitest';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { openApi } from './api-client.ts';
import { ask, openConsoleOf, signInAs } from './console.ts';

test('after corrections the latest exports are still in the list, and each document is in one page', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1', 'F2', 'F3'], 'x'));
  await commandIn(scene, 'run');
  for (const number of ['F1', 'F2', 'F3']) await commandIn(scene, 'fix', number, 'Qte=2', '--reason', 'x');
  await commandIn(scene, 'run');
  await using open = await openConsoleOf(scene);
  const api = await openApi(scene, open);
  const files = async (query: string) =>
    (await api.call(`/files${query}`)).json.files.map(({ name }: { name: string }) => name);
  expect([await files('?limit=1'), await files('')]).toEqual([['ventes-1.csv'], ['ventes-1.csv']]);
  for (const state of ['authorized', 'authorized,authorized']) {
    const numbers: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const { json } = await api.call(`/documents?state=${state}&limit=2${next === '' ? '' : `&after=${next}`}`);
      numbers.push(...json.documents.map(({ number }: { number: string }) => number));
      next = json.next;
    }
    expect([state, numbers.toSorted()]).toEqual([state, ['F1', 'F2', 'F3']]);
  }
});

test('a run with more exports than its page shows has each of them once, and none of another night', async () => {
  await using scene = await openScene();
  const names = Array.from({ length: 130 }, (_, n) => `ventes-${n}.csv`);
  scene.drop('avant.csv', sales(['F1']));
  await commandIn(scene, 'run');
  for (const name of names) scene.drop(name, sales(['F1']).replaceAll('F1', name.slice(7, -4)));
  await commandIn(scene, 'run');
  const [{ id } = { id: '' }] = await scene.look((ledger) => ledger.runs.list(1));
  await using open = await openConsoleOf(scene);
  const { cookie } = await signInAs(scene, open, 'viewer');
  const seen: string[] = [];
  for (let path: string | undefined = `${open.base}/runs/${id}`; path !== undefined; ) {
    const { body } = await ask(open, path, { headers: { cookie } });
    seen.push(...[...body.matchAll(/data-row[^>]*>.*?>(ventes-\d+\.csv|avant\.csv)</gs)].map(([, name = '']) => name));
    path = /rel="next" href="([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
  }
  expect(seen.toSorted()).toEqual(names.toSorted());
});
