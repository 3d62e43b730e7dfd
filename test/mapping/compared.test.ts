import { expect, test } from 'vitest';
import { comparedIn } from '../../src/mapping/formula/comparison-operands.ts';
import { EXAMPLE, HEADER, row } from './example.ts';
import { convert, FILES, loaded } from './world.ts';

test.each([
  ['= ABS(@totals.final-amount - $TotalTTC) <= 0.02', ['@totals.final-amount', '$TotalTTC']],
  ['0.02 >= ABS(SUM($a) - $b)', ['SUM($a)', '$b']],
  ['= $a - $b = 0', ['$a', '$b']],
  ['= $Due >= $[Date of invoice]', ['$Due', '$[Date of invoice]']],
  ['COUNT($a) <= 100', ['COUNT($a)']],
  ['= AND($a = 1, $b = 2)', []],
  ['= ABS($a) > 1', ['ABS($a)']],
  ['= (', []],
])('%s compares %j', (check, parts) => {
  expect(comparedIn(check)).toEqual(parts);
});

test('a failed check shows the calculated value next to that of the file', () => {
  const [result] = convert(loaded(EXAMPLE, FILES), [HEADER, row({ TotalHT: '105,00', TotalTTC: '174,00' })].join('\n'));
  expect(result?.faults).toMatchObject([
    {
      code: 'map/check-failed',
      message: 'Gross total differs from TotalTTC (@totals.final-amount is 126, TotalTTC is "174,00")',
      origin: { row: 2, column: 'TotalTTC' },
    },
  ]);
  expect(result?.faults[0]).not.toHaveProperty('hint');
});

test('a calculated amount has its cents, as the cell that it is compared with', () => {
  const [result] = convert(loaded(EXAMPLE, FILES), [HEADER, row({ PUHT: '8,44', TotalHT: '105,00' })].join('\n'));
  expect(result?.faults[0]?.message).toContain('SUM($net) is 105.50,');
});
