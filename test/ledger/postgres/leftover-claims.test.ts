/** Exports that a stop left between their claim and the ledger: a watch finds those of a run, and a run those of a watch. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunContext } from '../../../src/pipeline/context/run-context.ts';
import { ingestAll } from '../../../src/pipeline/intake/ingest-all.ts';
import { completeFiles } from '../../../src/pipeline/publishing/publish-results.ts';
import { ledgerPlaceOf, openLedgerOf, openRun } from '../../../src/runs/open-run.ts';
import { keepRoles, settleLeftovers } from '../../../src/runs/take-over.ts';
import { expire } from '../../contracts/ledger-workers.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import { type Scene, sales } from '../../night.ts';
import { openPostgresScene } from './scene.ts';

/** A private copy that the ledger does not know. */
function leave(scene: Scene, name: string, ...folders: readonly string[]): void {
  const folder = join(scene.root, 'processing', ...folders);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${randomUUID()}__${name}`), sales([name]));
}

/** The beginning of a watch, up to its first look. */
async function takeOver(work: RunContext): Promise<void> {
  const beginning = await settleLeftovers(work);
  const stop = new AbortController();
  const failed = (error: unknown) => expect.unreachable(String(error));
  const looked = keepRoles(
    { ...work, stop: stop.signal },
    { ...beginning, turn: (act) => act(), taken: () => {}, failed },
  );
  stop.abort();
  await looked;
}

test('a run takes the copies of a worker that is gone, a watch those of a run', async () => {
  const scene = await openPostgresScene();
  leave(scene, 'ventes-1.csv', randomUUID(), '20260905-0200-abcd');
  await scene.night();
  leave(scene, 'ventes-2.csv', '20260906-0200-abcd');
  const instance = scene.instance();
  await using ledger = await openLedgerOf(instance, 'watch');
  await using work = await openRun(instance, ledger, { stop: new AbortController().signal, onEvent: () => {} });
  await takeOver(work);
  const files = await ledger.queries.files({ limit: 10 });
  expect(files.map(({ name, state }) => `${name} ${state}`).sort()).toEqual([
    'ventes-1.csv admitted',
    'ventes-2.csv loading',
  ]);
});

test('what a worker that lives is claiming and writing is left to it, and taken over once it is gone', async () => {
  const scene = await openPostgresScene();
  const instance = scene.instance();
  const living = await openLedgerOf(instance, 'watch');
  onTestFinished(() => living[Symbol.asyncDispose]());
  leave(scene, 'ventes-1.csv', living.roles!.id, '20260905-0200-abcd');
  const writing = join(scene.root, 'archive', 'ventes-1.csv.tmp-np');
  writeFileSync(writing, '');
  utimesSync(writing, 1, 1);
  await using ledger = await openLedgerOf(instance, 'watch');
  await using work = await openRun(instance, ledger, { stop: new AbortController().signal, onEvent: () => {} });
  await takeOver(work);
  expect(ledger.roles!.holds('receipts')).toBe(true);
  expect(await ledger.queries.files({ limit: 10 })).toEqual([]);
  expect(scene.files('processing')).toHaveLength(1);
  expect(scene.files('archive')).toEqual(['archive/ventes-1.csv.tmp-np']);
  await living[Symbol.asyncDispose]();
  await takeOver(work);
  expect((await ledger.queries.files({ limit: 10 })).map(({ name }) => name)).toEqual(['ventes-1.csv']);
  // Each start of a watch is a worker of its own: what it left would add up.
  const ofWorkers = () => readdirSync(join(scene.root, 'state')).filter((name) => /^(?:reading|worker)-/.test(name));
  expect(ofWorkers()).toHaveLength(2);
  await work[Symbol.asyncDispose]();
  await ledger[Symbol.asyncDispose]();
  expect(ofWorkers()).toEqual([]);
});

test('two watches that begin together take what a run left, once', async () => {
  const scene = await openPostgresScene();
  const instance = scene.instance();
  leave(scene, 'ventes.csv', '20260906-0200-abcd');
  await using first = await openLedgerOf(instance, 'watch');
  await using second = await openLedgerOf(instance, 'watch');
  for (const ledger of [first, second]) {
    await using work = await openRun(instance, ledger, { stop: new AbortController().signal, onEvent: () => {} });
    await takeOver(work);
  }
  expect((await first.queries.files({ limit: 10 })).map(({ name }) => name)).toEqual(['ventes.csv']);
});

test('a copy that goes to the archive while the folder of its worker is taken over is no new export', async () => {
  const scene = await openPostgresScene();
  const instance = scene.instance();
  const open = async () => {
    const ledger = await openLedgerOf(instance, 'watch');
    onTestFinished(() => ledger[Symbol.asyncDispose]());
    const work = await openRun(instance, ledger, { stop: new AbortController().signal, onEvent: () => {} });
    onTestFinished(() => work[Symbol.asyncDispose]());
    return work;
  };
  const dead = await open();
  await takeOver(dead);
  scene.drop('ventes.csv', sales(['F1']));
  await ingestAll(dead, 'run');
  await expire(await openDriver(await ledgerPlaceOf(instance).postgres!()), dead.ledger.roles!.id);
  const work = await open();
  const { ledger } = work;
  // The writer of receipts, between the look into that folder and the look into the ledger.
  let looks = 0;
  const openFiles = async () => {
    looks++;
    if (looks === 2) await completeFiles(work);
    return await ledger.intake.openFiles();
  };
  await takeOver({ ...work, ledger: { ...ledger, intake: { ...ledger.intake, openFiles } } });
  expect(scene.files('processing')).toEqual([]);
  expect((await ledger.queries.files({ limit: 10 })).map(({ name, state }) => `${name} ${state}`)).toEqual([
    'ventes.csv admitted',
  ]);
});

test('copies that the ledger does not know are opened together, not one after the other', async () => {
  const scene = await openPostgresScene();
  const names = ['ventes-1.csv', 'ventes-2.csv', 'ventes-3.csv'];
  const gone = randomUUID();
  for (const name of names) leave(scene, name, gone, '20260905-0200-abcd');
  const instance = scene.instance();
  await using ledger = await openLedgerOf(instance, 'watch');
  await using work = await openRun(instance, ledger, { stop: new AbortController().signal, onEvent: () => {} });
  let [atOnce, most] = [0, 0];
  const openFile: typeof ledger.intake.openFile = async (file) => {
    most = Math.max(most, ++atOnce);
    return await ledger.intake.openFile(file).finally(() => atOnce--);
  };
  await takeOver({ ...work, ledger: { ...ledger, intake: { ...ledger.intake, openFile } } });
  expect((await ledger.intake.loadingFiles()).map(({ name }) => name).sort()).toEqual(names);
  expect(most).toBe(names.length);
});
