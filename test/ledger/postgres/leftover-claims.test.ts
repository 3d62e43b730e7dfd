/** Exports that a stop left between their claim and the ledger: a watch finds those of a run, and a run those of a watch. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedgerOf, openWork } from '../../../src/pipeline/open-run.ts';
import { settleLeftovers } from '../../../src/pipeline/take-over.ts';
import { type Scene, sales } from '../../night.ts';
import { openPostgresScene } from './scene.ts';

/** A private copy that the ledger does not know. */
function leave(scene: Scene, name: string, ...folders: readonly string[]): void {
  const folder = join(scene.root, 'processing', ...folders);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${randomUUID()}__${name}`), sales([name]));
}

test('a run takes the copies of a worker that is gone, a watch those of a run', async () => {
  const scene = await openPostgresScene();
  leave(scene, 'ventes-1.csv', randomUUID(), '20260905-0200-abcd');
  await scene.night();
  leave(scene, 'ventes-2.csv', '20260906-0200-abcd');
  const instance = scene.instance();
  await using ledger = await openLedgerOf(instance, 'watch');
  await using work = await openWork(instance, ledger, { stop: new AbortController().signal, onEvent: () => {} });
  await settleLeftovers(work);
  const files = await ledger.files({ limit: 10 });
  expect(files.map(({ name, state }) => `${name} ${state}`).sort()).toEqual([
    'ventes-1.csv admitted',
    'ventes-2.csv loading',
  ]);
});
