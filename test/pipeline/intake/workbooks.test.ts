/** Workbooks through whole nights: read, corrected, dropped again; and those that no mapping takes. */
import { expect, test } from 'vitest';
import { MESSAGE } from '../../../src/model/fault.ts';
import { selectMapping } from '../../../src/pipeline/intake/select-mapping.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { inlineCell, textRow, workbookOf, zipOf } from '../../readers/xlsx/make-workbook.ts';

const MAPPING = SALES_MAPPING.replace('ventes*.csv', 'ventes*.xlsx').replace(
  /format: csv\n {2}delimiter: ";"\n {2}numbers: .*\n {2}dates: dd\/MM\/yyyy/,
  'format: xlsx\n  dates: yyyy-MM-dd',
);

const FORMATS = ['dd/mm/yyyy'];
const HEADER = textRow(1, 'Num', 'Date', 'Client', 'Lig', 'Qte', 'PU', 'Taux');

/** One line of an invoice; `quantity` is the cell without its reference. */
function line(row: number, number: string, quantity: string, hidden = ''): string {
  const text = (column: string, value: string) => inlineCell(`${column}${row}`, value);
  return `<row r="${row}"${hidden}>${text('A', number)}<c r="B${row}" s="1"><v>46270</v></c>${text('C', `Client ${number}`)}<c r="D${row}"><v>1</v></c><c r="E${row}" ${quantity}</c><c r="F${row}"><v>10.5</v></c><c r="G${row}"><v>20</v></c></row>`;
}

const book = (...rows: readonly string[]) => workbookOf({ rows: HEADER + rows.join(''), formats: FORMATS });
const TWO = '><v>2</v>';
const NOT_A_NUMBER = 't="inlineStr"><is><t>x</t></is>';
const ERROR = 't="e"><v>#N/A</v>';

const scene = async () =>
  await openScene({
    mappings: { 'sales.yaml': MAPPING, 'csv.yaml': SALES_MAPPING.replace('mapping: sales', 'mapping: csv') },
  });

test('rows of a workbook are sent, corrected in a spreadsheet, and sent from the corrected workbook, each once', async () => {
  await using own = await scene();
  own.drop('ventes.xlsx', book(line(2, 'A1', TWO), line(3, 'A2', NOT_A_NUMBER), line(4, 'A3', ERROR, ' hidden="1"')));
  const { told } = await own.night();
  expect(tally(await own.entries())).toEqual({ authorized: 1, invalid: 2 });
  const faults = (await own.entries()).flatMap((entry) => entry.faults);
  expect(faults.map(({ code, origin }) => [code, origin?.row, origin?.column]).sort()).toEqual([
    ['map/not-a-number', 3, 'Qte'],
    ['xlsx/error-value', 4, 'Qte'],
  ]);
  expect(JSON.stringify(told)).toContain('xlsx/hidden-rows');
  const [toFix] = own.files('error').filter((path) => path.endsWith('.to-fix.csv'));
  const corrected = own.read(toFix!).replace(';1;x;10.5;', ';1;3;10.5;');
  expect(corrected).toContain('A2;2026-09-05;Client A2;1;3;10.5;20;');
  own.drop('corrected.csv', corrected);
  await own.night();
  expect(tally(await own.entries())).toEqual({ authorized: 2, invalid: 1 });
  own.drop('ventes-2.xlsx', book(line(2, 'A1', TWO), line(3, 'A2', '><v>3</v>'), line(4, 'A3', '><v>4</v>')));
  await own.night();
  expect(own.sandbox.acceptances().map(({ identity }) => identity.split('|')[4])).toEqual(['A1', 'A2', 'A3']);
});

