/** Mappings that no person wrote, with their documents: the program, fast and traced, and an evaluator written from the manual agree. */
import { expect, test } from 'vitest';
import { randomFrom } from '../../rigs/random.ts';
import { runs, seed } from '../../seed.ts';
import { compareDrawn } from './compare.ts';

test('drawn mappings make the documents that the manual says', () => {
  const random = randomFrom(seed);
  const all = Array.from({ length: runs(60) }, () => compareDrawn(random.below(2 ** 31), 10));
  expect(all.flatMap(({ differences }) => differences)).toEqual([]);
  // Both kinds are many: what is always refused would agree, too.
  const made = all.reduce((sum, one) => sum + one.made, 0);
  const documents = all.reduce((sum, one) => sum + one.documents, 0);
  expect(made).toBeGreaterThan(documents / 4);
  expect(documents - made).toBeGreaterThan(documents / 10);
});
