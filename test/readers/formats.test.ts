/** Each format that the program reads, through all that the program does with a file. */
import { expect, it } from 'vitest';
import { READERS } from '../../src/catalogue.ts';
import { type FormatSample, formatContract } from '../contracts/format.ts';

const SAMPLES: { readonly [format: string]: FormatSample } = {
  csv: { path: 'test/infer/samples/invoices-en-us.csv', target: 'fr-invoice', documents: 5 },
  xlsx: { path: 'samples/excel-invoices/input/Factures_2026-11-21.xlsx', target: 'fr-invoice', documents: 4 },
  xml: { path: 'test/infer/samples/sales-nested.xml', target: 'fr-invoice', documents: 5 },
  fixed: { path: 'test/infer/samples/liste-tirets.txt', target: 'fr-invoice', documents: 6 },
  file: {
    path: 'samples/pass-through/input/EFAC_F2026-00872.pdf',
    target: 'fr-invoice',
    documents: 1,
    mapping: 'pass-through',
  },
};

it('each has a sample here', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(READERS.map(({ format }) => format).sort());
});

for (const [format, sample] of Object.entries(SAMPLES)) formatContract(format, sample);
