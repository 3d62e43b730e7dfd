/** Unchanged rows of a correction file, whose mapping was at fault: with another mapping their documents are read again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { proofOf } from '../../samples/night.ts';

/** A2 has a wrong quantity; the mapping has no rate for the code X of A3, A4 and A5, and A5 has a wrong quantity too. */
const EXPORT = sales(['A1', 'A2', 'A3', 'A4', 'A5'])
  .replace('Client A2;2;2;', 'Client A2;2;x;')
  .replace('Client A5;2;2;', 'Client A5;2;x;')
  .replaceAll(/^(A[12];.*);20$/gm, '$1;N')
  .replaceAll(/^(A[345];.*);20$/gm, '$1;X');
const MAPPING = SALES_MAPPING.replace(', Taux: number', '')
  .replace(
    'calculated-columns:',
    'tables:\n  rates: { N: 20 }\ncalculated-columns:\n  rate: { from: Taux, table: rates }',
  )
  .replace('rate: $Taux', 'rate: $rate');
const COMPLETED = MAPPING.replace('version: 1', 'version: 2').replace('{ N: 20 }', '{ N: 20, X: 8.5 }');

async function failedNight(): Promise<{ readonly scene: Scene; readonly sheet: string }> {
  const scene = await openScene({ mappings: { 'sales.yaml': MAPPING } });
  scene.drop('ventes.csv', EXPORT);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 4 });
  return { scene, sheet: scene.read(scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!) };
}

const complete = (scene: Scene) => writeFileSync(join(scene.root, 'mappings/sales.yaml'), COMPLETED);

async function statesOf(scene: Scene): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries((await scene.entries()).map(({ facts, state }) => [facts.identifier, state]));
}

test('with another mapping the unchanged ones that pass now are read again, and the summary counts them', async () => {
  const opened = await failedNight();
  await using scene = opened.scene;
  complete(scene);
  await commandIn(scene, 'set-aside', 'A4', '--yes', '--reason', 'a sample', '--by', 'anna');
  const before = (await scene.entries()).find(({ facts }) => facts.identifier === 'A5');
  scene.drop('sheet.csv', opened.sheet.replace('Client A2;2;x;', 'Client A2;2;3;'));
  const shown = await commandIn(scene, 'preview', join(scene.root, 'inbox/sheet.csv'), '--json');
  expect(shown.out).toContain('"readAgain"');
  const counted = (await commandIn(scene, 'preview', join(scene.root, 'inbox/sheet.csv'))).out;
  expect(counted).toMatch(/sheet\.csv: 4 documents, 2 would pass/);
  const { told } = await scene.night();
  expect(told.find(({ what }) => what === 'corrections')).toMatchObject({
    corrected: 1,
    readAgain: 1,
    unchanged: 2,
    refused: 0,
  });
  expect(await statesOf(scene)).toEqual({
    A1: 'authorized',
    A2: 'authorized',
    A3: 'authorized',
    A4: 'invalid',
    A5: 'invalid',
  });
  // What fails again keeps its revision: the sheet that the person works on stays the right one.
  const after = (await scene.entries()).find(({ facts }) => facts.identifier === 'A5');
  expect(after?.revision).toBe(before?.revision);
  scene.drop('rest.csv', opened.sheet.replace('Client A5;2;x;', 'Client A5;2;3;'));
  await scene.night();
  expect(await statesOf(scene)).toMatchObject({ A4: 'invalid', A5: 'authorized' });
  const sent = scene.sandbox.acceptances().map(({ identity }) => identity);
  expect(new Set(sent).size).toBe(sent.length);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('with the same mapping they stay as they are', async () => {
  const opened = await failedNight();
  await using scene = opened.scene;
  scene.drop('sheet.csv', opened.sheet.replace('Client A2;2;x;', 'Client A2;2;3;'));
  const { told } = await scene.night();
  expect(told.find(({ what }) => what === 'corrections')).toMatchObject({ corrected: 1, readAgain: 0, unchanged: 3 });
  const all = await scene.entries();
  expect(all.filter(({ facts }) => facts.identifier !== 'A2').every(({ revision }) => revision === 1)).toBe(true);
});

test('held by a rule of the settings: read again, and it waits for a person', async () => {
  const settings = { run: { 'give-up-after': '5s', hold: { 'new-mapping': true } }, rules: { fr: 'wire', sv: 'wire' } };
  await using scene = await openScene({ mappings: { 'sales.yaml': MAPPING }, settings });
  scene.drop('ventes.csv', EXPORT);
  await scene.night();
  const sheet = scene.read(scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!);
  complete(scene);
  scene.drop('sheet.csv', sheet);
  await scene.night();
  expect(await statesOf(scene)).toMatchObject({ A1: 'held', A2: 'invalid', A3: 'held', A4: 'held', A5: 'invalid' });
  expect(scene.sandbox.acceptances()).toEqual([]);
});
