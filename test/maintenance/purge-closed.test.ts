/** Retention of what people closed: set aside, acknowledged, refused files set aside. It goes as what a service authorized. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FILE_SET_ASIDE, type LedgerEntry } from '../../src/model/ledger-entry.ts';
import { allows } from '../../src/model/state.ts';
import { systemClock } from '../../src/runs/open-run.ts';
import { filesWith } from '../files-with.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const DAY_MS = 86_400_000;
const KEEP = { archive: '30d', receipts: '30d', content: '30d', reports: '30d', logs: '30d' };
const NAME = 'Zoroastre Quetzal';
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

const export1 = (number: string, quantity = '2') => sales([number], quantity).replaceAll(`Client ${number}`, NAME);

async function nightAgo(scene: Scene, days: number): Promise<void> {
  await scene.night({
    clock: { ...systemClock, now: () => daysAgo(days) },
    files: scene.files('inbox').map((path) => join(scene.root, path)),
  });
}

/** What `set-aside` and `acknowledge` record, some days ago. */
async function close(scene: Scene, entries: readonly LedgerEntry[], days: number): Promise<void> {
  const decision = { by: 'anna', at: daysAgo(days).toISOString(), reason: `${NAME} agreed` };
  await scene.look(async (ledger) => {
    for (const { id, state } of entries) {
      const as = allows(state, 'set-aside') ? 'invalid' : state;
      expect([state, await ledger.submissions.resolve(id, { as, ...decision })]).toEqual([state, true]);
    }
  });
}

async function setFileAside(scene: Scene, name: string, days: number): Promise<void> {
  await scene.look(async (ledger) => {
    const [file] = await ledger.queries.filesCalled(name);
    const at = daysAgo(days).toISOString();
    await ledger.corrections.recordEvent({
      what: FILE_SET_ASIDE,
      file: file!.id,
      at,
      person: 'anna',
      detail: { reason: 'old' },
    });
  });
}

const openWork = async (scene: Scene) => {
  const { documents, files } = JSON.parse((await commandIn(scene, '--json', 'errors')).out);
  return [...documents, ...files].map(({ name, state }) => [name, state]);
};

/** An export for each state that a person may close, and a refused one. */
const NUMBERS = ['F1', 'F2-X4', 'F3-X6', 'F5-X11', 'F6-X15', 'F7-X400'];

async function dropAll(scene: Scene): Promise<void> {
  for (const number of NUMBERS) scene.drop(`ventes-${number}.csv`, export1(number, number === 'F1' ? 'x' : '2'));
  scene.drop('autre.csv', export1('F0'));
  // The last two ask about what was returned; then no service has to act.
  for (const days of [90, 89, 88]) await nightAgo(scene, days);
}

async function closable(scene: Scene): Promise<readonly LedgerEntry[]> {
  return (await scene.entries()).filter(({ state }) => allows(state, 'set-aside') || allows(state, 'acknowledge'));
}

test.each([
  ['age', []],
  ['counterparty', ['--subject', NAME]],
])('what people closed is removed by %s, and no file of the instance has the name', async (by, words) => {
  await using scene = await openScene({ settings: by === 'age' ? { keep: KEEP } : {} });
  await dropAll(scene);
  const entries = await closable(scene);
  expect(new Set(entries.map(({ state }) => state))).toEqual(
    new Set(['invalid', 'rejected', 'failed', 'returned', 'invalidated']),
  );
  await close(scene, entries, 60);
  await setFileAside(scene, 'autre.csv', 60);
  expect(await openWork(scene)).toEqual([]);
  // A run takes away the correction files of what was closed.
  await nightAgo(scene, 59);
  const closed = await scene.entries();
  const { out, code } = await commandIn(scene, '--json', 'purge', '--reason', 'retention', ...words);
  // A refused file has no document by which a counterparty is found: it stays, and is listed.
  const refused = scene.files('archive').filter((path) => path.endsWith('autre.csv'));
  const kept = by === 'counterparty' ? [expect.stringMatching(/autre\.csv$/)] : [];
  expect(refused).toEqual(kept);
  expect([code, JSON.parse(out).kept]).toEqual([0, refused.map((path) => ({ path, why: 'unattributed' }))]);
  expect(filesWith(scene, NAME)).toEqual(kept);
  // It stays closed, and whoever looks afterwards finds nothing wrong.
  expect((await scene.entries()).map(({ state }) => state)).toEqual(closed.map(({ state }) => state));
  expect(await openWork(scene)).toEqual([]);
  expect(await commandIn(scene, 'verify', '--all')).toMatchObject({ code: 0 });
});

test('what was closed and purged is acted on by no person; a new export of its number is sent, with a receipt', async () => {
  await using scene = await openScene({ settings: { keep: { ...KEEP, archive: '10y' } } });
  scene.drop('ventes-1.csv', export1('F1', 'x'));
  await nightAgo(scene, 90);
  await close(scene, await closable(scene), 60);
  expect((await commandIn(scene, 'purge', '--reason', 'retention')).code).toBe(0);
  const reason = ['--reason', 'asked again'];
  for (const words of [
    ['fix', 'F1', 'Qte=2'],
    ['reprocess', 'F1'],
    ['set-aside', 'F1'],
    ['undo', 'F1'],
  ]) {
    expect([words, (await commandIn(scene, ...words, ...reason)).code]).not.toEqual([words, 0]);
    expect((await scene.entries()).map(({ state, revision }) => [state, revision])).toEqual([['invalid', 1]]);
  }
  scene.drop('ventes-1.csv', export1('F1'));
  await scene.night();
  const [entry, ...others] = await scene.entries();
  expect([entry?.state, entry?.revision, others]).toEqual(['authorized', 2, []]);
  expect(scene.files('outbox').filter((path) => path.includes('F1.'))).toHaveLength(2);
  expect(await commandIn(scene, 'verify', '--all')).toMatchObject({ code: 0 });
  // It counts from its new outcome on.
  expect((await commandIn(scene, 'purge', '--reason', 'retention')).code).toBe(0);
  expect(scene.files('outbox').filter((path) => path.includes('F1.'))).toHaveLength(2);
  expect((await commandIn(scene, 'purge', '--subject', NAME, ...reason)).code).toBe(0);
  expect(scene.files('outbox').filter((path) => path.includes('F1.'))).toEqual([]);
});

test('a purge leaves no empty day folder, and keeps those that have something', async () => {
  await using scene = await openScene({ settings: { keep: KEEP } });
  scene.drop('ventes-1.csv', export1('F1'));
  scene.drop('ventes-2.csv', export1('F2', 'x'));
  await nightAgo(scene, 90);
  mkdirSync(join(scene.root, 'pending/2026-01-02'), { recursive: true });
  mkdirSync(join(scene.root, 'pending/mine'), { recursive: true });
  expect((await commandIn(scene, 'purge', '--reason', 'retention')).code).toBe(0);
  const folders = ['archive', 'outbox', 'pending', 'error', 'reports'];
  const empty = folders.flatMap((folder) =>
    readdirSync(join(scene.root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory() && readdirSync(join(entry.parentPath, entry.name)).length === 0)
      .map(({ name }) => name),
  );
  // Only days are ours to remove.
  expect(empty.filter((name) => /^\d/.test(name))).toEqual([]);
  expect(empty).toContain('mine');
  expect(scene.files('error').length).toBeGreaterThan(0);
});
