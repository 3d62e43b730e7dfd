/** Files that vanish between being named and being read: an error that is told, never one that nobody catches. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Driver } from '../../src/ledger/driver.ts';
import { inputFor } from '../../src/line/admit.ts';
import { openScene, type Scene, sales, tally } from '../night.ts';

/** What was claimed is gone as soon as the ledger knows of it. */
const gone =
  (scene: Scene) =>
  (driver: Driver): Driver => ({
    ...driver,
    write: async (work) => {
      let opened = false;
      const done = await driver.write((sql) =>
        work({
          ...sql,
          run: (text, ...values) => {
            opened ||= text.startsWith('INSERT INTO source_file');
            return sql.run(text, ...values);
          },
        }),
      );
      if (opened) for (const path of scene.files('processing')) rmSync(join(scene.root, path));
      return done;
    },
  });

test('a private copy that vanishes before it is read ends the run with an error', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await expect(scene.night({ through: gone(scene) })).rejects.toMatchObject({ code: 'ENOENT' });
});

test('also where something else is done before it is read, as with the headers of a pair', async () => {
  await using scene = await openScene();
  const instance = scene.instance();
  const file = { name: 'ventes.csv', path: join(scene.root, 'ventes.csv'), claimedAt: '2026-11-20T22:00:00Z' };
  const { bytes } = inputFor({ instance }, file, instance.mappings[0]!);
  await setTimeout(50);
  await expect(bytes.next()).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a correction of an export that is gone from the archive is told', async () => {
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
