/** What a purge of a counterparty cannot reach it names: copies of the ledger, and exports of which no document shows whose they are. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesWith } from '../files-with.ts';
import { moveClock } from '../moved-clock.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const NAME = 'Zoé Quetzal';
const DAY_MS = 86_400_000;

const of = (number: string, name = NAME) => sales([number]).replaceAll(`Client ${number}`, name);

type Told = {
  readonly copies: readonly string[];
  readonly kept: readonly { readonly path: string; readonly why: string }[];
};

async function purge(scene: Scene, ...words: string[]): Promise<Told> {
  const { out, code, err } = await commandIn(scene, '--json', 'purge', '--subject', NAME, ...words);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as Told;
}

test('copies of the ledger are named, in backups/ and from before a restore', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', of('F1'));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  expect((await purge(scene, '--dry-run')).copies).toEqual([]);
  expect((await commandIn(scene, 'backup')).code).toBe(0);
  const [backup = ''] = readdirSync(join(scene.root, 'backups'));
  expect((await commandIn(scene, 'ledger', 'restore', join(scene.root, 'backups', backup))).code).toBe(0);
  expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
  const dry = await purge(scene, '--dry-run');
  const { copies } = await purge(scene, '--reason', 'request 17');
  expect(dry.copies).toEqual(copies);
  expect(filesWith(scene, NAME).map((path) => copies.some((one) => path.startsWith(one)))).toEqual([true, true]);
  const { out } = await commandIn(scene, 'purge', '--subject', NAME, '--reason', 'request 17');
  expect(out).toContain('2 copies of the ledger are from before this purge');
  for (const one of copies) expect(out).toContain(one);
  // By age nothing is said of copies: they are for what a purge removed by mistake.
  expect((await commandIn(scene, 'purge', '--reason', 'retention')).out).not.toContain('copies');
});

test('exports are named that have the name, and whose documents are purged by age or were never read', async () => {
  await using scene = await openScene({
    settings: { keep: { receipts: '5d', content: '5d' } },
    mappings: { 'sales.yaml': SALES_MAPPING.replace('format: csv', 'format: csv\n  encoding: windows-1252') },
  });
  using clock = moveClock();
  clock.pass(-30 * DAY_MS);
  scene.drop('ventes-own.csv', Buffer.from(of('F1'), 'latin1'));
  scene.drop('ventes-other.csv', of('F2', 'Durand'));
  scene.drop(
    'ventes-both.csv',
    Buffer.from(`${of('F3')}${of('F4', 'Durand').split('\n').slice(1).join('\n')}`, 'latin1'),
  );
  scene.drop('ventes-refused.csv', Buffer.from(`Num;Client\nF5;${NAME.toUpperCase()}\n`, 'latin1'));
  scene.drop('autre.csv', of('F6'));
  await commandIn(scene, 'run');
  for (const name of ['ventes-refused.csv', 'autre.csv'])
    expect((await commandIn(scene, 'set-aside', name, '--reason', 'wrong')).code).toBe(0);
  clock.pass(29 * DAY_MS);
  expect((await commandIn(scene, 'purge', '--reason', 'retention')).code).toBe(0);
  const { kept } = await purge(scene, '--reason', 'request 17');
  const name = (path: string) => path.replace(/.*-(?=ventes|autre)/, '');
  expect(kept.map(({ path, why }) => [name(path), why]).sort()).toEqual([
    ['autre.csv', 'unattributed'],
    ['ventes-both.csv', 'unattributed'],
    ['ventes-own.csv', 'unattributed'],
    ['ventes-refused.csv', 'unattributed'],
  ]);
  expect(filesWith(scene, NAME).filter((path) => !kept.some((one) => one.path === path))).toEqual([]);
  const { out } = await commandIn(scene, 'purge', '--subject', NAME, '--dry-run');
  expect(out).toContain('4 exports are kept');
  expect((await commandIn(scene, 'verify', '--all')).code).toBe(0);
});

test('an export that stays for others is listed each time', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', `${of('F1')}${of('F2', 'Durand').split('\n').slice(1).join('\n')}`);
  await commandIn(scene, 'run');
  const { kept } = await purge(scene, '--reason', 'request 17');
  expect(kept).toEqual([{ path: expect.stringContaining('ventes.csv'), why: 'others' }]);
  expect((await purge(scene, '--reason', 'request 17, again')).kept.map(({ path }) => path)).toEqual([kept[0]!.path]);
});
