/** Lists of the API: readings again take no place of an export, and a state that is named twice repeats no document. */
import { expect, test } from 'vitest';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { openApi } from './api-client.ts';
import { openConsoleOf } from './console.ts';

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
