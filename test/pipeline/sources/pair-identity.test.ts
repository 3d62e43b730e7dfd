/** A pair with rows of one document in both of its files. */
import { expect, test } from 'vitest';
import { openScene, type Scene } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { PAIR_MAPPING } from './pair-mapping.ts';

async function results(scene: Scene) {
  const entries = await scene.entries();
  return entries
    .map(({ facts, state, file, rows, faults }) =>
      [facts.identifier, state, file.name, rows.join(), ...faults.map(({ code }) => code)].join(' '),
    )
    .sort();
}

test('the headers of a document are in both files: neither file waits for the other one', async () => {
  await using scene = await openScene({ mappings: { 'pairs.yaml': PAIR_MAPPING } });
  scene.drop('ENT_1.csv', 'Num;Client\nF1;A\nF1;B\nF2;C\n');
  scene.drop('LIG_1.csv', 'Num;Lig;Net\nF1;1;10\nF2;1;10\n');
  await scene.night();
  expect(await results(scene)).toEqual([
    'F1 invalid ENT_1.csv 2,3 join/header-twice join/header-twice',
    'F1 invalid LIG_1.csv 2 join/header-twice',
    'F2 authorized LIG_1.csv 3',
  ]);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
  scene.drop('ENT_2.csv', 'Num;Client\nF1;A\n');
  scene.drop('LIG_2.csv', 'Num;Lig;Net\nF1;1;10\n');
  await scene.night();
  expect(scene.sandbox.acceptances().map(({ number }) => number)).toEqual(['F2', 'F1']);
});
