/** Two mappings for the same files are an error of check, as long as nothing tells their files apart. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkInstance } from '../../src/authoring/check-instance.ts';
import { openScene, SALES_MAPPING, sales } from '../night.ts';

const CSV = (id: string, accepts = 'files: "ventes*.csv"') =>
  SALES_MAPPING.replace('mapping: sales', `mapping: ${id}`).replace('files: "ventes*.csv"', accepts);
const XML = (id: string, root: string) =>
  CSV(id)
    .replace(
      'format: csv',
      `format: xml\n  document: /${root}/F\n  row: L\n  columns: { Num: ../@n, Date: D, Client: C, Lig: "@n", Qte: Q, PU: P, Taux: T }`,
    )
    .replace('  delimiter: ";"\n', '')
    .replace('columns: { Date: date', 'types: { Date: date');

test.each<[string, string, string, boolean]>([
  ['the same pattern', CSV('a'), CSV('b'), true],
  ['in capitals, among others', CSV('a'), CSV('b', 'files: ["X_*.csv", "VENTES*.CSV"]'), true],
  ['another pattern', CSV('a'), CSV('b', 'files: "avoirs*.csv"'), false],
  [
    'a column that one of them asks for is in its files alone, which fit both',
    CSV('a'),
    CSV('b', 'files: "ventes*.csv", columns: [Code]'),
    true,
  ],
  [
    'each asks for a column of its own',
    CSV('a', 'files: "ventes*.csv", columns: [Taux]'),
    CSV('b', 'files: "ventes*.csv", columns: [Code]'),
    false,
  ],
  ['both share', CSV('a', 'files: "ventes*.csv", shares: true'), CSV('b', 'files: "ventes*.csv", shares: true'), false],
  ['XML of one root', XML('a', 'V'), XML('b', 'V'), true],
  ['XML of two roots', XML('a', 'V'), XML('b', 'W'), false],
])('%s', async (_what, first, second, isFound) => {
  await using scene = await openScene({ mappings: { 'a.yaml': first } });
  mkdirSync(join(scene.root, 'mappings'), { recursive: true });
  writeFileSync(join(scene.root, 'mappings/b.yaml'), second);
  const { findings } = checkInstance(scene.root, {});
  const found = findings.filter(({ level, code }) => level === 'error' && code.startsWith('map'));
  expect(found.map(({ code }) => code)).toEqual(isFound ? ['mapping/same-files'] : []);
});

test('it is what a night refuses', async () => {
  await using scene = await openScene({ mappings: { 'a.yaml': CSV('a'), 'b.yaml': CSV('b') } });
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  expect(await scene.entries()).toEqual([]);
});
