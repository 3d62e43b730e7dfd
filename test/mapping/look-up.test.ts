import { describe, expect, test } from 'vitest';
import { convert, findingsOf, loaded, shown } from './world.ts';

const mapping = (tables: string, value: string, columns = '{ Date: { date: dd/MM/yyyy }, N: number }') => `
mapping: t
version: 1
target: fr-invoice
accepts: { files: "*.csv" }
source: { format: csv, columns: ${columns} }
tables: ${tables}
documents: { one-per: Num, class: invoice }
output:
  document: { identifier: $Num, series: ${value} }
`;
const HEAD = 'Num;Code;Pays;Date;N';

function given(text: string, rows: readonly string[], files?: { readonly [path: string]: string }) {
  return convert(loaded(text, files), [HEAD, ...rows.map((row, n) => `F${n};${row}`)].join('\n')).map(
    ({ json, faults }) =>
      faults.length > 0 ? faults.map(shown).join('\n') : (json as { document: { series?: string } }).document.series,
  );
}

describe('exact, then range, then wildcard, then default', () => {
  const tables = '{ t: { "7011": exact, 7000..7099: range, "7*": short, "70*": long, default: other } }';

  test('whatever the order of the table', () => {
    const rows = ['7011;;;', '7012;;;', '7100;;;', '70X;;;', '8;;;', ';;;'];
    const expected = ['exact', 'range', 'short', 'long', 'other', 'other'];
    expect(given(mapping(tables, '{ from: Code, table: t }'), rows)).toEqual(expected);
    const turned = '{ t: { default: other, "70*": long, "7*": short, 7000..7099: range, "7011": exact } }';
    expect(given(mapping(turned, '{ from: Code, table: t }'), rows)).toEqual(expected);
  });

  test('the default of the look-up goes before that of the table', () => {
    const value = '{ from: Code, table: t, default: mine }';
    expect(given(mapping(tables, value), ['8;;;', '7011;;;'])).toEqual(['mine', 'exact']);
  });

  test('without a default an unknown code is a fault, an empty cell nothing', () => {
    expect(given(mapping('{ t: { 1..5: a } }', '{ from: N, table: t }'), [';;;3', ';;;6', ';;;'])).toEqual([
      'a',
      '3:N map/not-in-table "6" is not in table t (known: 1..5) -> /document/series',
      undefined,
    ]);
  });

  test('dates fall into ranges of dates', () => {
    const text = mapping('{ t: { ..2025-12-31: old, 2026-01-01..: new } }', '{ from: Date, table: t }');
    expect(given(text, [';;31/12/2025;', ';;01/01/2026;'])).toEqual(['old', 'new']);
  });

  test('blocks as well', () => {
    const text = mapping('{ t: { "7*": { name: Seven }, default: { name: Other } } }', '$Code').replace(
      'output:',
      'output:\n  issuer: { from: Code, table: t }',
    );
    const results = convert(loaded(text), `${HEAD}\nF1;71;;;\nF2;8;;;\nF3;;;;`);
    expect(results.map(({ json }) => (json as { issuer: object }).issuer)).toEqual([
      { name: 'Seven' },
      { name: 'Other' },
      { name: 'Other' },
    ]);
  });
});

