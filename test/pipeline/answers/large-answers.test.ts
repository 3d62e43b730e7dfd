/** Answers of documents with very many rows: a line for each of them, sums over all of them, and no silent limit. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { previewAnswers } from '../../../src/views/preview/preview-answers.ts';
import { openScene, SALES_MAPPING, type Scene } from '../../night.ts';

const ROWS = 60_000;

const BLOCKS = `
answers:
  - file: "ROWS_{file.stem}_{n:4}.csv"
    each: row
    format: { csv: { delimiter: ";" } }
    row: { NUM: $Num, LIG: $Lig, ETAT: "@answer.state", DOCS: "@documents" }
  - file: "SUM_{file.stem}_{n:4}.csv"
    format: { csv: { delimiter: ";" } }
    row: { NUM: $Num, ROWS: = COUNT(), SUM: = SUM($Qte), NET: = SUM($net), OWN: $net, AMOUNT: "@document.amount" }
`;

/** One long invoice between two short ones. */
function longExport(): string {
  const row = (number: string, n: number) => `${number};05/09/2026;Client;${n};1;1,00;20`;
  const rows = Array.from({ length: ROWS }, (_, n) => row('F1', n + 1));
  return ['Num;Date;Client;Lig;Qte;PU;Taux', row('F0', 1), ...rows, row('F2', 1), ''].join('\n');
}

function answersOf(scene: Scene): { readonly [kind: string]: readonly string[] } {
  const folder = join(scene.root, 'answers');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.csv')) : [];
  return Object.fromEntries(
    names.map((name) => [
      name.split('_')[0],
      readFileSync(join(folder, name), 'utf8').trimEnd().split('\r\n').slice(1),
    ]),
  );
}

const settingsOf = (most: number) => ({ documents: { 'max-rows': most, 'max-size': '200MiB' } });

test('a document of 60,000 rows has a line for each, and sums over all of them, as its preview shows', async () => {
  await using scene = await openScene({
    mappings: { 'sales.yaml': SALES_MAPPING + BLOCKS },
    settings: settingsOf(100_000),
  });
  scene.drop('ventes.csv', longExport());
  await scene.night();
  const { ROWS: lines = [], SUM: sums = [] } = answersOf(scene);
  expect(lines).toHaveLength(ROWS + 2);
  expect(lines.at(0)).toBe('F0;1;authorized;1');
  expect(new Set(lines.slice(1, -1)).size).toBe(ROWS);
  expect(lines.at(-2)).toBe(`F1;${ROWS};authorized;2`);
  expect(lines.at(-1)).toBe('F2;1;authorized;3');
  expect(sums).toEqual(['F0;1;1;1;1;1.2', `F1;${ROWS};${ROWS};${ROWS};1;72000`, 'F2;1;1;1;1;1.2']);
  const path = join(scene.root, 'ventes-again.csv');
  writeFileSync(path, longExport());
  const previewed = await previewAnswers(scene.instance(), path, new Date());
  const shown = previewed.map(({ text }) => text.trimEnd().split('\r\n').slice(1));
  expect(shown).toEqual([lines, sums]);
});

test('a document that is refused for its size has its lines, and no sum over a part of its rows', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': SALES_MAPPING + BLOCKS }, settings: settingsOf(50) });
  scene.drop('ventes.csv', longExport());
  const { told } = await scene.night();
  const { ROWS: lines = [], SUM: sums = [] } = answersOf(scene);
  expect(lines).toHaveLength(ROWS + 2);
  expect(lines.at(-2)).toBe(`F1;${ROWS};invalid;2`);
  expect(sums.map((line) => line.split(';').slice(0, 5).join(';'))).toEqual(['F0;1;1;1;1', 'F1;;;;1', 'F2;1;1;1;1']);
  const waiting = await scene.look((ledger) => ledger.answers.answersWaiting());
  expect(waiting.fields.map(({ field, why, count }) => `${field} ${why} ${count}`).sort()).toEqual([
    ...['NET no-value 1', 'ROWS no-value 1', 'SUM no-value 1'],
  ]);
  expect(told.filter(({ what }) => what === 'answers-failed')).toEqual([]);
});

test('a column over all rows stays empty in each field that has it, where only a part of the rows is there', async () => {
  const columns = '  net: = ROUND($Qte * $PU, 2)\n  all: = SUM($Qte)\n  share: = ALLOCATE(100, $net)';
  const block = (file: string, each: string) => `
  - file: "${file}_{n:4}.csv"
    each: ${each}
    format: { csv: { delimiter: ";" } }
    row: { NUM: $Num, A: $all, B: $all, C: = SUM($Qte), D: = $all + 1, SHARE: $share, LIG: $Lig }`;
  const mapping = `${SALES_MAPPING.replace('  net: = ROUND($Qte * $PU, 2)', columns)}\nanswers:`;
  await using scene = await openScene({
    mappings: { 'sales.yaml': mapping + block('ROWS', 'row') + block('SUM', 'document') },
    settings: { documents: { 'max-rows': 3 } },
  });
  const row = (number: string, n: number) => `${number};05/09/2026;Client;${n};1;1,00;20`;
  const long = [1, 2, 3, 4].map((n) => row('F1', n));
  scene.drop('ventes.csv', ['Num;Date;Client;Lig;Qte;PU;Taux', row('F0', 1), ...long, ''].join('\n'));
  await scene.night();
  const { ROWS: lines, SUM: sums } = answersOf(scene);
  expect(lines).toEqual(['F0;1;1;1;2;100;1', ...[1, 2, 3, 4].map((n) => `F1;;;;;;${n}`)]);
  expect(sums).toEqual(['F0;1;1;1;2;100;1', 'F1;;;;;;1']);
});
