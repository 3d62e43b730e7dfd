/** The archived mapping is needed only years later: what is missing of the one in use is written again by the next export. */
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

test.each<[string, string]>([
  ['all of it', ''],
  ['the mapping itself', 'files/mappings/sales.yaml'],
  ['the list of its parts', 'parts.json'],
])('missing: %s', async (_, part) => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night();
  const [version] = readdirSync(join(scene.root, 'archive/mappings'));
  rmSync(join(scene.root, 'archive/mappings', version!, part), { recursive: true });
  expect((await commandIn(scene, 'verify', '--all')).out).toContain('verify/mapping-missing');
  scene.drop('ventes-2.csv', sales(['F2']));
  await scene.night();
  expect((await commandIn(scene, 'verify', '--all')).code).toBe(0);
});

test('what was changed in it stays as it is, and verify reports it', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night();
  const [version] = readdirSync(join(scene.root, 'archive/mappings'));
  const path = join(scene.root, 'archive/mappings', version!, 'files/mappings/sales.yaml');
  chmodSync(path, 0o600);
  writeFileSync(path, 'changed');
  scene.drop('ventes-2.csv', sales(['F2']));
  await scene.night();
  expect((await commandIn(scene, 'verify', '--all')).out).toContain('verify/mapping-changed');
});