describe('several key columns', () => {
  const files = { 't.csv': 'code;land;value\nN;FR;20\nN;ES;21\nR;;5\n;FR;x\ndefault;;z\n' };
  const text = mapping('{ t: { file: t.csv, key: [code, land], value: value } }', '{ from: [Code, $Pays], table: t }');

  test('make one code', () => {
    const rows = ['N;FR;;', 'N;ES;;', 'R;;;', ';FR;;', 'R;FR;;', ';;;'];
    expect(given(text, rows, files)).toEqual(['20', '21', '5', 'x', 'z', 'z']);
  });

  test('are shown with a comma', () => {
    const [fault] = given(text, ['R;FR;;'], { 't.csv': 'code;land;value\nN;FR;20\n' });
    expect(fault).toBe('2:Code map/not-in-table "R, FR" is not in table t (known: N, FR) -> /document/series');
  });

  test.each([
    ['{ from: Code, table: t }', files['t.csv'], 'the key of table t has 2 columns, and this names 1'],
    ['{ from: [Code, Pays], table: t }', 'code;land;value\nN*;FR;1\n', '"N*, FR" is a range or has a *'],
    ['{ from: [Code, Pays], table: t }', 'code;value\nN;1\n', '"t.csv" has no column "land"'],
    ['{ from: [], table: t }', files['t.csv'], 'a look-up is { from: Column, table: name }'],
  ])('%s over %j is a finding: %s', (value, csv, message) => {
    const own = text.replace('{ from: [Code, $Pays], table: t }', value);
    expect(findingsOf(own, { 't.csv': csv }).join('\n')).toContain(message);
  });
});

describe('validity dates', () => {
  const csv = 'code;rate;valid-from;valid-to\nN;19,6;;2013-12-31\nN;20;2014-01-01;\n7*;5,5;2012-01-01;2012-12-31\n';
  const rated = (value: string) =>
    mapping('{ t: { file: t.csv, key: code, value: rate, type: number } }', `"= TEXT($r, \\"0.0\\")"`).replace(
      'documents:',
      `calculated-columns: { r: ${value} }\ndocuments:`,
    );
  const text = rated('{ from: Code, table: t, on: $Date }');

  test('choose the value of the day, both ends included', () => {
    const rows = ['N;;31/12/2013;', 'N;;01/01/2014;', '70;;30/06/2012;'];
    expect(given(text, rows, { 't.csv': csv })).toEqual(['19.6', '20.0', '5.5']);
  });

  test('a code without a value on that day is a fault of its own', () => {
    expect(given(text, ['70;;01/01/2013;', 'N;;;', 'X;;01/01/2013;'], { 't.csv': csv })).toEqual([
      '2:Code map/not-valid-then "7*" has no value in table t on 2013-01-01 (it has: 2012-01-01..2012-12-31) -> /document/series',
      '3:Code map/not-valid-then table t has validity dates, but the date for "N" is empty -> /document/series',
      '4:Code map/not-in-table "X" is not in table t (known: N, 7*) -> /document/series',
    ]);
  });

  test('= TODAY() is the day of admission', () => {
    expect(given(rated('{ from: Code, table: t, on: = TODAY() }'), ['N;;;'], { 't.csv': csv })).toEqual(['20.0']);
  });

  test.each([
    ['{ from: Code, table: t }', csv, 'table t has validity dates'],
    ['{ from: Code, table: t, on: $Code }', csv, 'on: is a date, and this is a text'],
    ['{ from: Code, table: t, on: $Date }', 'code;rate\nN;20\n', 'table t has no validity dates'],
    ['{ from: Code, table: t, on: $Date }', 'code;rate;valid-from\nN;20;01/01/2014\n', '"01/01/2014" is not a date'],
    ['{ from: Code, table: t, on: $Date }', `${csv}N;21;2013-06-01;2013-07-01\n`, 'row 5: "N" has two values'],
    [
      '{ from: Code, table: t, on: $Date }',
      'code;rate;valid-from;valid-to\nN;20;2014-01-02;2014-01-01\n',
      'valid-from is after valid-to',
    ],
  ])('%s over %j is a finding: %s', (value, file, message) => {
    expect(findingsOf(rated(value), { 't.csv': file }).join('\n')).toContain(message);
  });
});

test('check reports a pattern that the column never has', () => {
  const found = (tables: string, from: string) => findingsOf(mapping(tables, `{ from: ${from}, table: t }`));
  expect(found('{ t: { 2026-01-01..: a } }', 'N')[0]).toContain('map/unreachable-key table t has codes that N never');
  expect(found('{ t: { 1..5: a } }', 'Date')[0]).toContain('map/unreachable-key');
  expect(found('{ t: { 1..5: a, "7*": b, default: c } }', 'N')).toEqual([]);
});

