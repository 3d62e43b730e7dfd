/** A document whose answer could not be made yet is kept by any purge, with its export: the answer is made of both. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/runs/open-run.ts';
import { moveClock } from '../moved-clock.ts';
import { openScene, SALES_MAPPING, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const MAPPING = `${SALES_MAPPING}
answers:
  - file: "RET_{file.stem}_{n}.csv"
    format: { csv: {} }
    row: { NUM: $Num, CLIENT: $Client, ETAT: "@answer.state" }
`;
const DAY_MS = 86_400_000;
const LONG_AGO = { ...systemClock, now: () => new Date(Date.now() - 40 * DAY_MS) };

test.each([
  ['of its counterparty', { settings: {}, words: ['--subject', 'Client F1'] }],
  ['by age', { settings: { keep: { archive: '30d', receipts: '30d', content: '30d' } }, words: [] }],
  ['of old exports', { settings: { keep: { archive: '30d' } }, words: [] }],
])('%s', async (_, { settings, words }) => {
  await using scene = await openScene({ settings, mappings: { 'sales.yaml': MAPPING } });
  const folder = join(scene.root, 'answers');
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(folder, 'the folder of the ERP is away');
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night({ clock: LONG_AGO, files: [join(scene.root, 'inbox', 'ventes.csv')] });
  const purged = async () =>
    JSON.parse((await commandIn(scene, '--json', 'purge', ...words, '--reason', 'asked for')).out) as object;
  expect(await purged()).toMatchObject({ documents: [], exports: [], summaries: [] });
  rmSync(folder);
  mkdirSync(folder);
  expect((await commandIn(scene, 'run')).code).toBe(0);
  expect(scene.read('answers/RET_ventes_1.csv')).toContain('F1;Client F1;authorized');
  expect(await purged()).toMatchObject({ exports: [expect.stringContaining('ventes.csv')] });
});

test('an export that a purge removed is purged again once the ledger was rebuilt, although the ERP would get its answers once more', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': MAPPING }, settings: { keep: { archive: '2d' } } });
  using clock = moveClock();
  clock.pass(-10 * DAY_MS);
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  clock.pass(5 * DAY_MS);
  const purge = () => commandIn(scene, 'purge', '--reason', 'retention');
  expect((await purge()).code).toBe(0);
  expect(scene.files('archive')).toEqual([]);
  rmSync(join(scene.root, 'state/ledger.sqlite'));
  expect((await commandIn(scene, 'ledger', 'rebuild')).code).toBe(0);
  await commandIn(scene, 'run');
  expect((await purge()).code).toBe(0);
  expect(await commandIn(scene, 'verify', '--all')).toMatchObject({ code: 0 });
  await commandIn(scene, 'run');
  expect(JSON.parse((await commandIn(scene, 'status', '--json')).out).answers).toMatchObject({ documents: 0 });
});
