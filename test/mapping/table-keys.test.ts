import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TABLE_KEYS } from '../../src/i18n/messages/mapping-messages.ts';
import { readKeys } from '../../src/mapping/tables/table-keys.ts';

const matched = (keys: readonly string[], codes: readonly string[]) => {
  const { match, problems } = readKeys(keys);
  expect(problems).toEqual([]);
  return codes.map((code) => match?.(code));
};

describe('ranges', () => {
  test('of numbers, both ends included, open ends, decimals', () => {
    const keys = ['..0', '1..99.5', '100 .. 199', '200..'];
    expect(matched(keys, ['-5', '0', '0.5', '1', '99.50', '99.6', '150', '0150', '1e9', '9999999', 'x'])).toEqual([
      '..0',
      '..0',
      undefined,
      '1..99.5',
      '1..99.5',
      undefined,
      '100 .. 199',
      '100 .. 199',
      undefined,
      '200..',
      undefined,
    ]);
  });

  test('of dates; the time of day does not count', () => {
    const keys = ['2026-01-01..2026-06-30', '2026-07-01..'];
    expect(matched(keys, ['2025-12-31', '2026-06-30T23:59:59', '2026-07-01', '20260701'])).toEqual([
      undefined,
      keys[0],
      keys[1],
      undefined,
    ]);
  });

  test('of texts, only of the same length', () => {
    const keys = ['A..F', '01000..01999'];
    expect(matched(keys, ['A', 'F', 'G', 'B12', '01500', '0150', '1500', '02000'])).toEqual([
      'A..F',
      'A..F',
      undefined,
      undefined,
      '01000..01999',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('are found as if each were tried', () => {
    const range = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 5 }));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), fc.integer({ min: -2, max: 50 }), (given, code) => {
        const keys = [...new Set(given.map(([from, more]) => `${from}..${from + more}`))];
        const holding = keys.filter((key) => {
          const [from, to] = key.split('..').map(Number);
          return from! <= code && code <= to!;
        });
        const { match, problems } = readKeys(keys);
        if (holding.length > 1) expect(problems.map(({ problem }) => problem.code)).toContain('map/keys-overlap');
        if (problems.length === 0) expect(match?.(String(code))).toBe(holding[0]);
      }),
    );
  });
});

describe('wildcards', () => {
  test('the longest goes first, a range before any', () => {
    const keys = ['7*', '70*', '7*9', '*', '7000..7005'];
    expect(matched(keys.slice(0, 2), ['7', '71', '701', '8'])).toEqual(['7*', '7*', '70*', undefined]);
    expect(matched(['7*', '70*', '*', '7000..7005'], ['7003', '7006', 'x', '7*'])).toEqual([
      '7000..7005',
      '70*',
      '*',
      '7*',
    ]);
    expect(matched(['A*A'], ['A', 'AA', 'ABA'])).toEqual([undefined, 'A*A', 'A*A']);
  });
});

test.each([
  [['100..199', '150..250'], 'map/keys-overlap', TABLE_KEYS.overlap({ other: '100..199', key: '150..250' })],
  [['..5', '5..'], 'map/keys-overlap', TABLE_KEYS.overlap({ other: '..5', key: '5..' })],
  [['7*', '*7'], 'map/keys-overlap', TABLE_KEYS.overlap({ other: '7*', key: '*7' })],
  [['70*', '7*9'], 'map/keys-overlap', TABLE_KEYS.overlap({ other: '70*', key: '7*9' })],
  [['199..100'], 'map/wrong-table', TABLE_KEYS.backwards({ key: '199..100' })],
  [['1..9', 'A..F'], 'map/wrong-table', TABLE_KEYS.differentKinds({ first: '1..9', other: 'A..F' })],
  [['A..AB'], 'map/wrong-table', TABLE_KEYS.differentLengths({ key: 'A..AB' })],
  [['A..'], 'map/wrong-table', TABLE_KEYS.differentLengths({ key: 'A..' })],
  [['7**'], 'map/wrong-table', TABLE_KEYS.severalStars({ key: '7**' })],
])('%j is a finding', (keys, code, message) => {
  expect(readKeys(keys).problems.map(({ problem }) => [problem.code, problem.message])).toContainEqual([code, message]);
});

test('keys that only look like patterns are codes', () => {
  expect(readKeys(['...', '..', 'a.b', '1.5'])).toEqual({ match: undefined, patterns: new Map(), problems: [] });
});

test('many wildcards are refused, many ranges are quick', () => {
  const stars = Array.from({ length: 1001 }, (_, n) => `${n}x*`);
  expect(readKeys(stars).problems.map(({ problem }) => problem.message)).toEqual([
    TABLE_KEYS.tooManyStars({ most: 1000 }),
  ]);
  const ranges = Array.from({ length: 50_000 }, (_, n) => `${n * 10}..${n * 10 + 9}`);
  expect(matched(ranges, ['123456', '500000'])).toEqual(['123450..123459', undefined]);
});
