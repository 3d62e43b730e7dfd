import { describe, expect, test } from 'vitest';
import { collectDiagnostics } from '../../src/mapping/runtime/diagnostics.ts';
import { readTables } from '../../src/mapping/tables/tables.ts';
import { Decimal } from '../../src/model/decimal.ts';
import { readYaml } from '../../src/yaml/yaml-document.ts';

function read(yaml: string, files: { readonly [path: string]: string } = {}) {
  const result = readYaml(yaml, 'm.yaml');
  if ('faults' in result) throw new Error(result.faults[0]?.message);
  const findings = collectDiagnostics(result.yaml);
  const given = (result.yaml.value as { tables: { [name: string]: { [key: string]: unknown } } }).tables;
  const tables = readTables(given, (path) => files[path], findings);
  return { t: tables.get('t'), codes: findings.faults.map((fault) => fault.code), faults: findings.faults };
}

describe('tables in the mapping', () => {
  test('codes keep their zeros when they are quoted; values are texts, numbers or true/false', () => {
    const { t, codes } = read('tables: { t: { "01": a, "1": b } }');
    expect(codes).toEqual([]);
    expect(t?.values).toEqual(
      new Map([
        ['01', 'a'],
        ['1', 'b'],
      ]),
    );
    expect(t?.kind).toBe('text');
    expect(read('tables: { t: { a: 20, b: 5.5 } }').t).toMatchObject({
      kind: 'number',
      values: new Map([
        ['a', Decimal.from(20)],
        ['b', Decimal.parse('5.5')],
      ]),
    });
    expect(read('tables: { t: { a: true } }').t?.kind).toBe('boolean');
    expect(read('tables: { t: { a: true, b: x } }').t?.kind).toBe('any');
  });

  test('an unquoted code whose zeros YAML would drop is refused', () => {
    expect(() => read('tables: { t: { 01: a } }')).toThrow('01');
  });

  test('lists and nothing are no values', () => {
    expect(read('tables: { t: { a: [1], b: } }').codes).toEqual(['map/wrong-table', 'map/wrong-table']);
  });
});

describe('tables in CSV files', () => {
  const table = (more = '') => `tables: { t: { file: t.csv, key: erp, value: api${more} } }`;
  const values = (text: string, more?: string) => [...(read(table(more), { 't.csv': text }).t?.values ?? [])];

  test('the delimiter shows in the header, cells are trimmed, other columns and blank lines do not matter', () => {
    const expected = [
      ['M', 'MTR'],
      ['01', 'C62'],
    ];
    expect(values('erp;x;api\nM;1; MTR \n\n01;2;C62\n')).toEqual(expected);
    expect(values('\ufefferp,api\r\nM,MTR\r\n01,C62')).toEqual(expected);
    expect(values('api\terp\nMTR\tM\n"C62"\t01\n')).toEqual(expected);
    expect(values('erp|api\nM|MTR\n01|C62', ', delimiter: "|"')).toEqual(expected);
  });

  test('numbers where the table says so', () => {
    expect(values('erp;api\nT20;20\nT55;5,5', ', type: number')).toEqual([
      ['T20', Decimal.from(20)],
      ['T55', Decimal.parse('5.5')],
    ]);
    expect(read(table(', type: number'), { 't.csv': 'erp;api\nT20;x' }).codes).toEqual(['map/wrong-table']);
  });

  test('a comma of three digits has to be one of decimals', () => {
    const number = table(', type: number');
    const codesOf = (text: string) => read(number, { 't.csv': text }).codes;
    expect(codesOf('erp;api\nUSD;1,234')).toEqual(['map/wrong-table']);
    expect(codesOf('erp,api\nUSD,"-12,345"\nGBP,0.9')).toEqual(['map/wrong-table']);
    expect(values('erp;api\nUSD;1,234\nGBP;0,875\nCHF;1.050', ', type: number')).toEqual([
      ['USD', Decimal.parse('1.234')],
      ['GBP', Decimal.parse('0.875')],
      ['CHF', Decimal.parse('1.050')],
    ]);
  });

  test('a row has the cells of the header', () => {
    const codesOf = (text: string, more = '') => read(table(more), { 't.csv': text }).codes;
    expect(codesOf('erp,api\nUSD,1,08', ', type: number')).toEqual(['map/wrong-table']);
    expect(codesOf('erp,api\nm, or M,MTR')).toEqual(['map/wrong-table']);
    expect(codesOf('erp;api\nM')).toEqual(['map/wrong-table']);
    expect(codesOf('erp;api;api\nM;MTR;C62')).toEqual(['map/wrong-table']);
    expect(values('erp;api;says\nM;MTR\nP;;\nS;C62;;;')).toEqual([
      ['M', 'MTR'],
      ['P', ''],
      ['S', 'C62'],
    ]);
  });

  test('two values for one code are a fault, the same value twice is none', () => {
    const { codes, faults } = read(table(), { 't.csv': 'erp;api\nM;MTR\nM;MTR\nM;C62' });
    expect(codes).toEqual(['map/table-key-twice']);
    expect(faults[0]?.message).toContain('row 4');
  });

  test('missing column, missing file, missing settings, broken file', () => {
    expect(read(table(), { 't.csv': 'erb;api\nM;MTR' }).faults[0]).toMatchObject({
      code: 'map/no-such-table-column',
      hint: 'did you mean "erb"?',
    });
    expect(read(table()).codes).toEqual(['map/no-such-file']);
    expect(read('tables: { t: { file: t.csv } }', { 't.csv': 'a;b' }).codes).toEqual(['map/wrong-table']);
    expect(read(table(), { 't.csv': 'erp;api\n"M;MTR' }).codes).toEqual(['map/wrong-table']);
  });
});

test.each(['../t.csv', '/t.csv', 'a/../../t.csv', 'C:/t.csv', 'a\\t.csv', '\\\\host\\t.csv'])(
  '%s is outside',
  (file) => {
    const asked: string[] = [];
    const result = readYaml(`tables: { t: { file: '${file}', key: a, value: b } }`, 'm.yaml');
    if ('faults' in result) throw new Error('not YAML');
    const findings = collectDiagnostics(result.yaml);
    readTables({ t: { file, key: 'a', value: 'b' } }, (path) => void asked.push(path), findings);
    expect(findings.faults.map((fault) => fault.code)).toEqual(['map/table-outside']);
    expect(asked).toEqual([]);
  },
);
