/** Sheets of workbooks to rows: cells of each type, names of columns, options, warnings. */
import { describe, expect, it } from 'vitest';
import { readXlsxTable, type XlsxCell } from '../../../src/readers/xlsx/read-xlsx-table.ts';
import { xlsxReader } from '../../../src/readers/xlsx/xlsx-reader.ts';
import { readerContract } from '../../contracts/reader.ts';
import { cellsOf, codesOf, readAll } from '../make.ts';
import { type Book, inlineCell, textRow, workbookOf } from './make-workbook.ts';

const read = (book: Book, source: object = {}) => readAll(xlsxReader, workbookOf(book), source);

/** A row of a header `V` and one cell, with its attributes and content. */
const cellOf = async (cell: string, book: Book = {}) => {
  const outcome = await read({ ...book, rows: `${textRow(1, 'V')}<row r="2">${cell}</row>` });
  return outcome.refused[0]?.code ?? outcome.rows[0]?.broken?.code ?? outcome.rows[0]?.cells[0];
};

readerContract({
  reader: xlsxReader,
  source: {},
  good: workbookOf({ rows: textRow(1, 'A', 'B') + textRow(2, '1', 'é') + textRow(4, '2', 'x') }),
  rows: 2,
  refused: [
    Buffer.from('A;B\n1;2\n'),
    Buffer.from('%PDF-1.7'),
    workbookOf({ rows: textRow(1, 'A') }).subarray(0, 300),
    workbookOf({ rows: textRow(1, 'A') }, { wrongCrc: 'xl/worksheets/sheet1.xml' }),
    workbookOf({}),
  ],
  noticesCuts: true,
});

