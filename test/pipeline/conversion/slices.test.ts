import { expect, test } from 'vitest';
import { DOCUMENT_KINDS, READERS } from '../../../src/catalogue.ts';
import { convert } from '../../../src/pipeline/conversion/convert-file.ts';
import { mappingOf } from './convert-text.ts';

const MAPPING = `mapping: sales
version: 1
target: fr-invoice
accepts: { files: "*.csv" }
source: { format: csv, delimiter: ";", columns: { Net: number } }
documents: { one-per: No, class: invoice, never-twice: No, identical-rows: allowed }
output:
  document: { identifier: $No }
  lines: { each: row, make: { net-amount: $Net } }
`;

/** Documents of each step, in a file with `documents` of so many rows. */
async function stepsOf(documents: number, rows: number): Promise<readonly number[]> {
  const mapping = mappingOf(MAPPING);
  const lines = Array.from({ length: documents * rows }, (_, n) => `F${Math.floor(n / rows)};1`);
  const steps: number[] = [];
  for await (const { outcomes } of convert({
    bytes: (async function* () {
      yield Buffer.from(['No;Net', ...lines, ''].join('\n'));
    })(),
    file: 'a.csv',
    mapping,
    reader: READERS.find(({ format }) => format === 'csv')!,
    kind: DOCUMENT_KINDS.find(({ name }) => name === 'fr-invoice')!,
    facts: { today: '2026-11-20', file: { name: 'a.csv', base64: () => '' } },
  })) {
    steps.push(outcomes.length);
  }
  return steps;
}

test('documents come in steps of so many rows, that nothing else waits for them long; larger ones once code is compiled', async () => {
  const small = await stepsOf(20_000, 1);
  expect(small.reduce((sum, count) => sum + count)).toBe(20_000);
  expect(Math.max(...small.slice(0, 10))).toBe(30);
  expect(Math.max(...small)).toBe(75);
  const large = await stepsOf(250, 100);
  expect(large.reduce((sum, count) => sum + count)).toBe(250);
  expect(Math.max(...large.slice(0, 10))).toBe(2);
  expect(Math.max(...large)).toBe(3);
});
