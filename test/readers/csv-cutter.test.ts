/** Records are cut where the reader finds them, under its row numbers, and nothing of the bytes is lost. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvReader } from '../../src/readers/csv/csv-reader.ts';
import { createRecordSlicer, type RawRecord, type RecordSlicer } from '../../src/readers/csv/csv-record-slicer.ts';

function inPieces(cutter: RecordSlicer, bytes: Buffer, size: number): RawRecord[] {
  const records: RawRecord[] = [];
  for (let at = 0; at < bytes.length; at += size) records.push(...cutter.take(bytes.subarray(at, at + size)));
  return [...records, ...cutter.end()].map(({ row, bytes: own, lineEnd }) => ({
    row,
    bytes: Buffer.from(own),
    lineEnd: Buffer.from(lineEnd),
  }));
}

const cell = fc.oneof(
  fc.constantFrom('', 'a', 'é', '12,5', 'deux;mots', 'ligne\r\nsuite', 'un "mot"', '\n', '\r', '"', '€'),
  fc.string({ maxLength: 4 }).filter((text) => !/[\0\ufffd]/.test(text) && text.isWellFormed()),
);
const quoted = (text: string) => (/[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

test('the cutter and the reader agree on rows, whatever the pieces', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 6 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.nat({ max: 6 }), { maxLength: 2 }),
      async (rows, lineEnd, size, blanks) => {
        const lines = rows.map((cells) => cells.map(quoted).join(';'));
        for (const at of blanks) lines.splice(at, 0, '');
        const bytes = Buffer.from(['K;V', ...lines, ''].join(lineEnd));
        const records = inPieces(createRecordSlicer({ quote: '"', linesAbove: 0 }), bytes, size);
        expect(Buffer.concat(records.flatMap((one) => [one.bytes, one.lineEnd])).equals(bytes)).toBe(true);
        const read: [number, string][] = [];
        for await (const { rows: found } of csvReader.read(
          (async function* () {
            yield bytes;
          })(),
          { file: 'x.csv', source: { delimiter: ';' } },
        )) {
          read.push(...found.map(({ row, cells }): [number, string] => [row, cells.map(quoted).join(';')]));
        }
        const cut = records.filter(({ row, bytes: own }) => row > 1 && own.length > 0);
        expect(cut.map(({ row, bytes: own }): [number, string] => [row, own.toString()])).toEqual(read);
      },
    ),
  );
});

test('lines above the table may hold a lone quote', () => {
  const bytes = Buffer.from('Export "du\nN;V\n"a\nb";1\n');
  expect(
    inPieces(createRecordSlicer({ quote: '"', linesAbove: 1 }), bytes, 4).map(({ bytes: own }) => own.toString()),
  ).toEqual(['Export "du', 'N;V', '"a\nb";1']);
});
