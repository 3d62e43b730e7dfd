/** What was written comes back: any cells, in any dialect, through a spreadsheet or not. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCorrectionCsv, readCorrectionCsv } from '../../src/readers/correction-file/read-correction-csv.ts';
import { writeCorrectionCsv } from '../../src/readers/correction-file/write-correction-csv.ts';
import { isCorrectionXml, readCorrectionMarks } from '../../src/readers/correction-file/write-correction-xml.ts';
import { csvReader } from '../../src/readers/csv/csv-reader.ts';
import { fixedReader } from '../../src/readers/fixed-width/fixed-width-reader.ts';
import type { Reader } from '../../src/readers/reader.ts';
import { isSameText } from '../../src/readers/spreadsheet-damage.ts';
import { cpuTimeMs } from '../cpu-time.ts';

const DOC = '01a1fc15-2574-7000-87d5-0a7dd07d2a64/1';

async function toFix(content: Buffer, options: object, reader: Reader = csvReader): Promise<Buffer> {
  const bytes = (async function* () {
    yield content;
  })();
  const at = (row: number) => ({ doc: DOC, row, error: '-1;"x"' });
  const about = { bytes, file: 'x.csv', reader, failed: { at }, overlay: new Map() };
  const pieces: Buffer[] = [];
  for await (const piece of writeCorrectionCsv({ ...about, options: reader.options.parse(options) }))
    pieces.push(piece);
  return Buffer.concat(pieces);
}

/** What a spreadsheet may run, and what looks like the guard before it. */
const dangerous = fc
  .tuple(
    fc.constantFrom('', '', "'", "''", ' ', "' ", '"', '\t', '\r', '\n'),
    fc.constantFrom('=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20', '\t', '\r', "'"),
    fc.constantFrom('', '1', '12,50', '1+1', 'A1', "cmd|' /C calc'!A0", '-', '33 1', ' x', "'"),
  )
  .map((parts) => parts.join(''));

const cell = fc.oneof(
  dangerous,
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

/** As OWASP has them, but for a sign with nothing but a number behind it. */
const RUNS = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
const NUMBER = /^ *[+-][\d ,]*$/;

test('no cell of the file is a formula for a spreadsheet, and each is read back unchanged with any separator', async () => {
  const plain = dangerous.filter((text) => !/[\t\r\n;]/.test(text));
  // A file without quotes whose column names begin with one is not known as a correction file.
  const names = plain.filter((text) => !text.includes('"'));
  const pairs = fc.array(fc.tuple(plain, plain), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(pairs, names, fc.constantFrom("'", 'none', 'fixed'), async (rows, name, quote) => {
      const columns = ['N', name.trim() === 'N' || name.trim() === '' ? 'V' : name.trim()];
      const quoted = (text: string) => (quote === "'" ? `'${text.replaceAll("'", "''")}'` : text);
      const table = [columns, ...rows].map((cells) => `${cells.map(quoted).join(';')}\n`).join('');
      const lines = rows.map(([n, v]) => `${n.padEnd(40)}${v.padEnd(40)}\n`).join('');
      const content =
        quote === 'fixed'
          ? await toFix(Buffer.from(lines), { columns: { N: '1-40', [columns[1]!]: '41-80' } }, fixedReader)
          : await toFix(Buffer.from(table), { quote });
      const shown = readCorrectionCsv(content).at(-1)!;
      for (const text of [...shown.columns.keys(), ...shown.rows.flatMap(({ cells }) => cells)])
        expect(RUNS.test(text) && !NUMBER.test(text), JSON.stringify(text)).toBe(false);
      const read = readCorrectionCsv(content, quote === 'fixed' ? {} : { quote }).map((sheet) =>
        sheet.rows.map(({ cells }) => columns.map((column) => cells[sheet.columns.get(column) ?? -1])),
      );
      const wanted = quote === 'fixed' ? rows.map((cells) => cells.map((text) => text.trim())) : rows;
      expect(read).toContainEqual(wanted);
    }),
  );
});

test('rows of an older correction file are read unchanged, also next to rows of a new one', () => {
  const sheet = (rows: string) => readCorrectionCsv(Buffer.from(`N;V;_doc;_row;_error\n${rows}`));
  expect(sheet(`'=1;''=2;${DOC};2;\n`).map(({ rows }) => rows[0]!.cells.slice(0, 3))).toEqual([["'=1", "''=2", DOC]]);
  const [both] = sheet(`'=1;''=2;${DOC};2;\n'=1;''=2;${DOC}/guarded;3;\n`);
  expect(both!.rows.map(({ cells, doc }) => [...cells.slice(0, 2), doc])).toEqual([
    ["'=1", "''=2", DOC],
    ['=1', "'=2", DOC],
  ]);
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
  const startedMs = cpuTimeMs();
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
    expect(readCorrectionMarks(many(text))).toEqual([]);
    isCorrectionCsv(Buffer.from(many(text)));
    expect(isSameText(many(text), `${many(text)}x`)).toBe(false);
  }
  expect(cpuTimeMs() - startedMs).toBeLessThan(20_000);
});
