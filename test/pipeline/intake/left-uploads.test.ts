/** What a console that was killed during an upload leaves in the inbox, and what another program or a person has there. */
import { execFile } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { receiveUpload, removeLeftUploads } from '../../../src/pipeline/intake/receive-upload.ts';
import { describeSandbox } from '../../../src/sandbox/describe.ts';
import { openScene } from '../../night.ts';

test('a run removes it an hour later; one under way and files of others stay', async () => {
  await using scene = await openScene();
  const inbox = join(scene.root, 'inbox');
  const killed = Promise.withResolvers<never>();
  const bytes = async function* () {
    yield Buffer.from('Numero;');
    await killed.promise;
  };
  const upload = receiveUpload(scene.instance(), 'ventes.csv', bytes()).catch((error: Error) => error.message);
  while (readdirSync(inbox).length === 0) await turn();
  const [left = ''] = readdirSync(inbox);
  const others = ['.export.part', '.0b5a4c1e-5d0c-4d3e-9a51-0c6f4a2f9d10.part', `${left}.csv`, `x${left}`];
  for (const name of others) writeFileSync(join(inbox, name), 'theirs');
  mkdirSync(join(inbox, left.replace(/[\da-f]{4}\.part$/, '0000.part')));
  const past = new Date(Date.now() - 2 * 3_600_000);
  const before = readdirSync(inbox);
  for (const name of before.filter((one) => one !== left)) utimesSync(join(inbox, name), past, past);
  await scene.night();
  expect(readdirSync(inbox)).toEqual(before);
  utimesSync(join(inbox, left), past, past);
  await scene.night();
  expect(readdirSync(inbox)).toEqual(before.filter((name) => name !== left));
  killed.reject(new Error('killed'));
  expect(await upload).toBe('killed');
});

test('killed at any instant, it leaves the whole file or none', async () => {
  await using scene = await openScene();
  const child = join(import.meta.dirname, 'upload-child.ts');
  const env = { ...process.env, ...describeSandbox(scene.sandbox).environment };
  const { stdout } = await promisify(execFile)(process.execPath, [child, scene.root], { env });
  const { left, without } = JSON.parse(stdout);
  expect(left.length).toBeGreaterThan(4);
  expect(new Set(left.map(String))).toEqual(new Set(['', 'ventes.csv whole']));
  expect(without).toEqual([false, true, ['ventes.csv whole']]);
});

test('the second name of a whole one goes at once', async () => {
  await using scene = await openScene();
  const inbox = join(scene.root, 'inbox');
  const part = join(inbox, '.nightpost-upload-0b5a4c1e-5d0c-4d3e-9a51-0c6f4a2f9d10.part');
  writeFileSync(part, 'whole');
  linkSync(part, join(inbox, 'ventes.csv'));
  await removeLeftUploads(scene.instance());
  expect(readdirSync(inbox)).toEqual(['ventes.csv']);
});
