/** Which documents may go out again as they are: by state, and the doubtful ones by what consultations said. */
import { expect, test } from 'vitest';
import { STATE_NAMES, STATES } from '../../../src/model/state.ts';
import { whyNotRepeated } from '../../../src/pipeline/intake/resend-eligibility.ts';

/** Local days six hours behind UTC, as in El Salvador. */
const instance = {
  dayOf: (_: string, at: Date) => new Date(at.getTime() - 6 * 3_600_000).toISOString().slice(0, 10),
};
const of = (
  state: (typeof STATE_NAMES)[number],
  kind = 'fr-invoice',
  notFound?: readonly [number, string, string],
) => ({
  state,
  service: kind.slice(0, 2),
  kind,
  ...(notFound ? { notFound: { times: notFound[0], firstAt: notFound[1], lastAt: notFound[2] } } : {}),
});

test('without consultations only what failed or was refused', () => {
  const may = STATE_NAMES.filter((state) => whyNotRepeated(instance, of(state), true) === undefined);
  expect(may).toEqual(['failed', 'refused']);
  expect(may).toEqual(STATE_NAMES.filter((state) => (STATES[state].acts as readonly string[]).includes('retry')));
});

test.each<[string, string, [number, string, string], boolean, boolean]>([
  ['once', 'fr-invoice', [1, '2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z'], true, false],
  ['twice within the hour', 'fr-invoice', [2, '2026-11-21T10:00:00Z', '2026-11-21T10:59:59Z'], true, false],
  ['an hour apart', 'fr-invoice', [2, '2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z'], true, true],
  ['an hour apart, no proof', 'fr-invoice', [2, '2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z'], false, false],
  ['a note on one local day', 'sv-remission-note', [3, '2026-11-21T23:00:00Z', '2026-11-22T05:30:00Z'], true, false],
  ['a note on two local days', 'sv-remission-note', [2, '2026-11-22T05:00:00Z', '2026-11-22T06:00:00Z'], true, true],
])('in doubt, %s', (_, kind, notFound, proof, may) => {
  expect(whyNotRepeated(instance, of('in-doubt', kind, notFound), proof) === undefined).toBe(may);
  // What the service keeps for contingency it has, whatever it says.
  expect(whyNotRepeated(instance, of('contingency', kind, notFound), proof)).toBeDefined();
});
