/** What one watch of several does: it carries out what people ask for, and reports an export that did not arrive. The others do not. */
import { expect, onTestFinished, test } from 'vitest';
import { MOST_TRIES } from '../../../src/decisions/requests/answer-request.ts';
import { serveRequests } from '../../../src/decisions/requests/serve-requests.ts';
import { createTurns } from '../../../src/files/turns.ts';
import { ledgerSiteOf } from '../../../src/instance/ledger-site-of.ts';
import { openRequestQueue } from '../../../src/ledger/requests/open-request-queue.ts';
import type { PipelineEvent, RunContext } from '../../../src/pipeline/context/run-context.ts';
import { openLedgerOf, openRun } from '../../../src/runs/open-run.ts';
import { settleLeftovers } from '../../../src/runs/take-over.ts';
import { watch } from '../../../src/runs/watch.ts';
import { endWithTest } from '../../end-with-test.ts';
import { inUseFor, type Scene } from '../../night.ts';
import { openPostgresScene } from './scene.ts';

/** A watch that has not begun; the first one that opens has all roles. */
async function openWatch(scene: Scene, stop = new AbortController().signal) {
  const instance = scene.instance();
  const ledger = await openLedgerOf(instance, 'watch');
  onTestFinished(() => ledger[Symbol.asyncDispose]());
  const events: PipelineEvent[] = [];
  const work = await openRun(instance, ledger, { stop, onEvent: (happening) => void events.push(happening) });
  onTestFinished(() => work[Symbol.asyncDispose]());
  await settleLeftovers(work);
  return { work, events: (what: PipelineEvent['what']) => events.filter((one) => one.what === what) };
}

/** Looks at the queue as a watch that ends does. */
async function serveOnce(work: RunContext): Promise<void> {
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  await serveRequests(work, { turn: createTurns(), done: () => {}, failed, tries: MOST_TRIES })[Symbol.asyncDispose]();
  expect(failures).toEqual([]);
}

test('the request of a person waits for the watch that has the role', async () => {
  const scene = await openPostgresScene();
  const one = await openWatch(scene);
  const other = await openWatch(scene);
  await using queue = await openRequestQueue(ledgerSiteOf(scene.instance()), 'asks');
  const act = JSON.stringify({ act: 'resume', service: 'fr' });
  await queue.add({ id: 'a', at: new Date().toISOString(), person: 'anna', reason: 'why', act });
  await serveOnce(other.work);
  expect([await queue.answerOf('a'), other.events('act')]).toEqual([undefined, []]);
  await serveOnce(one.work);
  expect([await queue.answerOf('a'), one.events('act')]).toEqual([expect.any(String), [expect.anything()]]);
});

test('an export that did not arrive is reported once', async () => {
  const expected = [{ name: 'sales of the day', files: 'ventes*.csv', by: '00:00', on: 'daily' }];
  const settings = { inbox: { settle: '1ms', scan: '100ms' }, expect: expected };
  const scene = await openPostgresScene({ settings });
  await inUseFor(scene, 2);
  const stop = new AbortController();
  const watches = [await openWatch(scene, stop.signal), await openWatch(scene, stop.signal)];
  const looks = watches.map(() => ({ count: 0 }));
  const over = watches.map(({ work }, n) => watch(work, { onLook: () => void looks[n]!.count++ }));
  endWithTest(stop, over);
  await expect.poll(() => Math.min(...looks.map(({ count }) => count))).toBeGreaterThan(1);
  stop.abort();
  await Promise.all(over);
  expect(watches.map(({ events }) => events('export-missing').length)).toEqual([1, 0]);
});
