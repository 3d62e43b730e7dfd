/** Documents of every kind of source read once more: one bad cell in a shipped sample, corrected on the terminal. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';

const REPOSITORY = join(import.meta.dirname, '../../..');
const WHY = ['--reason', 'restored from the ERP'];

/** An instance with one of the shipped mappings, and what they share. */
async function shipped(mapping: string): Promise<Scene> {
  const scene = await openScene({ mappings: {} });
  for (const name of [`${mapping}.yaml`, 'blocks', 'tables']) {
    cpSync(join(REPOSITORY, 'mappings', name), join(scene.root, 'mappings', name), { recursive: true });
  }
  return scene;
}

/** Drops files of a sample, with one text changed in the first that has it. */
function drop(scene: Scene, folder: string, names: readonly string[], wrong: readonly [string, string]): void {
  let changes = 1;
  for (const name of names) {
    const text = readFileSync(join(REPOSITORY, 'samples', folder, 'input', name), 'latin1');
    const changed = changes > 0 ? text.replace(...wrong) : text;
    if (changed !== text) changes = 0;
    scene.drop(name, Buffer.from(changed, 'latin1'));
  }
  if (changes > 0) throw new Error(`${wrong[0]} is in none of ${names.join()}`);
}

function expectRowsInOnePlace(scene: Scene): void {
  const paths = ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
  for (const path of paths.filter((one) => one.endsWith('.summary.json'))) {
    const { rows } = JSON.parse(scene.read(path)) as { rows: object };
    expect(rows, path).toMatchObject({ unaccounted: { count: 0 }, twice: { count: 0 } });
  }
}

test.each<[string, string, string[], [string, string], string]>([
  ['CSV', 'sage-invoices', ['FAC_0905.csv'], ['12,5;M;', '12,S;M;'], '12,5'],
  ['record types', 'as400-invoices', ['FACT400_260911.txt'], ['0000012,000|ML', '00000I2,000|ML'], '0000012,000'],
  ['control totals', 'batch-totals', ['LOT_0916.csv'], ['200,00;20', '200,00;2O'], '20'],
  ['fixed width', 'host-fixed-width', ['HOST_INV_0921.dat'], ['00000395002000', '0000039500200O'], '2000'],
  ['XML', 'divalto-xml', ['DIV_20260908.xml'], ['<g:Prix>19.99', '<g:Prix>19.9G'], '19.99'],
  ['a pair', 'header-and-lines', ['ENT_VENTES_0921.csv', 'LIG_VENTES_0921.csv'], [';13,40;', ';13,4O;'], '13,40'],
])('%s', async (_, folder, names, wrong, right) => {
  await using scene = await shipped(folder === 'host-fixed-width' ? 'host-invoices' : folder);
  drop(scene, folder, names, wrong);
  await scene.night();
  const before = await scene.entries();
  const isBad = ({ faults }: LedgerEntry) => faults.some(({ code }) => code === 'map/not-a-number');
  const [bad, ...more] = before.filter(isBad);
  expect(more).toEqual([]);
  const { row, column } = bad!.faults.find(({ code }) => code === 'map/not-a-number')!.origin!;
  const cell = `${column}@${row}=${right}`;
  const submits = scene.sandbox.requests().fr.submit;
  const looked = await commandIn(scene, 'fix', bad!.id, cell, ...WHY, '--dry-run');
  expect(looked.out).toContain('would become "queued"');
  expect(await scene.entries()).toEqual(before);
  const fixed = await commandIn(scene, 'fix', bad!.id, cell, ...WHY);
  expect(fixed).toMatchObject({ code: 0, out: expect.stringContaining('is now "queued"') });
  await scene.night();
  const after = await scene.entries();
  expect(after.find(({ id }) => id === bad!.id)).toMatchObject({ state: 'authorized', revision: 2, rows: bad!.rows });
  const others = (entries: readonly LedgerEntry[]) =>
    entries.filter(({ id }) => id !== bad!.id).map(({ id, state }) => [id, state]);
  expect(others(after)).toEqual(others(before));
  expect(scene.sandbox.requests().fr.submit).toBe(submits + 1);
  expectRowsInOnePlace(scene);
});

test('a header without lines is read once more as a header, next to its other file', async () => {
  await using scene = await shipped('header-and-lines');
  const names = ['ENT_VENTES_0921.csv', 'LIG_VENTES_0921.csv'];
  drop(scene, 'header-and-lines', names, [';75,00', ';76,00']);
  await scene.night();
  const before = (await scene.entries()).find(({ facts }) => facts.identifier === 'VE-0303')!;
  const again = await commandIn(scene, 'reprocess', 'VE-0303', ...WHY);
  const after = (await scene.entries()).find(({ id }) => id === before.id)!;
  expect(again).toMatchObject({ code: 3, out: expect.stringContaining('VE-0303: still "to correct"') });
  expect(after).toMatchObject({ revision: 2, facts: before.facts, rows: before.rows, faults: before.faults });
  expect(after.faults).toMatchObject([{ code: 'join/header-without-lines', origin: { file: names[0], row: 4 } }]);
  expectRowsInOnePlace(scene);
});

