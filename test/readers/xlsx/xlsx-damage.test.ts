/** Files that are no workbook, or one that no one should trust: each is refused with its code, and nothing crashes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnreadableFileError } from '../../../src/readers/reader.ts';
import { xlsxReader } from '../../../src/readers/xlsx/xlsx-reader.ts';
import { codesOf, readAll } from '../make.ts';
import { columnName, inlineCell, partsOf, textRow, workbookOf, zipOf } from './make-workbook.ts';

const ROWS = textRow(1, 'A', 'B') + textRow(2, '1', '2');
const SHEET = 'xl/worksheets/sheet1.xml';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const refusal = async (content: Uint8Array, file = 'export.xlsx') => {
  const bytes = async function* () {
    yield content;
  };
  try {
    for await (const _ of xlsxReader.read(bytes(), { file, source: {} }));
  } catch (error) {
    if (error instanceof UnreadableFileError) return error.faults[0]!;
    throw error;
  }
  return undefined;
};

/** A compound file of OLE with a directory entry of this name. */
const compound = (entry: string) =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(2000),
    Buffer.from(entry, 'utf16le'),
    Buffer.alloc(2000),
  ]);

it('names letters that were encoded twice, and does not ask to save the workbook again', async () => {
  const found = await refusal(workbookOf({ rows: textRow(1, 'A', 'B') + textRow(2, 'SociÃ©tÃ©', '2') }));
  expect(found).toMatchObject({
    code: 'text/utf-8-twice',
    message: expect.stringContaining('"Société" on line 1 became "SociÃ©tÃ©"'),
    hint: expect.stringContaining('read UTF-8 as windows-1252'),
  });
});

