/** The judge of the random sequences, about what a walk meets only by chance. */
import { expect, test } from 'vitest';
import { type Decision, type Dossier, judgeDecision } from './judge.ts';

const HOUR_MS = 3_600_000;
const ANSWERS = [1, 2].map((n) => ({
  ...{ asked: 2 * n, askedMs: n * HOUR_MS, answer: { code: 18, at: 2 * n + 1 } },
  recorded: { at: 2 * n + 1, ms: n * HOUR_MS },
}));
const RETRY: Decision = {
  ...{ act: 'retry', as: 'ready', at: 6 },
  seen: { text: 0, revision: 1, state: 'in-doubt', ended: 1 },
};

function dossierWith(again: number): Dossier {
  const sent = [1, again].map((at) => ({ text: 0, at, said: 'cut' as const }));
  return { arrivals: sent, questions: ANSWERS, decisions: [] };
}

test('a submission because of a decision is none of those that it is judged by', () => {
  expect(judgeDecision(dossierWith(7), RETRY, RETRY.seen, true)).toEqual([]);
});

test('a submission before a decision is', () => {
  expect(judgeDecision(dossierWith(5), RETRY, RETRY.seen, true)).toHaveLength(1);
});

test('an outcome that a person records is about what was sent', () => {
  const seen = { text: 1, revision: 2, state: 'held', ended: 1 } as const;
  const recorded: Decision = { act: 'resolve', as: 'authorized', at: 6, seen };
  expect(judgeDecision(dossierWith(5), recorded, { text: 0, revision: 3 }, true)).toEqual([]);
  expect(judgeDecision(dossierWith(5), recorded, seen, true)).toHaveLength(1);
  expect(judgeDecision(dossierWith(5), recorded, { text: 0, revision: 4 }, true)).toHaveLength(1);
});
