/** csv-spectrum: small files, each with what it must be read as. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { csvReader } from '../../src/readers/csv/csv-reader.ts';
import { codesOf, readAll } from '../readers/make.ts';

const folder = dirname(createRequire(import.meta.url).resolve('csv-spectrum/package.json'));
const names = readdirSync(join(folder, 'csvs'))
  .map((name) => name.replace(/\.csv$/, ''))
  .sort();

/** A quote stands in the middle of a cell that is not quoted: what its writer meant cannot be known. */
const REFUSED = 'location_coordinates';

it('has all files, and one is refused on purpose', async () => {
  expect(names).toHaveLength(12);
  const csv = readFileSync(join(folder, 'csvs', `${REFUSED}.csv`));
  expect(codesOf(await readAll(csvReader, csv, { delimiter: ',' }))).toEqual(['csv/quote-inside-cell']);
});

it.each(names.filter((name) => name !== REFUSED))('%s', async (name) => {
  const csv = readFileSync(join(folder, 'csvs', `${name}.csv`));
  const expected = JSON.parse(readFileSync(join(folder, 'json', `${name}.json`), 'utf8')) as object[];
  // Some of them end without a line end, which is refused unless the mapping allows it.
  for (const chunk of [1, 1 << 20]) {
    const { table, rows, refused } = await readAll(
      csvReader,
      csv,
      { delimiter: ',', 'final-line-end': 'optional' },
      { chunk },
    );
    expect(refused).toEqual([]);
    const read = rows.map(({ cells }) => Object.fromEntries(cells.map((cell, at) => [table!.columns[at], cell])));
    expect(read).toEqual(expected);
  }
});
