/** The acts that the console and the command line offer for a document, without a browser. */
import { expect, test } from 'vitest';
import { type NextStepContext, nextStepFor } from '../../src/cli/output/next-steps.ts';
import { actsOf, documentsFor } from '../../src/console/screens/work/work-acts.ts';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';

const FILE = { id: 'f', name: 'sales.csv' };
const SEEN = { id: 'a', revision: 1, state: 'held', since: '2026-11-20T22:30:00.000Z' } as const;
const held = (cause: string) => ({ ...SEEN, service: 'fr', faults: [], cause, file: FILE, words: 0 }) as const;

test('the outcome of a document that is held because an answer arrived can be recorded, and only of that one', () => {
  const arrived = held('outcome-arrived');
  expect(actsOf([arrived])).toEqual(['resolve', 'release', 'set-aside']);
  expect(documentsFor('resolve', [arrived, held('restored')])).toEqual([SEEN]);
  expect(actsOf([held('restored')])).toEqual(['release', 'set-aside']);
  expect(actsOf([{ ...held('x'), state: 'in-doubt' }])).toEqual(['consult', 'resolve']);
});

test.each([
  ['outcome-arrived', /record the outcome with `?nightpost resolve F1 --as/],
  ['restored', /check with the service first/],
] as const)('the next step of a document that is held by %s', async (rule, expected) => {
  const first = { id: 'a', state: 'held', hold: { rule, says: 'x' }, facts: { identifier: 'F1' }, faults: [] };
  const find = async function* () {
    yield first;
  };
  const instance = { settings: { rules: { language: 'en' } }, destinations: [] };
  const context = { instance, ledger: { queries: { find } } } as unknown as NextStepContext;
  const group = { key: rule, count: 1, first: first as unknown as LedgerEntry };
  expect(await nextStepFor(context, group as unknown as Parameters<typeof nextStepFor>[1])).toMatch(expected);
});
