/** Exports of equal bytes, whose ledger is lost: each of them is one export, whatever of the other one is there. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, sales, stopAtWrite } from '../night.ts';
import { commandIn } from '../program.ts';

const BY_NAME = SALES_MAPPING.replace('identifier: $Num', 'identifier: = FILE-STEM()').replace('[Num]', 'file');
const TWINS = ['ventes-LYON.csv', 'ventes-PARIS.csv'];

const names = async (scene: Scene) =>
  [...new Set((await scene.look((ledger) => ledger.queries.files({}))).map(({ name }) => name))].sort();
const numbers = async (scene: Scene) =>
  [...new Set((await scene.entries()).map(({ facts }) => facts.identifier))].sort();

test.each([
  ['the same documents', SALES_MAPPING, ['X', 'Y']],
  ['other documents', BY_NAME, ['ventes-LYON', 'ventes-PARIS']],
])('a stop at each write leaves two exports, of %s', async (_, mapping, documents) => {
  for (let at = 1, cut = true; cut; at++) {
    await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
    for (const name of TWINS) scene.drop(name, sales(['X', 'Y']));
    cut = await scene.night({ through: stopAtWrite(at) }).then(
      () => false,
      () => true,
    );
    rmSync(join(scene.root, 'state'), { recursive: true });
    expect(await commandIn(scene, 'ledger', 'rebuild'), `cut at ${at}`).toMatchObject({ code: 0 });
    await scene.night();
    expect(await names(scene), `cut at ${at}`).toEqual(TWINS);
    expect(await numbers(scene), `cut at ${at}`).toEqual(documents);
    expect(await commandIn(scene, 'verify'), `cut at ${at}`).toMatchObject({ code: 0 });
    expect(scene.files('processing'), `cut at ${at}`).toEqual([]);
    expect(scene.sandbox.acceptances().filter(({ accepted }) => accepted > 1)).toEqual([]);
  }
});

test.each(['rebuild', 'restore'])('all that shows one of them is lost: %s', async (how) => {
  await using scene = await openScene({ mappings: { 'sales.yaml': BY_NAME } });
  const copy = join(scene.root, 'copy.sqlite');
  await commandIn(scene, 'backup', copy);
  for (const name of TWINS) scene.drop(name, sales(['X']));
  await scene.night();
  for (const path of scene.files('outbox').filter((one) => one.includes('LYON'))) rmSync(join(scene.root, path));
  if (how === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
  const replaced = await commandIn(scene, 'ledger', how, ...(how === 'rebuild' ? [] : [copy]));
  expect(replaced.out).toContain('(ventes-LYON.csv)');
  await scene.night();
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
  scene.drop('ventes-LYON.csv', sales(['X']).replaceAll('\n', '\r\n'));
  await scene.night();
  expect(await names(scene)).toEqual(TWINS);
  expect(scene.sandbox.requests().fr.submit).toBe(2);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
});
