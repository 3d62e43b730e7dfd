/** The quick cutter against the strict parser: the same records, rows and faults, however the bytes are cut. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fault } from '../../src/model/fault.ts';
import { createCsvFastParser } from '../../src/readers/csv/csv-fast-parser.ts';
import { csvOptions } from '../../src/readers/csv/csv-options.ts';
import { csvReader } from '../../src/readers/csv/csv-reader.ts';
import { createCsvSheet } from '../../src/readers/csv/csv-rows.ts';
import { createCsvStrictParser } from '../../src/readers/csv/csv-strict-parser.ts';
import { UnreadableFileError } from '../../src/readers/reader.ts';
import { runs } from '../seed.ts';

type Read = { readonly cells: readonly (readonly [number, ...string[]])[]; readonly faults: readonly Fault[] };
type Dialect = { readonly delimiter: string; readonly quote: string };

const FILE = 'a.csv';
const NAMES = ['a', 'b', 'c'];

const source = (dialect: Dialect) => ({ ...dialect, 'column-names': NAMES, 'final-line-end': 'optional' });
const shown = ({ cells, row }: { readonly cells: readonly string[]; readonly row: number }) => [row, ...cells] as const;

async function byReader(text: string, dialect: Dialect, chunkBytes: number): Promise<Read> {
  const cells: (readonly [number, ...string[]])[] = [];
  const bytes = async function* () {
    yield Buffer.from(text);
  };
  try {
    for await (const { rows } of csvReader.read(bytes(), { file: FILE, source: source(dialect), chunkBytes })) {
      cells.push(...rows.map(shown));
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return { cells, faults: error.faults };
  }
  return { cells, faults: [] };
}

async function byStrictParser(text: string, { delimiter, quote }: Dialect): Promise<Read> {
  const options = csvOptions.parse(source({ delimiter, quote }));
  const sheet = createCsvSheet(FILE, options, delimiter);
  const strict = createCsvStrictParser({
    ...{ file: FILE, delimiter, quote: quote === 'none' ? undefined : quote },
    ...{ anyLength: false, rowsAbove: 0, sheet },
  });
  strict.write(Buffer.from(text));
  await strict.end();
  const error = strict.error();
  if (error && !(error instanceof UnreadableFileError)) throw error;
  return { cells: sheet.drain().rows.map(shown), faults: error ? error.faults : [] };
}

/** Longer than the `sep=` line that a reader waits for. */
const FIRST = 'the first record;y;z\n';
const PIECES = [
  'a',
  'b;',
  ';',
  ';;',
  '"',
  '""',
  '";"',
  '\r\n',
  '\r\n',
  '\n',
  '\r',
  ' ',
  'é’',
  '𝄞',
  'abc;"d ""e"" f";g\r\n',
];
const text = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 40 })
  .map((pieces) => `${FIRST}${pieces.join('')}`);
const dialect = fc.record({
  delimiter: fc.constantFrom(';', ';', ';;'),
  quote: fc.constantFrom('"', '"', 'none', 'é'),
});

test('records, rows and faults are those of the strict parser', async () => {
  await fc.assert(
    fc.asyncProperty(text, dialect, fc.integer({ min: 1, max: 30 }), async (given, kind, chunkBytes) => {
      expect(await byReader(given, kind, chunkBytes)).toEqual(await byStrictParser(given, kind));
    }),
    { numRuns: runs(400) },
  );
});

test('a regular file needs no strict parser', () => {
  const records: (readonly string[])[] = [];
  const cutter = createCsvFastParser({ delimiter: ';', quote: '"' }, (cells) => records.push(cells))!;
  expect(cutter.take(Buffer.from('a;"b ""c"";\r\nd";\r\n\r\n"";é;f\n'))).toBe(true);
  expect(cutter.rest()).toHaveLength(0);
  expect(records).toEqual([['a', 'b "c";\r\nd', ''], [], ['', 'é', 'f']]);
});

test('a record longer than 64 KiB is left to the strict parser', () => {
  const cutter = createCsvFastParser({ delimiter: ';', quote: '"' }, () => {})!;
  expect(cutter.take(Buffer.from('a;"'))).toBe(true);
  expect(cutter.take(Buffer.alloc(70_000, 'x'))).toBe(false);
  expect(cutter.rest()).toHaveLength(70_003);
});
