/** What the studio shows of a text and a sample is what a night and `nightpost test` make of them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type StudioTask, studioTask } from '../../../src/views/preview/studio-tasks.ts';
import { openScene, SALES_MAPPING, sales, tally } from '../../night.ts';

const PATIENT = { timeout: 15_000 };
const HEAD = { file: 'mappings/sales.yaml', language: 'en' } as const;

test('a document whose rows come back later is shown as a night refuses it', async () => {
  await using scene = await openScene();
  const [header = '', ...rows] = sales(['A1', 'A2', 'A3']).split('\n');
  const content = [header, ...rows.slice(1), rows[0], ''].join('\n');
  const path = join(scene.root, 'sample.csv');
  writeFileSync(path, content);
  scene.drop('ventes-1.csv', content);
  await scene.night();
  const { folder, settings } = scene.instance();
  const sample = { name: 'ventes-1.csv', path, claimedAt: new Date().toISOString() };
  const look = async (document: number) => {
    const task: StudioTask = { ...HEAD, do: 'look', folder, settings, text: SALES_MAPPING, sample, document };
    return (await studioTask(task)).look;
  };
  // The first look of a process takes longer, and does not read on.
  const documentOf = async (document: number) => (await look(document))?.document;
  await expect.poll(() => documentOf(1), PATIENT).toMatchObject({ identifier: 'A1', valid: false });
  await expect.poll(() => documentOf(2), PATIENT).toMatchObject({ identifier: 'A2', valid: true });
  const refused = (await scene.entries()).filter(({ state }) => state === 'invalid').length;
  await expect.poll(async () => (await look(1))?.seen, PATIENT).toMatchObject({ isAll: true, refused });
  expect(tally(await scene.entries())).toMatchObject({ invalid: refused });
});

test('a test of the answers alone fails in the studio too', async () => {
  const answers = `answers:
  - { file: "back-{n}.csv", format: { csv: {} }, row: { Num: $Num } }
tests:
  - { name: answers, given: samples/ventes.csv, expect-answers: samples/back.csv }
`;
  await using scene = await openScene();
  mkdirSync(join(scene.root, 'samples'));
  writeFileSync(join(scene.root, 'samples', 'ventes.csv'), sales(['A1']));
  const { folder, settings } = scene.instance();
  const tests = async (golden: string) => {
    writeFileSync(join(scene.root, 'samples', 'back.csv'), golden);
    const task: StudioTask = { ...HEAD, do: 'tests', folder, settings, text: SALES_MAPPING + answers };
    return (await studioTask(task)).tests?.map(({ differences }) => differences.length);
  };
  expect(await tests('Num\r\nA9\r\n')).toEqual([1]);
  expect(await tests('Num\r\nA1\r\n')).toEqual([0]);
});

test('answers are expected of a sample too whose rows come back later', async () => {
  const answers = `answers:
  - { file: "back-{n}.csv", format: { csv: {} }, row: { Num: $Num, Etat: "@answer.state" } }
tests:
  - name: answers
    given: samples/ventes.csv
    expect-errors: [{ code: map/key-came-back }]
    expect-answers: samples/back.csv
`;
  await using scene = await openScene();
  mkdirSync(join(scene.root, 'samples'));
  const [header = '', ...rows] = sales(['A1', 'A2']).split('\n');
  writeFileSync(join(scene.root, 'samples', 'ventes.csv'), [header, ...rows.slice(1), rows[0], ''].join('\n'));
  writeFileSync(join(scene.root, 'samples', 'back.csv'), 'Num;Etat\r\nA1;invalid\r\nA2;authorized\r\nA1;invalid\r\n');
  const { folder, settings } = scene.instance();
  const task: StudioTask = { ...HEAD, do: 'tests', folder, settings, text: SALES_MAPPING + answers };
  expect((await studioTask(task)).tests).toMatchObject([{ differences: [] }]);
});