describe('the text of a cell', () => {
  it.each([
    ['1234.5', '1234.5'],
    ['0.10000000000000001', '0.1'],
    ['0.30000000000000004', '0.3'],
    ['1234.5600000000002', '1234.56'],
    ['0.333333333333333315', '0.333333333333333'],
    ['1E-3', '0.001'],
    ['1.5e+3', '1500'],
    ['-1.2E-7', '-0.00000012'],
    ['-0', '0'],
    ['0.0', '0'],
    ['100', '100'],
    ['999999999999999', '999999999999999'],
    ['-12.50', '-12.5'],
    [' 7 ', '7'],
    ['12345678901234.5', '12345678901234.5'],
    ['1234567890123456', 'xlsx/digits-lost'],
    ['1E+21', 'xlsx/digits-lost'],
    ['999999999999999.9', 'xlsx/digits-lost'],
    ['1,5', 'xlsx/damaged-cell'],
    ['0x10', 'xlsx/damaged-cell'],
    ['1e999', 'xlsx/damaged-cell'],
  ])('is the plain decimal of at most 15 digits for the number %s: %s', async (stored, text) => {
    expect(await cellOf(`<c r="A2"><v>${stored}</v></c>`)).toBe(text);
  });

  it.each([
    ['dd/mm/yyyy', '46347', '2026-11-21'],
    [14, '46347.545138888889', '2026-11-21'],
    [22, '46347.545138888889', '2026-11-21T13:05:00'],
    ['yyyy-mm-dd hh:mm:ss', '46347', '2026-11-21T00:00:00'],
    ['d/m/yy h:mm AM/PM', '46347.9999999', '2026-11-22T00:00:00'],
    ['dd/mm/yyyy', '46347.9999999', '2026-11-21'],
    ['[$-40C]d mmmm yyyy;@', '46347', '2026-11-21'],
    ['mmm-yy', '46347', '2026-11-21'],
    ['h:mm', '0.545138888889', '13:05:00'],
    [20, '46347.545138888889', '13:05:00'],
    ['mm:ss', '0.5', '12:00:00'],
    ['[h]:mm:ss', '1.1041666666666667', '26:30:00'],
    [46, '2', '48:00:00'],
    ['dd/mm/yyyy', '1', '1900-01-01'],
    ['dd/mm/yyyy', '59', '1900-02-28'],
    ['dd/mm/yyyy', '60', 'xlsx/not-a-date'],
    ['dd/mm/yyyy', '61', '1900-03-01'],
    ['dd/mm/yyyy', '0', 'xlsx/not-a-date'],
    ['dd/mm/yyyy', '-1', 'xlsx/not-a-date'],
    ['dd/mm/yyyy', '2958466', 'xlsx/not-a-date'],
    ['General', '46347', '46347'],
    ['0.00 &quot;days&quot;', '46347', '46347'],
    ['#,##0.00\\ &quot;€&quot;;[Red]-#,##0.00\\ &quot;€&quot;', '1234.5', '1234.5'],
    ['0.00E+00', '1234.5', '1234.5'],
    ['0%', '0.2', '0.2'],
    ['[Red][&lt;0]0;0', '5', '5'],
    ['00000', '1000', '01000'],
    ['00000', '123456', '123456'],
    ['00000', '12.5', '12.5'],
    ['0', '7', '7'],
  ])('with the number format %s is for %s: %s', async (format, stored, text) => {
    expect(await cellOf(`<c r="A2" s="1"><v>${stored}</v></c>`, { formats: [format] })).toBe(text);
  });

  it('counts days from 1904 where the workbook says so', async () => {
    const book = { formats: [14], settings: '<workbookPr date1904="1"/>' };
    expect(await cellOf('<c r="A2" s="1"><v>44885</v></c>', book)).toBe('2026-11-21');
    expect(await cellOf('<c r="A2" s="1"><v>0</v></c>', book)).toBe('1904-01-01');
  });

  it.each([
    ['<c r="A2" t="b"><v>1</v></c>', 'TRUE'],
    ['<c r="A2" t="b"><v>0</v></c>', 'FALSE'],
    ['<c r="A2" t="b"><v>2</v></c>', 'xlsx/damaged-cell'],
    ['<c r="A2" t="e"><v>#N/A</v></c>', 'xlsx/error-value'],
    ['<c r="A2" t="z"><v>1</v></c>', 'xlsx/damaged-cell'],
    ['<c r="A2" t="d"><v>2026-11-21</v></c>', '2026-11-21'],
    ['<c r="A2" t="d"><v>2026-11-21T13:05:00.000Z</v></c>', '2026-11-21T13:05:00'],
    ['<c r="A2" t="d"><v>21/11/2026</v></c>', 'xlsx/not-a-date'],
    ['<c r="A2" t="str"><f>A1</f><v>x  y</v></c>', 'x  y'],
    ['<c r="A2"><f>1+1</f><v>2</v></c>', '2'],
    ['<c r="A2"><f>1+1</f></c>', 'xlsx/formula-without-value'],
    ['<c r="A2"><f>1+1</f><v></v></c>', 'xlsx/formula-without-value'],
    ['<c r="A2" t="str"><f>1+1</f></c>', 'xlsx/formula-without-value'],
    ['<c r="A2" t="inlineStr"><is><t> a&amp;b&#10;c </t></is></c>', ' a&b\nc '],
    ['<c r="A2" t="inlineStr"><is><r><t>un </t></r><r><rPr><b/></rPr><t>deux</t></r></is></c>', 'un deux'],
    [
      '<c r="A2" t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></is></c>',
      '東京',
    ],
    ['<c r="A2" t="inlineStr"><is><t>a_x000D_b _x005F_x0041_ _x00e9_</t></is></c>', 'a\rb _x0041_ é'],
    ['<c r="A2" t="inlineStr"><is><t>_x0000_</t></is></c>', 'xlsx/damaged-cell'],
    ['<c r="A2" t="inlineStr"><is><t>_xD83D_</t></is></c>', 'xlsx/damaged-cell'],
    ['<c r="A2" t="inlineStr"><is><t>_xD83D__xDE00_</t></is></c>', '😀'],
    ['<c r="A2"><is><t>12.50</t></is></c>', 'xlsx/damaged-cell'],
    ['<c r="A2" t="s"><is><t>Vis M6</t></is></c>', 'xlsx/damaged-cell'],
    ['<c r="A2" t="s"><v>1</v></c>', 'second'],
    ['<c r="A2" t="s"><v>9</v></c>', 'xlsx/damaged'],
    ['<c r="A2" t="s"><v>x</v></c>', 'xlsx/damaged'],
    ['<c r="A2" s="9"><v>1</v></c>', 'xlsx/damaged'],
    ['<c r="A2"><v><![CDATA[12]]></v></c>', '12'],
  ])('of %s is %s', async (cell, text) => {
    expect(await cellOf(cell, { strings: ['<t>first</t>', '<r><t>sec</t></r><r><t>ond</t></r>'], formats: [0] })).toBe(
      text,
    );
  });

  it('is not that of a formula which the program left to be calculated on opening', async () => {
    const settings = '<calcPr fullCalcOnLoad="1"/>';
    expect(await cellOf('<c r="A2"><f>1+1</f><v>0</v></c>', { settings })).toBe('xlsx/formula-without-value');
    expect(await cellOf('<c r="A2"><v>0</v></c>', { settings })).toBe('0');
  });
});

