/**
 * The metrics of an instance for a server: read when they are asked for, once for all who ask at the same time, and not
 * again within a second. The sums of the ledger are kept between two questions, so that each reads new rows alone.
 */

import { readCarriedSums } from '../../views/metrics/carried-sums.ts';
import { EXPOSITION_TYPE, exposition } from '../../views/metrics/exposition.ts';
import { readMetrics } from '../../views/metrics/read-metrics.ts';
import type { InstanceViews } from './instance-views.ts';

const FRESH_MS = 1_000;

type Answer = { readonly text: string; readonly type: string };

export function createMetricsSource(folder: string, views: Pick<InstanceViews, 'use'>): () => Promise<Answer> {
  let { ledger: sums } = readCarriedSums(folder);
  let last: { readonly answer: Promise<Answer>; readonly atMs: number } | undefined;
  const read = () =>
    views.use(async ({ instance, ledger }) => {
      const carried = { ...readCarriedSums(folder), ledger: sums };
      const found = await readMetrics({ instance, ledger, carried, isHolder: false, now: new Date() });
      sums = found.sums;
      return { text: exposition(found.samples), type: EXPOSITION_TYPE };
    });
  return async () => {
    if (last && performance.now() - last.atMs < FRESH_MS) return await last.answer;
    const answer = (last?.answer ?? Promise.resolve()).catch(() => undefined).then(read);
    last = { answer, atMs: performance.now() };
    return await answer;
  };
}
