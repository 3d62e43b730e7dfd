import { describe, expect, it } from 'vitest';
import { mappingWorld } from '../../src/instance/instance.ts';
import { loadMapping } from '../../src/mapping/mapping.ts';

const mapping = (join: string, source = 'format: csv', files = '"ENT_*.csv"') => `mapping: joined
version: 1
target: fr-invoice
accepts: { files: ${files} }
source:
  ${source}
  join: ${join}
documents: { one-per: Num, class: invoice }
output:
  document: { identifier: $Num, currency: EUR }
  receiver: { name: $Date }
`;

function load(text: string) {
  const { mapping: loaded, faults } = loadMapping(text, 'mappings/test.yaml', mappingWorld('/nowhere'));
  return { join: loaded?.join, found: faults.map(({ code, message, mark }) => `${mark?.line} ${code} ${message}`) };
}

describe('join of a source', () => {
  it('takes the settings of the header file for the lines, and a day to wait', () => {
    const { join, found } = load(mapping('{ with: "LIG_*.csv", key: [Soc, Num] }', 'format: csv\n  delimiter: "|"'));
    expect(found).toEqual([]);
    expect(join).toMatchObject({ with: 'LIG_*.csv', waitMs: 86_400_000, options: { delimiter: '|' } });
    expect(join?.key).toMatchObject({ headers: ['Soc', 'Num'], lines: ['Soc', 'Num'] });
  });

  it('takes other settings and other names where the line file has them', () => {
    const own = '{ with: "LIG_*.txt", key: { Num: Piece }, wait: 30m, source: { delimiter: tab } }';
    const { join } = load(mapping(own));
    expect(join).toMatchObject({ waitMs: 1_800_000, options: { delimiter: '\t' } });
    expect(join?.key).toMatchObject({ headers: ['Num'], lines: ['Piece'] });
  });

  it.each([
    ['a pattern without *', '{ with: lines.csv, key: Num }', '7 map/wrong-value "lines.csv" needs exactly one *'],
    ['a pattern with two', '{ with: "*_*.csv", key: Num }', '7 map/wrong-value "*_*.csv" needs exactly one *'],
    ['a setting of no reader', '{ with: "L_*.csv", key: Num, source: { delimeter: "," } }', '7 map/unknown-key'],
    ['a time that is none', '{ with: "L_*.csv", key: Num, wait: soon }', '7 map/'],
    ['no key', '{ with: "L_*.csv" }', '7 map/missing'],
  ])('is refused with %s', (_, join, words) => {
    expect(load(mapping(join)).found.join('\n')).toContain(words);
  });

  it('is refused when the pattern of the header file has no * for the pair', () => {
    const { found } = load(mapping('{ with: "L_*.csv", key: Num }', 'format: csv', 'headers.csv'));
    expect(found).toEqual([expect.stringContaining('4 map/wrong-value "headers.csv" needs exactly one *')]);
  });

  it('knows the columns of both files where both are listed', () => {
    const source = 'format: csv\n  column-names: [Num, Date]';
    const lines = (more: string) => `{ with: "L_*.csv", key: Num, source: { column-names: [Num, Net${more}] } }`;
    expect(load(mapping(lines(''), source)).found).toEqual([]);
    expect(load(mapping(lines(', Date'), source).replace('$Date', '$lines.Date')).found).toEqual([]);
    expect(load(mapping(lines(''), source).replace('$Date', '$Dat')).found).toEqual([
      expect.stringContaining('map/no-such-column'),
    ]);
  });
});
