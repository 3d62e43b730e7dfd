/** Receipts of duplicates have a folder of their own, so that the few documents that need a person are seen. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';
import { proofOf } from '../samples/night.ts';

const EXPORT = sales(['A1', 'A2', 'A3']).replace('A2;05/09/2026;Client A2;2;2', 'A2;05/09/2026;Client A2;2;x');

/** The export twice: A1 and A3 are authorized and duplicates, A2 is invalid. */
async function nightWithCopies(): Promise<Scene> {
  const scene = await openScene();
  scene.drop('ventes.csv', EXPORT);
  await scene.night();
  scene.drop('ventes-bis.csv', `${EXPORT}\n`);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 1, duplicate: 2 });
  return scene;
}

const receipts = (scene: Scene) => scene.files('error').filter((path) => path.endsWith('.receipt.json'));
const ofDuplicates = (scene: Scene) => receipts(scene).filter((path) => /\d\/duplicates\/[^/]+$/.test(path));

test('error/<day>/ has what needs a person, and duplicates/ in it the others', async () => {
  await using scene = await nightWithCopies();
  expect(ofDuplicates(scene)).toHaveLength(2);
  expect(
    receipts(scene)
      .filter((path) => !ofDuplicates(scene).includes(path))
      .map((path) => basename(path)),
  ).toEqual(['A2.receipt.json']);
  expect((await commandIn(scene, 'verify')).code).toBe(0);
  const summary = scene
    .files('error')
    .find((path) => path.includes('ventes-bis.csv') && path.endsWith('.summary.json'))!;
  const named = [...scene.read(summary).matchAll(/"receipt":\s*"([^"]+)"/g)].map(([, path]) => path);
  for (const path of ofDuplicates(scene)) expect(named).toContain(path);
  const one = JSON.parse(scene.read(ofDuplicates(scene)[0]!)) as { id: string };
  expect(JSON.parse((await commandIn(scene, 'show', one.id, '--json')).out)).toMatchObject({ state: 'duplicate' });
});

test('a receipt of a duplicate that is missing, damaged or foreign is found, and written again', async () => {
  await using scene = await nightWithCopies();
  const [first, second] = ofDuplicates(scene);
  const text = scene.read(first!);
  rmSync(join(scene.root, first!));
  writeFileSync(join(scene.root, second!.replace(/[^/]+$/, 'Z9.receipt.json')), text);
  const { found } = await proofOf(scene.instance());
  expect(found.map(({ code }) => code).sort()).toEqual(['verify/file-unknown', 'verify/receipt-missing']);
  rmSync(join(scene.root, second!.replace(/[^/]+$/, 'Z9.receipt.json')));
  expect((await commandIn(scene, 'ledger', 'receipts')).code).toBe(0);
  expect((await proofOf(scene.instance())).found).toEqual([]);
  expect(scene.read(first!)).toBe(text);
});

test('receipts that a version of before wrote next to the others are proven where they are', async () => {
  await using scene = await nightWithCopies();
  for (const path of scene.files('error').filter((one) => one.includes('/duplicates/'))) {
    renameSync(join(scene.root, path), join(scene.root, path.replace('duplicates/', '')));
  }
  const ledger = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
  ledger.exec(`UPDATE entry SET receipt_day = replace(receipt_day, '/duplicates', '')`);
  ledger.close();
  const { found } = await proofOf(scene.instance());
  expect(found).toEqual([]);
});

test('the ledger is made again from receipts, those of duplicates included', async () => {
  await using scene = await nightWithCopies();
  for (const name of ['ledger.sqlite', 'ledger.sqlite-wal', 'ledger.sqlite-shm', 'installation.json']) {
    rmSync(join(scene.root, 'state', name), { force: true });
  }
  expect((await commandIn(scene, 'ledger', 'rebuild')).code).toBe(0);
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 1, duplicate: 2 });
  await scene.night();
  expect(ofDuplicates(scene)).toHaveLength(2);
  expect(receipts(scene)).toHaveLength(3);
});