describe('rows and columns', () => {
  it('counts rows as the spreadsheet does and skips empty ones', async () => {
    const outcome = await read({
      rows: `<row r="2"/>${textRow(3, 'A', 'B')}${textRow(4, '1')}<row r="6"><c r="A6" s="0"/></row>${textRow(9, '', '2')}<row r="1048576"><c r="A1048576"/></row>`,
    });
    expect(outcome.table).toMatchObject({ columns: ['A', 'B'], header: 3 });
    expect(outcome.rows).toEqual([
      { row: 4, cells: ['1', ''] },
      { row: 9, cells: ['', '2'] },
    ]);
  });

  it('reads rows and cells without references one after the other', async () => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows = `<row>${text('A')}${text('B')}</row><row><c/>${text('x')}</row><row>${text('y')}<c r="C3"><v>1</v></c></row>`;
    const outcome = await read({ rows });
    expect(outcome.rows.map(({ row, cells }) => [row, ...cells])).toEqual([
      [2, '', 'x'],
      [3, 'y', ''],
    ]);
  });

  it.each([
    ['a row twice', textRow(1, 'A') + textRow(2, '1') + textRow(2, '2')],
    ['rows that go back', textRow(1, 'A') + textRow(3, '1') + textRow(2, '2')],
    ['a row beyond the last', textRow(1, 'A') + textRow(1_048_577, '1')],
    ['a cell twice', `<row r="1">${inlineCell('A1', 'A')}${inlineCell('A1', 'B')}</row>`],
    ['cells that go back', `<row r="1">${inlineCell('B1', 'A')}${inlineCell('A1', 'B')}</row>`],
    ['a cell of another row', `<row r="1">${inlineCell('A2', 'A')}</row>`],
    ['a reference that is none', `<row r="1">${inlineCell('1A', 'A')}</row>`],
    ['a column beyond XFD', `<row r="1">${inlineCell('XFE1', 'A')}</row>`],
  ])('refuses %s', async (_, rows) => {
    expect(codesOf(await read({ rows }))).toEqual(['xlsx/damaged']);
  });

  it('reads the strict form, prefixes, UTF-16 and parts in other places', async () => {
    const rows = textRow(1, 'A') + textRow(2, 'é');
    expect(cellsOf(await read({ strict: true, rows }))).toEqual([['é']]);
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
    const prefixed = `<x:worksheet xmlns:x="${main}" xmlns:m="urn:m"><m:row r="1"/><x:sheetData>${rows.replace(/<(\/?)([a-z])/gi, '<$1x:$2')}</x:sheetData><x:extLst><m:x><x:row/></m:x></x:extLst></x:worksheet>`;
    const path = 'xl/worksheets/sheet1.xml';
    expect(cellsOf(await read({ parts: { [path]: prefixed } }))).toEqual([['é']]);
    const wide = Buffer.from(`\ufeff<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`, 'utf16le');
    expect(cellsOf(await read({ parts: { [path]: wide } }))).toEqual([['é']]);
    expect(cellsOf(await readAll(xlsxReader, workbookOf({ rows }, { stored: true }), {}))).toEqual([['é']]);
  });

  it('does not believe the dimension, and takes a lone cell far away as no column', async () => {
    const rows = `${textRow(1, 'A')}<row r="2">${inlineCell('A2', '1')}${inlineCell('XFD2', 'x')}</row>`;
    const outcome = await read({ rows, before: '<dimension ref="A1:XFD1048576"/>' });
    expect(cellsOf(outcome)).toEqual([['1']]);
    expect(outcome.warnings.map(({ code, origin }) => [code, origin?.row])).toEqual([['xlsx/outside-table', 2]]);
    const wide = `<row r="1">${inlineCell('A1', 'A')}${inlineCell('XFD1', 'B')}</row>${textRow(2, '1')}`;
    expect(codesOf(await read({ rows: wide }))).toEqual(['xlsx/too-many-columns']);
  });

  it('names columns as csv does: trimmed, #3 without a name, never twice', async () => {
    const header = `<row r="1">${inlineCell('B1', ' B ')}<c r="D1"><v>4</v></c></row>`;
    expect((await read({ rows: header })).table?.columns).toEqual(['#1', 'B', '#3', '4']);
    expect(codesOf(await read({ rows: textRow(1, 'A', 'A ', 'A') }))).toEqual([
      'xlsx/duplicate-column',
      'xlsx/duplicate-column',
    ]);
  });

  it('refuses whole rows in the first column, with and without a header row', async () => {
    expect(codesOf(await read({ rows: textRow(1, 'A;B') + textRow(2, '1;2') }))).toEqual(['xlsx/rows-in-one-cell']);
    expect(codesOf(await read({ rows: textRow(1, '1,2') }, { 'column-names': ['A'] }))).toEqual([
      'xlsx/rows-in-one-cell',
    ]);
    expect(codesOf(await read({ rows: textRow(1, 'A') + textRow(2, '1;2') }))).toEqual([]);
  });
});

