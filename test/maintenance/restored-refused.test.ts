/** An export of before that a replaced ledger reads again and refuses: taken once more, its documents wait for a person. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const WHY = ['--reason', 'the mapping is back', '--by', 'anna'];
const written = (scene: Scene) => ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));

/** The mapping of the export is not there yet, as on a new machine. */
async function readWithout(scene: Scene, way: string): Promise<void> {
  if (way === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
  const back = way === 'rebuild' ? ['rebuild'] : ['restore', join(scene.root, 'copy.sqlite')];
  expect(await commandIn(scene, 'ledger', ...back)).toMatchObject({ code: 0 });
  rmSync(join(scene.root, 'mappings/sales.yaml'));
  writeFileSync(join(scene.root, 'mappings/other.yaml'), SALES_MAPPING.replace('ventes*.csv', 'other*.csv'));
  await scene.night();
  expect(await scene.look((ledger) => ledger.queries.files({}))).toMatchObject([{ state: 'refused' }]);
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), SALES_MAPPING);
  rmSync(join(scene.root, 'mappings/other.yaml'));
}

const AGAIN: Readonly<Record<string, (scene: Scene) => unknown>> = {
  'by a person': (scene) => commandIn(scene, 'reprocess', 'ventes.csv', ...WHY),
  'by the ERP': (scene) => scene.drop('ventes-2.csv', sales(['C1', 'C2'])),
};

test.each(
  Object.keys(AGAIN).flatMap((again) =>
    ['restore', 'rebuild'].flatMap((way) => ['C1', 'C'].map((lost) => [again, way, lost] as const)),
  ),
)('taken again %s; %s; lost: receipts of %s', async (again, way, lost) => {
  await using scene = await openScene();
  await commandIn(scene, 'backup', join(scene.root, 'copy.sqlite'));
  scene.drop('ventes.csv', sales(['C1', 'C2']));
  await scene.night();
  const isAll = lost === 'C';
  for (const path of written(scene)) if (isAll || path.includes(`/${lost}.`)) rmSync(join(scene.root, path));
  await readWithout(scene, way);
  // A ledger that is lost once more knows the refusal from the summary.
  if (way === 'rebuild') await readAgain(scene);
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
  await AGAIN[again]!(scene);
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(2);
  const held = (await scene.entries()).filter(({ state }) => state === 'held').map(({ facts }) => facts.identifier);
  expect(held.sort()).toEqual(isAll ? ['C1', 'C2'] : ['C1']);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
});

async function readAgain(scene: Scene): Promise<void> {
  rmSync(join(scene.root, 'state'), { recursive: true });
  expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
  await scene.night();
}
