import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocate } from '../../src/mapping/functions/allocate.ts';
import { Decimal } from '../../src/model/decimal.ts';
import { runs } from '../seed.ts';
import { problemOf, runFormula } from './run-formula.ts';

function share(total: number, weights: readonly number[], places = 2): readonly string[] | undefined {
  return allocate(Decimal.from(total), weights.map(Decimal.from), places)?.map((part) => part.toText(places));
}

describe('parts always add up', () => {
  it.each([
    [10, [59.97, 8.7, 33.33], ['5.88', '0.85', '3.27']],
    [50, [71.96, 9.18, 36.66], ['30.54', '3.90', '15.56']],
    [0.1, [33.33, 33.33, 33.34], ['0.03', '0.03', '0.04']],
    [-10, [59.97, 8.7, 33.33], ['-5.88', '-0.85', '-3.27']],
    [0.05, [1, 1], ['0.03', '0.02']],
    [10, [-59.97, -8.7, -33.33], ['5.88', '0.85', '3.27']],
    [1, [0, 1, 0], ['0.00', '1.00', '0.00']],
    [0, [0, 0], ['0.00', '0.00']],
    [7, [2, -1], ['14.00', '-7.00']],
  ])('%d over %j', (total, weights, parts) => {
    expect(share(total, weights)).toEqual(parts);
  });

  it('over any weights, and within one unit of the exact share', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), weights, (cents, given) => {
        fc.pre(given.some((weight) => weight > 0));
        const total = Decimal.of(cents, 2);
        const sum = given.reduce((before, weight) => before + weight, 0);
        const parts = allocate(
          total,
          given.map((weight) => Decimal.of(weight, 3)),
          2,
        )!;
        expect(parts.reduce((before, part) => before.plus(part), Decimal.zero).equals(total)).toBe(true);
        for (const [at, part] of parts.entries()) {
          expect(Math.abs(Number(part.toText()) * 100 - (cents * given[at]!) / sum)).toBeLessThan(1.000001);
          if (given[at] === 0) expect(part.isZero()).toBe(true);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('cannot share by nothing', () => {
    expect(share(1, [0, 0])).toBeUndefined();
    expect(share(1, [])).toBeUndefined();
    expect(share(0, [])).toEqual([]);
  });
});

describe('ALLOCATE', () => {
  const columns = { net: [1, 1, 1], none: [0, 0, 0] };

  it('gives each row its part', () => {
    const parts = [1, 2, 3].map((row) => runFormula('ALLOCATE(1, $net)', { columns, row }).value);
    expect(parts).toEqual(['0.34', '0.33', '0.33']);
    expect(runFormula('ALLOCATE(1, $net, 0)', { columns, row: 1 }).value).toBe('1');
  });

  it('says what is wrong', () => {
    expect(problemOf('ALLOCATE(1, $none)', { columns, row: 1 })).toBe(
      'map/nothing-to-share-by: 1 cannot be allocated: the weights add up to 0 (correct the weights, or use IF to set the value for this case)',
    );
    expect(problemOf('ALLOCATE(1.005, $net)', { columns, row: 1 })).toBe(
      'map/wrong-argument: 1.005 cannot be allocated with 2 decimals (round the total first)',
    );
    expect(problemOf('ALLOCATE(1, $net, 2.5)', { columns, row: 1 })).toBe(
      '2.5 | map/wrong-argument: decimals must be written as a whole number from 0 to 12',
    );
  });

  it('reports a fault of a weight once for all rows', () => {
    const { value, reports } = runFormula('SUM(ALLOCATE(1, IF($net = 1, $net, 1/0)))', { columns: { net: [1, 2, 1] } });
    expect(value).toBe('FAILED');
    expect(reports).toHaveLength(1);
  });
});
