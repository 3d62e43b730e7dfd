/** A number without quotes loses its zeros in a text: found by check wherever such a number can stand. */
import { expect, test } from 'vitest';
import { loadMapping } from '../../src/mapping/mapping.ts';
import { worldOf } from './world.ts';

const text = (tables: string, series: string, more = '') => `mapping: m
version: 1
target: fr-invoice
accepts: { files: "*" }
source: { format: csv }
tables: ${tables}
documents: { one-per: k, class: invoice }
output:
  document: { identifier: $k, series: ${series} }
  lines: [{ quantity: { from: q, table: rates } }]
  ${more}
`;
const RATES = 'rates: { X: 1.10, Y: 20.00 }';

function found(mapping: string, files = {}): readonly string[] {
  const { faults } = loadMapping(mapping, 'm.yaml', worldOf(files));
  return faults.map(({ code, mark }) => `${code} ${mark?.text.slice(mark.column - 1, mark.column - 1 + mark.length)}`);
}

test.each([
  [`{ ${RATES}, t: { X: 1.10, Y: 2.5, Z: 20.00 } }`, '{ from: a, table: t }', ['1.10', '20.00']],
  [`{ ${RATES}, t: { X: a } }`, '{ from: a, table: t, default: 1.10 }', ['1.10']],
  [`{ ${RATES}, t: { X: a }, u: { X: 5.50 } }`, '{ from: a, table: t, default: { from: a, table: u } }', ['5.50']],
  [`{ ${RATES} }`, '1.10', ['1.10']],
  [`{ ${RATES}, t: { X: "1.10", Y: 2.5 } }`, '{ from: a, table: t }', []],
] as const)('%s for %s', (tables, series, numbers) => {
  expect(found(text(tables, series))).toEqual(numbers.map((number) => `map/number-for-text ${number}`));
});

test('ready-made blocks, in the mapping and in a file, once for two places', () => {
  const issuers = 'issuer: { from: a, table: t }\n  receiver: { from: a, table: t }';
  expect(found(text(`{ ${RATES}, t: { A: { name: 1.10 } } }`, 'x', issuers))).toEqual(['map/number-for-text 1.10']);
  const file = { 'tables/t.yaml': 'A: { name: 1.10 }\n' };
  expect(found(text(`{ ${RATES}, t: { file: tables/t.yaml } }`, 'x', issuers), file)).toEqual([
    'map/number-for-text 1.10',
  ]);
});

test('a key is the text of the file', () => {
  const wrong = found(text(`{ ${RATES}, t: { 20.00: A, 5.5: B, 7: C } }`, '{ from: a, table: t }'));
  expect(wrong).toEqual(['yaml/number-changes 20.00']);
});
