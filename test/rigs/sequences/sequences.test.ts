/** Random sequences of acts, answers and exports over the ledger: every walk that failed once, and new ones from a seed. */
import { describe, expect, test } from 'vitest';
import { seed } from '../../seed.ts';
import { keptWalks, openGround, repeat, walkAgainAndAgain } from './walks.ts';

describe('walks that failed once', () => {
  test.for(keptWalks())('$name', async (walk) => {
    await using ground = await openGround(walk);
    expect(await repeat(ground, walk)).toEqual([]);
  });
});

test('walks from a seed break no promise', async () => {
  const { faults, steps } = await walkAgainAndAgain({
    ...{ over: 'ledger', engine: 'sqlite', seed, steps: 1500, isOver: () => false },
  });
  expect(faults).toEqual([]);
  expect(steps).toBeGreaterThanOrEqual(1500);
});
