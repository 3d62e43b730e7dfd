/** SUM(@list.path) is the sum over the document that is sent: what is left out of it does not count. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../seed.ts';
import { convert, findingsOf, loaded } from './world.ts';

const mappingWith = (items: readonly string[]) => `mapping: m
version: 1
target: fr-invoice
accepts: { files: "*" }
source: { format: csv, columns: { n: number } }
documents: { one-per: k, class: invoice, identical-rows: allowed }
output:
  document: { identifier: $k }
  totals:
    final-amount: = SUM(@subtotals.amount)
    currency: EUR
    subtotals:
${items.map((item) => `      - ${item}\n`).join('')}`;

type Totals = { readonly 'final-amount': number; readonly subtotals?: readonly { readonly amount?: number }[] };

function totalsOf(items: readonly string[], csv: string): readonly Totals[] {
  return convert(loaded(mappingWith(items)), csv).map(({ json, faults }) => {
    expect(faults).toEqual([]);
    return (json as { totals: Totals }).totals;
  });
}

function sumOf({ subtotals = [] }: Totals): number {
  return subtotals.reduce((sum, { amount = 0 }) => sum + amount, 0);
}

test('the literal of an item that is dropped', () => {
  const items = ['{ type: net, amount: = SUM($n) }', '{ type: charge, amount: 5, class: $r }'];
  expect(totalsOf(items, 'k;n;r\nA;10;\nB;10;x')).toMatchObject([
    { 'final-amount': 10, subtotals: [{ amount: 10 }] },
    { 'final-amount': 15, subtotals: [{ amount: 10 }, { amount: 5, class: 'x' }] },
  ]);
});

test('values in the lists of ready-made blocks', () => {
  const blocks = `tables:
  blocks:
    A: { type: tax, amount: 7, subtotals: [{ amount: 3 }, { amount: 4, subtotals: [{ amount: 5 }] }] }
    B: { type: tax, amount: 9 }
documents:`;
  const sums = (path: string, items: readonly string[]) => {
    const text = mappingWith(items).replace('documents:', blocks).replace('@subtotals.amount', path);
    expect(findingsOf(text)).toEqual([]);
    return convert(loaded(text), 'k;n;r\nA;10;A\nB;10;B\nC;10;').map(({ json, faults }) => {
      expect(faults).toEqual([]);
      return (json as { totals: Totals }).totals['final-amount'];
    });
  };
  const ready = '{ from: r, table: blocks }';
  const written = '{ type: net, amount: = SUM($n), subtotals: [{ type: x, amount: 1 }] }';
  expect(sums('@subtotals.amount', [written, ready])).toEqual([17, 19, 10]);
  expect(sums('@subtotals.subtotals.amount', [written, ready])).toEqual([8, 1, 1]);
  expect(sums('@subtotals.subtotals.amount', [ready])).toEqual([7, 0, 0]);
  expect(sums('@subtotals.subtotals.subtotals.amount', [ready])).toEqual([5, 0, 0]);
});

test('any items', () => {
  const amount = fc.constantFrom('amount: 5', 'amount: = $n', 'amount: $n', 'amount: = SUM($n)');
  const other = fc.constantFrom(
    '',
    ', class: $r',
    ', class: $t',
    ', class: word',
    ', subtype: = $r & $t',
    ', percent: 7',
  );
  const when = fc.constantFrom('', ', when: = $r = ""', ', when: = $t = "x"');
  const plain = fc
    .tuple(amount, other, other, when)
    .filter(([, one, two]) => one === '' || one.slice(0, 5) !== two.slice(0, 5));
  const block = plain.map(([first, one, two, last]) => `{ ${first}${one}${two}${last} }`);
  const item = fc.oneof(
    block,
    block.map((make) => `{ each: row, make: ${make} }`),
    block.map((make) => `{ each: rows by t, make: ${make} }`),
  );
  const cell = fc.constantFrom('', 'x', 'y');
  const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 4 }), rows, (items, cells) => {
      // One value per document where a column is outside of rows.
      const same = cells.map(() => cells[0]!);
      const csv = ['k;n;r;t', ...same.map(([r, t]) => `A;4;${r};${t}`)].join('\n');
      expect(findingsOf(mappingWith(items)).filter((finding) => !finding.includes('map/column-as-text'))).toEqual([]);
      for (const totals of totalsOf(items, csv)) expect(sumOf(totals)).toBe(totals['final-amount']);
    }),
    { numRuns: runs(150) },
  );
});
