/** One inbox for several workers: what one of them claims at once, and what it leaves to the others. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { candidatesFor, claimPages, scanForRun } from '../../../src/pipeline/intake/claim-inbox-files.ts';
import { openLedgerOf, openWork } from '../../../src/pipeline/open-run.ts';
import { excludeIncompletePairs } from '../../../src/pipeline/sources/file-pairs.ts';
import { openScene, type Scene, sales } from '../../night.ts';
import { PAIR_MAPPING } from '../../pipeline/pair-mapping.ts';
import { openPostgresScene } from './scene.ts';

/** A watch that has not begun. */
async function openWorker(scene: Scene) {
  const instance = scene.instance();
  const ledger = await openLedgerOf(instance, 'watch');
  const work = await openWork(instance, ledger, { stop: new AbortController().signal, onEvent: () => {} });
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
