/** Patterns compared with each other: against all short names, one by one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesName } from '../../src/text/glob.ts';
import { patternCovers, patternsOverlap } from '../../src/text/glob-relations.ts';

test.each([
  ['*.pdf', 'EFAC_*.pdf', true, true],
  ['EFAC_*.pdf', '*.pdf', true, false],
  ['*.pdf', 'EFAC_*.xml', false, false],
  ['*_ctl*.csv', 'ventes*.csv', true, false],
  ['*', 'ventes*.csv', true, true],
  ['ventes*.csv', 'VENTES?.CSV', true, true],
  ['*.csv.done', 'ventes*', true, false],
  ['a*b*c', 'a*c', true, false],
  ['*a', 'b*', true, false],
  ['?', '??', false, false],
  ['*?*', '?', true, true],
  ['é.csv', 'e\u0301.csv', true, true],
  ['?.csv', '😀.csv', true, true],
])('%s and %s: overlap %s, covers %s', (wide, narrow, overlap, covers) => {
  expect(patternsOverlap(wide, narrow)).toBe(overlap);
  expect(patternsOverlap(narrow, wide)).toBe(overlap);
  expect(patternCovers(wide, narrow)).toBe(covers);
});

const SIGNS = ['a', 'b', '?', '*'];
const pattern = fc.array(fc.constantFrom(...SIGNS), { maxLength: 4 }).map((signs) => signs.join(''));
/** Three letters: one that no pattern has. Longer names than the patterns show nothing new. */
const names = [''];
for (const name of names) if (name.length < 6) for (const letter of 'abc') names.push(name + letter);

test('both agree with all short names', () => {
  fc.assert(
    fc.property(pattern, pattern, (one, other) => {
      const [ofOne, ofOther] = [one, other].map((each) => names.filter((name) => matchesName(each, name)));
      expect(patternsOverlap(one, other)).toBe(ofOne!.some((name) => ofOther!.includes(name)));
      expect(patternCovers(one, other)).toBe(ofOther!.every((name) => ofOne!.includes(name)));
    }),
    { numRuns: 300 },
  );
});

test('many stars are compared in a moment', () => {
  const stars = '*a?'.repeat(60);
  const started = performance.now();
  patternsOverlap(stars, `${stars}b`);
  patternCovers(stars, `${stars}b*`);
  expect(performance.now() - started).toBeLessThan(5000);
});
