import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesName } from '../../src/text/glob.ts';

test.each([
  ['FAC_0905.csv', 'FAC_*.csv', true],
  ['fac_.CSV', 'FAC_*.csv', true],
  ['FAC_0905.csv.part', 'FAC_*.csv', false],
  ['XFAC_1.csv', 'FAC_*.csv', false],
  ['a1b', 'a?b', true],
  ['ab', 'a?b', false],
  ['abcbcd', 'a*bcd', true],
  ['Ünï.csv', 'üNÏ.*', true],
  ['', '*', true],
  ['cafe\u0301.csv', 'CAFÉ.csv', true],
  ['café.csv', 'CAFE\u0301.*', true],
  ['\u{1f4c4}.csv', '?.csv', true],
  ['\u{1f4c4}.csv', '??.csv', false],
  ['a\u{1f4c4}b', '*??b', true],
  ['\u{1f4c4}b', '*??b', false],
  ['(a)[1].csv', '(a)[1].csv', true],
])('%s and %s: %s', (name, pattern, matches) => {
  expect(matchesName(pattern, name)).toBe(matches);
});

test('agrees with a regular expression on short names', () => {
  const short = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 7 });
  const name = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 9 });
  fc.assert(
    fc.property(name, short, (text, pattern) => {
      const expected = new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '.*')}$`, 'u').test(text);
      expect(matchesName(pattern, text)).toBe(expected);
    }),
  );
});
