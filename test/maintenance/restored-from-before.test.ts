/** A backup of the middle of a night comes back after a ledger that knew the same exports from their receipts alone. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Statements } from '../../src/database/database-driver.ts';
import { createKnownExports } from '../../src/maintenance/restore-known-exports.ts';
import { readSummaries } from '../../src/receipts/read-receipts.ts';
import { openScene, SALES_MAPPING, type Scene, sales, stopAtWrite } from '../night.ts';
import { DAY, DAY_EXPORT, INVOICES } from '../pipeline/intake/shared-mappings.ts';
import { PAIR_MAPPING } from '../pipeline/sources/pair-mapping.ts';
import { commandIn } from '../program.ts';

const PAIR = { 'ENT_2.csv': 'Num;Client\nF1;A\nF2;B\nF3;C\n', 'LIG_2.csv': 'Num;Lig;Net\nF1;1;10\nF1;2;5\nF2;1;20\n' };

const EXPORTS = {
  'one file': {
    mappings: { 'sales.yaml': SALES_MAPPING },
    before: { 'ventes-1.csv': sales(['A0']) },
    files: { 'ventes-2.csv': sales(['A1', 'A2', 'A3-X6']).replace('Client A2;1;2', 'Client A2;1;x') },
  },
  'two files': {
    mappings: { 'pairs.yaml': PAIR_MAPPING },
    before: { 'ENT_1.csv': 'Num;Client\nF0;A\n', 'LIG_1.csv': 'Num;Lig;Net\nF0;1;10\n' },
    files: PAIR,
  },
  'a file for two mappings': {
    mappings: { 'invoices.yaml': INVOICES, 'day.yaml': DAY },
    before: { 'jour04.csv': DAY_EXPORT.replaceAll(';05;', ';04;').replaceAll('F', 'E') },
    files: { 'jour05.csv': DAY_EXPORT },
  },
} as const;

function faulty(scene: Scene): readonly string[] {
  const written = ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
  return written
    .filter((path) => path.endsWith('.summary.json'))
    .map((path) => JSON.parse(scene.read(path)))
    .filter(({ rows }) => rows.unaccounted.count + rows.twice.count > 0)
    .map(({ file, rows }) => `${file.name}: ${rows.unaccounted.count} in no place, ${rows.twice.count} twice`);
}

test.each(Object.keys(EXPORTS) as (keyof typeof EXPORTS)[])('%s', { timeout: 120_000 }, async (what) => {
  const { mappings, before, files } = EXPORTS[what];
  for (let at = 1, cut = true; cut; at++) {
    await using scene = await openScene({ mappings });
    const [first, second] = [join(scene.root, 'first.sqlite'), join(scene.root, 'second.sqlite')];
    for (const [name, text] of Object.entries(before)) scene.drop(name, text);
    await scene.night();
    for (const [name, text] of Object.entries(files)) scene.drop(name, text);
    cut = await scene.night({ through: stopAtWrite(at) }).then(
      () => false,
      () => true,
    );
    const sound = async (when: string) => {
      const here = `cut at ${at}, ${when}`;
      await scene.night();
      expect(faulty(scene), here).toEqual([]);
      expect((await commandIn(scene, 'verify')).out, here).not.toContain('verify/');
      const twice = scene.sandbox.acceptances().filter(({ accepted }) => accepted > 1);
      expect(twice, here).toEqual([]);
    };
    await commandIn(scene, 'backup', first);
    rmSync(join(scene.root, 'state'), { recursive: true });
    await commandIn(scene, 'ledger', 'rebuild');
    await sound('rebuilt');
    await commandIn(scene, 'fix', 'A2', 'Qte=3', '--yes', '--reason', 'the quantity of the order');
    await sound('rebuilt and corrected');
    await commandIn(scene, 'backup', second);
    await commandIn(scene, 'ledger', 'restore', first);
    await sound('restored');
    await commandIn(scene, 'ledger', 'restore', second);
    await sound('restored again');
    const readings = await scene.look((ledger) => ledger.queries.files({}));
    expect(readings.filter(({ id, rereads }) => id === rereads)).toEqual([]);
  }
});

test('each document of such an export is looked for by its id, and not among all of them', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['A1', 'A2']));
  await scene.night();
  const [summary] = readSummaries(scene.root, (path) => expect.unreachable(path));
  using db = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
  const asked = new Set<string>();
  const all: Statements['all'] = (text, ...values) => {
    asked.add(text);
    return db.prepare(text).all(...values) as ReturnType<Statements['all']>;
  };
  const { reading } = createKnownExports({ all } as Statements);
  const { has } = await reading({ ...summary!, file: { ...summary!.file, id: 'another' } });
  expect(has.size).toBe(2);
  const plans = [...asked].flatMap((text) => db.prepare(`EXPLAIN QUERY PLAN ${text}`).all());
  expect(plans.filter(({ detail }) => String(detail).endsWith(' (file=?)'))).toEqual([]);
});