test('what a corrected document carries comes from the inbox, or from the archive where the one before has taken it', async () => {
  const mapping = SALES_MAPPING.replace('files: "ventes*.csv"', 'files: "ventes*.csv", companions: "*.pdf"').replace(
    'totals:',
    'attachments:\n    - { filename: $Pdf, mime-type: application/pdf, content: { base64: $Pdf } }\n  totals:',
  );
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  scene.drop('A.pdf', '%PDF-1.7 of the rejected one\n');
  scene.drop('B.pdf', '%PDF-1.7 of the invalid one\n');
  const rows = ['F1-X6;05/09/2026;Client;1;2;10,50;20;A.pdf', 'F2;05/09/2026;Client;1;2O;10,50;20;B.pdf', ''];
  scene.drop('ventes.csv', `Num;Date;Client;Lig;Qte;PU;Taux;Pdf\n${rows.join('\n')}`);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ rejected: 1, invalid: 1 });
  expect(scene.files('inbox')).toEqual(['inbox/B.pdf']);
  for (const [number, cell] of [
    ['F1-X6', 'Client=Client SA'],
    ['F2', 'Qte=20'],
  ] as const) {
    expect(await commandIn(scene, 'fix', number, cell, ...WHY)).toMatchObject({ code: 0 });
  }
  expect(tally(await scene.entries())).toEqual({ ready: 2 });
  expect(scene.files('inbox')).toEqual([]);
  expect(
    scene
      .files('archive')
      .map((path) => path.replace(/.*-/, ''))
      .filter((name) => name.endsWith('.pdf')),
  ).toEqual(expect.arrayContaining(['A.pdf', 'B.pdf']));
});

test('rows anywhere in the file stay one document', async () => {
  const mapping = SALES_MAPPING.replace('one-per: [Num]', 'one-per: [Num]\n  rows: anywhere');
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  const [head, a, b, c, d] = sales(['F1', 'F2'])
    .replace('F2;05/09/2026;Client F2;2;2;', 'F2;05/09/2026;Client F2;2;2O;')
    .split('\n');
  scene.drop('ventes.csv', [head, c, a, d, b, ''].join('\n'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1 });
  expect(await commandIn(scene, 'fix', 'F2', 'Qte@4=20', ...WHY)).toMatchObject({ code: 0 });
  await scene.night();
  const fixed = (await scene.entries()).find(({ facts }) => facts.identifier === 'F2');
  expect(fixed).toMatchObject({ state: 'authorized', rows: [2, 4] });
  expectRowsInOnePlace(scene);
});

test('repeated keys are fixed by a mapping that allows them, and no document is sent twice', async () => {
  await using scene = await openScene();
  const [head, a, b, c, d] = sales(['F1', 'F2']).split('\n');
  scene.drop('ventes.csv', [head, a, c, d, b, ''].join('\n'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 2 });
  const anywhere = SALES_MAPPING.replace('one-per: [Num]', 'one-per: [Num]\n  rows: anywhere');
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), anywhere);
  const again = await commandIn(scene, 'reprocess', '--state', 'invalid', ...WHY, '--yes');
  expect(again.code).toBe(0);
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(2);
  expectRowsInOnePlace(scene);
});

test('of a file that two mappings share, each has its own documents and corrections', async () => {
  const second = SALES_MAPPING.replace('mapping: sales', 'mapping: copies').replace(
    'identifier: $Num',
    'identifier: = "K-" & $Num',
  );
  const shares = (text: string) =>
    text.replace('accepts: { files: "ventes*.csv" }', 'accepts: { files: "ventes*.csv", shares: true }');
  await using scene = await openScene({ mappings: { 'a.yaml': shares(SALES_MAPPING), 'b.yaml': shares(second) } });
  scene.drop('ventes.csv', sales(['F1']).replace(';1;2;', ';1;2O;'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ invalid: 2 });
  expect(await commandIn(scene, 'fix', 'K-F1', 'Qte@2=20', ...WHY)).toMatchObject({ code: 0 });
  await scene.night();
  expect((await scene.entries()).map(({ facts, state }) => [facts.identifier, state]).sort()).toEqual([
    ['F1', 'invalid'],
    ['K-F1', 'authorized'],
  ]);
  expectRowsInOnePlace(scene);
});
