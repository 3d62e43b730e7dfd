/** A header that is not read as it is meant: one fault says what is wrong, and where. */
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, sales } from '../../night.ts';

const TITLES = 'Export des ventes\nSociété;2026\n;\n';

async function refusalOf(content: string, encoding: string, change: (mapping: string) => string) {
  await using scene = await openScene({ mappings: { 'sales.yaml': change(SALES_MAPPING) } });
  scene.drop('ventes.csv', iconv.encode(content, encoding));
  const { told } = await scene.night();
  return told.flatMap((one) =>
    one.what === 'file-refused'
      ? one.faults.map(({ code, message, hint, origin }) => ({ code, message, hint, row: origin?.row }))
      : [],
  );
}

test.each([1, 2, 3, 5])('the header is in row 4, and header-row is %i', async (row) => {
  // The row below the header has cells of its own under each name.
  const content = TITLES + sales(['F1']).replace('10,50;20\n', '10,50;21\n');
  const faults = await refusalOf(content, 'utf-8', (mapping) =>
    mapping.replace('format: csv', `format: csv\n  header-row: ${row}`),
  );
  expect(faults).toMatchObject([
    { code: 'map/header-elsewhere', row: 4, hint: expect.stringContaining('header-row: 4') },
  ]);
  expect(faults[0]!.message).toContain(`row ${row} `);
});

test('a missing column is still reported by its name, in the row of the header', async () => {
  const faults = await refusalOf(TITLES + sales(['F1']).replace('PU;', 'Prix;'), 'utf-8', (mapping) =>
    mapping.replace('format: csv', 'format: csv\n  header-row: 4'),
  );
  expect(faults).toMatchObject([{ code: 'map/no-such-column', row: 4 }]);
});

const accented = (mapping: string) =>
  mapping
    .replace('format: csv', 'format: csv\n  header-row: 4\n  encoding: windows-1252')
    .replaceAll('$Client', '$Société');

test('an accented header in UTF-8 under a page is one fault, in the row of the header', async () => {
  const content = TITLES + sales(['F1']).replace('Client', 'Société');
  expect(await refusalOf(content, 'utf-8', accented)).toMatchObject([
    { code: 'text/is-utf-8', row: 4, hint: expect.stringContaining('encoding: utf-8') },
  ]);
  expect(await refusalOf(content, 'windows-1252', accented)).toEqual([]);
  // In its own page the name is simply another one.
  expect(await refusalOf(content.replace('Société;Lig', 'Sociétés;Lig'), 'windows-1252', accented)).toMatchObject([
    { code: 'map/no-such-column', row: 4 },
  ]);
});

test('a header in another page is one fault, and so is a customer in it below a header in ASCII', async () => {
  const dos = sales(['F1']).replace('Client', 'Société');
  expect(await refusalOf(TITLES + dos, 'cp850', accented)).toMatchObject([
    { code: 'text/other-page', row: 4, hint: expect.stringContaining('encoding: cp850') },
  ]);
  const below = (mapping: string) => mapping.replace('format: csv', 'format: csv\n  encoding: cp850');
  const windows = sales(['F1']).replaceAll('Client F1', 'Crémerie du Lac');
  expect(await refusalOf(windows, 'windows-1252', below)).toMatchObject([
    {
      code: 'text/other-page',
      row: 2,
      message: expect.stringContaining('"Crémerie" on line 2 would become "CrÚmerie"'),
    },
  ]);
  expect(await refusalOf(windows, 'cp850', below)).toEqual([]);
});
