/** What a purge has removed everywhere is known to a ledger that replaces the one of then: it is not sent again, and no name can be read. */
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/runs/open-run.ts';
import { filesWith } from '../files-with.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

const keep = { archive: '5y', receipts: '5y', content: '5y', reports: '5y' };
const PURGED = 'archive/.purged-identities';

/** A night of six years ago. */
async function oldNight(scene: Scene): Promise<void> {
  const now = () => new Date(Date.now() - 6 * 365 * 86_400_000);
  const files = scene.files('inbox').map((path) => join(scene.root, path));
  await scene.night({ clock: { ...systemClock, now }, files });
}

const WAYS: { readonly [how: string]: (scene: Scene, copy: string) => Promise<void> } = {
  'a rebuild': async (scene) => {
    rmSync(join(scene.root, 'state'), { recursive: true });
    expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
  },
  'a restore of a copy from before': async (scene, copy) => {
    expect(await commandIn(scene, 'ledger', 'restore', copy)).toMatchObject({ code: 0 });
  },
};

test.each(Object.keys(WAYS))('an export that a purge has removed comes again after %s: it is held', async (how) => {
  const never = SALES_MAPPING.replace('class: invoice', 'class: invoice\n  never-twice: [Client]');
  await using scene = await openScene({ settings: { keep }, mappings: { 'sales.yaml': never } });
  const copy = join(scene.root, 'copy.sqlite');
  await commandIn(scene, 'backup', copy);
  scene.drop('ventes.csv', sales(['A1', 'A2']));
  await oldNight(scene);
  expect(scene.sandbox.requests().fr.submit).toBe(2);
  expect(await commandIn(scene, 'purge', '--reason', 'retention')).toMatchObject({ code: 0 });
  expect([...scene.files('outbox'), ...scene.files('archive')]).toEqual([]);
  await WAYS[how]!(scene, copy);
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
  scene.drop('ventes-again.csv', sales(['A1', 'A2', 'A3']));
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(3);
  expect(tally(await scene.entries())).toEqual({ held: 2, authorized: 1 });
  const held = (await scene.entries()).filter(({ state }) => state === 'held');
  expect(new Set(held.map(({ hold }) => hold?.rule))).toEqual(new Set(['restored']));
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
  // A person who has compared it decides.
  await commandIn(scene, 'release', 'A1', '--reason', 'not at the service');
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(4);
});

test('a number that a correction gives is one of those too', async () => {
  await using scene = await openScene({ settings: { keep } });
  scene.drop('ventes.csv', sales(['A1']));
  await oldNight(scene);
  await commandIn(scene, 'purge', '--reason', 'retention');
  await WAYS['a rebuild']!(scene, '');
  await commandIn(scene, 'ledger', 'end-quarantine', 'compared');
  scene.drop('ventes-again.csv', sales(['A1-X6']));
  await scene.night();
  await commandIn(scene, 'fix', 'A1-X6', 'Num=A1', '--reason', 'x');
  expect(tally(await scene.entries())).toEqual({ held: 1 });
});

test('no person who was to be forgotten can be read there, and the file is private', async () => {
  const never = SALES_MAPPING.replace('class: invoice', 'class: invoice\n  never-twice: [Client]');
  await using scene = await openScene({ mappings: { 'sales.yaml': never } });
  scene.drop('ventes.csv', sales(['A1', 'A2']));
  await scene.night();
  expect(await commandIn(scene, 'purge', '--subject', 'Client A1', '--reason', 'asked')).toMatchObject({ code: 0 });
  expect(filesWith(scene, 'Client A1')).not.toContain(PURGED);
  expect(scene.read(PURGED)).toMatch(/^nightpost purged identities 1 [0-9a-f]{32}\n(?:[0-9a-f]{32}\n)+$/);
  expect(statSync(join(scene.root, PURGED)).mode & 0o777).toBe(0o600);
});

test('what an earlier version has purged is added by the next purge, and nothing twice', async () => {
  await using scene = await openScene({ settings: { keep } });
  scene.drop('ventes.csv', sales(['A1', 'A2']));
  await oldNight(scene);
  await commandIn(scene, 'purge', '--reason', 'retention');
  const lines = () => scene.read(PURGED).split('\n').length;
  const all = lines();
  rmSync(join(scene.root, PURGED));
  await commandIn(scene, 'purge', '--reason', 'retention');
  expect(lines()).toBe(all);
  await commandIn(scene, 'purge', '--reason', 'retention');
  expect(lines()).toBe(all);
});

test('a file that is damaged is listed, and what it still shows counts', async () => {
  await using scene = await openScene({ settings: { keep } });
  scene.drop('ventes.csv', sales(['A1', 'A2']));
  await oldNight(scene);
  await commandIn(scene, 'purge', '--reason', 'retention');
  const text = scene.read(PURGED);
  rmSync(join(scene.root, 'state'), { recursive: true });
  writeFileSync(join(scene.root, PURGED), text.slice(0, -10));
  const rebuilt = await commandIn(scene, 'ledger', 'rebuild');
  expect(rebuilt).toMatchObject({ code: 3 });
  expect(rebuilt.out).toContain(PURGED);
});

const OTHERS: { readonly [what: string]: (path: string) => void } = {
  link: (path) => {
    renameSync(path, `${path}.kept`);
    symlinkSync(`${path}.kept`, path);
  },
  folder: (path) => {
    rmSync(path);
    mkdirSync(path);
  },
};

test.each(Object.keys(OTHERS))('where a %s has its name, nothing of it counts, and it is listed', async (what) => {
  await using scene = await openScene({ settings: { keep } });
  scene.drop('ventes.csv', sales(['A1', 'A2']));
  await oldNight(scene);
  await commandIn(scene, 'purge', '--reason', 'retention');
  rmSync(join(scene.root, 'state'), { recursive: true });
  OTHERS[what]?.(join(scene.root, PURGED));
  const rebuilt = await commandIn(scene, 'ledger', 'rebuild');
  expect(rebuilt).toMatchObject({ code: 3 });
  expect(rebuilt.out).toContain(PURGED);
});
