/** Of an export and its receipts nothing is left but what repeats them: their documents may have been sent. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const written = (scene: Scene) => ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
const EXPORT = sales(['C1', 'C2']);
const newVersion = (scene: Scene) =>
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), SALES_MAPPING.replace('version: 1', 'version: 2'));

/** Each takes the documents C1 and C2 a second time. */
const REPEATS: Readonly<Record<string, (scene: Scene) => void>> = {
  'an export of more': (scene) => scene.drop('ventes-2.csv', sales(['C1', 'C2', 'C3'])),
  'other content': (scene) => scene.drop('ventes-2.csv', sales(['C1', 'C2'], '7')),
  'the same bytes': (scene) => scene.drop('ventes-2.csv', EXPORT),
  'the same bytes and name': (scene) => scene.drop('ventes.csv', EXPORT),
  'the same bytes under another version': (scene) => {
    newVersion(scene);
    scene.drop('ventes-2.csv', EXPORT);
  },
  'the same bytes and name under another version': (scene) => {
    newVersion(scene);
    scene.drop('ventes.csv', EXPORT);
  },
};

test.each(
  Object.keys(REPEATS).flatMap((how) =>
    ['restore', 'rebuild'].flatMap((way) => [true, false].map((isArchived) => [how, way, isArchived] as const)),
  ),
)('%s, %s, archived: %s', async (how, way, isArchived) => {
  await using scene = await openScene();
  await commandIn(scene, 'backup', join(scene.root, 'copy.sqlite'));
  scene.drop('ventes.csv', EXPORT);
  await scene.night();
  const lost = [...written(scene), ...(isArchived ? [] : scene.files('archive').filter((one) => one.endsWith('.csv')))];
  REPEATS[how]!(scene);
  await scene.night();
  const sent = scene.sandbox.requests().fr.submit;
  for (const path of lost) rmSync(join(scene.root, path));
  if (way === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
  const back = way === 'rebuild' ? ['rebuild'] : ['restore', join(scene.root, 'copy.sqlite')];
  expect(await commandIn(scene, 'ledger', ...back)).toMatchObject({ code: 0 });
  await scene.night();
  // Of what had the bytes and the name of the lost export, nothing more is known: a person says that it was not sent.
  const isUnknown = how === 'the same bytes and name' && !isArchived;
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: isUnknown ? 2 : 0 });
  if (isUnknown) return;
  scene.drop('ventes-3.csv', sales(['C1', 'C2'], '3'));
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(sent);
});