describe('files of other kinds', () => {
  it.each([
    ['nothing', '', 'file/empty'],
    ['CSV', 'A;B\n1;2\n', 'xlsx/other-kind'],
    ['CSV in Windows-1252', Buffer.from('A;B\nNo\u00ebl;2\n', 'latin1'), 'xlsx/other-kind'],
    ['CSV in UTF-16', Buffer.from('\ufeffA;B\n1;2\n', 'utf16le'), 'xlsx/other-kind'],
    ['XML', '<?xml version="1.0"?><Workbook/>', 'xlsx/other-kind'],
    ['a web page named .xls', '\n<html><table><tr><td>1</td></tr></table></html>', 'xlsx/other-kind'],
    ['PDF', '%PDF-1.7\n', 'xlsx/other-kind'],
    ['JPEG', Buffer.from('ffd8ffe000104a46', 'hex'), 'xlsx/other-kind'],
    ['PNG', Buffer.from('89504e470d0a1a0a', 'hex'), 'xlsx/other-kind'],
    ['gzip', Buffer.from('1f8b0800000000000003', 'hex'), 'xlsx/other-kind'],
    ['noise', Buffer.from('000102030405060708', 'hex'), 'xlsx/other-kind'],
    ['an empty zip', zipOf({}), 'xlsx/other-kind'],
    ['a zip of a CSV', zipOf({ 'export.csv': 'A;B\n' }), 'xlsx/other-kind'],
    ['a zip of a workbook', zipOf({ 'a.xlsx': workbookOf({ rows: ROWS }) }), 'xlsx/other-kind'],
    [
      '.ods',
      zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' }),
      'xlsx/other-kind',
    ],
    [
      '.docx',
      workbookOf({ contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml' }),
      'xlsx/other-kind',
    ],
    [
      '.xlsb',
      workbookOf({ contentType: 'application/vnd.ms-excel.sheet.binary.macroEnabled.main' }),
      'xlsx/other-kind',
    ],
    ['an old .xls', compound('Workbook'), 'xlsx/other-kind'],
    ['a workbook with a password', compound('EncryptedPackage'), 'xlsx/protected'],
    ['an encrypted zip', workbookOf({ rows: ROWS }, { encrypted: true }), 'xlsx/protected'],
  ])('%s', async (_, content, code) => {
    const fault = await refusal(Buffer.from(content as string));
    expect(fault).toMatchObject({ code, level: 'error', origin: { file: 'export.xlsx' } });
    expect(fault!.hint).toBeTruthy();
  });

  it('a workbook with macros is read only under its own name', async () => {
    const contentType = 'application/vnd.ms-excel.sheet.macroEnabled.main+xml';
    const bytes = workbookOf({ contentType, rows: ROWS, parts: { 'xl/vbaProject.bin': 'code' } });
    expect((await refusal(bytes))!.code).toBe('xlsx/macros');
    expect(await refusal(bytes, 'Export.XLSM')).toBeUndefined();
    expect((await refusal(workbookOf({ rows: ROWS, parts: { 'xl/vbaProject.bin': 'code' } })))!.code).toBe(
      'xlsx/macros',
    );
  });
});

describe('damage', () => {
  const broken = (path: string, content: string) => workbookOf({ rows: ROWS, parts: { [path]: content } });
  const without = (path: string) => {
    const { [path]: _, ...parts } = partsOf({ rows: ROWS, strings: [] });
    return zipOf(parts);
  };
  const sheet = (inside: string) => broken(SHEET, `<worksheet xmlns="${MAIN}">${inside}</worksheet>`);

  it.each([
    ['a wrong checksum', workbookOf({ rows: ROWS }, { wrongCrc: SHEET }), 'xlsx/damaged'],
    ['a part larger than declared', workbookOf({ rows: ROWS }, { wrongSize: SHEET }), 'xlsx/damaged'],
    ['a part twice', workbookOf({ rows: ROWS }, { twice: SHEET }), 'xlsx/damaged'],
    ['a part twice in other letters', workbookOf({ rows: ROWS, parts: { [SHEET.toUpperCase()]: '' } }), 'xlsx/damaged'],
    ['an absolute path', workbookOf({ rows: ROWS, parts: { '/etc/passwd': 'x' } }), 'xlsx/damaged'],
    ['a path upwards', workbookOf({ rows: ROWS, parts: { '../../x': 'x' } }), 'xlsx/damaged'],
    ['no sheet part', without(SHEET), 'xlsx/damaged'],
    ['no workbook part', without('xl/workbook.xml'), 'xlsx/damaged'],
    ['no relationships', without('xl/_rels/workbook.xml.rels'), 'xlsx/damaged'],
    ['shared texts that are named and absent', without('xl/sharedStrings.xml'), undefined],
    ['XML cut in a sheet', broken(SHEET, `<worksheet xmlns="${MAIN}"><sheetData><row r="1">`), 'xlsx/damaged'],
    [
      'XML that is not UTF-8',
      workbookOf({ parts: { [SHEET]: Buffer.from('<worksheet>\xff</worksheet>', 'latin1') } }),
      'xlsx/damaged',
    ],
    ['an empty part', broken(SHEET, ''), 'xlsx/damaged'],
    ['zeros', broken(SHEET, '\0'.repeat(1000)), 'xlsx/damaged'],
    ['another root', broken(SHEET, `<chartsheet xmlns="${MAIN}"/>`), 'xlsx/damaged'],
    [
      'a DOCTYPE',
      broken(SHEET, `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet xmlns="${MAIN}">&e;</worksheet>`),
      'xlsx/doctype',
    ],
    [
      'a DOCTYPE in the shared texts',
      workbookOf({ rows: ROWS, strings: [], parts: { 'xl/sharedStrings.xml': '<!DOCTYPE x><x/>' } }),
      'xlsx/doctype',
    ],
    [
      'a billion laughs in the workbook',
      broken('xl/workbook.xml', '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>'),
      'xlsx/doctype',
    ],
    [
      'an entity that XML does not have',
      sheet('<sheetData><row><c t="str"><v>&nbsp;</v></c></row></sheetData>'),
      'xlsx/damaged',
    ],
    ['a sheet without rows', sheet('<sheetData/>'), 'xlsx/no-header'],
    ['a sheet without sheetData', sheet(''), 'xlsx/no-header'],
    ['nesting without end', sheet('<a>'.repeat(1000)), 'xlsx/damaged'],
  ])('%s', async (_, content, code) => {
    expect((await refusal(content))?.code).toBe(code);
  });

  it('is refused wherever a bit of a part changes', async () => {
    const good = workbookOf({ rows: ROWS, strings: ['<t>x</t>'], formats: [14] });
    const expected = JSON.stringify((await readAll(xlsxReader, good, {})).rows);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.nat(7), async (at, bit) => {
        const damaged = Buffer.from(good);
        damaged[at]! ^= 1 << bit;
        const { rows, refused } = await readAll(xlsxReader, damaged, {});
        expect(refused.length > 0 || JSON.stringify(rows) === expected).toBe(true);
      }),
    );
  });
});

