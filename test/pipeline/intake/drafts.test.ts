/** A mapping that is still a draft: its files are refused whole, as check refuses it, and those of other mappings go on. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';

const OTHER = SALES_MAPPING.replace('mapping: sales', 'mapping: other').replace('ventes*', 'autres*');
const DRAFT = OTHER.replace('name: Exemple SARL', 'name: FILL IN - legal name').replace('732829320', '000000000');

test('one fault for the file, with the place in the mapping; filled in, it is read again', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': SALES_MAPPING, 'other.yaml': DRAFT } });
  scene.drop('ventes.csv', sales(['F1']));
  scene.drop('autres.csv', sales(['G1', 'G2']));
  const run = await commandIn(scene, 'run');
  expect(run.code).toBe(3);
  expect(run.out).toMatch(/autres\.csv +refused/);
  expect(run.err).toMatch(
    /intake\/mapping-not-filled-in {2}the mapping other is a draft: 2 of its values .* on line \d+ - /,
  );
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  expect((await commandIn(scene, 'check')).code).toBe(2);
  // The same bytes are told again, and taken once the mapping is whole.
  scene.drop('autres.csv', sales(['G1', 'G2']));
  expect((await commandIn(scene, 'run')).out).toMatch(/autres\.csv +refused/);
  writeFileSync(join(scene.root, 'mappings/other.yaml'), OTHER);
  const again = /nightpost (reprocess autres\.csv) --reason/.exec((await commandIn(scene, 'errors')).out)!;
  expect((await commandIn(scene, ...again[1]!.split(' '), '--reason', 'filled in')).code).toBe(0);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
});

test('of a pair both files wait for the mapping', async () => {
  const join = 'source:\n  join: { with: "entetes*.csv", key: Num }';
  const pair = DRAFT.replace('source:', join);
  await using scene = await openScene({ mappings: { 'other.yaml': pair } });
  scene.drop('autres.csv', 'Num;Lig;Qte;PU;Taux\nG1;1;2;10,50;20\n');
  scene.drop('entetes.csv', 'Num;Date;Client\nG1;05/09/2026;C\n');
  await scene.night();
  const files = await scene.look((ledger) => ledger.queries.files({ limit: 9 }));
  expect(files.map(({ name, state, faults }) => [name, state, faults[0]?.code]).sort()).toEqual([
    ['autres.csv', 'refused', 'intake/mapping-not-filled-in'],
    ['entetes.csv', 'refused', 'intake/mapping-not-filled-in'],
  ]);
});
