import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/model/row.ts';
import type { CsvOptions } from '../../src/readers/csv/csv-options.ts';
import { csvReader } from '../../src/readers/csv/csv-reader.ts';
import { createRecordTypeMaker } from '../../src/readers/csv/csv-record-types.ts';
import { readerContract } from '../contracts/reader.ts';
import { runs } from '../seed.ts';
import { cellsOf, codesOf, readAll } from './make.ts';

const read = (content: string | Uint8Array | AsyncIterable<Uint8Array>, source: object = {}, chunk?: number) =>
  readAll(csvReader, content, source, chunk === undefined ? {} : { chunk });

readerContract({
  reader: csvReader,
  source: {},
  good: Buffer.from('A;Nom;Note\r\n1;Élan €;"two\r\nlines; ""q"""\r\n\r\n2;œuvre;\n3;"";😀\r4;x;y\r\n'),
  rows: 4,
  refused: ['A;B\n1;"2\n', 'A;B\n1;"2"x\n', 'A;B\n1;2"x\n', 'A;A\n1;2\n', 'A;B\n1;2', 'A;B\n\0;2\n', 'A,B\n1,2\n'].map(
    (text) => Buffer.from(text),
  ),
  // A cut behind a line end leaves a shorter, good file: only the claim of the file can hold that back.
  noticesCuts: false,
});

describe('cells', () => {
  it('keeps every character as it is', async () => {
    const outcome = await read('A;B\n 007 ; \u00a0\n"  x";012345678\n');
    expect(cellsOf(outcome)).toEqual([
      [' 007 ', ' \u00a0'],
      ['  x', '012345678'],
    ]);
  });

  const naughty = [
    '',
    ' ',
    '"',
    '""',
    ';',
    '\n',
    '\r',
    '\r\n',
    '\t',
    ',',
    "'",
    '`',
    '=1+1',
    '-0',
    '\ufeff',
    '\ufffd',
    '\u2028',
  ];
  const more = [
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '1E+08',
    '田中',
    'ﷺ',
    '👩‍👩‍👧',
    'é',
    '\u0000x'.slice(1),
    'sep=;',
    '\u202e',
    '\x1a',
  ];
  const cell = fc.oneof(
    fc.constantFrom(...naughty, ...more),
    fc.string({ unit: 'binary' }).map((s) => s.replaceAll('\0', '')),
  );

  it('reads back what was written, with any cells and any split', async () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 });
    const settings = fc.record({
      delimiter: fc.constantFrom(';', ',', '|', 'tab', '~|~', '¤'),
      end: fc.constantFrom('\n', '\r\n', '\r'),
      chunk: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(table, settings, async (rows, { delimiter, end, chunk }) => {
        const between = delimiter === 'tab' ? '\t' : delimiter;
        const text = [['A', 'B', 'C'], ...rows].map((row) => row.map(quoted).join(between) + end).join('');
        const outcome = await read(text, { delimiter }, chunk);
        expect(outcome.refused).toEqual([]);
        expect(cellsOf(outcome)).toEqual(rows);
      }),
      { numRuns: runs(150) },
    );
  });

  it('knows no quotes where there are none', async () => {
    const outcome = await read('A;B\n3" pipe;"x\n', { quote: 'none' });
    expect(cellsOf(outcome)).toEqual([['3" pipe', '"x']]);
  });

  it('reads another quote', async () => {
    expect(cellsOf(await read("A;B\n'a;b';it\n", { quote: "'" }))).toEqual([['a;b', 'it']]);
  });
});

