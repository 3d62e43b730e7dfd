/** From a cell to its field, of documents that failed as well: with the mapping of then, the current one, and a trial. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { systemClock } from '../../../src/runs/open-run.ts';
import { documentLineage, type LineageOptions } from '../../../src/views/queries/document-lineage.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../../night.ts';

const SALES = sales(['A', 'B']).replace('Client B;1;2;', 'Client B;1;2O;');

async function entryOf(scene: Scene, number: string): Promise<LedgerEntry> {
  return (await scene.entries()).find(({ facts }) => facts.identifier === number)!;
}

async function lineage(scene: Scene, number: string, options: LineageOptions) {
  const entry = await entryOf(scene, number);
  return await scene.look(async (ledger) =>
    documentLineage({ instance: scene.instance(), ledger, clock: systemClock }, entry, options),
  );
}

const tried = [{ row: 4, column: 'Qte', from: '2O', to: '3', by: 'marie', at: '2026-09-05T08:00:00Z', reason: 'typo' }];

test('a document whose mapping failed shows every field, and where a value is missing', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', SALES);
  await scene.night();
  const then = (await lineage(scene, 'B', { mapping: 'then' }))!;
  expect(then).toMatchObject({ mapping: { id: 'sales', version: '1', isCurrent: true }, document: { valid: false } });
  expect(then.rows.map(({ cells }) => cells[4])).toEqual(['2O', '2']);
  const at = (path: string) => then.document.fields.find((field) => field.at === path);
  const cell = { file: 'ventes-1.csv', row: 4, column: 'Qte' };
  const failed = { value: '', failed: true, from: [cell], rule: { file: 'mappings/sales.yaml', line: 23 } };
  expect(at('/lines/0/quantity')).toMatchObject(failed);
  expect(at('/lines/1/quantity')).toMatchObject({ value: '2', from: [{ ...cell, row: 5 }] });
  expect(at('/lines/1/quantity')).not.toHaveProperty('failed');
  expect(at('/totals/final-amount')).toMatchObject({ failed: true });
  expect(then.document.faults).toMatchObject([{ origin: cell, at: '/lines/0/quantity' }]);
});

test('corrections that are only tried change the fields, and nothing else', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', SALES);
  await scene.night();
  const before = await entryOf(scene, 'B');
  const { document } = (await lineage(scene, 'B', { mapping: 'now', tried }))!;
  expect(document).toMatchObject({ valid: true, faults: [] });
  expect(document.fields.find(({ at }) => at === '/totals/final-amount')).toMatchObject({ value: '63' });
  expect(await entryOf(scene, 'B')).toEqual(before);
});

test('the mapping of then is the archived one, the current one is that of today', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', SALES);
  await scene.night();
  const next = SALES_MAPPING.replace('version: 1', 'version: 2').replace('name: $Client', 'name: = UPPER($Client)');
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), next);
  const nameOf = async (mapping: 'then' | 'now') => {
    const found = (await lineage(scene, 'A', { mapping }))!;
    const name = found.document.fields.find(({ at }) => at === '/receiver/name')?.value;
    return [name, found.mapping];
  };
  expect(await nameOf('then')).toEqual(['"Client A"', { id: 'sales', version: '1', isCurrent: false }]);
  expect(await nameOf('now')).toEqual(['"CLIENT A"', { id: 'sales', version: '2', isCurrent: true }]);
});

test('the amount that the export gives is that of a document that cannot be made', async () => {
  const mapping = SALES_MAPPING.replace('  class: invoice', '  class: invoice\n  amount: = SUM($PU)');
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  scene.drop('ventes-1.csv', SALES);
  await scene.night();
  // A whole document has the amount that is sent.
  expect((await entryOf(scene, 'A')).facts.amount).toBe('50.40');
  expect((await entryOf(scene, 'B')).facts.amount).toBe('21.00');
});

/** Calculated is 50.40. */
const STATED = sales(['A']).replace(/Taux$/m, 'Taux;TTC').replaceAll(/^A.*/gm, '$&;70,40');
const CHECK = { that: '= @totals.final-amount = $TTC', else: 'error', say: 'another total' };

test.each([
  ['a check refuses it', STATED, [CHECK], 'map/check-failed'],
  ['a date is none', STATED.replaceAll('05/09', '31/02'), [], 'map/not-a-date'],
  ['a row is broken', STATED.replace('Client A;1;', 'Client A;'), [], 'csv/too-few-cells'],
  ['a rule refuses it', STATED, [], 'fr-invoice/no-due-date'],
])('where %s, its amount is the one that is stated, whatever can be calculated', async (_, text, checks, code) => {
  const mapping = SALES_MAPPING.replace('class: invoice', 'class: invoice\n  amount: $TTC')
    .replace('Taux: number', 'Taux: number, TTC: number')
    .concat(`checks: ${JSON.stringify(checks)}\n`);
  const rules = { fr: code.startsWith('fr-') ? 'fr-2026' : 'wire', sv: 'wire' };
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping }, settings: { rules } });
  scene.drop('ventes-1.csv', text);
  await scene.night();
  const { faults, facts } = await entryOf(scene, 'A');
  expect(faults.map((fault) => fault.code)).toContain(code);
  expect(facts.amount).toBe('70.40');
});

test('an amount that cannot be read either adds no fault', async () => {
  const mapping = SALES_MAPPING.replace('  class: invoice', '  class: invoice\n  amount: = SUM($Qte)');
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  scene.drop('ventes-1.csv', SALES);
  await scene.night();
  const { facts, faults } = await entryOf(scene, 'B');
  expect(facts).not.toHaveProperty('amount');
  expect(faults.map(({ code }) => code)).toEqual(['map/not-a-number']);
});
