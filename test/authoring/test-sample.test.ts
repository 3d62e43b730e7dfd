/** The file of a test that the studio makes: the rows of a document, cut out of a sample in the encoding of its mapping. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeTestSample } from '../../src/authoring/add-test.ts';
import { preview } from '../../src/views/preview/preview-files.ts';
import { openShipped, REPOSITORY } from '../samples/instance.ts';

it.each([
  ['sage-invoices', 'FAC_0905.csv', 'latin1'],
  ['ebp-invoices', 'EBP_Export_17092026.csv', 'latin1'],
  ['host-invoices', 'HOST_INV_0921.dat', 'latin1'],
  ['navision-sales', 'NAV_Sales_260919.txt', 'utf16le'],
] as const)('is cut out of a sample of %s', async (id, name, encoding) => {
  await using shipped = await openShipped();
  const { instance } = shipped;
  const path = join(instance.folder, name);
  const folder = id === 'host-invoices' ? 'host-fixed-width' : id;
  copyFileSync(join(REPOSITORY, 'samples', folder, 'input', name), path);
  const rows: (readonly number[])[] = [];
  for await (const one of preview(instance, path, new Date('2026-11-20T12:00:00Z'))) rows.push(one.rows);
  const file = join(REPOSITORY, `mappings/${id}.yaml`);
  const [first, second] = rows;
  const about = { sample: { name, path }, identifier: 'X', rows: second!, firstRow: first![0]!, isAlone: false };
  const { given } = await writeTestSample(instance, { file, text: readFileSync(file, 'utf8') }, about);
  const cut = readFileSync(join(instance.folder, given), encoding);
  const whole = readFileSync(path, encoding);
  expect(cut.length).toBeLessThan(whole.length);
  expect(cut.split(/\r?\n/).every((line) => whole.includes(line))).toBe(true);
});