describe('bounds', () => {
  it('refuses a file of more than 64 MiB before its end', async () => {
    let given = 0;
    const endless = async function* () {
      yield Buffer.from('PK\x03\x04');
      for (; given < 100; given++) yield Buffer.alloc(1024 * 1024);
    };
    expect(codesOf(await readAll(xlsxReader, endless(), {}))).toEqual(['xlsx/too-large']);
    expect(given).toBeLessThan(70);
  });

  it('refuses a sheet that unpacks to hundreds of times the file', async () => {
    const bytes = workbookOf({ rows: ROWS, after: '<mergeCell ref="A1:B2"/>'.repeat(3_000_000) });
    expect(bytes.length).toBeLessThan(400_000);
    expect(codesOf(await readAll(xlsxReader, bytes, {}))).toEqual(['xlsx/too-large']);
  });

  it('reads a first and a last row and column without the cells between them', async () => {
    const rows = `${ROWS}<row r="1048576">${inlineCell('A1048576', 'last')}${inlineCell('XFD1048576', 'far')}</row>`;
    const outcome = await readAll(xlsxReader, workbookOf({ rows }), {});
    expect(outcome.rows.map(({ row }) => row)).toEqual([2, 1_048_576]);
  });

  it('keeps no list without end', async () => {
    const fill = (path: string, item: string) => {
      const text = partsOf({ rows: ROWS, formats: [14] })[path]!.toString();
      const end = text.lastIndexOf('</');
      const content = text.slice(0, end) + item.repeat(Math.ceil((33 * 1024 * 1024) / item.length)) + text.slice(end);
      return workbookOf({ rows: ROWS, formats: [14], parts: { [path]: content } });
    };
    expect((await refusal(fill('xl/styles.xml', '<cellXfs><xf numFmtId="14"/></cellXfs>')))!.code).toBe(
      'xlsx/too-large',
    );
    const long = `<c r="A3" t="inlineStr"><is>${`<t>${'x'.repeat(1000)}</t>`.repeat(1100)}</is></c>`;
    expect((await refusal(workbookOf({ rows: `${ROWS}<row r="3">${long}</row>` })))!.code).toBe('xlsx/damaged');
    const twice = `<c r="A3"><v>1</v><v>2</v></c>`;
    expect((await refusal(workbookOf({ rows: `${ROWS}<row r="3">${twice}</row>` })))!.code).toBe('xlsx/damaged');
  });

  it('keeps no row without end', async () => {
    const strings = [`<t>${'x'.repeat(1_000_000)}</t>`];
    const cells = Array.from({ length: 20 }, (_, n) => `<c r="${columnName(n)}3" t="s"><v>0</v></c>`).join('');
    expect((await refusal(workbookOf({ rows: `${ROWS}<row r="3">${cells}</row>`, strings })))!.code).toBe(
      'xlsx/damaged',
    );
  });

  it('never opens a workbook inside of another', async () => {
    const inner = workbookOf({ rows: textRow(1, 'inner') });
    const outcome = await readAll(xlsxReader, workbookOf({ rows: ROWS, parts: { 'xl/embeddings/a.xlsx': inner } }), {});
    expect(outcome.table!.columns).toEqual(['A', 'B']);
  });
});
