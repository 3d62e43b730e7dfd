/** Files that vanish between being named and being read: an error that is reported, never one that no one catches. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inputFor } from '../../../src/pipeline/admission/admit-file.ts';
import { openScene, sales, tally } from '../../night.ts';

test('a file that vanishes while something else is done before it is read, as with the headers of a pair', async () => {
  await using scene = await openScene();
  const instance = scene.instance();
  const file = { name: 'ventes.csv', path: join(scene.root, 'ventes.csv'), claimedAt: '2026-11-20T22:00:00Z' };
  const { bytes } = inputFor({ instance }, file, instance.mappings[0]!);
  await setTimeout(50);
  await expect(bytes.next()).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a correction of an export that is missing in the archive is reported', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']).replace(';2;10,50', ';x;10,50'));
  await scene.night();
  const toFix = scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!;
  const corrected = scene.read(toFix).replace(';x;', ';3;');
  for (const path of scene.files('archive')) rmSync(join(scene.root, path));
  scene.drop('ventes.to-fix.csv', corrected);
  const { told } = await scene.night();
  expect(JSON.stringify(told)).toContain('correction/no-source');
  expect(tally(await scene.entries())).toEqual({ invalid: 1 });
});