test('a cell that cannot be read is corrected like any other, by a command and in the correction file', async () => {
  await using own = await scene();
  const two = line(4, 'A3', ERROR).replace(/<c r="C4".*?<\/c>/, '<c r="C4" t="e"><v>#REF!</v></c>');
  own.drop('ventes.xlsx', book(line(2, 'A1', TWO), line(3, 'A2', ERROR), two));
  await own.night();
  const broken = (await own.entries()).flatMap(({ faults }) =>
    faults.map(({ code, origin }) => [code, origin?.row, origin?.column]),
  );
  expect(broken).toEqual([
    ['xlsx/error-value', 3, 'Qte'],
    ['xlsx/error-value', 4, 'Client'],
    ['xlsx/error-value', 4, 'Qte'],
  ]);
  expect((await commandIn(own, 'fix', 'A2', 'Qte=3', '--reason', 'looked up')).code).toBe(0);
  // One of the two cells is not enough.
  expect((await commandIn(own, 'fix', 'A3', 'Qte=4', '--reason', 'looked up')).code).not.toBe(0);
  const [toFix] = own.files('error').filter((path) => path.endsWith('.to-fix.csv'));
  own.drop('corrected.csv', own.read(toFix!).replace(/A3;([^;]*);[^;]*;1;[^;]*;/, 'A3;$1;Client A3;1;4;'));
  await own.night();
  expect(tally(await own.entries())).toEqual({ authorized: 3 });
  expect((await commandIn(own, 'verify')).code).toBe(0);
});

test.each([
  ['a formula that no program has calculated', '><f>SUM(E2:E3)</f><v>2</v>', 'xlsx/formula-without-value'],
  ['an error', ERROR, 'xlsx/error-value'],
  ['more digits than a spreadsheet keeps', '><v>20000000000000002</v>', 'xlsx/digits-lost'],
])('a control total that is %s holds the file, above the header and below', async (_, cell, code) => {
  const at = (row: number) => `<row r="${row}">${inlineCell(`A${row}`, 'TOTAL')}<c r="E${row}" ${cell}</c></row>`;
  const controls = '\n  controls: [{ where: { column: 1, equals: TOTAL }, value: 5, sum-of: Qte, once-per: row }]';
  const below = MAPPING.replace('\n  dates:', `${controls}\n  dates:`);
  const above = below.replace('mapping: sales', 'mapping: above').replace('ventes*', 'above*');
  await using own = await openScene({
    mappings: { 'sales.yaml': below, 'above.yaml': above.replace('\n  dates:', '\n  header-row: 2\n  dates:') },
  });
  const settings = '<calcPr fullCalcOnLoad="1"/>';
  const of = (...rows: readonly string[]) => workbookOf({ rows: rows.join(''), formats: FORMATS, settings });
  own.drop('ventes.xlsx', of(HEADER, line(2, 'A1', TWO), at(3)));
  own.drop('above.xlsx', of(at(1), HEADER.replaceAll('1"', '2"'), line(3, 'A2', TWO)));
  await own.night();
  const files = await own.look((ledger) => ledger.queries.files({}));
  expect(
    files.map(({ name, state, faults }) => [name, state, faults.map((one) => [one.code, one.origin?.row])]).sort(),
  ).toEqual([
    ['above.xlsx', 'refused', [[code, 1]]],
    ['ventes.xlsx', 'refused', [[code, 3]]],
  ]);
  expect(own.sandbox.acceptances()).toEqual([]);
});

