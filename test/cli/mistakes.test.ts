/** What is typed by mistake, and to the letter what the commands say. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

test.each([
  [
    'a file that is not there',
    ['run', 'nowhere.csv'],
    'nightpost: inbox/no-such-file: the file nowhere.csv does not exist\n  nothing was imported\n',
  ],
  [
    'a document that is not there',
    ['show', 'F9'],
    'nightpost: show/no-such-document: no document has the id, number or receipt name "F9"\n  list documents with: nightpost errors, or nightpost status\n',
  ],
])('%s', async (_, typed, says) => {
  await using scene = await openScene();
  const { code, err } = await commandIn(scene, ...typed);
  expect([code, err]).toEqual([2, says]);
});

test('a file whose name is in the inbox already', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  const elsewhere = join(scene.root, 'reports', 'ventes.csv');
  writeFileSync(elsewhere, sales(['F2']));
  const { code, err } = await commandIn(scene, 'run', elsewhere);
  expect(code).toBe(2);
  expect(err).toBe(
    'nightpost: inbox/name-taken: the inbox already has a file named ventes.csv\n  let a run import it first, or rename one of them\n',
  );
});

test('consulting services without a consultation in the settings', async () => {
  await using scene = await openScene({
    services: { fr: { consultation: undefined }, sv: { consultation: undefined } },
  });
  const { code, err } = await commandIn(scene, 'consult');
  expect(code).toBe(2);
  expect(err).toBe(
    'nightpost: consult/not-configured: no service has a consultation in the settings, because the contracts do not define one\n  set services.<name>.consultation when the provider has documented it (docs/reference/contracts.md)\n',
  );
});

test.each([
  [['errors', 'F9'], 'select/no-such-document'],
  [['warnings', 'F9'], 'select/no-such-document'],
  [['consult', 'F9'], 'select/no-such-document'],
  [['errors', '--run', 'nosuch'], 'list/unknown-value'],
  [['errors', '--mapping', 'nosuch'], 'list/unknown-value'],
  [['consult', '--mapping', 'nosuch'], 'list/unknown-value'],
])('%j does not look like a list without documents', async (words, code) => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  expect(await commandIn(scene, ...words)).toMatchObject({ code: 2, err: expect.stringContaining(code) });
  expect(await commandIn(scene, 'errors', 'F1', '--mapping', 'sales')).toMatchObject({ code: 0 });
});
