/** A document of many lines, each of which is wrong: what is found of it takes no square of the time. */
import { expect, test } from 'vitest';
import { cpuTimeMs } from '../cpu-time.ts';
import { SALES_MAPPING } from '../night.ts';
import { convertText } from '../pipeline/conversion/convert-text.ts';
import { MODELS, told } from './rules/models.ts';

const LINES = 8000;
const RATED = SALES_MAPPING.replace(
  'net-amount: $net }',
  'net-amount: $net, taxes: [{ type: vat, subtype: standard, percent: $Taux }] }',
);

test('a wrong shape and a broken rule in each line', () => {
  const model = MODELS[0]!;
  const line = { number: '1', quantity: 1, 'unit-price': 10, 'net-amount': 11, vat: 'x' };
  const lines = Array.from({ length: LINES }, (_, n) => ({ ...line, number: String(n + 1) }));
  const before = cpuTimeMs();
  const found = told(model, { set: { '/lines': lines } }, { profile: 'fr-2026' });
  expect(cpuTimeMs() - before).toBeLessThan(10_000);
  expect(found.filter(({ code }) => code === 'fr-invoice/unknown-field')).toHaveLength(LINES);
});

test.each([
  ['without description and unit', () => '20'],
  ['each at a rate of its own', (line: number) => (line / 100).toFixed(2).replace('.', ',')],
])('lines %s', async (_, rateOf) => {
  const rows = Array.from({ length: LINES }, (_, n) => `F1;05/09/2026;C;${n + 1};1;10,50;${rateOf(n + 1)}`);
  const before = cpuTimeMs();
  const { outcomes } = await convertText(
    RATED,
    ['Num;Date;Client;Lig;Qte;PU;Taux', ...rows, ''].join('\n'),
    1 << 20,
    'fr-2026',
  );
  expect(cpuTimeMs() - before).toBeLessThan(10_000);
  const found = outcomes.flatMap((one) => ('document' in one ? [] : one.faults));
  expect(found.filter(({ code }) => code === 'fr-invoice/line-incomplete')).toHaveLength(2 * LINES);
  expect(found.every(({ origin }) => origin !== undefined)).toBe(true);
});
