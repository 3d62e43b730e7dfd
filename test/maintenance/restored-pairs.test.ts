/** Pairs of files whose ledger is lost, and some of their receipts and summaries with it: they are read again together. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, type Scene } from '../night.ts';
import { PAIR_MAPPING } from '../pipeline/sources/pair-mapping.ts';
import { commandIn } from '../program.ts';

const written = (scene: Scene) => ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));

async function states(scene: Scene): Promise<readonly string[]> {
  return (await scene.entries()).map(({ facts, state, file }) => `${facts.identifier} ${state} ${file.name}`).sort();
}

function accounts(scene: Scene): readonly string[] {
  return written(scene)
    .filter((path) => path.endsWith('.summary.json'))
    .map((path) => {
      const { file, rows } = JSON.parse(scene.read(path));
      return `${file.name} ${file.state} with ${file.partner?.name}, ${rows.read} read, ${rows.unaccounted.count} unaccounted`;
    })
    .sort();
}

const LOST: { readonly [what: string]: RegExp } = {
  nothing: /^$/,
  'the summary of the headers': /ENT_1.*summary/,
  'the summary of the lines': /LIG_1.*summary/,
  'both summaries': /summary/,
  'both, and a receipt of the lines': /summary|F1/,
  'the summary of the headers, and their receipt': /ENT_1.*summary|F3/,
  'the summary of the lines, and a receipt': /LIG_1.*summary|F1/,
  'the receipt of the headers': /F3/,
  'a receipt of the lines': /F1/,
  everything: /json$/,
};

test.each(Object.entries(LOST))('%s', async (_, lost) => {
  await using scene = await openScene({ mappings: { 'pairs.yaml': PAIR_MAPPING } });
  scene.drop('ENT_1.csv', 'Num;Client\nF1;A\nF2;B\nF3;C\n');
  scene.drop('LIG_1.csv', 'Num;Lig;Net\nF1;1;10\nF2;1;dix\n');
  await scene.night();
  const before = { states: await states(scene), accounts: accounts(scene) };
  expect(before).toEqual({
    states: ['F1 authorized LIG_1.csv', 'F2 invalid LIG_1.csv', 'F3 invalid ENT_1.csv'],
    accounts: [
      'ENT_1.csv admitted with LIG_1.csv, 3 read, 0 unaccounted',
      'LIG_1.csv admitted with ENT_1.csv, 2 read, 0 unaccounted',
    ],
  });
  for (const path of written(scene)) if (lost.test(path)) rmSync(join(scene.root, path));
  rmSync(join(scene.root, 'state'), { recursive: true });
  expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
  await scene.night();
  const isHeld = lost.test('outbox/2026-11-27/F1.receipt.json');
  const now = { ...before, states: before.states.map((one) => (isHeld ? one.replace('authorized', 'held') : one)) };
  expect({ states: await states(scene), accounts: accounts(scene) }).toEqual(now);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
  scene.drop('ENT_2.csv', 'Num;Client\r\nF1;A\r\nF2;B\r\nF3;C\r\n');
  scene.drop('LIG_2.csv', 'Num;Lig;Net\r\nF1;1;10\r\nF2;1;dix\r\n');
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(1);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
});

test.each([true, false])(
  'pairs of two nights have the same names; the receipts of their headers are lost: %s',
  async (isLost) => {
    await using scene = await openScene({ mappings: { 'pairs.yaml': PAIR_MAPPING } });
    for (const n of [1, 2, 3, 4]) {
      scene.drop('ENT_1.csv', `Num;Client\nF${n};A\nG${n};B${n}\nH${n};C\n`);
      scene.drop('LIG_1.csv', `Num;Lig;Net\nF${n};1;10\nG${n};1;dix\n`);
      await scene.night();
    }
    const before = await states(scene);
    if (isLost) for (const path of written(scene)) if (/H\d/.test(path)) rmSync(join(scene.root, path));
    rmSync(join(scene.root, 'state'), { recursive: true });
    expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
    await scene.night();
    expect(await states(scene)).toEqual(before);
    expect(new Set(accounts(scene)).size).toBe(2);
    for (const n of [1, 2, 3, 4]) await commandIn(scene, 'fix', `G${n}`, 'Net=20', '--reason', 'x');
    await scene.night();
    // Each has the header of its own night.
    const fixed = (await scene.entries()).filter(({ state }) => state === 'held');
    expect(fixed.map(({ facts }) => `${facts.identifier} ${facts.counterparty}`).sort()).toEqual([
      'G1 B1',
      'G2 B2',
      'G3 B3',
      'G4 B4',
    ]);
    expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
  },
);
