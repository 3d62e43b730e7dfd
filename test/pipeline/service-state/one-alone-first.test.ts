/** Who goes alone: on each day the first ones, also in a process that runs for weeks. */
import { expect, test } from 'vitest';
import type { DueDocument } from '../../../src/ledger/contract/submission-store.ts';
import { createCanaryPolicy } from '../../../src/pipeline/service-state/canary-release.ts';

const due = (sha256: string) => ({ mapping: { id: 'sales', sha256 } }) as DueDocument;

test('a new day begins with one alone, however long the process has been there', async () => {
  let day = '2026-11-20';
  const { alone, judge } = createCanaryPolicy(
    1,
    async () => true,
    () => day,
  );
  expect(await alone(due('a'))).toBe(true);
  judge(due('a'), { state: 'rejected' } as never);
  expect(await alone(due('a'))).toBe(true);
  judge(due('a'), { state: 'authorized' } as never);
  expect(await alone(due('a'))).toBe(false);
  day = '2026-11-21';
  expect(await alone(due('a'))).toBe(true);
  judge(due('a'), { state: 'authorized' } as never);
  expect(await alone(due('a'))).toBe(false);
});
