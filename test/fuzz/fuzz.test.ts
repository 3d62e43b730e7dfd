/** A short, seeded run of the fuzzer over every target; `npm run fuzz -- --minutes 60` is the long one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../seed.ts';
import { mutated } from './mutate.ts';
import { randomOf } from './random.ts';
import { TARGETS } from './targets.ts';

describe.each(TARGETS)('$name', ({ seeds, words, run }) => {
  it('holds for its samples', async () => {
    for (const bytes of seeds) await run(bytes);
  });

  it('holds for damaged ones, and none takes long', async () => {
    const random = randomOf(fc.readConfigureGlobal().seed!);
    for (let n = 0; n < runs(40); n++) {
      const bytes = mutated(seeds, words, random);
      const begin = performance.now();
      try {
        await run(bytes);
      } catch (error) {
        throw new Error(`${JSON.stringify(bytes.toString('latin1'))}: ${String(error)}`, { cause: error });
      }
      expect(performance.now() - begin, JSON.stringify(bytes.toString('latin1'))).toBeLessThan(10_000);
    }
  });
});
