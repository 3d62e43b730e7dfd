/** The mappings that made documents, kept as they were: with their tables, by their hash, never written twice. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashOfParts } from '../../src/mapping/mapping.ts';
import { archiveMapping, MAPPING_ARCHIVE } from '../../src/receipts/archive-mapping.ts';
import { temporaryFolder } from '../ledger/folder.ts';
import { openScene, SALES_MAPPING, sales } from '../night.ts';

const WITH_TABLE = SALES_MAPPING.replace(
  'documents:',
  'tables:\n  money: { file: mappings/money.csv, key: customer, value: code }\ndocuments:',
).replace('currency: EUR }\n  issuer', 'currency: { from: Client, table: money, default: EUR } }\n  issuer');
const MONEY = 'customer;code\nClient X;USD\n';

test('several workers that archive the same mapping at the same time are not in the way of each other', async () => {
  const root = temporaryFolder();
  const parts = [{ path: 'mappings/sales.yaml', text: SALES_MAPPING }];
  const sha256 = hashOfParts(parts);
  await Promise.all([1, 2, 3].map(() => archiveMapping(root, { sha256, parts })));
  const folder = join(root, MAPPING_ARCHIVE, sha256);
  expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(
    ['files', 'files/mappings', 'files/mappings/sales.yaml', 'parts.json'].map((path) => join(path)),
  );
  expect(readFileSync(join(folder, 'files/mappings/sales.yaml'), 'utf8')).toBe(SALES_MAPPING);
});

test('the mapping of a document is archived with its tables, and each version next to the others', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': WITH_TABLE, 'money.csv': MONEY } });
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night();
  const [{ file }] = (await scene.entries()) as [Awaited<ReturnType<typeof scene.entries>>[number]];
  const folder = `archive/mappings/${file.mapping!.sha256}`;
  const kept = ['files/mappings/money.csv', 'files/mappings/sales.yaml', 'parts.json'].map(
    (name) => `${folder}/${name}`,
  );
  expect(scene.files('archive/mappings')).toEqual(kept);
  for (const path of kept) expect(statSync(join(scene.root, path)).mode & 0o777).toBe(0o400);
  const parts = (JSON.parse(scene.read(kept[2]!)) as string[]).map((path) => ({
    path,
    text: scene.read(`${folder}/files/${path}`),
  }));
  expect(hashOfParts(parts)).toBe(file.mapping!.sha256);

  writeFileSync(join(scene.root, 'mappings/money.csv'), MONEY.replace('USD', 'CHF'));
  // What a stop left half done is done again; what is whole is left alone.
  const before = statSync(join(scene.root, kept[1]!)).ino;
  scene.drop('ventes-2.csv', sales(['F2']));
  await scene.night();
  expect(scene.files('archive/mappings')).toHaveLength(6);
  expect(readFileSync(join(scene.root, kept[0]!), 'utf8')).toBe(MONEY);
  expect(statSync(join(scene.root, kept[1]!)).ino).toBe(before);
  writeFileSync(join(scene.root, 'mappings/money.csv'), MONEY);
  rmSync(join(scene.root, kept[2]!));
  rmSync(join(scene.root, kept[0]!));
  scene.drop('ventes-3.csv', sales(['F3']));
  await scene.night();
  expect(scene.read(kept[0]!)).toBe(MONEY);
  expect(scene.files('archive/mappings')).toHaveLength(6);
});
