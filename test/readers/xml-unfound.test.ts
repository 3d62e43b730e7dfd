/** Paths of columns that match nothing in a whole file. */
import { expect, test } from 'vitest';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';
import { readAll } from './make.ts';

const FILE = `<p:Export xmlns:p="urn:a" xmlns:q="urn:b"><p:Beleg nr="1"><p:Kunde><p:Siren>732829320</p:Siren>
<q:Ort>Aix</q:Ort></p:Kunde><Leer/><p:Seg typ="1"><p:Wert>5</p:Wert></p:Seg></p:Beleg></p:Export>`;

const told = async (columns: object, more: object = {}, file = FILE) => {
  const source = { namespaces: { p: 'urn:a', z: 'urn:b' }, row: '/p:Export/p:Beleg', columns, ...more };
  const { warnings, refused } = await readAll(xmlReader, file, source);
  expect(refused).toEqual([]);
  return warnings.map(({ code, level, message, hint }) => {
    expect([code, level]).toEqual(['xml/path-not-found', 'warning']);
    return `${message} - ${hint?.split(/[?:;]/)[0]}`;
  });
};
const missing = (column: string, path: string) => `The path of column ${column} (${path}) does not occur in this file`;

test.each([
  ['p:Kunde/p:Sirene', 'did you mean "Siren"'],
  ['p:Kunde/Siren', 'did you mean "p'],
  ['p:Kunde/p:Ort', 'did you mean "z'],
  ['p:Leer', 'did you mean "Leer"'],
  ['p:Konto/p:Name', 'the path has no <Konto> at this level'],
  ['p:Kunde/@art', 'no such element has an attribute art'],
  ['@nummer', 'no such element has an attribute nummer'],
])('%s: %s', async (path, hint) => {
  expect(await told({ No: '@nr', Siren: path })).toEqual([`${missing('Siren', path)} - ${hint}`]);
});

test('nothing is said of empty elements, of qualifiers, and of files and elements without rows', async () => {
  expect(await told({ No: '@nr', Siren: 'p:Kunde/p:Siren', Leer: 'Leer' })).toEqual([]);
  expect(await told({ A: "p:Seg[@typ='1']/p:Wert", B: "p:Seg[@typ='2']/p:Wert" })).toEqual([]);
  const lines = { document: '/p:Export/p:Beleg', row: 'p:Zeile', 'rows-optional': true };
  expect(await told({ No: '../@nr', Menge: 'p:Menge' }, lines)).toEqual([]);
  expect(await told({ No: '@nr' }, {}, '<p:Export xmlns:p="urn:a"/>')).toEqual([]);
});

test('each kind of record is reported separately', async () => {
  const records = [
    { name: 'A', document: '/p:Export/p:Beleg', columns: { No: '@nr', X: 'p:Kunde/p:Sirem' } },
    { name: 'B', document: '/p:Export/p:Gutschrift', columns: { No: '@nr', Y: 'p:Y' } },
  ];
  expect(await told({}, { row: undefined, columns: undefined, records })).toEqual([
    `${missing('X', 'p:Kunde/p:Sirem')} - did you mean "Siren"`,
  ]);
});
