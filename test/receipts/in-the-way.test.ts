/** Something foreign where a receipt belongs: told as what it is and where, kept, and out of the way all is written. */
import { existsSync, lstatSync } from 'node:fs';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { writeReceipts } from '../../src/receipts/write-receipts.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { CHAIN, DAY, makeEntry, makeRoot, payloadOf } from './make.ts';

const settings = { environment: 'prod', rules: { language: 'en' } } as const;

type Foreign = {
  /** Within the folder of the day; the folder itself where it is empty. */
  readonly at: (name: string) => string;
  readonly lay: (path: string) => Promise<unknown>;
  readonly says: string;
};

const FOREIGN: { readonly [what: string]: Foreign } = {
  'a receipt of another document': {
    at: (name) => `${name}.receipt.json`,
    lay: (path) => writeFile(path, '{"id":"another"}'),
    says: 'the receipt of another document has this name',
  },
  'broken JSON': {
    at: (name) => `${name}.receipt.json`,
    lay: (path) => writeFile(path, '{"id":'),
    says: 'a file that is not a receipt has this name',
  },
  'a folder under the name of a receipt': {
    at: (name) => `${name}.receipt.json`,
    lay: (path) => mkdir(path),
    says: 'a folder has this name',
  },
  'a folder under the name of a payload': {
    at: (name) => `${name}.payload.json`,
    lay: (path) => mkdir(path),
    says: 'a folder has this name',
  },
  'a file in place of the folder of the day': {
    at: () => '',
    lay: (path) => writeFile(path, 'mine'),
    says: 'a file has the name of one of its folders',
  },
  'a link to nowhere in place of the folder of the day': {
    at: () => '',
    lay: (path) => symlink('/no/such/folder', path),
    says: 'a link with this name leads nowhere',
  },
};
const SIZES = [
  [2, 'a small batch'],
  [60, 'a large batch'],
] as const;

test.each(SIZES.flatMap(([count, size]) => Object.keys(FOREIGN).map((what) => [what, size, count] as const)))(
  '%s, %s',
  async (what, _, count) => {
    const root = await makeRoot();
    const folder = join(root, 'outbox', DAY);
    const { at, lay, says } = FOREIGN[what]!;
    const path = join(folder, at('FA-2026-0001'));
    await mkdir(dirname(path), { recursive: true });
    await lay(path);
    const before = lstatSync(path);
    const batch = Array.from({ length: count }, (_, n) => ({ entry: makeEntry(n), payload: payloadOf(n) }));
    await expect(writeReceipts(root, batch, settings, CHAIN)).rejects.toMatchObject({
      name: 'SetupError',
      code: 'receipts/in-the-way',
      message: `cannot write ${path}: ${says}`,
      hint: expect.stringMatching(/^Move it away/),
    });
    expect(lstatSync(path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    await rename(path, join(root, 'moved-away'));
    await writeReceipts(root, batch, settings, CHAIN);
    expect(await readdir(folder)).toHaveLength(2 * count);
  },
);

test.each(['{"id":"another"}', 'my notes', 'a folder'])(
  '%s under its name in the folder of another state is kept',
  async (text) => {
    const root = await makeRoot();
    const pending = join(root, 'pending', DAY);
    const receipt = join(pending, 'FA-2026-0001.receipt.json');
    await mkdir(text === 'a folder' ? receipt : pending, { recursive: true });
    if (text !== 'a folder') await writeFile(receipt, text);
    await writeFile(join(pending, 'FA-2026-0001.payload.json'), 'beside it');
    // What a crash left there is its own, and goes.
    await writeFile(join(pending, 'FA-2026-0000.receipt.json'), JSON.stringify({ id: makeEntry(0).id }));
    await writeFile(join(pending, 'FA-2026-0000.payload.json'), payloadOf(0));
    const batch = [0, 1].map((n) => ({ entry: makeEntry(n), payload: payloadOf(n) }));
    await writeReceipts(root, batch, settings, CHAIN);
    expect(await readdir(pending)).toEqual(['FA-2026-0001.payload.json', 'FA-2026-0001.receipt.json']);
    expect(await readdir(join(root, 'outbox', DAY))).toHaveLength(4);
  },
);

const dayOf = (scene: Scene) => dirname(join(scene.root, scene.files('outbox')[0]!));

test.each(Object.keys(FOREIGN))('a run that meets %s ends with 5; the next one writes all', async (what) => {
  await using scene = await openScene();
  scene.drop('ventes1.csv', sales(['F1']));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  const day = dayOf(scene);
  const { at, lay, says } = FOREIGN[what]!;
  const path = join(day, at('F2'));
  const aside = join(scene.root, 'aside');
  if (at('F2') === '') await rename(day, aside);
  await lay(path);
  scene.drop('ventes2.csv', sales(['F2', 'F3']));
  const met = await commandIn(scene, 'run');
  expect(met.code).toBe(5);
  expect(met.err).toContain(`nightpost: receipts/in-the-way: cannot write ${path}: ${says}\n  Move it away`);
  expect(met.err).not.toMatch(/internal error|^ +at /m);
  await rm(path, { recursive: true });
  if (existsSync(aside)) await rename(aside, day);
  expect((await commandIn(scene, 'run')).code).toBe(0);
  const names = ['F1', 'F2', 'F3'].flatMap((name) => [`${name}.payload.json`, `${name}.receipt.json`]);
  expect((await readdir(day)).filter((name) => names.includes(name))).toEqual(names);
  expect(scene.sandbox.requests().fr.submit).toBe(3);
});

test('a folder in place of a correction file costs nothing but that file', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2'], 'many'));
  expect((await commandIn(scene, 'run')).code).toBe(3);
  const path = join(scene.root, scene.files('error').find((one) => one.endsWith('.to-fix.csv'))!);
  await rm(path);
  await mkdir(path);
  const rejected = await commandIn(scene, 'set-aside', 'F1', '--reason', 'a test row', '--by', 'anna');
  expect(rejected).toMatchObject({ code: 0, err: '' });
});
