/** Receipts, payloads and summaries that are lost or damaged are made again from the ledger. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { proofOf } from '../samples/night.ts';

test('with the same bytes, but for summaries: those get a new link; what is whole is not touched', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3-X6']));
  await scene.night();
  const path = (name: string) =>
    ['outbox', 'error'].flatMap((folder) => scene.files(folder)).find((one) => one.includes(`/${name}`))!;
  const paths = ['F1.receipt.json', 'F2.receipt.json', 'F3-X6.payload.json'].map(path);
  const before = paths.map((one) => scene.read(one));
  const summary = scene.files('error').find((one) => one.endsWith('.summary.json'))!;
  expect((await commandIn(scene, 'ledger', 'receipts')).out).toBe('  Nothing is missing.\n');
  rmSync(join(scene.root, paths[0]!));
  writeFileSync(join(scene.root, paths[1]!), '{"receipt":1');
  rmSync(join(scene.root, paths[2]!));
  rmSync(join(scene.root, summary));
  expect((await proofOf(scene.instance())).breaks).toBe(4);
  const dry = await commandIn(scene, 'ledger', 'receipts', '--dry-run');
  expect(await commandIn(scene, 'ledger', '--dry-run', 'receipts')).toEqual(dry);
  expect(dry.out).toContain(`${paths[1]}  damaged`);
  expect(dry.out).toMatch(/4 files would be restored/);
  expect((await proofOf(scene.instance())).breaks).toBe(4);
  expect((await commandIn(scene, 'ledger', 'receipts', 'F1')).out).toMatch(
    /F1\.receipt\.json {2}missing\n {2}1 file restored/,
  );
  expect((await commandIn(scene, 'ledger', 'receipts')).out).toMatch(/3 files restored/);
  expect(paths.map((one) => scene.read(one))).toEqual(before);
  expect(JSON.parse(scene.read(summary)).file.name).toBe('ventes.csv');
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('a receipt in the words of another version is rewritten; an older ledger reports no damage', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  // As if the bytes that were linked had been others.
  const ledger = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
  ledger.exec(`UPDATE receipt_link SET sha256 = '${'0'.repeat(64)}' WHERE what = 'receipt'`);
  ledger.close();
  expect((await commandIn(scene, 'ledger', 'receipts', 'F1')).out).toMatch(/F1\.receipt\.json {2}damaged/);
  expect((await commandIn(scene, 'ledger', 'receipts', 'F1')).out).toBe('  Nothing is missing.\n');
  const witness = join(scene.root, 'state/installation.json');
  writeFileSync(witness, readFileSync(witness, 'utf8').replace(/"generation":"0/, '"generation":"9'));
  expect(await commandIn(scene, 'ledger', 'receipts')).toMatchObject({
    code: 2,
    err: expect.stringContaining('ledger/older'),
  });
});
