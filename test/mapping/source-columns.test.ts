import { describe, expect, test } from 'vitest';
import type { MappingFile } from '../../src/mapping/file/mapping-shape.ts';
import { collectDiagnostics } from '../../src/mapping/runtime/diagnostics.ts';
import { readColumnTypes } from '../../src/mapping/source/source-columns.ts';
import { Decimal } from '../../src/model/decimal.ts';
import { readYaml } from '../../src/yaml/yaml-document.ts';

function read(source: string) {
  const result = readYaml(`source: ${source}`, 'm.yaml');
  if ('faults' in result) throw new Error(result.faults[0]?.message);
  const findings = collectDiagnostics(result.yaml);
  const given = (result.yaml.value as { source: MappingFile['source'] }).source;
  const types = readColumnTypes(given, 'columns', findings);
  return { types, codes: findings.faults.map((fault) => fault.code), faults: findings.faults };
}

const cell = (source: string, text: string) => {
  const { types, codes } = read(source);
  expect(codes).toEqual([]);
  const value = types.get('c')?.convert?.(text);
  return value instanceof Decimal ? value.toText() : typeof value === 'object' ? value.code : value;
};

describe('types of columns', () => {
  test.each([
    ['{ columns: { c: number } }', '1234.5', '1234.5'],
    ['{ columns: { c: number } }', '1234,5', 'map/not-a-number'],
    ['{ numbers: { decimal: "," }, columns: { c: number } }', '-12,50', '-12.5'],
    [
      '{ numbers: { decimal: ",", thousands: [" ", nbsp, narrow-nbsp] }, columns: { c: number } }',
      '1\u202f234\u202f567,5',
      '1234567.5',
    ],
    ['{ numbers: { decimal: "," }, columns: { c: { number: { decimal: "." } } } }', '3.335', '3.335'],
    [
      '{ numbers: { decimal: ",", thousands: " ", currency-sign: "€" }, columns: { c: number } }',
      '5 607,04- €',
      '-5607.04',
    ],
    ['{ numbers: { decimal: ",", currency-sign: "€" }, columns: { c: number } }', '5,00 $', 'map/not-a-number'],
    [
      '{ numbers: { decimal: ",", currency-sign: "€" }, columns: { c: { number: { decimal: ".", currency-sign: "$" } } } }',
      '$5.00',
      '5',
    ],
    ['{ dates: dd/MM/yyyy, columns: { c: date } }', '05/09/2026', '2026-09-05'],
    ['{ dates: dd/MM/yyyy, columns: { c: date } }', '31/02/2026', 'map/not-a-date'],
    ['{ dates: dd/MM/yyyy, columns: { c: { date: yyyyMMdd } } }', '20260905', '2026-09-05'],
    ['{ columns: { c: { date-time: "yyyy-MM-dd HH:mm:ss" } } }', '2026-09-05 14:30:00', '2026-09-05T14:30:00'],
    ['{ dates: dd/MM/yy, two-digit-years-until: 69, columns: { c: date } }', '05/09/26', '2026-09-05'],
    ['{ columns: { c: text } }', ' x ', undefined],
  ])('%s: "%s" is %s', (source, text, value) => {
    expect(cell(source, text)).toBe(value);
  });

  test('an ambiguous date pattern is reported once, at the pattern, with what to write', () => {
    const { codes, faults } = read('{ dates: dd/MM/yy, columns: { a: date, b: date } }');
    expect(codes).toEqual(['map/wrong-pattern']);
    expect(faults[0]).toMatchObject({
      hint: expect.stringContaining('two-digit-years-until: 69'),
      mark: { column: 18 },
    });
  });

  test.each([
    '{ columns: [a] }',
    '{ columns: { c: { text: siren, number: x } } }',
    '{ columns: { c: { number: { decimal: ";" } } } }',
    '{ columns: { c: { number: { decimal: ",", currency-sign: "5" } } } }',
    '{ columns: { c: { number: { decimal: ",", currency-sign: "" } } } }',
    '{ columns: { c: 5 } }',
  ])('%s is refused', (source) => {
    expect(read(source).codes).toHaveLength(1);
  });
});
