import { describe, expect, test } from 'vitest';
import type { Fault } from '../../src/model/fault.ts';
import { readYaml, showMarked } from '../../src/yaml/yaml-document.ts';

const faultAt = (text: string, column: number, length: number): Fault => ({
  code: 'map/no-such-column',
  level: 'error',
  message: 'there is no column $Qty',
  hint: 'did you mean "Qte"?',
  mark: { file: 'sales.yaml', line: 7, column, length, text },
});

describe('a marked fault', () => {
  test('shows its line whole where it is short', () => {
    expect(showMarked(faultAt('  net: = $Qty * 2', 10, 4))).toBe(
      [
        'sales.yaml:7:10  error map/no-such-column  there is no column $Qty',
        '  7 |   net: = $Qty * 2',
        '    |          ^^^^ did you mean "Qte"?',
      ].join('\n'),
    );
  });

  test.each([1, 41, 42, 3000, 9_995])('of a line of 10,000 characters shows the text around column %i', (column) => {
    const text = `${'a'.repeat(column - 1)}$Qty${'b'.repeat(10_000 - column - 3)}`;
    const [place, line = '', underline = ''] = showMarked(faultAt(text, column, 4)).split('\n');
    expect(place).toContain(`sales.yaml:7:${column} `);
    expect(line.length).toBeLessThan(140);
    expect(line.slice(underline.indexOf('^'), underline.indexOf('^') + 4)).toBe('$Qty');
    expect(underline.split('^')).toHaveLength(5);
  });

  test('of a source file is shown with its cell', () => {
    const { mark: _, ...fault } = faultAt('', 1, 1);
    expect(showMarked({ ...fault, origin: { file: 'sales.csv', row: 5, column: 'Qte' } })).toBe(
      'sales.csv:5:Qte  map/no-such-column  there is no column $Qty - did you mean "Qte"?',
    );
  });

  test('an underline longer than the part ends with it', () => {
    const [, line = '', underline = ''] = showMarked(faultAt('x'.repeat(10_000), 5, 9_000)).split('\n');
    expect(underline.lastIndexOf('^')).toBe(line.length - 1);
  });
});

test('a file of more than 256 KiB is not read', () => {
  const read = readYaml(`a: "${'x'.repeat(256 * 1024)}"\n`, 'tables/units.yaml');
  expect('faults' in read && read.faults).toMatchObject([
    { code: 'yaml/too-large', message: 'the file has more than 256 KiB', hint: 'move long tables into CSV files' },
  ]);
});
