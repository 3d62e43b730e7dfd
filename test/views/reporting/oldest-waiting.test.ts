/** The first documents by urgency: the choice from short works finds the same ones as all entries do. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OpenWork } from '../../../src/model/cause.ts';
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { type State, URGENT_STATES } from '../../../src/model/state.ts';
import { oldestWaiting } from '../../../src/views/reporting/oldest-waiting.ts';
import { runs } from '../../seed.ts';

const STATES: readonly State[] = ['invalid', 'rejected', 'in-doubt', 'invalidated', 'held', 'contingency'];
const entryOf = (n: number, state: State) =>
  ({
    id: `e${1000 + n}`,
    state,
    since: new Date(1e12 + n * 60_000).toISOString(),
    faults: [],
  }) as unknown as LedgerEntry;

/** As the index and the ledger have them. */
async function oldest(entries: readonly LedgerEntry[], limit: number): Promise<readonly LedgerEntry[]> {
  const asked: string[] = [];
  const queries = {
    entriesById: async (ids: readonly string[]) => {
      asked.push(...ids);
      return entries.filter(({ id }) => ids.includes(id)).reverse();
    },
  };
  const longest = entries.filter(({ state }) => state === 'contingency').map(({ id }) => id);
  const index = { longestIn: async (_: State, most: number) => longest.slice(0, most) };
  const works = entries.filter(({ state }) => state !== 'contingency') as unknown as readonly OpenWork[];
  const found = await oldestWaiting({ ledger: { queries }, index }, works, limit);
  expect(asked.length).toBeLessThanOrEqual(4 * limit);
  return found;
}

test('in doubt first, then invalidated, then by age, with those that wait for the service', async () => {
  const states: readonly State[] = ['invalid', 'contingency', 'rejected', 'held', 'invalidated', 'in-doubt'];
  const entries = states.map((state, n) => entryOf(n, state));
  const found = (await oldest(entries, 4)).map(({ state }) => state);
  expect(found).toEqual(['in-doubt', 'invalidated', 'invalid', 'contingency']);
});

test('the choice from works in the order of their age leaves none of the first out', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...STATES), { maxLength: 60 }),
      fc.integer({ min: 1, max: 6 }),
      async (states, limit) => {
        const entries = states.map((state, n) => entryOf(n, state));
        const isUrgent = ({ state }: LedgerEntry) => URGENT_STATES.includes(state);
        const urgent = URGENT_STATES.flatMap((state) => entries.filter((entry) => entry.state === state));
        const sorted = [...urgent, ...entries.filter((entry) => !isUrgent(entry))];
        expect(await oldest(entries, limit)).toEqual(sorted.slice(0, limit));
      },
    ),
    { numRuns: runs(100) },
  );
});
