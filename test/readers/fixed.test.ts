import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { fixedReader } from '../../src/readers/fixed-width/fixed-width-reader.ts';
import { readerContract } from '../contracts/reader.ts';
import { cellsOf, codesOf, readAll } from './make.ts';

const PLAIN = { 'line-length': 12, columns: { Num: '1-4', Name: '5-9', Amount: { start: 10, length: 3 } } };
const RECORDS = {
  'record-types': {
    at: 1,
    levels: [
      { value: 'H', columns: { Num: '2-5', Date: '6-13' } },
      { value: ['L', 'M'], columns: { Line: '2-3', Amount: '4-8' } },
    ],
  },
};
const good = 'A001Élan 012\nA002Noël 034\r\nA003     005\n';

readerContract({
  reader: fixedReader,
  source: PLAIN,
  good: Buffer.from(good),
  rows: 3,
  refused: [Buffer.from('A001Élan 012'), Buffer.from([0x41, 0xff, 0xfe]), Buffer.from('A\0')],
  noticesCuts: false,
});

describe('columns by position', () => {
  it('cuts each line verbatim, blanks and leading zeros included', async () => {
    const outcome = await readAll(fixedReader, good, PLAIN);
    expect(outcome.table?.columns).toEqual(['Num', 'Name', 'Amount']);
    expect(cellsOf(outcome)).toEqual([
      ['A001', 'Élan ', '012'],
      ['A002', 'Noël ', '034'],
      ['A003', '     ', '005'],
    ]);
    expect(outcome.rows.map(({ row }) => row)).toEqual([1, 2, 3]);
  });

  it.each(['cp850', 'windows-1252', 'utf-16le', 'iso-8859-15', 'utf-8'])(
    'counts characters in %s',
    async (encoding) => {
      const bytes = iconv.encode(good, encoding);
      expect(cellsOf(await readAll(fixedReader, bytes, { ...PLAIN, encoding }))[1]).toEqual(['A002', 'Noël ', '034']);
    },
  );

  it('counts a character beyond the basic plane once', async () => {
    expect(cellsOf(await readAll(fixedReader, 'A001𝄞lan 012\n', PLAIN))).toEqual([['A001', '𝄞lan ', '012']]);
  });

  it('ends lines with CR alone, and takes a DOS end mark for no line', async () => {
    expect(cellsOf(await readAll(fixedReader, 'A001abcde012\rA002abcde034\r\u001a\u001a', PLAIN))).toHaveLength(2);
  });

  it('reads records without line ends, a line end at the end included', async () => {
    const options = { ...PLAIN, 'line-ends': 'none' };
    const outcome = await readAll(fixedReader, 'A001abcde012A002𝄞bcde034\n', options);
    expect(cellsOf(outcome).map(([num]) => num)).toEqual(['A001', 'A002']);
    expect(codesOf(await readAll(fixedReader, 'A001abcde012A002abc', options))).toEqual(['fixed/last-record-cut']);
  });

  it.each([1, 11, 12, 13, 24, 128])(
    'takes %i DOS end marks after records without line ends for no record',
    async (n) => {
      const options = { ...PLAIN, 'line-ends': 'none' };
      const marks = '\u001a'.repeat(n);
      for (const chunkBytes of [1, 7, 12, 4096]) {
        const read = async (text: string) => cellsOf(await readAll(fixedReader, text, options, { chunkBytes }));
        expect(await read(`A001abcde012A002abcde034${marks}`)).toHaveLength(2);
        // Before a record they are data.
        expect(await read(`A001abcde012${'\u001a'.repeat(12)}A002abcde034${marks}`)).toHaveLength(3);
        const cut = await readAll(fixedReader, `A001abcde012A002abc${marks}`, options, { chunkBytes });
        expect(codesOf(cut)).toEqual(['fixed/last-record-cut']);
      }
    },
  );

  it('leaves lines out by position, with the preamble and blank lines, and lists them', async () => {
    const source = { ...PLAIN, 'skip-rows': 1, 'leave-out': [{ at: '1-3', equals: 'TOT' }] };
    const outcome = await readAll(fixedReader, 'EXPORT 2026\nA001abcde012\n\nTOT 17\n', source);
    expect(outcome.rows).toHaveLength(1);
    expect(outcome.leftOut).toEqual([
      { row: 1, rule: 'preamble' },
      { row: 3, rule: 'blank line' },
      { row: 4, rule: 'positions 1-3 is "TOT"' },
    ]);
  });
});

