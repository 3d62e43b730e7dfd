/** Widths, wrapped lines and tables: no line is wider than the screen, and no word is lost. */
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Column, cutEnd, cutInside, fittingTable, table, widthOf, wrapped } from '../../src/cli/layout/layout.ts';

test.each([
  ['abc', 3],
  ['Énergie', 7],
  ['E\u0301nergie', 7],
  ['東京', 4],
  ['\u001b[31mred\u001b[39m', 3],
  ['👍', 2],
])('%s takes %i cells', (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test('columns stay under their titles, whatever the cells hold', () => {
  const lines = table(
    [{ title: 'client' }, { title: 'docs', align: 'right' }, { title: 'end' }],
    [
      ['Café E\u0301clair', '7', 'x'],
      ['東京商事', '1200', 'x'],
      ['a', '', 'x'],
    ],
  ).split('\n');
  const ends = lines.slice(1).map((line) => widthOf(line.slice(0, line.lastIndexOf('x'))));
  expect(new Set(ends).size).toBe(1);
  expect(stripVTControlCharacters(lines[0]!)).toMatch(/^ {2}CLIENT +DOCS {2}END$/);
});

test('foreign text in a cell moves no cursor and opens no line', () => {
  const shown = table([{ title: 'x' }], [['a\u001b[31mb\nc\u202ed\u001b]0;title\u0007']]);
  expect(shown.split('\n')).toHaveLength(2);
  expect(shown).toContain('a\\u{1b}[31mb\\u{a}c\\u{202e}d\\u{1b}]0;title\\u{7}');
});

test('a table that is too wide is cut in the middle of its cells, the first column last, and says how many', () => {
  const path = '/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PostalAddress/cac:Country/cbc:IdentificationCode';
  const columns = ['field', 'value', 'from'].map((title) => ({ title }));
  const rows = [
    ['/receiver/address/country', 'x'.repeat(70), path],
    ['/document/date', '"2026-09-05"', '2:Date'],
  ];
  for (const width of [80, 100, 120]) {
    const { text, shortened } = fittingTable(columns, rows, width);
    for (const line of stripVTControlCharacters(text).split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width);
    expect(text).toContain('/receiver/address/country');
    expect(text).toMatch(/…\S*ationCode\n/);
    expect(shortened).toBe(2);
  }
  expect(fittingTable(columns, rows, 250)).toEqual({ text: table(columns, rows), shortened: 0 });
  const wide = fittingTable(columns, [['日本'.repeat(40), 'é'.repeat(90), path]], 60).text;
  for (const line of stripVTControlCharacters(wide).split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(60);
});

test('a command on a line of its own is not broken', () => {
  const command = `nightpost reprocess --cause map/not-in-table:TVA --reason "..."`;
  expect(wrapped(`start here:\n${command}\nall the others are in the list`, 24).split('\n')).toEqual([
    'start here:',
    command,
    'all the others are in',
    '  the list',
  ]);
});

test('a text is wrapped at spaces, and what follows hangs under it', () => {
  const text = '  fr:15  return the document to its sender and ask the service';
  expect(wrapped(text, 30, 9).split('\n')).toEqual([
    '  fr:15  return the document',
    '         to its sender and ask',
    '         the service',
  ]);
  expect(wrapped(text, Number.POSITIVE_INFINITY)).toBe(text);
  expect(wrapped('  nightpost', 6).split('\n')).toEqual(['  nigh', '   tpo', '   st']);
  // Numbers keep their non-breaking spaces.
  expect(wrapped('aaaa 1\u202f482\u202f310', 12).split('\n')).toEqual(['aaaa', '  1\u202f482\u202f310']);
});

test('a wrapped text has the same words, and no line is wider than the screen', () => {
  const words = fc.array(
    fc.constantFrom('a', 'nightpost', 'Énergie', '東京', 'E\u0301', '👍', 'correction/damaged-cell'),
  );
  fc.assert(
    fc.property(words, fc.integer({ min: 36, max: 100 }), fc.integer({ min: 0, max: 12 }), (all, width, hanging) => {
      const lines = wrapped(all.join(' '), width, hanging).split('\n');
      expect(lines.join(' ').split(/ +/).filter(Boolean)).toEqual(all);
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test('a shortened text is as wide as it may be, whatever its letters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 4, max: 40 }), (text, width) => {
      const shown = text.replace(/\p{C}/gu, 'x');
      for (const one of [cutEnd(shown, width), cutInside(shown, width)])
        expect(widthOf(one)).toBeLessThanOrEqual(width);
      if (widthOf(shown) <= width) expect(cutEnd(shown, width)).toBe(shown);
    }),
  );
});

test('each column fits as it says: titles break first, prose wraps, names are cut at their end, the rest is below', () => {
  const columns: readonly Column[] = [
    { title: 'document', fit: 'whole' },
    { title: 'in contingency', align: 'right', fit: 'whole' },
    { title: 'customer', fit: 'end' },
    { title: 'what to do', fit: 'wrap' },
    { title: '', fit: 'below' },
  ];
  const rows = [
    [
      'F2026-30109',
      '3',
      'Boulangerie des Trois Fontaines SARL',
      'ask the support of the service',
      'the answer was lost',
    ],
    ['F1', '12', 'Ets', '', ''],
  ];
  const { text, shortened } = fittingTable(columns, rows, 60);
  const lines = stripVTControlCharacters(text).split('\n');
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(60);
  expect(lines.slice(0, 2).map((line) => line.trim().split(/ {2,}/)[1])).toEqual(['IN', undefined]);
  expect(lines[1]?.trim()).toBe('CONTINGENCY');
  expect(text).toContain('Boulangerie');
  expect(text.replaceAll(/\s+/g, ' ')).toContain('F2026-30109');
  expect(lines.some((line) => line === '      the answer was lost')).toBe(true);
  expect(shortened).toBe(1);
  // On a wide screen and in a pipe each row is one line.
  expect(table(columns, rows).split('\n')).toHaveLength(3);
});

test('a table of any cells fits a screen of 80 columns', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 120 });
  const fit = fc.constantFrom<Column['fit']>('middle', 'end', 'wrap', 'below', undefined);
  const column = fc.record({ title: fc.constantFrom('', 'a', 'waits for a person'), fit });
  fc.assert(
    fc.property(fc.array(column, { minLength: 1, maxLength: 9 }), fc.array(fc.array(cell)), (columns, rows) => {
      for (const line of stripVTControlCharacters(table(columns as Column[], rows, 80)).split('\n')) {
        expect(widthOf(line)).toBeLessThanOrEqual(80);
      }
    }),
  );
});

test('a line neither begins with a mark that French separates by a blank nor ends with an opening quote', () => {
  const text =
    'le champ « Code postal » : trouvé « 1000 » ; attendu : « 01000 » ! Est-ce une facture ? Oui : 5 chiffres';
  for (let width = 20; width < 60; width++) {
    const lines = wrapped(text, width, 0).split('\n');
    expect(lines.filter((line) => /^[:;!?»]|«$/.test(line))).toEqual([]);
    expect(lines.join(' ')).toBe(text);
    expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
  }
});
