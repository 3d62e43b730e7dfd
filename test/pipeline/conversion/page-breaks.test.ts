/** Titles, headings and totals between the rows of a document that fill-down completes: it is whole, or it is not made. */
import { describe, expect, test } from 'vitest';
import { inlineCell, workbookOf } from '../../readers/xlsx/make-workbook.ts';
import { convertText } from './convert-text.ts';

const mapping = (format: 'csv' | 'xlsx', source: string) => `mapping: sales
version: 1
target: fr-invoice
accepts: { files: "*" }
source:
  format: ${format}
  fill-down: [Num, Genre]
  columns: { Net: number }
${source}
calculated-columns: { rate: = 20 }
documents: { one-per: [Num], class: invoice }
output:
  document: { identifier: $Num, date: "2026-11-20", currency: EUR }
  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: '732829320' }] }
  receiver: { name: Client }
  lines: { each: row, make: { number: $No, quantity: 1, unit-price: $Net, net-amount: $Net } }
  totals: { standard: { net: $Net, rate: $rate, currency: EUR } }
`;

const HEADING = 'Num;Genre;No;Net';
/** F1 goes on below what is between. */
const fileWith = (...between: readonly string[]) =>
  [HEADING, 'F1;FA;1;10', ';;2;20', ...between, ';;3;30', 'F2;FA;4;40', ''].join('\n');

function bookOf(text: string): Buffer {
  const rows = text
    .trim()
    .split('\n')
    .map((line, n) => {
      const cells = line.split(';').map((cell, at) => (cell === '' ? '' : inlineCell(`${'ABCD'[at]}${n + 1}`, cell)));
      return `<row r="${n + 1}">${cells.join('')}</row>`;
    });
  return workbookOf({ rows: rows.join('') });
}

async function made(format: 'csv' | 'xlsx', source: string, text: string) {
  const { outcomes, faults } = await convertText(mapping(format, source), format === 'csv' ? text : bookOf(text));
  const whole = outcomes.flatMap((one) =>
    'document' in one ? [[one.document.facts.identifier, one.document.rows]] : [],
  );
  return { whole, codes: new Set(faults.map(({ code }) => code.replace(/^\w+/, ''))) };
}

describe.each(['csv', 'xlsx'] as const)('%s', (format) => {
  test.each([
    ['a heading that no rule leaves out', '', [HEADING]],
    ['a heading in other letters', '', [HEADING.toUpperCase()]],
    ['a heading of one column', '', ['Num;;;']],
    ['a total that no rule leaves out', '', ['Total;;;30']],
    ['a total and a heading', '', ['Total;;;30', HEADING]],
    ['a heading and a total', '', [HEADING, 'Total;;;30']],
    ['a total of a document', '', ['Total F1;;;30']],
    ['a heading with other names', '', ['Num;Genre;Line;Amount']],
    ['a title in two columns', '  leave-out: [{ column: Num, starts-with: Report }]', ['Report;Page 2;;']],
    [
      'a title in two columns, one of them a label',
      '  leave-out: [{ column: Num, starts-with: Report, label: true }]',
      ['Report;Page 2;;'],
    ],
    ['a title that another column shows', '  leave-out: [{ column: No, starts-with: Page }]', ['Next;;Page 2;']],
    ['a heading that differs from the first', '  leave-out: [{ column: No, equals: No }]', ['Num (2);Genre;No;Net']],
  ])('refuses the document around %s', async (_, source, between) => {
    const { whole, codes } = await made(format, source, fileWith(...between));
    expect(whole).toEqual([]);
    expect(codes).toContain('/nothing-to-fill-down');
  });

  test.each([
    ['a heading that a rule leaves out', '  leave-out: [{ column: Num, equals: Num }]', [HEADING]],
    [
      'a title and a heading',
      '  leave-out: [{ column: Num, starts-with: Report, label: true }, { column: Num, equals: Num }]',
      ['Report;;;', HEADING],
    ],
    [
      'a title outside of the columns that are filled',
      '  leave-out: [{ column: No, starts-with: Page }]',
      [';;Page 2;'],
    ],
    [
      'a heading of which the first column differs',
      '  leave-out: [{ column: Num, starts-with: Num, label: true }]',
      ['Num (2);Genre;No;Net'],
    ],
  ])('goes on below %s', async (_, source, between) => {
    const { whole } = await made(format, source, fileWith(...between));
    const row = 4 + between.length;
    expect(whole).toEqual([
      ['F1', [2, 3, row]],
      ['F2', [row + 1]],
    ]);
  });

  test.each([
    ['F1;GENRE;1;10', ';;2;20'],
    ['F1;GENRE;1;10', 'F1;;2;20'],
    ['F1;Total;1;10', ';;2;20'],
  ])('a value may be named like its column: %s', async (...rows) => {
    const { whole } = await made(format, '', [HEADING, 'F0;FA;0;5', ...rows, 'F2;FA;3;30', ''].join('\n'));
    expect(whole).toEqual([
      ['F0', [2]],
      ['F1', [3, 4]],
      ['F2', [5]],
    ]);
  });

  test('a total with nothing of a document below it is one row alone', async () => {
    const text = [HEADING, 'F1;FA;1;10', 'Total;;;10', 'F2;FA;4;40', 'Total général;;;50', ''].join('\n');
    const { outcomes } = await convertText(mapping(format, ''), format === 'csv' ? text : bookOf(text));
    expect(outcomes.flatMap((one) => ('document' in one ? [one.document.facts.identifier] : []))).toEqual(
      expect.arrayContaining(['F1', 'F2']),
    );
  });
});

test.each([';;;', 'Page 2;x', 'Page 2;x;1;2;3'])('refuses the document around a total and %s', async (row) => {
  const { whole } = await made('csv', '', fileWith('Total;;;30', row));
  expect(whole).toEqual([]);
});
