import { describe, expect, test } from 'vitest';
import { totalsCell } from '../../src/text/totals-cell.ts';
import { EXAMPLE, HEADER, row } from './example.ts';
import { convert, FILES, loaded } from './world.ts';

describe('a totals row', () => {
  test.each([
    'TOTAL',
    'Totaux',
    'Total général :',
    'SOUS-TOTAL',
    'Grand total',
    'Suma',
    'TOTAL HT',
    'Total 12 factures',
  ])('is a row that is half empty and says %s', (text) => {
    expect(totalsCell({ cells: ['', text, '', '120,00'] })).toBe(1);
  });

  test.each([
    ['a customer', ['', 'Total Énergies', '', '120,00']],
    ['a word inside a text', ['', 'Remise totale', '', '120,00']],
    ['a full row', ['F1', 'Total', 'x', '120,00']],
    ['an empty row', ['', '', '', '']],
  ])('is not %s', (_, cells) => {
    expect(totalsCell({ cells })).toBeUndefined();
  });

  const blank = Object.fromEntries(HEADER.split(';').map((name) => [name, '']));
  const withTotals = (cells: { readonly [column: string]: string }) =>
    convert(
      loaded(EXAMPLE, FILES),
      [HEADER, row({ TotalHT: '105,00', TotalTTC: '126,00' }), row({ ...blank, ...cells })].join('\n'),
    );

  test('with a key of its own is reported as one fault', () => {
    const [first, second] = withTotals({ Societe: 'TOTAL', TotalHT: '105,00' });
    expect(first?.faults).toEqual([]);
    expect(second?.faults).toMatchObject([
      {
        code: 'map/totals-row',
        message: 'row 3 looks like a totals row ("TOTAL"), and no rule leaves it out',
        hint: 'leave it out: source: leave-out: [{ column: Societe, equals: "TOTAL" }], or documents: keep',
        origin: { row: 3, column: 'Societe' },
      },
    ]);
  });

  test('without a key refuses the document before it, and says what it looks like', () => {
    const [first, second] = withTotals({ NomClient: 'Total général', TotalHT: '105,00' });
    expect(first?.faults.map(({ code, hint }) => [code, hint])).toEqual([
      ['map/beside-broken-row', 'it looks like a totals row: leave it out with leave-out, or documents: keep'],
    ]);
    expect(second?.faults.map(({ code }) => code)).toEqual(['map/totals-row']);
  });
});
