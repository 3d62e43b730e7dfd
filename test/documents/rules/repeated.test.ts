import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeated } from '../../../src/documents/rules/duplicate-keys.ts';
import { runs } from '../../seed.ts';

test('of few items and of many, those are repeated that a set has seen', () => {
  const keys = fc.array(fc.constantFrom('1', '2', '3', '10', undefined), { maxLength: 12 });
  fc.assert(
    fc.property(keys, (items) => {
      const seen = new Set<string>();
      const plainly = items.flatMap((key, n) => {
        const isRepeated = key !== undefined && seen.has(key);
        if (key !== undefined) seen.add(key);
        return isRepeated ? [n] : [];
      });
      const numbered = items.map((key, n) => ({ key, n }));
      expect(repeated(numbered, ({ key }) => key).map(({ n }) => n)).toEqual(plainly);
    }),
    { numRuns: runs(1000) },
  );
});
