/** How many files or documents a commit next to other workers has. */
import { expect, test } from 'vitest';
import { inShortCommits } from '../../../src/pipeline/context/short-commits.ts';

/** Commits of so many items, each of which takes the milliseconds that `msOf` gives for the commit with this number. */
async function sizesOf(
  roles: object | undefined,
  items: number,
  msOf: (nth: number) => number,
  ledger: object = { roles },
) {
  let nowMs = 0;
  const sizes: number[] = [];
  const seen: number[] = [];
  const work = { ledger, clock: { monotonic: () => nowMs } } as never;
  await inShortCommits(
    work,
    Array.from({ length: items }, (_, n) => n),
    async (some) => {
      nowMs += some.length * msOf(sizes.length);
      sizes.push(some.length);
      seen.push(...some);
    },
  );
  expect(seen).toEqual(Array.from({ length: items }, (_, n) => n));
  return sizes;
}

test('a commit takes a thirtieth of the lease where it can, and one item at least', async () => {
  const lease = { leaseMs: 30_000 };
  // Of each item: half a second in the second commit, two seconds in the third.
  const msOf = (nth: number) => [10, 500, 2000][nth] ?? 10;
  expect(await sizesOf(lease, 60, msOf)).toEqual([1, 2, 2, 1, 2, 4, 8, 16, 24]);
});

test('a few items that are left over do not make the commits after them small', async () => {
  const roles = { leaseMs: 30_000 };
  const ledger = { roles };
  expect(await sizesOf(roles, 34, () => 10, ledger)).toEqual([1, 2, 4, 8, 16, 3]);
  expect(await sizesOf(roles, 40, () => 10, ledger)).toEqual([32, 8]);
});

test('a program that is alone with the ledger has one commit', async () => {
  expect(await sizesOf(undefined, 60, () => 1000)).toEqual([60]);
  expect(await sizesOf(undefined, 0, () => 1000)).toEqual([]);
});
