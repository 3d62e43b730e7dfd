/** The rig of acts in its short form; the long one is `npm run torture -- acts`. */
import { expect, test } from 'vitest';
import { killDuringActs } from './acts.ts';
import { timeLimit } from './limit.ts';

test('killed during acts, the holder and the askers: each act once, nothing sent twice, none lost', {
  timeout: 90_000,
}, async () => {
  const seed = Number(process.env.NIGHTPOST_SEED ?? Date.now() % 1_000_000);
  console.info(`NIGHTPOST_SEED=${seed}`);
  const { faults, kills } = await killDuringActs({ kills: 6, seed, limit: timeLimit(60, 3) });
  expect(faults).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(3);
});