describe('rows', () => {
  it('numbers rows as a spreadsheet does: blank lines count, line ends inside a cell do not', async () => {
    const outcome = await read('A;B\n\n1;"x\ny\r\nz"\n\r\n2;b\n3;c\n');
    expect(outcome.rows.map((row) => [row.row, row.cells[0]])).toEqual([
      [3, '1'],
      [5, '2'],
      [6, '3'],
    ]);
  });

  it('reads mixed line ends as one line end each', async () => {
    expect(cellsOf(await read('A\r\n1\n2\r3\r\n4\n', {}))).toEqual([['1'], ['2'], ['3'], ['4']]);
  });

  it('gives the rows before an error, then refuses the file with the place', async () => {
    const good = Array.from({ length: 100 }, (_, at) => `${at};x\n`).join('');
    for (const chunk of [1, 64, 1 << 20]) {
      const outcome = await read(`A;B\n${good}5;"open"x\n6;y\n`, {}, chunk);
      expect(outcome.rows).toHaveLength(100);
      expect(outcome.refused).toMatchObject([
        { code: 'csv/text-after-quote', origin: { file: 'test.dat', row: 102, column: 'B' } },
      ]);
    }
  });

  it('names the row where an unclosed quote opened, not the end of the file', async () => {
    const outcome = await read(`A;B\n1;x\n2;"open\n${'3;y\n'.repeat(50)}`);
    expect(outcome.refused).toMatchObject([{ code: 'csv/quote-not-closed', origin: { row: 3, column: 'B' } }]);
    expect(outcome.rows).toHaveLength(1);
  });

  it('refuses a quote inside a cell that is not quoted', async () => {
    const { refused } = await read('A;B\n1;3" pipe\n');
    expect(refused).toMatchObject([{ code: 'csv/quote-inside-cell', origin: { row: 2, column: 'B' } }]);
  });

  it('breaks a row with a wrong number of cells and reads on', async () => {
    const outcome = await read('A,B,C\n1,2,3\n4,5\n6,7,8,5\n9,9,9\n', { delimiter: ',' });
    expect(codesOf(outcome)).toEqual(['csv/too-few-cells', 'csv/too-many-cells']);
    expect(outcome.rows.map((row) => row.cells.length)).toEqual([3, 3, 3, 3]);
    expect(outcome.rows[2]?.broken).toMatchObject({
      origin: { row: 4 },
      message: 'The row has 4 cells, expected 3',
    });
    expect(outcome.rows[2]?.broken?.hint).toContain('decimal comma');
  });

  it('takes a trailing delimiter on each row as a nameless last column', async () => {
    const outcome = await read('A;B;\n1;2;\n');
    expect(outcome.table?.columns).toEqual(['A', 'B', '#3']);
    expect(cellsOf(outcome)).toEqual([['1', '2', '']]);
  });

  it('refuses the last row without line end, unless the mapping allows it', async () => {
    const cut = await read('A;B\n1;2\n3;4');
    expect(cut.refused).toMatchObject([{ code: 'csv/no-final-line-end', origin: { row: 3 } }]);
    expect(cut.rows.map((row) => row.row)).not.toContain(3);
    expect(cellsOf(await read('A;B\n1;2\n3;4', { 'final-line-end': 'optional' }))).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it('refuses a file that was cut anywhere but after a row', async () => {
    const good = Buffer.from('A;B\r\n1;"x\r\ny"\r\n2;œuvre €\r\n');
    for (let length = 0; length < good.length; length++) {
      const { refused } = await read(good.subarray(0, length));
      const behindRow =
        ['\r', '\n'].includes(String.fromCharCode(good[length - 1] ?? 0)) && !(length > 9 && length < 13);
      expect(refused.length > 0, `cut at ${length}`).toBe(!behindRow);
    }
  });

  it('takes the end mark of DOS programs for no row, and for text anywhere else', async () => {
    for (const chunk of [1, 2, 1 << 20]) {
      const outcome = await read('A;B\r\n1\x1a;\x1a\x1a2\r\n\x1a\x1a', {}, chunk);
      expect(outcome).toMatchObject({ rows: [{ cells: ['1\x1a', '\x1a\x1a2'] }], refused: [] });
    }
  });

  it('has no rows and no fault where only a header was exported', async () => {
    const outcome = await read('A;B\r\n');
    expect(outcome).toMatchObject({ rows: [], refused: [], table: { columns: ['A', 'B'] }, batches: 1 });
  });
});

describe('limits', () => {
  async function* endless(piece: string, times: number, counted: { bytes: number }) {
    const bytes = Buffer.from(piece.repeat(64 * 1024).slice(0, 64 * 1024));
    yield Buffer.from('A;B\n1;');
    for (let n = 0; n < times; n++) {
      counted.bytes += bytes.length;
      yield bytes;
    }
  }

  it.each(['x', ';', '"x" ', '""'])('refuses a line of 1 GiB of %j early', async (piece) => {
    const counted = { bytes: 0 };
    const outcome = await read(endless(piece, 16 * 1024, counted));
    expect(outcome.refused).toHaveLength(1);
    expect(counted.bytes).toBeLessThan(4 * 1024 * 1024);
  });

  it('refuses a row of more than 1 MiB', async () => {
    const { refused } = await read(`A;B\n1;2\n1;${'x'.repeat(1_100_000)}\n3;4\n`);
    expect(refused).toMatchObject([{ code: 'csv/row-too-long', origin: { row: 3, column: 'B' } }]);
  });

  it('takes a row of nearly 1 MiB, and any number of blank lines', async () => {
    const long = 'x'.repeat(1_000_000);
    expect(cellsOf(await read(`A;B\n1;${long}\n`))).toEqual([['1', long]]);
    expect((await read(`A;B\n${'\n'.repeat(2_300_000)}1;2\n`)).rows).toMatchObject([{ row: 2_300_002 }]);
  });
});

describe('header', () => {
  it('reads a quoted header after a byte order mark', async () => {
    const outcome = await read('\ufeff"A";"B"\n1;2\n');
    expect(outcome.table?.columns).toEqual(['A', 'B']);
    expect(outcome.encoding).toBe('utf-8');
  });

  it('trims names, no-break spaces too, and keeps unusual ones harmless', async () => {
    const outcome = await read(' A\u00a0;__proto__;constructor\n1;2;3\n');
    expect(outcome.table?.columns).toEqual(['A', '__proto__', 'constructor']);
    expect(cellsOf(outcome)).toEqual([['1', '2', '3']]);
  });

  it('refuses two columns of one name and names both', async () => {
    const { refused } = await read('A;B; A;B\n1;2;3;4\n');
    expect(refused.map((fault) => fault.message)).toEqual([
      'Columns 1 and 3 have the same name "A"',
      'Columns 2 and 4 have the same name "B"',
    ]);
  });

  it('skips and lists the rows above the header, stray quotes included', async () => {
    for (const chunk of [1, 5, 1 << 20]) {
      const outcome = await read('Export of "Sales\r\n\r\n2026-09\r\nA;B\r\n1;2\r\n', { 'header-row': 4 }, chunk);
      expect(outcome.leftOut.map((left) => left.row)).toEqual([1, 2, 3]);
      expect(outcome.rows).toEqual([{ cells: ['1', '2'], row: 5 }]);
    }
  });

  it.each(['\r\n', '\n', '\r'])('follows the sep= line of Excel, which is no row (line end %j)', async (end) => {
    for (const chunk of [1, 3, 1 << 20]) {
      const outcome = await read(['sep=,', 'A,B', '1,2', ''].join(end), {}, chunk);
      expect(outcome.leftOut).toEqual([{ row: 0, rule: 'preamble: sep= line' }]);
      expect(outcome.rows).toEqual([{ cells: ['1', '2'], row: 2 }]);
    }
  });

  it('splits the lines above the table by the delimiter of the sep= line, to find a control total', async () => {
    const controls = [{ where: { column: 1, equals: 'Total' }, value: 2, 'count-of': 'documents' }];
    const { leftOut } = await read('sep=,\nTotal,2\nA,B\n1,2\n', { 'header-row': 2, controls });
    expect(leftOut.map(({ rule }) => rule)).toEqual(['preamble: sep= line', 'control total: column 1 is "Total"']);
  });

  it('says when the file ends before its header', async () => {
    expect(codesOf(await read('title\n', { 'header-row': 3 }))).toEqual(['csv/no-header']);
    expect(codesOf(await read('\n\n\n'))).toEqual(['csv/no-header']);
  });

  it('recognises another delimiter', async () => {
    const { refused } = await read('A,B\n1,2\n');
    expect(refused).toMatchObject([{ code: 'csv/wrong-delimiter', origin: { row: 1 } }]);
    expect(refused[0]?.hint).toContain('delimiter: ","');
    expect(codesOf(await read('1\t2\n', { 'column-names': ['A', 'B'] }))).toEqual(['csv/wrong-delimiter']);
    expect((await read('A\n1\n')).refused).toEqual([]);
  });

  it('reads a file without header under given names', async () => {
    const outcome = await read('top\n1;2\n', { 'column-names': ['A', 'B'], 'skip-rows': 1 });
    expect(outcome.leftOut).toEqual([{ row: 1, rule: 'preamble' }]);
    expect(outcome.rows).toEqual([{ cells: ['1', '2'], row: 2 }]);
  });
});

describe('leave-out and fill-down', () => {
  it('lists the rows that a rule leaves out, even when their cells are too few', async () => {
    const rules = [
      { column: 'A', equals: 'TOTAL' },
      { column: 2, 'starts-with': 'sum' },
      { column: 'B', contains: '~' },
      { blank: true },
      { column: 'A', empty: true },
    ];
    const outcome = await read('A;B\n1;2\nTOTAL\n;sum of\n5;a~b\n;\n;x\n', { 'leave-out': rules });
    expect(outcome.rows.map((row) => row.row)).toEqual([2]);
    expect(outcome.leftOut).toEqual([
      { row: 3, rule: 'A is "TOTAL"' },
      { row: 4, rule: 'column 2 starts with "sum"' },
      { row: 5, rule: 'B contains "~"' },
      { row: 6, rule: 'every cell is empty' },
      { row: 7, rule: 'A is empty' },
    ]);
  });

  it('refuses a rule about a column the file does not have', async () => {
    const outcome = await read('A;B\n1;2\n', { 'leave-out': [{ column: 'Typ', equals: 'T' }] });
    expect(codesOf(outcome)).toEqual(['csv/no-such-column']);
    expect(codesOf(await read('A;B\n1;2\n', { 'fill-down': [3] }))).toEqual(['csv/no-such-column']);
  });

  it('takes an empty cell from above, and does not trust a damaged row', async () => {
    const outcome = await read('No;Date;Art\nF1;d1;a\n; ;b\nF2;;c\n;x\n;;d\nF3;d3;e\n', { 'fill-down': ['No', 2] });
    expect(cellsOf(outcome).map((cells) => cells.join())).toEqual([
      'F1,d1,a',
      'F1,d1,b',
      'F2,,c',
      ',x,',
      ',,d',
      'F3,d3,e',
    ]);
    expect(outcome.rows.map((row) => row.broken?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      'csv/too-few-cells',
      'csv/nothing-to-fill-down',
      undefined,
    ]);
  });

  it('takes nothing over into a document that begins, only into its own rows', async () => {
    const file = 'Soc;No;Tva;Art\n01;F1;FR1;a\n;;;b\n;F2;;c\n;;;d\n;F2;FR2;e\n02;F3;;f\n02;;;g\n';
    const outcome = await read(file, { 'fill-down': ['Soc', 'No', 'Tva'] });
    expect(cellsOf(outcome).map((cells) => cells.join())).toEqual([
      '01,F1,FR1,a',
      '01,F1,FR1,b',
      '01,F2,,c',
      '01,F2,,d',
      '01,F2,FR2,e',
      '02,F3,,f',
      '02,F3,,g',
    ]);
    expect(outcome.rows.filter((row) => row.broken)).toEqual([]);
  });

  it('makes no row of delimiters alone into a line of the document above', async () => {
    const outcome = await read('No;Art\n;\nF1;a\n ; \n;b\n', { 'fill-down': ['No'] });
    expect(cellsOf(outcome).map((cells) => cells.join())).toEqual([',', 'F1,a', ' , ', 'F1,b']);
    expect(outcome.rows.filter((row) => row.broken)).toEqual([]);
  });

  it('gives the rows of a document that is left out to no other one', async () => {
    const file = 'No;Type;Art\nF1;FA;a\n;;b\nD1;DE;c\n;;d\n;;e\nF2;FA;f\n';
    const outcome = await read(file, {
      'fill-down': ['No', 'Type'],
      'leave-out': [{ column: 'Type', equals: 'DE' }],
    });
    expect(outcome.rows.map(({ row, cells, broken }) => [row, cells[0], broken?.code])).toEqual([
      [2, 'F1', undefined],
      [3, 'F1', undefined],
      [5, '', 'csv/nothing-to-fill-down'],
      [6, '', 'csv/nothing-to-fill-down'],
      [7, 'F2', undefined],
    ]);
    for (const [fillDown, rule] of [
      [['No'], { 'starts-with': 'D' }],
      [['No', 'Type'], { 'starts-with': 'D' }],
      [['No', 'Type'], { equals: 'D1' }],
      [['No'], { equals: 'D1' }],
      [['No'], { contains: 'D1' }],
    ] as const) {
      const byNumber = await read(file, { 'fill-down': fillDown, 'leave-out': [{ column: 'No', ...rule }] });
      expect(byNumber.rows.map(({ cells }) => cells[0])).toEqual(['F1', 'F1', '', '', 'F2']);
    }
  });

  it('fills down past labels, repeated headers and rows of the same document that are left out', async () => {
    const file = 'No;Type;Art\nF1;FA;a\nTOTAL;;1\n;;b\nSum F1;;1\nNo;Type;Art\n;;c\nF1;FA;note\n;;d\n;;note\n;;e\n';
    const outcome = await read(file, {
      'fill-down': ['No', 'Type'],
      'leave-out': [
        { column: 'No', equals: 'TOTAL', label: true },
        { column: 'No', 'starts-with': 'Sum', label: true },
        { column: 'Art', equals: 'Art' },
        { column: 'Art', equals: 'note' },
      ],
    });
    expect(cellsOf(outcome).map((cells) => cells.join())).toEqual([
      'F1,FA,a',
      'F1,FA,b',
      'F1,FA,c',
      'F1,FA,d',
      'F1,FA,e',
    ]);
    expect(outcome.rows.filter(({ broken }) => broken)).toEqual([]);
  });

  it('empties no cell of a document that goes on below a row that is left out', async () => {
    const readFilled = async (leftOut: string, rule: object) => {
      const file = `No;Tva;Art\nF1;FR1;a\n${leftOut};x\nF1;;b\n;;c\n`;
      const { rows } = await read(file, { 'fill-down': ['No', 'Tva'], 'leave-out': [{ column: 'No', ...rule }] });
      return rows.map(({ cells, broken }) => [cells[0], cells[1], broken?.code].join());
    };
    const went = ['F1,FR1,', 'F1,FR1,', 'F1,FR1,'];
    expect(await readFilled('Sum F1;', { contains: 'Sum', label: true })).toEqual(went);
    // The cell of the row below may be that of the row that is left out.
    const lost = 'F1,,csv/nothing-to-fill-down';
    expect(await readFilled('TOTAL;10', { equals: 'TOTAL', label: true })).toEqual(['F1,FR1,', lost, lost]);
    const { rows } = await read('No;Tva;Art\nF1;FR1;a\nD1;;TOTAL\nF1;;b\nF2;;c\n', {
      'fill-down': ['No', 'Tva'],
      'leave-out': [{ column: 'Art', equals: 'TOTAL' }],
    });
    expect(rows.map(({ cells, broken }) => [cells[0], cells[1], broken])).toEqual([
      ['F1', 'FR1', undefined],
      ['F1', 'FR1', undefined],
      ['F2', '', undefined],
    ]);
  });

  it('goes on below a heading that the file repeats', async () => {
    const heading = 'Num. piece;Genre;Article\n';
    const options = {
      'column-names': ['No', 'Type', 'Art'],
      'fill-down': ['No', 'Type'],
      'leave-out': [{ column: 'No', equals: 'Num. piece' }],
    };
    for (const skipped of [0, 1]) {
      const file = `${heading}F1;FA;a\n;;b\n${heading};;c\n`;
      const outcome = await read(file, { ...options, 'skip-rows': skipped });
      expect(cellsOf(outcome).map((cells) => cells.join())).toEqual(['F1,FA,a', 'F1,FA,b', 'F1,FA,c']);
      expect(codesOf(outcome)).toEqual([]);
    }
  });

  it('refuses a rule that would leave out the rows that are filled from above', () => {
    const pathOf = (source: object) => csvReader.options.safeParse(source).error?.issues.map(({ path }) => path);
    const leaveOut = (column: string | number) => [{ blank: true }, { column, empty: true }];
    expect(pathOf({ 'fill-down': ['No', 3], 'leave-out': leaveOut('No') })).toEqual([['leave-out', 1]]);
    expect(pathOf({ 'fill-down': ['No', 3], 'leave-out': leaveOut(3) })).toEqual([['leave-out', 1]]);
    expect(pathOf({ 'fill-down': ['No'], 'leave-out': [{ column: 'No', equals: '' }] })).toEqual([['leave-out', 0]]);
    expect(pathOf({ 'fill-down': ['No', 3], 'leave-out': leaveOut('Art') })).toBeUndefined();
  });

  it.each<[string | number, string | number]>([
    ['No', 1],
    [1, 'No'],
  ])('refuses such a rule where both name one column in two ways: %s and %s', async (filled, column) => {
    const options = { 'fill-down': [filled], 'leave-out': [{ column, empty: true }] };
    expect(codesOf(await read('No;Art\nF1;a\n;b\nF2;c\n', options))).toEqual(['csv/nothing-to-fill-down']);
  });

  it('breaks a first row with nothing above', async () => {
    const outcome = await read('No;Art\n;a\nF1;b\n', { 'fill-down': ['No'] });
    expect(outcome.rows[0]?.broken).toMatchObject({
      code: 'csv/nothing-to-fill-down',
      origin: { row: 2, column: 'No' },
    });
    expect(outcome.rows[1]?.broken).toBeUndefined();
  });
});

describe('record types', () => {
  const levels = [
    { value: 'E', columns: ['Type', 'Numero', 'Date'] },
    { value: ['L', 'M'], columns: ['Type', 'Article', 'Qte', ''] },
  ];
  const types = { 'record-types': { levels } };

  it('repeats the header cells on each of its lines', async () => {
    const outcome = await read('E;F1;d1\nL;a;1;x\nM;b;2;y\nE;F2;d2\nL;c;3;z\n', types);
    expect(outcome.table?.columns).toEqual(['Type', 'Numero', 'Date', 'Article', 'Qte']);
    expect(outcome.rows).toEqual([
      { cells: ['L', 'F1', 'd1', 'a', '1'], row: 2 },
      { cells: ['M', 'F1', 'd1', 'b', '2'], row: 3 },
      { cells: ['L', 'F2', 'd2', 'c', '3'], row: 5 },
    ]);
  });

  it('loses no record: lines before a header, headers without lines, unknown kinds, wrong cells', async () => {
    const outcome = await read('L;a;1;x\nE;F1;d1\nE;F2\nL;b;1;x\nX;?\nE;F3;d3\n', types);
    expect(outcome.rows.map((row) => [row.row, row.broken?.code])).toEqual([
      [1, 'csv/line-without-header'],
      [2, 'csv/header-without-lines'],
      [4, 'csv/too-few-cells'],
      [5, 'csv/unknown-record-type'],
      [6, 'csv/header-without-lines'],
    ]);
    expect(outcome.rows[4]?.cells).toEqual(['E', 'F3', 'd3', '', '']);
    // A header that is only without lines says what it belongs to; one with wrong cells does not.
    expect(outcome.rows.filter(({ readable }) => readable).map(({ row }) => row)).toEqual([2, 6]);
  });

  it('gives the lines of a header that is left out to no other header', async () => {
    const leaveOut = [{ column: 3, equals: 'quote' }];
    const content = 'E;F1;d1\nL;a;1;x\nE;D1;quote\nL;b;1;x\nL;c;1;x\nE;F2;d2\nL;d;1;x\n';
    const outcome = await read(content, { ...types, 'leave-out': leaveOut });
    expect(outcome.rows.map(({ row, cells, broken }) => [row, cells[1], broken?.code])).toEqual([
      [2, 'F1', undefined],
      [4, '', 'csv/line-without-header'],
      [5, '', 'csv/line-without-header'],
      [7, 'F2', undefined],
    ]);
    // The header before it had no lines.
    const lonely = await read('E;F1;d1\nE;D1;quote\nL;b;1;x\n', { ...types, 'leave-out': leaveOut });
    expect(lonely.rows.map(({ row, broken }) => [row, broken?.code])).toEqual([
      [1, 'csv/header-without-lines'],
      [3, 'csv/line-without-header'],
    ]);
  });

  it('keeps a header whose records below it are left out', async () => {
    const levels = ['H', 'D', 'L'].map((value) => ({ value, columns: [value, `${value}1`] }));
    const leaveOut = [{ column: 2, equals: 'note' }];
    const codes: (string | undefined)[][] = [];
    for (const optional of [false, true]) {
      const types = { levels, 'lines-optional': optional };
      for (const end of ['', 'H;F2\nD;a\nL;x\n']) {
        const outcome = await read(`H;F1\nD;note\n${end}`, { 'record-types': types, 'leave-out': leaveOut });
        expect(outcome.rows[0]).toMatchObject({ row: 1, cells: ['H', 'F1', '', '', '', ''] });
        codes.push(outcome.rows.map(({ broken }) => broken?.code));
      }
    }
    const lonely = 'csv/header-without-lines';
    expect(codes).toEqual([[lonely], [lonely, undefined], [undefined], [undefined, undefined]]);
  });

  it('goes on with the header that a record which is left out repeats', async () => {
    const pages = (page: string) => [{ value: 'E', columns: ['Type', 'Numero', page] }, levels[1]];
    const readPages = (page: string) =>
      read('E;F1;\nL;a;1;x\nE;F1;2\nL;b;1;x\n', {
        'record-types': { levels: pages(page) },
        'leave-out': [{ column: 3, equals: '2' }],
      });
    const outcome = await readPages('');
    expect(outcome.rows.map(({ row, cells, broken }) => [row, cells[1], broken])).toEqual([
      [2, 'F1', undefined],
      [4, 'F1', undefined],
    ]);
    // A cell that the mapping reads may be what the header is left out for.
    expect(codesOf(await readPages('Class'))).toEqual(['csv/line-without-header']);
  });

  it('takes no header for a repeated one by the cell that its rule looks at', async () => {
    const file = 'E;F1;d1\nL;a;1;x\nE;D1;d1\nL;b;1;x\nE;F2;d1\nL;c;1;x\n';
    for (const rule of [{ 'starts-with': 'D' }, { contains: 'D' }, { equals: 'D1' }]) {
      const outcome = await read(file, { ...types, 'leave-out': [{ column: 2, ...rule }] });
      expect(outcome.rows.map(({ row, cells, broken }) => [row, cells[1], broken?.code])).toEqual([
        [2, 'F1', undefined],
        [4, '', 'csv/line-without-header'],
        [6, 'F2', undefined],
      ]);
    }
  });

  it('makes a row of a header without lines where that is allowed', async () => {
    const outcome = await read('E;F1;d1\nE;F2;d2\nL;b;1;x\n', { 'record-types': { levels, 'lines-optional': true } });
    expect(outcome.rows).toEqual([
      { cells: ['E', 'F1', 'd1', '', ''], row: 1 },
      { cells: ['L', 'F2', 'd2', 'b', '1'], row: 3 },
    ]);
  });

  it('reads three levels, leaves trailers out, and keeps the header of a line whose delivery is missing', async () => {
    const three = {
      'leave-out': [{ column: 2, equals: 'Z' }],
      'record-types': {
        column: 2,
        levels: [
          { value: 'H', columns: ['No', ''] },
          { value: 'D', columns: ['Delivery', ''] },
          { value: 'L', columns: ['Item', ''] },
        ],
      },
    };
    const outcome = await read('F1;H\nD1;D\na;L\nD2;D\nb;L\nF2;H\nc;L\n9;Z\n', three);
    expect(cellsOf(outcome)).toEqual([
      ['F1', 'D1', 'a'],
      ['F1', 'D2', 'b'],
      ['F2', '', 'c'],
    ]);
    expect(codesOf(outcome)).toEqual(['csv/line-without-header']);
    expect(outcome.leftOut).toEqual([{ row: 8, rule: 'column 2 is "Z"' }]);
  });
});

describe('records next to the lines', () => {
  const levels = [
    { value: 'H', columns: ['Type', 'Numero'] },
    { value: 'L', columns: ['Type', 'Article', 'Qte'] },
  ];
  const lists = {
    vat: { value: ['V', 'W'], columns: ['', 'rate', 'tax', ''] },
    text: { value: 'T', columns: ['', 'words'] },
  };
  const types = { 'record-types': { levels, lists } };
  const CODES = { headerWithoutLines: 'x/lonely', lineWithoutHeader: 'x/orphan', unknownType: 'x/unknown' };
  const item = (...items: readonly object[]) => JSON.stringify(items);

  it('are items of a list on each row of their document, wherever in it they are', async () => {
    const outcome = await read(
      'H;F1\nV;20;2.00;x\nL;a;1\nT;first\nL;b;2\nW;5.5;0.11;\nH;F2\nL;c;3\nH;F3\nL;d;4\nV;;;\n',
      types,
    );
    expect(outcome.table?.columns).toEqual(['Type', 'Numero', 'Article', 'Qte', 'vat', 'text']);
    const vat = item({ rate: '20', tax: '2.00' }, { rate: '5.5', tax: '0.11' });
    expect(outcome.rows).toEqual([
      { cells: ['L', 'F1', 'a', '1', vat, item({ words: 'first' })], row: 3, listsOf: 3 },
      { cells: ['L', 'F1', 'b', '2', vat, item({ words: 'first' })], row: 5, listsOf: 3 },
      { cells: ['L', 'F2', 'c', '3', '', ''], row: 8, listsOf: 8 },
      { cells: ['L', 'F3', 'd', '4', item({ rate: '', tax: '' }), ''], row: 10, listsOf: 10 },
    ]);
  });

  it('lose no record: without a header, without lines, with wrong cells, of an unknown kind', async () => {
    const outcome = await read('V;20;1;x\nH;F1\nV;20;1;x\nH;F2\nL;a;1\nV;20;1\nX;\nH;F3\nL;b;1\n', types);
    expect(outcome.rows.map(({ row, cells, broken }) => [row, cells[1], broken?.code])).toEqual([
      [1, '', 'csv/line-without-header'],
      [2, 'F1', 'csv/header-without-lines'],
      [5, 'F2', undefined],
      [6, 'F2', 'csv/too-few-cells'],
      [7, '', 'csv/unknown-record-type'],
      [9, 'F3', undefined],
    ]);
  });

  it('are one list on the row of a header that may be alone', async () => {
    const outcome = await read('H;F1\nV;20;1;x\n', { 'record-types': { levels, lists, 'lines-optional': true } });
    expect(outcome.rows).toEqual([
      { cells: ['H', 'F1', '', '', item({ rate: '20', tax: '1' }), ''], row: 1, listsOf: 1 },
    ]);
  });

  it.each([
    ['lines', { records: 3, characters: 1000 }, 'csv/document-too-large'],
    ['text', { records: 100, characters: 30 }, 'csv/document-too-large'],
    ['lines by position', { records: 3, characters: 1000 }, 'fixed/document-too-large'],
  ])('are not kept beyond what one document can be: %s', (_, limits, documentTooLarge) => {
    const rows: Row[] = [];
    const parsed = csvReader.options.parse(types) as CsvOptions;
    const options = { file: 'a.txt', types: parsed['record-types']!, codes: { ...CODES, documentTooLarge }, limits };
    const maker = createRecordTypeMaker(options, (row) => void rows.push(row));
    const text = 'H;F1\nL;a;1\nV;20;2;x\nL;b;2\nL;c;3\nV;5.5;3;x\nL;d;4\nH;F2\nL;e;5\nV;20;1;x';
    for (const [at, line] of text.split('\n').entries()) maker.take(line.split(';'), at + 1);
    maker.finish();
    const broken = rows.filter((row) => row.broken !== undefined);
    expect(broken.map(({ broken: fault, cells, readable }) => [fault?.code, cells[1], readable])).toEqual([
      [documentTooLarge, 'F1', true],
    ]);
    expect(rows.filter((row) => !row.broken).map(({ cells }) => cells[2])).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(rows.at(-1)?.cells[4]).toBe(item({ rate: '20', tax: '1' }));
    // Where each row is a document, none of this header is made: its lists are incomplete.
    const lost = broken[0]?.row;
    const doubted = rows.filter((row) => !row.broken).map(({ near }) => near?.row);
    expect(doubted).toEqual([lost, lost, lost, lost, undefined]);
  });

  it('come out alike in pieces of any size', async () => {
    const text = `${'H;F1\nL;a;1\nV;20;2.00;x\n'.repeat(20)}`;
    const whole = await read(text, types);
    for (const chunk of [1, 7]) expect((await read(text, types, chunk)).rows).toEqual(whole.rows);
  });

  it.each([
    [{ vat: { value: 'L', columns: ['', 'rate'] } }, 'two record types have the value "L"'],
    [{ vat: { value: 'V', columns: ['rate', 'rate'] } }, 'the column name "rate" is given twice'],
    [{ Qte: { value: 'V', columns: ['rate'] } }, '"Qte" is the name of a column too'],
    [{ 'a b': { value: 'V', columns: ['rate'] } }, 'the name of a list has letters, digits and _'],
  ])('refuses %j', (given, message) => {
    const parsed = csvReader.options.safeParse({ 'record-types': { levels, lists: given } });
    expect(JSON.stringify(parsed.error?.issues)).toContain(JSON.stringify(message).slice(1, -1));
  });
});

describe('encodings', () => {
  it('reads Windows-1252, DOS pages and UTF-16 with tabs', async () => {
    const text = 'Société;Prix\r\nL’Œuvre;12 €\r\n';
    const rows = [['L’Œuvre', '12 €']];
    expect(cellsOf(await read(iconv.encode(text, 'windows-1252'), { encoding: 'cp1252' }))).toEqual(rows);
    const dos = await read(iconv.encode('Société;Prix\r\nçà;1\r\n', 'cp850'), { encoding: 'cp850' });
    expect(dos).toMatchObject({ encoding: 'cp850', rows: [{ cells: ['çà', '1'] }] });
    const wide = iconv.encode(text.replaceAll(';', '\t'), 'utf-16le', { addBOM: true });
    for (const chunk of [1, 3, 1 << 20]) {
      const outcome = await read(wide, { delimiter: 'tab' }, chunk);
      expect(outcome.encoding).toBe('utf-16le');
      expect(cellsOf(outcome)).toEqual(rows);
    }
  });

  it('asks for the encoding of a file that is not UTF-8', async () => {
    const { refused } = await read(iconv.encode('A;B\n1;é\n', 'windows-1252'));
    expect(refused).toMatchObject([{ code: 'text/undecodable', origin: { row: 2 } }]);
    expect(refused[0]?.hint).toContain('encoding: windows-1252');
  });
});

describe('settings', () => {
  const problems = (source: object) => csvReader.options.safeParse(source).error?.issues.map((issue) => issue.message);
  const levels = [
    { value: 'E', columns: ['T', 'A'] },
    { value: 'E', columns: ['T', 'A'] },
  ];

  it.each([
    [{ delimiter: '"' }, 'a delimiter contains neither quotes nor a line end'],
    [{ quote: '|', delimiter: '|' }, 'the quote and the delimiter are the same character'],
    [{ encoding: 'utf-9' }, 'the encoding "utf-9" is not known here: windows-1252, utf-8, cp850, iso-8859-15, ...'],
    [{ 'header-row': 'none' }, 'a file without a header row needs column-names'],
    [
      { 'fill-down': ['No', 2], 'leave-out': [{ column: 2, empty: true }] },
      'fill-down fills empty cells of 2 from above, and this rule would leave these rows out: take one of them away',
    ],
    [{ 'header-row': 2, 'column-names': ['A'] }, 'column names are given here, so there is no header row: write none'],
    [{ 'column-names': ['A', 'A'] }, 'the column name "A" is given twice'],
    [{ 'skip-rows': 2 }, 'write header-row: rows above the header are left out'],
    [{ 'record-types': { levels } }, 'two record types have the value "E"'],
    [{ 'record-types': { levels } }, 'the column name "A" is given twice'],
  ])('refuses %j', (source, message) => {
    expect(problems(source)).toContain(message);
  });

  it('means the same when it is parsed twice', () => {
    const once = csvReader.options.parse({ delimiter: 'tab', encoding: 'cp1252', 'column-names': ['A'] });
    expect(csvReader.options.parse(once)).toEqual(once);
  });

  it('has defaults for everything', () => {
    expect(csvReader.options.parse({})).toMatchObject({ encoding: 'auto', delimiter: ';', quote: '"' });
  });
});
