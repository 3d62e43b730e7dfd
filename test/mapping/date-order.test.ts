/** A date next to a date-time: compared by the day, as `-`, DAYS, ranges and dated tables do. */
import { expect, test } from 'vitest';
import { runFormula } from './run-formula.ts';

const columns = { early: ['2026-09-05T10:00:00'], late: ['2026-09-05T18:00:00'], day: ['2026-09-05'], none: [''] };
const kinds = { early: 'date', late: 'date', day: 'date', none: 'date' } as const;
const value = (formula: string) => runFormula(formula, { columns, kinds, row: 1 }).value;

test.each([
  ['$early', '$day', 0],
  ['$day', '$late', 0],
  ['$early', '"2026-09-05"', 0],
  ['"2026-09-06"', '$late', 1],
  ['$early', '$late', -1],
  ['$late', '$late', 0],
  ['$day', '$none', 1],
  ['$none', '$early', -1],
] as const)('%s against %s', (left, right, order) => {
  const holds = ['<', '<=', '=', '>=', '>', '<>'].map((operator) => value(`${left} ${operator} ${right}`));
  const expected = { '-1': [1, 1, 0, 0, 0, 1], 0: [0, 1, 1, 1, 0, 0], 1: [0, 0, 0, 1, 1, 1] }[order];
  expect(holds).toEqual(expected.map((one) => (one === 1 ? 'TRUE' : 'FALSE')));
});

test('the least and the greatest are among the least and the greatest days', () => {
  expect([value('MIN($early, $day)'), value('MAX($early, $day)')]).toEqual(['2026-09-05', '2026-09-05T10:00:00']);
});

test('texts that look like dates are texts', () => {
  const texts = {
    columns: { a: ['2026-09-05T10:00:00'], b: ['2026-09-05'] },
    kinds: { a: 'text', b: 'text' },
  } as const;
  expect(runFormula('$a = $b', { ...texts, row: 1 }).value).toBe('FALSE');
});