test('a title above the header row is reported with the row of the header', async () => {
  await using own = await scene();
  const lines = HEADER.replaceAll(/([A-G])1"/g, '$13"').replace('<row r="1">', '<row r="3">');
  const rows = textRow(1, 'Ventes') + lines + line(4, 'A1', TWO);
  own.drop('ventes.xlsx', workbookOf({ rows, formats: FORMATS }));
  const { told } = await own.night();
  const [fault] = told.flatMap((one) => (one.what === 'file-refused' ? one.faults : []));
  expect(fault).toMatchObject({ code: 'map/header-elsewhere', origin: { row: 3 } });
});

test('a damaged workbook is refused as a whole, and nothing of it is sent', async () => {
  await using own = await scene();
  own.drop(
    'ventes.xlsx',
    workbookOf({ rows: HEADER + line(2, 'A1', TWO), formats: FORMATS }, { wrongCrc: 'xl/worksheets/sheet1.xml' }),
  );
  own.drop('ventes-2.xlsx', sales(['F1']));
  own.drop('ventes.csv', book(line(2, 'A1', TWO)));
  const { told } = await own.night();
  const refused = told.flatMap((one) => (one.what === 'file-refused' ? one.faults.map(({ code }) => code) : []));
  expect(refused.sort()).toEqual(['text/other-kind', 'xlsx/damaged', 'xlsx/other-kind']);
  expect(own.sandbox.acceptances()).toEqual([]);
});

const about = async (own: Scene, name: string, content: string | Uint8Array) => {
  own.drop(name, content);
  const file = { name, path: `${own.root}/inbox/${name}`, claimedAt: '2026-09-05T10:00:00Z' };
  const found = await selectMapping({ instance: own.instance() }, file);
  const [fault] = 'faults' in found ? found.faults : [];
  return [fault?.code, fault?.[MESSAGE]?.message.id, fault?.[MESSAGE]?.hint?.id];
};

test.each([
  ['FAC.xlsx', book(), 'intake.noMappingOfKind', 'intake.renameSheet'],
  ['FAC.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'intake.noMappingOfKind', 'intake.saveSheet'],
  [
    'FAC.ods',
    zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }, { stored: true }),
    'intake.noMappingOfKind',
    'intake.saveSheet',
  ],
  ['FAC.pdf', '%PDF-1.7', 'intake.noMappingOfKind', 'intake.exportRows'],
  ['FAC.jpg', Buffer.from('ffd8ffe0', 'hex'), 'intake.noMappingOfKind', 'intake.exportRows'],
  ['FAC.zip', zipOf({ 'a.csv': 'x' }), 'intake.noMappingOfKind', 'intake.exportRows'],
  ['FAC.csv', 'a;b\n', 'intake.noMapping', 'intake.acceptedNames'],
  ['FAC.txt', '', 'intake.noMapping', 'intake.acceptedNames'],
])('%s that no mapping accepts is reported as what it is', async (name, content, message, hint) => {
  await using own = await scene();
  expect(await about(own, name, content as string)).toEqual(['intake/no-mapping', message, hint]);
});

test('a workbook is to be saved as CSV if no mapping reads workbooks', async () => {
  await using own = await openScene();
  expect(await about(own, 'FAC.xlsx', book())).toEqual([
    'intake/no-mapping',
    'intake.noMappingOfKind',
    'intake.saveSheet',
  ]);
});

test('a mapping for CSV and one for workbooks share a name and are told apart by the content and the columns', async () => {
  const named = (mapping: string, columns: string) =>
    mapping.replace(/files: "[^"]*"/, `files: "export*", columns: [${columns}]`);
  const mappings = {
    'xlsx.yaml': named(MAPPING, 'Num, Taux'),
    'other.yaml': named(MAPPING, 'Num, Rate').replace('mapping: sales', 'mapping: other'),
    'csv.yaml': named(SALES_MAPPING, 'Num, Taux').replace('mapping: sales', 'mapping: csv'),
  };
  await using own = await openScene({ mappings });
  const chosen = async (name: string, content: string | Uint8Array) => {
    own.drop(name, content);
    const file = { name, path: `${own.root}/inbox/${name}`, claimedAt: '2026-09-05T10:00:00Z' };
    const found = await selectMapping({ instance: own.instance() }, file);
    return 'mapping' in found ? found.mapping.id : found.faults.map(({ code }) => code);
  };
  expect(await chosen('export-1', book(line(2, 'A1', TWO)))).toBe('sales');
  expect(await chosen('export-2', sales(['F1']))).toBe('csv');
  expect(await chosen('export-3', workbookOf({ rows: textRow(1, 'A', 'B') }))).toEqual(['intake/no-mapping-fits']);
});
