/** What a rebuilt ledger learns of an answer is as the service gave it: what it did not say is absent, and everyone can show it. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { moveClock } from '../moved-clock.ts';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const DAY_MS = 86_400_000;
const NUMBERS = ['F1', 'F2-X4', 'F3-X6', 'F4-X8', 'F5-X11', 'F6-X15', 'F7-X400', 'F8-XUNKNOWN'];

test('each answer is the same after a rebuild, and its document can be shown and given to an auditor', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-answers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await using scene = await openScene({ settings: { run: { 'max-errors': 1000, 'same-cause': 0 } } });
  for (const number of NUMBERS) scene.drop(`ventes-${number}.csv`, sales([number]));
  await commandIn(scene, 'run');
  // Without a file that proves it, and with a reason alone.
  expect((await commandIn(scene, 'resolve', 'F6-X15', '--as', 'rejected', '--reason', 'seen')).code).toBe(0);
  expect((await commandIn(scene, 'acknowledge', 'F5-X11', '--reason', 'known')).code).toBe(0);
  expect((await commandIn(scene, 'set-aside', 'F2-X4', '--reason', 'again')).code).toBe(0);
  await commandIn(scene, 'run');
  const answers = async () =>
    (await scene.entries())
      .map(({ facts, answer, evidence, closed }) => [facts.identifier, answer, evidence, closed])
      .sort();
  const before = await answers();
  expect(before.filter(([, answer]) => answer !== undefined).length).toBeGreaterThan(4);
  renameSync(join(scene.root, 'state/ledger.sqlite'), join(folder, 'lost.sqlite'));
  expect((await commandIn(scene, 'ledger', 'rebuild')).code).toBe(0);
  expect(await answers()).toEqual(before);
  expect(JSON.stringify(await scene.entries())).not.toContain('null');
  for (const number of NUMBERS) {
    expect(await commandIn(scene, 'show', number)).toMatchObject({ code: 0 });
    expect(await commandIn(scene, 'dossier', number, '--out', folder)).toMatchObject({ code: 0 });
  }
});

test('a document that was authorized since the backup is over: it is asked about no more, and a purge removes it', async () => {
  await using scene = await openScene({ settings: { keep: { receipts: '2d', content: '2d' } } });
  using clock = moveClock();
  clock.pass(-20 * DAY_MS);
  scene.drop('ventes.csv', sales(['F1-X8']));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  const backup = join(scene.root, 'copy.sqlite');
  expect((await commandIn(scene, 'backup', backup)).code).toBe(0);
  for (let day = 0; day < 3; day++) {
    clock.pass(DAY_MS);
    await commandIn(scene, 'consult', 'F1-X8');
    await commandIn(scene, 'run');
  }
  expect(await scene.entries()).toMatchObject([{ state: 'authorized' }]);
  const { consult } = scene.sandbox.requests().fr;
  expect((await commandIn(scene, 'ledger', 'restore', backup)).code).toBe(0);
  const [entry] = await scene.entries();
  expect([entry?.state, entry?.dueAt]).toEqual(['authorized', undefined]);
  clock.pass(10 * DAY_MS);
  await commandIn(scene, 'run');
  expect(scene.sandbox.requests().fr.consult).toBe(consult);
  expect((await commandIn(scene, 'purge', '--reason', 'retention')).code).toBe(0);
  expect(scene.files('outbox')).toEqual([]);
});