describe('lines that are not as expected', () => {
  it.each([
    ['a character too few', 'A01abcde012', PLAIN, 'fixed/line-too-short'],
    ['a character too many', 'A0001abcde012', PLAIN, 'fixed/line-too-long'],
    ['blanks too many where the length is exact', 'A001abcde012  ', PLAIN, 'fixed/line-too-long'],
    ['text after the last column', 'A001abcde012 x', { columns: PLAIN.columns }, 'fixed/line-too-long'],
    ['a tab', 'A001\tbcde012', PLAIN, 'fixed/tab'],
    ['a page break before the line', '\fA001abcd012', PLAIN, 'fixed/sign-at-start'],
    ['the mark of a joined file', '\ufeff\ufeffA001abcd012', PLAIN, 'fixed/sign-at-start'],
    ['the end mark of a joined file', '\u001aA001abcd012', PLAIN, 'fixed/sign-at-start'],
  ])('%s breaks the row and the reading goes on', async (_, line, source, code) => {
    const outcome = await readAll(fixedReader, `${line}\nA002abcde034\n`, source);
    expect(outcome.rows.map(({ broken }) => broken?.code)).toEqual([code, undefined]);
    expect(outcome.rows[0]?.broken?.origin).toMatchObject({ row: 1 });
  });

  it('takes a sign at the start for the column of the printer where the length says so and no column is there', async () => {
    const source = { 'line-length': 6, columns: { no: '2-4', qty: '5-6' } };
    const outcome = await readAll(fixedReader, '\f00112\n 00234\n\f 00356\n', source);
    expect(outcome.rows.map(({ cells, broken }) => [cells.join(), broken?.code])).toEqual([
      ['001,12', undefined],
      ['002,34', undefined],
      [' 00,35', 'fixed/sign-at-start'],
    ]);
    const cut = await readAll(fixedReader, '\f00112\n', { ...source, 'trailing-blanks': 'cut' });
    expect(cut.rows.map(({ broken }) => broken?.code)).toEqual(['fixed/sign-at-start']);
  });

  it('takes shorter lines where their blanks were cut, blanks after the last column where no length is given', async () => {
    const cut = await readAll(fixedReader, 'A001abc\n', { ...PLAIN, 'trailing-blanks': 'cut' });
    expect(cut.rows).toEqual([{ cells: ['A001', 'abc', ''], row: 1 }]);
    const longer = await readAll(fixedReader, 'A001abcde012   \n', { columns: PLAIN.columns });
    expect(codesOf(longer)).toEqual([]);
  });

  it('says that an export in UTF-8 counts bytes', async () => {
    const [row] = (await readAll(fixedReader, 'A001Élan012\n', PLAIN)).rows;
    expect(row?.broken).toMatchObject({ code: 'fixed/line-too-short', hint: expect.stringContaining('counts bytes') });
  });

  it.each([
    ['a last line without line end', 'A001abcde012', 'fixed/no-final-line-end'],
    ['no line end in a megabyte', 'x'.repeat(1_100_000), 'fixed/no-line-end'],
  ])('%s refuses the file', async (_, content, code) => {
    expect(codesOf(await readAll(fixedReader, content, PLAIN))).toEqual([code]);
  });

  it('refuses a file that ends within its preamble', async () => {
    const outcome = await readAll(fixedReader, 'EXPORT\n', { ...PLAIN, 'skip-rows': 2 });
    expect(codesOf(outcome)).toEqual(['fixed/no-lines']);
  });
});