describe('options', () => {
  const rows =
    textRow(1, 'Export') +
    textRow(2, 'Num', 'Net') +
    textRow(3, 'F1', '1') +
    textRow(4, '', '2') +
    textRow(5, 'TOTAL', '3');

  it('finds the header row, leaves rows out, fills down and gives control totals', async () => {
    const outcome = await read(
      { rows },
      {
        'header-row': 2,
        'leave-out': [{ column: 'Num', equals: 'TOTAL' }],
        'fill-down': ['Num'],
        controls: [{ where: { column: 1, equals: 'TOTAL' }, value: 2, 'count-of': 'rows' }],
      },
    );
    expect(outcome.table).toMatchObject({ columns: ['Num', 'Net'], header: 2, above: ['Export'] });
    expect(cellsOf(outcome)).toEqual([
      ['F1', '1'],
      ['F1', '2'],
    ]);
    expect(outcome.leftOut).toEqual([
      { row: 1, rule: 'preamble' },
      { row: 5, rule: 'control total: column 1 is "TOTAL"' },
    ]);
  });

  it('takes names from the mapping', async () => {
    const outcome = await read({ rows }, { 'column-names': ['N', 'M'], 'skip-rows': 2 });
    expect(cellsOf(outcome)[0]).toEqual(['F1', '1']);
    expect(outcome.leftOut.map(({ row }) => row)).toEqual([1, 2]);
  });

  it.each([
    [{ 'header-row': 6 }, 'xlsx/no-header'],
    [{ 'header-row': 2, 'fill-down': ['Nom'] }, 'xlsx/no-such-column'],
    [{ 'header-row': 2, 'leave-out': [{ column: 'Nom', equals: '' }] }, 'xlsx/no-such-column'],
    [{ 'header-row': 2, 'ignored-columns': ['Nom'] }, 'xlsx/no-such-column'],
    [{ 'header-row': 2, 'fill-down': ['Net', 'Num'] }, undefined],
    [{ sheet: 'Ventes' }, 'xlsx/no-such-sheet'],
    [{ sheet: 'sheet1', 'header-row': 2 }, undefined],
  ])('%j gives %s', async (source, code) => {
    expect((await read({ rows }, source)).refused[0]?.code).toBe(code);
  });

  it.each([
    [{ 'header-row': 'none' }],
    [{ 'column-names': ['A'], 'header-row': 1 }],
    [{ 'skip-rows': 1 }],
    [{ 'column-names': ['A', 'A'] }],
    [{ delimiter: ';' }],
    [{ sheet: '' }],
  ])('%j is refused', (source) => {
    expect(xlsxReader.options.safeParse(source).success).toBe(false);
  });

  it('are parsed twice without a change', () => {
    const once = xlsxReader.options.parse({ sheet: 'A', 'header-row': 3, 'ignored-columns': [2, 'B'] });
    expect(xlsxReader.options.parse(once)).toEqual(once);
  });
});

