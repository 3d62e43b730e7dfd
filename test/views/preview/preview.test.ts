/** What a preview knows of each value, and how much of a file it reads for one document or one cell. */
import fs, { openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { cellFeeds } from '../../../src/views/preview/cell-lineage.ts';
import { type Preview, preview } from '../../../src/views/preview/preview-files.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

const NOW = new Date('2026-11-20T08:00:00Z');

async function previewed(scene: Scene, path: string, wanted?: string): Promise<readonly Preview[]> {
  const documents: Preview[] = [];
  for await (const document of preview(scene.instance(), path, NOW, { wanted })) documents.push(document);
  return documents;
}

/** Bytes of files read while `act` runs. */
async function bytesRead(act: () => Promise<unknown>): Promise<number> {
  let bytes = 0;
  const real = fs.read;
  const spy = vi.spyOn(fs, 'read').mockImplementation(((...given: unknown[]) => {
    const done = given.pop() as (error: unknown, count: number, ...rest: unknown[]) => void;
    const counted = (error: unknown, count: number, ...rest: unknown[]) => {
      bytes += count;
      done(error, count, ...rest);
    };
    return (real as (...args: unknown[]) => void)(...given, counted);
  }) as never);
  try {
    await act();
    return bytes;
  } finally {
    spy.mockRestore();
  }
}

function write(scene: Scene, text: string): string {
  const path = join(scene.root, 'ventes.csv');
  writeFileSync(path, text);
  return path;
}

/** 12 MB of invoices under growing numbers. */
function largeFile(scene: Scene): string {
  const path = join(scene.root, 'ventes.csv');
  const file = openSync(path, 'w');
  const page = 1000;
  for (let n = 0; n < 150; n++) {
    const text = sales(Array.from({ length: page }, (_, i) => `F${n * page + i}`));
    writeSync(file, n === 0 ? text : text.slice(text.indexOf('\n') + 1));
  }
  return path;
}

test('each value has its cells and its line of the mapping, fixed texts as well', async () => {
  await using scene = await openScene();
  const [document] = await previewed(scene, write(scene, sales(['F1'])));
  const lines = SALES_MAPPING.split('\n');
  const field = (at: string) => {
    const found = document!.fields.find((one) => one.at === at)!;
    const cells = found.from.map(({ row, column }) => `${row}:${column}`).join(' ');
    return [found.value, cells, found.rule?.file, lines[found.rule!.line - 1]?.trim()];
  };
  const make = 'make: { number: $Lig, quantity: $Qte, unit-price: $PU, net-amount: $net }';
  expect(field('/lines/1/unit-price')).toEqual(['10.5', '3:PU', 'mappings/sales.yaml', make]);
  expect(field('/lines/0/net-amount')).toEqual(['21', '2:Qte 2:PU', 'mappings/sales.yaml', make]);
  expect(field('/document/currency').slice(0, 2)).toEqual(['"EUR"', '']);
  expect(field('/document/currency')[3]).toContain('currency: EUR');
  expect(field('/totals/subtotals/0/amount')[3]).toContain('standard:');
});

test('preview shows the fields of a cell, and the faults of a refused document', async () => {
  await using scene = await openScene();
  const path = write(scene, sales(['F1', 'F2', 'F3']).replace('Client F2;2;2;', 'Client F2;2;2,5O;'));
  const instance = scene.instance();
  const price = await cellFeeds(instance, path, NOW, { row: 3, column: 'pu' });
  expect(price).toMatchObject({ identifier: 'F1', valid: true, cell: { row: 3, column: 'PU', text: '10,50' } });
  expect(price!.fields.map(({ at }) => at)).toEqual(
    expect.arrayContaining(['/lines/1/unit-price', '/lines/1/net-amount', '/totals/final-amount']),
  );
  expect(price!.fields.map(({ at }) => at)).not.toContain('/lines/0/unit-price');
  const broken = await cellFeeds(instance, path, NOW, { row: 5, column: 'Qte' });
  expect(broken).toMatchObject({
    identifier: 'F2',
    valid: false,
    fields: expect.arrayContaining([expect.objectContaining({ at: '/lines/1/quantity', failed: true })]),
    faults: [{ code: 'map/not-a-number' }],
  });
  expect(await cellFeeds(instance, path, NOW, { row: 99, column: 'PU' })).toBeUndefined();
  await expect(cellFeeds(instance, path, NOW, { row: 2, column: 'PV' })).rejects.toMatchObject({
    code: 'preview/no-such-column',
    hint: expect.stringContaining('"PU"'),
  });
});

test('rows that come back refuse their document at each place, as in a run, and the preview goes on', async () => {
  await using scene = await openScene();
  const documents = await previewed(scene, write(scene, `${sales(['F1', 'F2'])}${sales(['F1']).split('\n')[1]}\n`));
  expect(documents.map(({ identifier, valid }) => [identifier, valid])).toEqual([
    ['F1', false],
    ['F2', true],
    ['F1', false],
  ]);
  expect(documents[2]!.faults.map(({ code }) => code)).toContain('map/key-came-back');
});

test('one document, or one cell, of a large file is read up to its rows and no further', async () => {
  await using scene = await openScene();
  const path = largeFile(scene);
  const instance = scene.instance();
  const whole = statSync(path).size;
  expect(whole).toBeGreaterThan(10_000_000);
  const early = await bytesRead(async () => expect(await previewed(scene, path, 'F700')).toHaveLength(1));
  expect(early).toBeGreaterThan(60_000);
  expect(early).toBeLessThan(1_000_000);
  const cell = await bytesRead(() => cellFeeds(instance, path, NOW, { row: 2000, column: 'PU' }));
  expect(cell).toBeLessThan(1_000_000);
  const missing = await bytesRead(() => cellFeeds(instance, path, NOW, { row: 1, column: 'PU' }));
  expect(missing).toBeLessThan(1_000_000);
});

test('what a sum reads counts at each line that uses it, and each line has its own cells', async () => {
  const mapping = SALES_MAPPING.replace('quantity: $Qte,', "quantity: '= $Qte + SUM($PU) * 0 + ALLOCATE(0, $Taux)',");
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  const [document] = await previewed(scene, write(scene, sales(['F1'])));
  const cells = (at: string) =>
    document!.fields.find((one) => one.at === at)!.from.map(({ row, column }) => `${row}:${column}`);
  const ofAll = ['2:PU', '3:PU', '2:Taux', '3:Taux'];
  expect(cells('/lines/0/quantity')).toEqual(['2:Qte', ...ofAll]);
  expect(cells('/lines/1/quantity')).toEqual(['3:Qte', ...ofAll]);
  expect(cells('/lines/1/net-amount')).toEqual(['3:Qte', '3:PU']);
});

test('a fault of a line is reported in its own row when its formula also sums other rows', async () => {
  const mapping = SALES_MAPPING.replace('quantity: $Qte,', "quantity: '= SUM($PU) / ($Qte - 2)',");
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  const rows = sales(['F1']).replace('F1;05/09/2026;Client F1;1;2', 'F1;05/09/2026;Client F1;1;3');
  const [document] = await previewed(scene, write(scene, rows));
  expect(document!.faults).toMatchObject([
    { code: 'map/division-by-zero', at: '/lines/1/quantity', origin: { row: 3 } },
  ]);
});

test.each([
  ['one-per: [Num]'],
  ['one-per: [Num]\n  rows: anywhere'],
  ['one-per: [Num, Date]'],
  ['one-per: [Num, Date]\n  rows: anywhere'],
])('a preview says of each document what a run does, where a row has no number: %s', async (per) => {
  await using scene = await openScene({ mappings: { 'sales.yaml': SALES_MAPPING.replace('one-per: [Num]', per) } });
  const [head, ...rows] = sales(['F1', 'F2', 'F3', 'F4', 'F5', 'F6']).trim().split('\n');
  const used = rows.filter((_, n) => n % 2 === 0).map((row) => row.replace(/^F4;/, ';'));
  const text = `${[head, ...used].join('\n')}\n`;
  const documents = await previewed(scene, write(scene, text));
  scene.drop('ventes.csv', text);
  await scene.night();
  const entries = await scene.entries();
  const codes = (faults: readonly { code: string }[]) => faults.map(({ code }) => code);
  expect(documents.map(({ rows: own, valid, faults }) => [own[0], valid, codes(faults)])).toEqual(
    entries.map(({ rows: own, state, faults }) => [own[0], state === 'authorized', codes(faults)]),
  );
  // The row itself says what is wrong with it.
  expect(codes(entries[3]!.faults)).toEqual([per.includes('Date') ? 'fr-invoice/no-number' : 'map/no-key']);
});

test('a file of the archive is previewed under the name that it was dropped with', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  const [archived] = scene.files('archive').filter((path) => path.endsWith('-ventes.csv'));
  const documents = await previewed(scene, join(scene.root, archived!));
  expect(documents.map(({ identifier, valid }) => [identifier, valid])).toEqual([['F1', true]]);
  const other = join(scene.root, `${'0'.repeat(16)}-ventes.csv`);
  writeFileSync(other, sales(['F1']));
  await expect(previewed(scene, other)).rejects.toMatchObject({ code: 'preview/file-refused' });
});

test('--faults also shows a document that has warnings alone', async () => {
  const mapping = `${SALES_MAPPING}checks: [{ that: "= SUM($Qte) < 6", else: warning, say: a large quantity }]\n`;
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  const text = sales(['F1', 'F2']).replace('Client F2;2;2;', 'Client F2;2;4;');
  const { out } = await commandIn(scene, 'preview', write(scene, text), '--faults');
  expect(out).toContain('a large quantity');
  expect(out).not.toMatch(/^ *F1 /m);
});
