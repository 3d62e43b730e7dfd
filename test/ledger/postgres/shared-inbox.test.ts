/** One inbox for several workers: what one of them claims at once, what it leaves to the others, and what it takes over. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { candidatesFor, claimPages, scanForRun } from '../../../src/pipeline/intake/claim-inbox-files.ts';
import { ingestAll } from '../../../src/pipeline/intake/ingest-all.ts';
import { excludeIncompletePairs } from '../../../src/pipeline/sources/file-pairs.ts';
import { ledgerPlaceOf, openLedgerOf, openRun, systemClock } from '../../../src/runs/open-run.ts';
import { settleLeftovers } from '../../../src/runs/take-over.ts';
import { watch } from '../../../src/runs/watch.ts';
import { expire } from '../../contracts/ledger-workers.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import { endWithTest } from '../../end-with-test.ts';
import { openScene, type Scene, sales } from '../../night.ts';
import { PAIR_MAPPING } from '../../pipeline/sources/pair-mapping.ts';
import { openPostgresScene } from './scene.ts';

/** A watch that has not begun. */
async function openWorker(scene: Scene, { stop = new AbortController().signal, clock = systemClock } = {}) {
  const instance = scene.instance();
  const ledger = await openLedgerOf(instance, 'watch');
  const work = await openRun(instance, ledger, { stop, clock, onEvent: () => {} });
  return {
    ...work,
    [Symbol.asyncDispose]: async () => {
      await work[Symbol.asyncDispose]();
      await ledger[Symbol.asyncDispose]();
    },
  };
}

test('both halves of a pair are for the worker that has the role, other files for all', async () => {
  const scene = await openPostgresScene({ mappings: { 'pairs.yaml': PAIR_MAPPING } });
  await using first = await openWorker(scene);
  await using second = await openWorker(scene);
  await first.ledger.roles!.takeRoles(['expected']);
  for (const name of ['ENT_1.csv', 'LIG_1.csv', 'other.csv']) scene.drop(name, 'a;b\n1;2\n');
  const namesFor = async (work: typeof first) => {
    const { ready } = await scanForRun(work, 'run');
    return (await excludeIncompletePairs(work, ready)).map(({ name }) => String(name)).sort();
  };
  expect(await namesFor(first)).toEqual(['ENT_1.csv', 'LIG_1.csv', 'other.csv']);
  expect(await namesFor(second)).toEqual(['other.csv']);
});

test('among workers a large file is claimed alone, and the next one not ahead', async () => {
  const large = sales(Array.from({ length: 13_000 }, (_, n) => `F${n}`));
  expect(large.length).toBeGreaterThan(1024 * 1024);
  const sizes = async (scene: Scene) => {
    const names = ['ventes-1.csv', 'ventes-2.csv', 'ventes-3.csv', 'ventes-4.csv'];
    for (const [n, name] of names.entries()) scene.drop(name, n < 2 ? large : sales([name]));
    await using work = await openWorker(scene);
    const paths = names.map((name) => join(scene.root, 'inbox', name));
    const claimed: number[] = [];
    for await (const page of claimPages(work, await candidatesFor(work, paths))) {
      claimed.push(page.length);
      break;
    }
    // What was claimed ahead is there by now.
    const left = scene.files('inbox').map((path) => join(scene.root, path));
    for await (const page of claimPages(work, await candidatesFor(work, left))) claimed.push(page.length);
    return { claimed, left: left.length };
  };
  expect(await sizes(await openPostgresScene())).toEqual({ claimed: [1, 1, 2], left: 3 });
  // Alone, a program claims all of them at once.
  await using alone = await openScene();
  expect(await sizes(alone)).toEqual({ claimed: [4], left: 0 });
});

/** One worker claims a file, and then its lease ends; it reads nothing of it. */
async function leaveClaimed(scene: Scene, name: string) {
  const gone = await openWorker(scene);
  onTestFinished(() => gone[Symbol.asyncDispose]());
  scene.drop(name, sales([name]));
  for await (const _ of claimPages(gone, await candidatesFor(gone, [join(scene.root, 'inbox', name)])));
  const driver = await openDriver(await ledgerPlaceOf(scene.instance()).postgres!());
  return { expire: () => expire(driver, gone.ledger.roles!.id) };
}

test('files that a worker takes over during a look come before the rest of the inbox', async () => {
  const scene = await openPostgresScene();
  const left = await leaveClaimed(scene, 'ventes-left.csv');
  await using work = await openWorker(scene);
  await settleLeftovers(work);
  // Two pages of claims.
  const names = Array.from({ length: 260 }, (_, n) => `ventes-${n}.csv`);
  for (const name of names) scene.drop(name, sales([name]));
  const read: string[] = [];
  const emit: typeof work.emit = (happening) => {
    if (happening.what === 'file-admitted') read.push(happening.file);
  };
  let groups = 0;
  const between = async () => {
    if (groups++ > 0) return;
    await left.expire();
    await work.ledger.roles!.sweep();
    await work.ledger.roles!.adoptFiles();
  };
  await ingestAll({ ...work, emit }, 'run', { between });
  expect(read).toHaveLength(names.length + 1);
  expect(read.indexOf('ventes-left.csv')).toBeLessThan(names.length);
});

test('a watch reads what it takes over, and sends what others have read, long before its next look', async () => {
  const scene = await openPostgresScene({ settings: { inbox: { settle: '1ms', scan: '1h', polling: true } } });
  const left = await leaveClaimed(scene, 'ventes-left.csv');
  const stop = new AbortController();
  // Only the next look is far away.
  const clock = {
    ...systemClock,
    sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms > 60_000 ? ms : 20, signal),
  };
  await using work = await openWorker(scene, { stop: stop.signal, clock });
  const looked = Promise.withResolvers<void>();
  const over = watch(work, { onLook: looked.resolve });
  endWithTest(stop, [over]);
  await looked.promise;
  await using other = await openWorker(scene);
  scene.drop('ventes-other.csv', sales(['other']));
  await ingestAll(other, 'run', { files: [join(scene.root, 'inbox', 'ventes-other.csv')] });
  const authorized = async () => (await work.ledger.queries.counts()).authorized;
  await expect.poll(authorized).toBe(1);
  await left.expire();
  await expect.poll(authorized).toBe(2);
  stop.abort();
  await over;
});

test('a watch that begins sends while it takes over the files of others', async () => {
  const scene = await openPostgresScene();
  const stop = new AbortController();
  await using work = await openWorker(scene, { stop: stop.signal });
  await using other = await openWorker(scene);
  scene.drop('ventes.csv', sales(['F1']));
  await ingestAll(other, 'run', { files: [join(scene.root, 'inbox', 'ventes.csv')] });
  const [asked, many] = [Promise.withResolvers<void>(), Promise.withResolvers<readonly undefined[]>()];
  const adoptFiles = () => {
    asked.resolve();
    return many.promise;
  };
  const ledger = { ...work.ledger, roles: { ...work.ledger.roles!, adoptFiles } };
  const over = watch({ ...work, ledger });
  stop.signal.addEventListener('abort', () => many.resolve([]));
  endWithTest(stop, [over]);
  await asked.promise;
  await expect.poll(async () => (await work.ledger.queries.counts()).authorized).toBe(1);
  stop.abort();
  await over;
});
