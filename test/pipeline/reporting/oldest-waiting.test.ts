/** The first documents by urgency: the choice from short works finds the same ones as all entries do. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OpenWork } from '../../../src/model/cause.ts';
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import type { State } from '../../../src/model/state.ts';
import { mostUrgent, urgentIds } from '../../../src/pipeline/reporting/oldest-waiting.ts';
import { runs } from '../../seed.ts';

const STATES: readonly State[] = ['invalid', 'rejected', 'in-doubt', 'invalidated', 'held'];
const entryOf = (n: number, state: State) =>
  ({ id: `e${1000 + n}`, state, since: new Date(1e12 + n * 60_000).toISOString() }) as LedgerEntry;

test('in doubt first, then invalidated, then by age', () => {
  const states: readonly State[] = ['invalid', 'rejected', 'held', 'invalidated', 'in-doubt'];
  const entries = states.map((state, n) => entryOf(n, state));
  expect(mostUrgent(entries, 3).map(({ state }) => state)).toEqual(['in-doubt', 'invalidated', 'invalid']);
});

test('the choice from works in the order of their age leaves none of the first out', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...STATES), { maxLength: 60 }),
      fc.integer({ min: 1, max: 6 }),
      (states, limit) => {
        const entries = states.map((state, n) => entryOf(n, state));
        const works = entries.map(({ id, state }) => ({ id, state }) as OpenWork);
        const ids = urgentIds(works, limit);
        expect(ids.length).toBeLessThanOrEqual(3 * limit);
        const chosen = entries.filter(({ id }) => ids.includes(id));
        expect(mostUrgent(chosen, limit)).toEqual(mostUrgent(entries, limit));
      },
    ),
    { numRuns: runs(100) },
  );
});