describe('record types', () => {
  const file = 'H000120260901\nL0100012\nM0200034\nH000220260902\nL0100056\n';

  it('repeats the header on each of its lines', async () => {
    const outcome = await readAll(fixedReader, file, RECORDS);
    expect(outcome.table?.columns).toEqual(['Num', 'Date', 'Line', 'Amount']);
    expect(cellsOf(outcome)).toEqual([
      ['0001', '20260901', '01', '00012'],
      ['0001', '20260901', '02', '00034'],
      ['0002', '20260902', '01', '00056'],
    ]);
  });

  it.each([
    ['a line before any header', 'L0100012\n', ['fixed/line-without-header']],
    ['a header without lines', 'H000120260901\nH000220260902\nL0100056\n', ['fixed/header-without-lines']],
    ['an unknown marker', 'X00\n', ['fixed/unknown-record-type']],
    ['a header that is too short, with its lines', 'H00012026090\nL0100012\n', ['fixed/line-too-short']],
    ['a line that is too long', 'H000120260901\nL01000129\n', ['fixed/line-too-long']],
  ])('%s comes as a broken row', async (_, content, codes) => {
    expect(codesOf(await readAll(fixedReader, content, RECORDS))).toEqual(codes);
  });

  it('gives the lines of a header that is left out to no other header', async () => {
    const levels = [
      { value: 'E', columns: { no: '2-3', type: '4-5' } },
      { value: 'L', columns: { item: '2-3' } },
    ];
    const source = { 'record-types': { at: 1, levels }, 'leave-out': [{ at: '4-5', equals: 'DE' }] };
    const { rows } = await readAll(fixedReader, 'EF1FA\nLaa\nED1DE\nLbb\nEF2FA\nLcc\n', source);
    expect(rows.map(({ row, cells, broken }) => [row, cells[0], broken?.code])).toEqual([
      [2, 'F1', undefined],
      [4, '', 'fixed/line-without-header'],
      [6, 'F2', undefined],
    ]);
  });

  it('goes on below a line that a rule calls a label', async () => {
    const levels = [
      { value: 'E', columns: { no: '2-3', page: '4-5' } },
      { value: 'L', columns: { item: '2-3' } },
    ];
    const codes = async (text: string, rule: object) =>
      codesOf(await readAll(fixedReader, text, { 'record-types': { at: 1, levels }, 'leave-out': [rule] }));
    const note = { at: 1, equals: 'T' };
    expect(await codes('EF1  \nLaa\nTxx\nLbb\n', note)).toEqual(['fixed/line-without-header']);
    expect(await codes('EF1  \nLaa\nTxx\nLbb\n', { ...note, label: true })).toEqual([]);
    expect(await codes('EF1  \nLaa\n   \nLbb\n', note)).toEqual([]);
    // A header whose label alone differs is that of a further page; one with another number is not.
    const page = { at: '4-5', equals: 'p2', label: true };
    expect(await codes('EF1  \nLaa\nEF1p2\nLbb\n', page)).toEqual([]);
    expect(await codes('EF1  \nLaa\nEF2p2\nLbb\n', page)).toEqual(['fixed/line-without-header']);
  });

  it('holds each kind of record against its own length', async () => {
    const levels = RECORDS['record-types'].levels.map((level, n) => ({ ...level, 'line-length': n === 0 ? 13 : 8 }));
    const source = { 'record-types': { at: 1, levels } };
    expect(codesOf(await readAll(fixedReader, file, source))).toEqual([]);
    expect(codesOf(await readAll(fixedReader, 'H000120260901 \nL0100012\n', source))).toEqual(['fixed/line-too-long']);
  });
});

it('makes lists of records next to the lines', async () => {
  const lists = { vat: { value: 'V', columns: { rate: '2-5', tax: '6-10' } } };
  const source = { 'record-types': { ...RECORDS['record-types'], lists } };
  const outcome = await readAll(fixedReader, 'H000120260901\nL0100012\nV2000 2.00\nV 550 0.11\n', source);
  expect(cellsOf(outcome)).toEqual([
    ['0001', '20260901', '01', '00012', '[{"rate":"2000","tax":" 2.00"},{"rate":" 550","tax":" 0.11"}]'],
  ]);
  expect(codesOf(await readAll(fixedReader, 'H000120260901\nL0100012\nV200\n', source))).toEqual([
    'fixed/line-too-short',
  ]);
  const twice = {
    'record-types': { ...RECORDS['record-types'], lists: { vat: { value: 'M', columns: { rate: '2-5' } } } },
  };
  expect(fixedReader.options.safeParse(twice).success).toBe(false);
});

describe('options', () => {
  it.each([
    [{ columns: { A: '4-2' } }],
    [{ columns: { A: '0-2' } }],
    [{ columns: { A: 'x' } }],
    [{ columns: {} }],
    [{}],
    [{ columns: { A: '1-9' }, 'line-length': 8 }],
    [{ columns: { A: 1 }, 'line-ends': 'none' }],
    [{ columns: { A: 1 }, ...RECORDS }],
    [
      {
        'record-types': {
          at: 1,
          levels: [
            { value: 'H', columns: { A: 2 } },
            { value: 'L', columns: { A: 3 } },
          ],
        },
      },
    ],
    [
      {
        'record-types': {
          at: 1,
          levels: [
            { value: 'H', columns: { A: 2 } },
            { value: 'H', columns: { B: 3 } },
          ],
        },
      },
    ],
  ])('refuses %j', (source) => {
    expect(fixedReader.options.safeParse(source).success).toBe(false);
  });

  it('means the same when it is parsed twice', () => {
    const once = fixedReader.options.parse({ ...PLAIN, columns: { A: 5, B: ' 6 - 7 ' } });
    expect(once).toMatchObject({ columns: { A: { start: 5, length: 1 }, B: { start: 6, length: 2 } } });
    expect(fixedReader.options.parse(once)).toEqual(once);
  });
});
