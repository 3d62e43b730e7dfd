/** What was written comes back: any cells, in any dialect, through a spreadsheet or not. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCorrectionCsv, readCorrectionCsv } from '../../src/reading/correction-csv.ts';
import { csvReader } from '../../src/reading/csv.ts';
import { sameText } from '../../src/reading/damage.ts';
import { toFixCsv } from '../../src/reading/to-fix-csv.ts';
import { isCorrectionXml, marksIn } from '../../src/reading/to-fix-xml.ts';

const DOC = '01a1fc15-2574-7000-87d5-0a7dd07d2a64/1';

async function toFix(content: Buffer, options: object): Promise<Buffer> {
  const bytes = (async function* () {
    yield content;
  })();
  const at = (row: number) => ({ doc: DOC, row, error: '-1;"x"' });
  const about = { bytes, file: 'x.csv', reader: csvReader, failed: { at }, overlay: new Map() };
  const pieces: Buffer[] = [];
  for await (const piece of toFixCsv({ ...about, options: csvReader.options.parse(options) })) pieces.push(piece);
  return Buffer.concat(pieces);
}

const cell = fc.oneof(
  fc.constantFrom('', 'é', '12,50', '_doc', 'a;b', 'x\r\ny', '"', "l'été", '=1', ' x ', '\t'),
  fc.string({ maxLength: 6 }).filter((text) => text.isWellFormed() && !/[\0\ufeff\ufffd]/.test(text)),
);

test('cells of failed rows come back as they were', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(';', ',', '\t', '|', '~'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom('utf-8', 'utf-16le'),
      async (rows, delimiter, lineEnd, encoding) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const lines = [['Nom', 'V'], ...rows].map((cells) => cells.map(quoted).join(delimiter) + lineEnd);
        const source = Buffer.from(`\ufeff${lines.join('')}`, encoding === 'utf-8' ? 'utf8' : 'utf16le');
        const content = await toFix(source, { delimiter: delimiter === '\t' ? 'tab' : delimiter });
        expect(isCorrectionCsv(content)).toBe(true);
        const [sheet] = readCorrectionCsv(content);
        expect(sheet!.lost).toEqual([]);
        expect(sheet!.rows.map(({ cells }) => cells.slice(0, 2))).toEqual(rows);
        expect(sheet!.rows.map(({ line, doc, row }) => [line, doc, row])).toEqual(
          rows.map((_, n) => [n + 2, DOC, String(n + 2)]),
        );
      },
    ),
  );
});

test('two of the three columns make a correction file, one does not', () => {
  expect(isCorrectionCsv(Buffer.from('a;_doc;_row\n'))).toBe(true);
  expect(isCorrectionCsv(Buffer.from('"_row","a","_error"\r\n'))).toBe(true);
  expect(isCorrectionCsv(Buffer.from('sep=,\r\n_row,_doc\r\n'))).toBe(true);
  expect(isCorrectionCsv(Buffer.from('a;_doc;b\n1;_row;_error\n'))).toBe(false);
  expect(isCorrectionCsv(Buffer.from('Num;Date\n'))).toBe(false);
  expect(isCorrectionCsv(Buffer.alloc(0))).toBe(false);
});

test('files full of beginnings are looked at in a moment', () => {
  const many = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length));
  const startedMs = performance.now();
  for (const text of [
    '<!--',
    '<!-- _doc _row ',
    '<!-- _doc="',
    '<!-- _doc="a" _row="1" _error="',
    ' ',
    '"_doc',
    '_doc;_row',
  ]) {
    expect(isCorrectionXml(`<${many(text)}`)).toBe(false);
    expect(marksIn(many(text))).toEqual([]);
    isCorrectionCsv(Buffer.from(many(text)));
    expect(sameText(many(text), `${many(text)}x`)).toBe(false);
  }
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});