test('check reports a part of a key that its column never has', () => {
  const found = (csv: string, from: string) =>
    findingsOf(mapping('{ t: { file: t.csv, key: [code, rate], value: value } }', `{ from: ${from}, table: t }`), {
      't.csv': `code;rate;value\n${csv}`,
    });
  expect(found('600;20,0;a\n600;5,5;b\n600;2;c\n', '[Code, N]')).toEqual([
    expect.stringContaining('map/unreachable-key table t has codes that N never contains: "20,0", "5,5"'),
  ]);
  expect(found('01;20;a\n1;20;b\n', '[N, Code]')).toEqual([
    expect.stringContaining('map/unreachable-key table t has codes that N never contains: "01"'),
  ]);
  expect(found('600;20;a\n600;;b\ndefault;;c\n', '[Code, N]')).toEqual([]);
});

test('overlaps point at the key', () => {
  const text = mapping('\n  t:\n    1..5: a\n    5..9: b\n', '{ from: N, table: t }');
  expect(findingsOf(text)).toEqual(['10:5 map/keys-overlap a code can match both "1..5" and "5..9"']);
});

test('a wrong table is reported with a bounded number of faults', () => {
  const text = mapping('{ t: { file: t.csv, key: a, value: b, type: number } }', '{ from: Code, table: t }');
  const bad = `a;b\n${Array.from({ length: 500 }, (_, n) => `k${n};x`).join('\n')}`;
  expect(findingsOf(text, { 't.csv': bad }).filter((line) => line.includes('is not a number'))).toHaveLength(20);
  const big = `a;b\n${'x'.repeat(11 * 1024 * 1024)}`;
  expect(findingsOf(text, { 't.csv': big })[0]).toContain('map/table-too-large');
});

describe('the default of a look-up into ready-made blocks', () => {
  const text = (fallback: string) => `
mapping: t
version: 1
target: fr-invoice
accepts: { files: "*.csv" }
source: { format: csv }
tables:
  one: { A: { name: of A }, "1*": { name: of ones } }
  two: { B: { name: of B }, default: { name: of others } }
  three: { C: { name: of C } }
  words: { D: of D }
documents: { one-per: Num, class: invoice }
output:
  document: { identifier: $Num }
  issuer: { from: a, table: one${fallback} }
`;
  const names = (fallback: string, rows: readonly string[]) =>
    convert(loaded(text(fallback)), ['Num;a;b', ...rows.map((row, n) => `F${n};${row}`)].join('\n')).map(
      ({ json, faults }) => faults[0]?.code ?? (json as { issuer?: { name: string } }).issuer?.name,
    );

  test('is a look-up into others', () => {
    const rows = ['A;B', '12;B', 'x;B', 'x;y', ';B', ';'];
    const found = ['of A', 'of ones', 'of B', 'of others', 'of B', 'of others'];
    expect(names(', default: { from: b, table: two }', rows)).toEqual(found);
    expect(
      names(', default: { from: b, table: three, default: { from: b, table: two } }', ['x;C', 'x;B', 'x;']),
    ).toEqual(['of C', 'of B', 'of others']);
    expect(names(', default: { from: b, table: three }', ['x;C', 'x;y', 'x;'])).toEqual([
      'of C',
      'map/not-in-table',
      undefined,
    ]);
  });

  test('is nothing, or missing', () => {
    expect(names(', default: ""', ['A;', 'x;', ';'])).toEqual(['of A', undefined, undefined]);
    expect(names('', ['A;', 'x;', ';'])).toEqual(['of A', 'map/not-in-table', undefined]);
  });

  test.each(['x', '$b', '= $b', '{ from: b, table: words }'])('%s is no block', (value) => {
    const found = findingsOf(text(`, default: ${value.startsWith('=') ? `"${value}"` : value}`));
    expect(found.join('\n')).toMatch(/map\/wrong-/);
  });
});