describe('a cell that cannot be read', () => {
  const error = '<c r="B2" t="e"><v>#DIV/0!</v></c>';
  const rows = `${textRow(1, 'Num', 'Net')}<row r="2">${inlineCell('A2', 'F1')}${error}</row>${textRow(3, 'F2', '1')}`;

  it('breaks its row and no other, and its fault names the cell', async () => {
    const outcome = await read({ rows });
    expect(outcome.rows).toMatchObject([
      { cells: ['F1', '#DIV/0!'], readable: false, broken: { code: 'xlsx/error-value', given: '#DIV/0!' } },
      { cells: ['F2', '1'] },
    ]);
    expect(outcome.rows[0]!.broken).toMatchObject({ origin: { file: 'test.dat', row: 2, column: 'Net' } });
    expect(outcome.rows[0]!.broken!.message).toContain('B2');
    expect(outcome.rows[1]!.broken).toBeUndefined();
  });

  it('leaves the key readable unless it is a part of it', async () => {
    const keyed = async (key: readonly string[] | 'row' | undefined) => {
      const bytes = workbookOf({ rows });
      const bounds = { rows: 10, characters: 1000, key };
      const file = async function* () {
        yield bytes;
      };
      for await (const batch of xlsxReader.read(file(), { file: 'a.xlsx', source: {}, bounds }))
        return batch.rows[0]!.readable;
      return undefined;
    };
    expect([await keyed(['Num']), await keyed(['Net']), await keyed('row'), await keyed(undefined)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('breaks the rows that are filled down from it as well', async () => {
    const lines = `<row r="2"><c r="A2" t="e"><v>#N/A</v></c>${inlineCell('B2', '1')}</row>${textRow(3, '', '2')}${textRow(4, 'F2', '3')}`;
    const outcome = await read({ rows: textRow(1, 'Num', 'Net') + lines }, { 'fill-down': ['Num'] });
    expect(outcome.rows.map(({ cells, broken }) => [...cells, broken?.code])).toEqual([
      ['#N/A', '1', 'xlsx/error-value'],
      ['#N/A', '2', 'xlsx/error-value'],
      ['F2', '3', undefined],
    ]);
    const first = await read({ rows: textRow(1, 'Num', 'Net') + textRow(2, '', '2') }, { 'fill-down': ['Num'] });
    expect(codesOf(first)).toEqual(['xlsx/nothing-to-fill-down']);
  });

  it('is no fault in a column that is ignored', async () => {
    const outcome = await read({ rows }, { 'ignored-columns': ['Net'] });
    expect(outcome.rows).toEqual([
      { row: 2, cells: ['F1', ''] },
      { row: 3, cells: ['F2', ''] },
    ]);
  });
});

describe('warnings', () => {
  it('name formulas by column, hidden rows and columns, merged cells, other sheets', async () => {
    const formula = (cell: string) => `<c r="${cell}"><f>1</f><v>1</v></c>`;
    const rows = `${textRow(2, 'A', 'B', 'C')}<row r="3" hidden="1">${formula('B3')}</row><row r="4">${formula('A4')}${formula('B4')}</row>`;
    const outcome = await read(
      {
        sheets: [
          { name: 'Main', rows: textRow(1, 'Title') + rows },
          { name: 'Empty', rows: '<row r="1"><c r="A1" s="0"/></row>' },
          { name: 'Hidden', rows: textRow(1, 'x'), state: 'veryHidden' },
        ],
        before: '<cols><col min="2" max="3" hidden="1"/></cols>',
        after: '<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A3:A4"/><mergeCell ref="B3:B4"/></mergeCells>',
      },
      { 'header-row': 2 },
    );
    expect(outcome.rows).toHaveLength(2);
    expect(
      outcome.warnings.map(({ code, message, origin }) => [
        code,
        origin?.row,
        message.match(/[A-Z]\d:[A-Z]\d|[A-Z]\d|\d+|"\w+"/g),
      ]),
    ).toEqual([
      ['xlsx/formulas', 4, ['"A"', '1', 'A4']],
      ['xlsx/formulas', 3, ['"B"', '2', 'B3']],
      ['xlsx/merged-cells', 4, ['2', 'A3:A4']],
      ['xlsx/hidden-rows', 3, ['1', '3']],
      ['xlsx/hidden-columns', 0, null],
      ['xlsx/other-sheets', 0, ['"Hidden"']],
    ]);
  });

  it('do not speak of TRUE(), as LibreOffice saves true', async () => {
    const rows = `${textRow(1, 'A')}<row r="2"><c r="A2" t="b"><f aca="false">TRUE()</f><v>1</v></c></row>`;
    const outcome = await read({ rows });
    expect([cellsOf(outcome), outcome.warnings]).toEqual([[['TRUE']], []]);
  });

  it('are none for a plain sheet, and the first visible sheet is read', async () => {
    const sheets = [
      { name: 'Old', rows: '', state: 'hidden' },
      { name: 'New', rows: textRow(1, 'A') + textRow(2, '1') },
    ];
    const outcome = await read({ sheets });
    expect([cellsOf(outcome), outcome.warnings]).toEqual([[['1']], []]);
    expect(codesOf(await read({ sheets: sheets.slice(0, 1) }))).toEqual(['xlsx/no-sheet']);
    expect(codesOf(await read({ sheets }, { sheet: 'Old' }))).toEqual(['xlsx/no-header']);
  });
});

describe('readXlsxTable', () => {
  it('gives typed cells with their names, empty ones between them, problems and all', async () => {
    const rows = `${textRow(1, 'A')}<row r="3">${inlineCell('A3', 'x')}<c r="C3" s="1"><v>46347</v></c><c r="D3" t="b"><v>1</v></c><c r="E3" t="e"><v>#REF!</v></c><c r="F3"><f>1</f><v>2.50</v></c></row>`;
    const table = await readXlsxTable(workbookOf({ rows, formats: [14] }), { file: 'a.xlsx' });
    expect(table).toMatchObject({ sheet: 'Sheet1', sheets: ['Sheet1'] });
    expect(table.rows.map(({ row }) => row)).toEqual([1, 3]);
    expect(
      table.rows[1]!.cells.map(({ cell, kind, text, isFormula, problem }: XlsxCell) => [
        cell,
        kind,
        text,
        isFormula,
        problem,
      ]),
    ).toEqual([
      ['A3', 'text', 'x', false, undefined],
      ['B3', 'empty', '', false, undefined],
      ['C3', 'date', '2026-11-21', false, undefined],
      ['D3', 'boolean', 'TRUE', false, undefined],
      ['E3', 'error', '#REF!', false, 'xlsx/error-value'],
      ['F3', 'number', '2.5', true, undefined],
    ]);
  });

  it('refuses more cells than asked for, and sheets that are not there', async () => {
    const bytes = workbookOf({ rows: textRow(1, 'A', 'B') + textRow(2, '1', '2') });
    await expect(readXlsxTable(bytes, { file: 'a.xlsx', mostCells: 3 })).rejects.toMatchObject({
      faults: [{ code: 'xlsx/too-large' }],
    });
    await expect(readXlsxTable(bytes, { file: 'a.xlsx', sheet: 'B' })).rejects.toMatchObject({
      faults: [{ code: 'xlsx/no-such-sheet' }],
    });
  });
});
