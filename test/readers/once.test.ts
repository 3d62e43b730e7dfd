/** What is made of the options of a mapping is made once, and nothing of one file is left for the next. */
import { expect, test } from 'vitest';
import { compileOnce } from '../../src/readers/compile-once.ts';
import { csvReader } from '../../src/readers/csv/csv-reader.ts';
import { fixedReader } from '../../src/readers/fixed-width/fixed-width-reader.ts';
import type { Reader } from '../../src/readers/reader.ts';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';

test('the same options are looked at once, others for themselves, and what fails fails again', () => {
  let made = 0;
  const once = compileOnce((source) => {
    made++;
    if (source === undefined) throw new Error('no options');
    return source;
  });
  const [one, other] = [{ a: 1 }, { a: 1 }];
  expect([once(one), once(one), once(other)]).toEqual([one, one, other]);
  expect(made).toBe(2);
  expect(() => once(undefined)).toThrow('no options');
  expect(() => once(undefined)).toThrow('no options');
});

const FILES: readonly [Reader, object, first: string, second: string][] = [
  [csvReader, { delimiter: ';' }, 'Num;Net\nF1;10\nF2;20\n', 'Num;Net;More\nF3;30;x\n'],
  [fixedReader, { columns: { num: '1-2', net: '3-4' } }, 'F110\nF220\n', 'F330\n'],
  [
    xmlReader,
    { document: '/E/F', row: 'L', 'paths-optional': false, columns: { num: '../@n', net: 'N', gone: 'G' } },
    '<E><F n="F1"><L><N>10</N></L></F><F n="F2"><L><N>20</N></L></F></E>',
    '<E><F n="F3"><L><N>30</N><G>x</G></L></F></E>',
  ],
];

test.each(FILES)(
  '$format: a file reads the same behind another one of the same mapping',
  async (reader, source, ...texts) => {
    const [first, second] = texts;
    const alone = await rowsOf(reader, { ...source }, second);
    expect(await rowsOf(reader, source, first)).not.toEqual(alone);
    expect(await rowsOf(reader, source, second)).toEqual(alone);
    expect(alone.length).toBeGreaterThan(0);
  },
);

async function rowsOf(reader: Reader, source: object, text: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  async function* bytes() {
    yield Buffer.from(text);
  }
  for await (const { rows, table, warnings = [] } of reader.read(bytes(), { file: 'a', source })) {
    found.push(...rows.map(({ row, cells }) => ({ row, cells, columns: table.columns })), ...warnings);
  }
  return found;
}
