/** Correction files hold the source's own bytes; three columns are added in its dialect and encoding. */
import { execFileSync } from 'node:child_process';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { FailedRow } from '../../src/model/correction.ts';
import { writeCorrectionCsv } from '../../src/readers/correction-file/write-correction-csv.ts';
import { csvReader } from '../../src/readers/csv/csv-reader.ts';
import { singleBytePage, UNDEFINED } from '../../src/readers/encoding/code-pages.ts';
import { createEncoder } from '../../src/readers/encoding/encoder.ts';
import { fixedReader } from '../../src/readers/fixed-width/fixed-width-reader.ts';
import type { Reader } from '../../src/readers/reader.ts';

const DOC = '01a1fc15-2574-7000-87d5-0a7dd07d2a64/1';

async function toFix(
  content: Buffer,
  options: object,
  rows: { readonly [row: number]: string },
  { reader = csvReader as Reader, overlay = new Map<number, ReadonlyMap<string, string>>(), size = 7 } = {},
): Promise<Buffer> {
  const bytes = (async function* () {
    for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
  })();
  const at = (row: number): FailedRow | undefined =>
    rows[row] === undefined ? undefined : { doc: DOC, row, error: rows[row] };
  const pieces: Buffer[] = [];
  const source = reader.options.parse(options);
  for await (const piece of writeCorrectionCsv({
    bytes,
    file: 'v.csv',
    reader,
    options: source,
    failed: { at },
    overlay,
  })) {
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

test('Windows-1252 with semicolons, quoted cells and CRLF: bytes as they were', async () => {
  const source = iconv.encode(
    'Num;Libellé;Prix\r\nA1;Café;1,50\r\nA2;"Thé; ""vert""\r\nen vrac";2,00 €\r\nA3;x;3\r\n',
    'windows-1252',
  );
  const fixed = await toFix(source, { encoding: 'windows-1252' }, { 3: 'Prix: « 2,00 € » → nombre', 4: '' });
  expect(fixed.toString('latin1')).toBe(
    iconv
      .encode(
        `Num;Libellé;Prix;_doc;_row;_error\r\nA2;"Thé; ""vert""\r\nen vrac";2,00 €;${DOC};3;Prix: « 2,00 € » ? nombre\r\nA3;x;3;${DOC};4;\r\n`,
        'windows-1252',
      )
      .toString('latin1'),
  );
});

test('UTF-16 with tabs: the mark, and sixteen bits per sign', async () => {
  const source = Buffer.from('\ufeffNum\tNom\nA1\tÉlan 😀\nA2\ty\n', 'utf16le');
  const fixed = await toFix(source, { delimiter: 'tab' }, { 2: 'Nom: 😀' });
  expect(fixed.toString('utf16le')).toBe(`\ufeffNum\tNom\t_doc\t_row\t_error\nA1\tÉlan 😀\t${DOC}\t2\tNom: 😀\n`);
});

test('UTF-8 gets its mark, LF stays LF, and a last row without line end gets one', async () => {
  const fixed = await toFix(Buffer.from('N;V\nA;é'), { 'final-line-end': 'optional' }, { 2: 'x;y' });
  expect(fixed.toString()).toBe(`\ufeffN;V;_doc;_row;_error\nA;é;${DOC};2;"x;y"\n`);
});

test('sep= line, lines above the header, blank lines and short rows keep their numbers', async () => {
  const source = Buffer.from('sep=,\r\nJournal "\r\nN,V,W\r\n\r\nA,1\r\nB,2,3\r\n');
  const fixed = await toFix(source, { 'header-row': 2 }, { 4: 'short', 5: '' });
  expect(fixed.toString()).toBe(`\ufeffsep=,\r\nN,V,W,_doc,_row,_error\r\nA,1,,${DOC},4,short\r\nB,2,3,${DOC},5,\r\n`);
});

test('nothing in it is a formula: cells, column names and what we write; its mark says so, and other rows stay as they are', async () => {
  const source = Buffer.from('N;+V;W\n=1+1;-5;"\'=a"\n"a ""b""";-12,50;+33 1 23\n');
  const fixed = await toFix(source, {}, { 2: '=HYPERLINK("x")', 3: '' });
  expect(fixed.toString()).toBe(
    `\ufeffN;'+V;W;_doc;_row;_error\n'=1+1;-5;''=a;${DOC}/guarded;2;"'=HYPERLINK(""x"")"\n` +
      `"a ""b""";-12,50;+33 1 23;${DOC}/guarded;3;\n`,
  );
  const rows = await toFix(Buffer.from('N;V\n=1+1;"é"\nA;"x"\n'), {}, { 2: '', 3: '' });
  expect(rows.toString()).toBe(`\ufeffN;V;_doc;_row;_error\n'=1+1;é;${DOC}/guarded;2;\nA;"x";${DOC};3;\n`);
});

test('cells that were corrected before are shown as corrected', async () => {
  const overlay = new Map([[2, new Map([['V', 'a;b']])]]);
  const fixed = await toFix(Buffer.from('N;V;W\n"A";x;"z"\n'), {}, { 2: '' }, { overlay });
  expect(fixed.toString()).toContain(`A;"a;b";z;${DOC};2;\n`);
});

test('without a header of its own: the names of the mapping, or cells as CSV', async () => {
  const named = await toFix(Buffer.from('A;1\n'), { 'column-names': ['N', 'V'] }, { 1: 'e' });
  expect(named.toString()).toBe(`\ufeffN;V;_doc;_row;_error\nA;1;${DOC};1;e\n`);
  const columns = { N: '1-3', V: '4-5' };
  const lines = await toFix(Buffer.from('A  12\nB  3;\n'), { columns }, { 2: 'e' }, { reader: fixedReader });
  expect(lines.toString()).toBe(`\ufeffN;V;_doc;_row;_error\r\nB;"3;";${DOC};2;e\r\n`);
  const types = {
    levels: [
      { value: 'E', columns: ['t', 'Num'] },
      { value: 'L', columns: ['t', 'Art'] },
    ],
  };
  const records = await toFix(Buffer.from('E;F1\nL;a\nE;F2\nL;b\n'), { 'record-types': types }, { 4: 'e' });
  expect(records.toString()).toBe(`\ufefft;Num;Art;_doc;_row;_error\r\nL;F2;b;${DOC};4;e\r\n`);
});

test('every byte of a page goes back to itself', () => {
  for (const encoding of ['windows-1252', 'windows-1250', 'cp850', 'cp437', 'iso-8859-15', 'macroman']) {
    const page = singleBytePage(encoding)!;
    const bytes = Buffer.from(Array.from(page.keys()).filter((byte) => page[byte] !== UNDEFINED));
    const text = String.fromCharCode(...Array.from(bytes, (byte) => page[byte]!));
    expect(createEncoder(encoding).bytes(Buffer.from(text)).equals(bytes), encoding).toBe(true);
  }
});

test('a correction file is recognized at any address in memory', () => {
  const program = `
    import { isCorrectionCsv } from '${new URL('../../src/readers/correction-file/read-correction-csv.ts', import.meta.url).href}';
    for (let length = 0; length < 3000; length++) isCorrectionCsv(Buffer.alloc(3001, 'NUM;_é\\0').subarray(1, 1 + length));
    const marked = Buffer.from('\\ufeffA;_doc;_row;_error\\n', 'utf16le');
    console.log(isCorrectionCsv(Buffer.concat([Buffer.of(0), marked]).subarray(1)), isCorrectionCsv(marked));`;
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', program], { timeout: 20_000 });
  expect(told.toString()).toBe('true true\n');
});
