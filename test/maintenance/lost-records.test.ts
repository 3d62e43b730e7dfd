/** Another ledger, and some receipts and summaries lost: `npm run torture -- recover` lives more of this. */
import { expect, test } from 'vitest';
import { recoverAfterLosses } from '../rigs/losses.ts';
import { runs, seed } from '../seed.ts';

test.each(Array.from({ length: runs(6) }, (_, n) => seed + n))('nights of seed %i', async (one) => {
  const { lived, faults } = await recoverAfterLosses(one);
  expect(faults, lived.join('\n')).toEqual([]);
});
