/** What `infer` gets right on each sample may not fall: parts that are not listed as misses come out as in the key. */
import { expect, it } from 'vitest';
import { KEY, scoreOf, unknownParts } from './score.ts';

it('knows every part that the key speaks of', () => {
  expect(unknownParts()).toEqual([]);
});

it.each(Object.entries(KEY))('%s', async (sample, { good, misses = [] }) => {
  const score = await scoreOf(sample);
  expect(score.wrong.filter(({ part }) => !misses.includes(part))).toEqual([]);
  expect(score.good).toBeGreaterThanOrEqual(good);
});
