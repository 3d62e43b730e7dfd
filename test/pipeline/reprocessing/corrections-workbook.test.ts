/** The workbook of an export with failed documents: written with text cells, corrected by a person, and taken back. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PipelineEvent } from '../../../src/pipeline/context/run-context.ts';
import { readXlsxTable } from '../../../src/readers/xlsx/read-xlsx-table.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { partsOf, withSheet, workbookOf } from './workbook-edits.ts';

const SALES = sales(['A1', 'A2', 'A3'])
  .replace('A2;05/09/2026;Client A2;2;2', 'A2;05/09/2026;Client A2;2;x')
  .replaceAll('Client A2', '=1+1');

async function failedNight(content = SALES, settings = {}, mapping = SALES_MAPPING): Promise<Scene> {
  const scene = await openScene({
    mappings: { 'sales.yaml': mapping },
    settings: { rules: { fr: 'wire', sv: 'wire' }, ...settings },
  });
  scene.drop('ventes.csv', content);
  await scene.night();
  return scene;
}

function toFix(scene: Scene): readonly string[] {
  return scene.files('error').filter((path) => path.includes('.to-fix.'));
}

function workbookIn(scene: Scene): Buffer {
  return readFileSync(join(scene.root, toFix(scene).find((path) => path.endsWith('.xlsx'))!));
}

async function corrected(scene: Scene, name: string, bytes: Uint8Array | string) {
  scene.drop(name, bytes);
  const { told } = await scene.night();
  return told.find(({ what }) => what === 'corrections') as Extract<PipelineEvent, { what: 'corrections' }>;
}

/** The text of a cell in place of another one. */
const retyped = (from: string, to: string) => (xml: string) => {
  const [before, after] = [from, to].map((text) => `<t xml:space="preserve">${text}</t>`) as [string, string];
  expect(xml).toContain(before);
  return xml.replaceAll(before, after);
};

/** As a spreadsheet stores a number that was typed. */
const asNumber = (from: string, to: string) => (xml: string) => {
  const before = new RegExp(`t="inlineStr"><is><t xml:space="preserve">${from}</t></is>`, 'g');
  expect(xml).toMatch(before);
  return xml.replace(before, `><v>${to}</v>`);
};

test('the workbook has the failed rows as text, and its corrected cells are taken under any name', async () => {
  await using scene = await failedNight();
  expect(toFix(scene).map((path) => path.replace(/.*\./, ''))).toEqual(['csv', 'xlsx']);
  const { sheet, rows } = await readXlsxTable(workbookIn(scene), { file: 'f.xlsx' });
  expect(sheet).toBe('Corrections');
  const [header, ...data] = rows.map(({ cells }) => cells);
  expect(header!.map(({ text }) => text)).toEqual([
    '_error',
    'Num',
    'Date',
    'Client',
    'Lig',
    'Qte',
    'PU',
    'Taux',
    '_doc',
    '_row',
  ]);
  expect(data.map((cells) => cells.slice(1, 8).map(({ text }) => text))).toEqual([
    ['A2', '05/09/2026', '=1+1', '1', '2', '10,50', '20'],
    ['A2', '05/09/2026', '=1+1', '2', 'x', '10,50', '20'],
  ]);
  expect(data.flat().filter(({ kind }) => kind !== 'text' && kind !== 'empty')).toEqual([]);
  const told = await corrected(scene, 'Classeur1.xlsx', await withSheet(workbookIn(scene), retyped('x', '3')));
  expect(told).toMatchObject({ corrected: 1, unchanged: 0, refused: 0, faults: [] });
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
  expect(toFix(scene)).toEqual([]);
  expect((await commandIn(scene, 'verify')).code).toBe(0);
});

test('cells at fault are colored and have a comment, and only the cells of the export are unlocked', async () => {
  await using scene = await failedNight(SALES, { rules: { fr: 'wire', sv: 'wire', language: 'es' } });
  const parts = await partsOf(workbookIn(scene));
  const sheet = parts.get('xl/worksheets/sheet1.xml')!;
  expect(sheet).toContain('<c r="F3" s="3"');
  expect(sheet).toMatch(/<sheetProtection sheet="1"[^>]*>/);
  expect(sheet).toContain('state="frozen"');
  expect(sheet).toContain('<autoFilter ref="A1:J3"/>');
  expect(parts.get('xl/comments1.xml')).toMatch(/<comment ref="F3".*?x/);
  expect(parts.get('xl/workbook.xml')).toContain('name="Correcciones"');
  const styles = parts.get('xl/styles.xml')!.match(/<xf numFmtId="49".*?<\/xf>/g)!;
  expect(styles.map((style) => style.includes('locked="0"'))).toEqual([false, true, true, true, false, false]);
});

test('numbers and dates that a spreadsheet stored are compared by their meaning, and taken in the form of the export', async () => {
  const source = sales(['A1', 'A2', 'A3']).replaceAll('A2;05/09/2026', 'A2;05/09/26x').replaceAll('A3;05', 'A3;32');
  await using scene = await failedNight(source);
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 2 });
  // As typed into cells of other styles: 46270 is 5 September 2026.
  const parts = await partsOf(workbookIn(scene));
  parts.set('xl/styles.xml', parts.get('xl/styles.xml')!.replaceAll('numFmtId="49"', 'numFmtId="14"'));
  const sheet = parts.get('xl/worksheets/sheet1.xml')!;
  parts.set(
    'xl/worksheets/sheet1.xml',
    asNumber(
      '32/09/2026',
      '46271',
    )(asNumber('05/09/26x', '46270')(asNumber('10,50', '10.5')(sheet).replaceAll(/(<c r="G\d+") s="\d"/g, '$1 s="0"'))),
  );
  expect(await corrected(scene, 'dates.xlsx', await workbookOf(parts))).toMatchObject({
    corrected: 2,
    refused: 0,
    faults: [],
  });
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
});

test('a number with a decimal point is never read as one without', async () => {
  await using scene = await failedNight(
    SALES,
    {},
    SALES_MAPPING.replace('decimal: ","', 'decimal: ",", thousands: "."'),
  );
  const bytes = await withSheet(workbookIn(scene), asNumber('x', '1.234'));
  expect(await corrected(scene, 'typed.xlsx', bytes)).toMatchObject({ corrected: 1 });
  const receipt = scene.files('outbox').find((path) => path.endsWith('A2.receipt.json'))!;
  expect(JSON.parse(scene.read(receipt)).corrections).toMatchObject([{ column: 'Qte', from: 'x', to: '1,234' }]);
});

test('an error value and a formula without a value are never corrections', async () => {
  await using scene = await failedNight();
  const bytes = workbookIn(scene);
  for (const cell of ['t="e"><v>#N/A</v>', 't="str"><f>B2</f>']) {
    const edited = await withSheet(bytes, (xml) =>
      xml.replace('t="inlineStr"><is><t xml:space="preserve">x</t></is>', cell),
    );
    expect(await corrected(scene, `${cell.length}.xlsx`, edited)).toMatchObject({
      corrected: 0,
      refused: 1,
      faults: [{ code: 'correction/damaged-cell', origin: { column: 'Qte' } }],
    });
  }
});

test('hidden rows count, a removed row is a fault, and further sheets are reported', async () => {
  await using scene = await failedNight();
  const bytes = workbookIn(scene);
  const cut = await withSheet(bytes, (xml) => xml.replace(/<row r="2".*?<\/row>/, ''));
  expect(await corrected(scene, 'cut.xlsx', cut)).toMatchObject({
    refused: 1,
    faults: [{ code: 'correction/row-missing' }],
  });
  const parts = await partsOf(bytes);
  const sheet = parts.get('xl/worksheets/sheet1.xml')!;
  parts.set('xl/worksheets/sheet1.xml', retyped('x', '3')(sheet).replace('<row r="3"', '<row r="3" hidden="1"'));
  parts.set(
    'xl/worksheets/sheet2.xml',
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>',
  );
  const links = 'xl/_rels/workbook.xml.rels';
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';
  const link = `<Relationship Id="rId9" Type="${type}" Target="worksheets/sheet2.xml"/></Relationships>`;
  parts.set(links, parts.get(links)!.replace('</Relationships>', link));
  const book = parts.get('xl/workbook.xml')!;
  parts.set('xl/workbook.xml', book.replace('<sheets>', '<sheets><sheet name="Notes" sheetId="9" r:id="rId9"/>'));
  expect(await corrected(scene, 'two.xlsx', await workbookOf(parts))).toMatchObject({
    corrected: 1,
    faults: [{ code: 'correction/other-sheets', level: 'warning' }],
  });
});

test('two people at once: the second one is refused for the document that changed meanwhile', async () => {
  await using scene = await failedNight(SALES.replace('A3;05/09/2026;Client A3;1;2', 'A3;05/09/2026;Client A3;1;y'));
  const bytes = workbookIn(scene);
  expect(await corrected(scene, 'one.xlsx', await withSheet(bytes, retyped('x', '3')))).toMatchObject({
    corrected: 1,
    unchanged: 1,
  });
  const second = await withSheet(bytes, (xml) => retyped('y', '4')(retyped('x', '5')(xml)));
  expect(await corrected(scene, 'two.xlsx', second)).toMatchObject({
    corrected: 1,
    refused: 1,
    faults: [{ code: 'correction/too-late' }],
  });
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
});

test.each([
  [['xlsx'], ['xlsx']],
  [['csv'], ['csv']],
] as const)('corrections.files: %s writes only these', async (files, written) => {
  await using scene = await failedNight(SALES, { corrections: { files } });
  expect(toFix(scene).map((path) => path.replace(/.*\./, ''))).toEqual(written);
});

test('more rows than a workbook may have are in the CSV alone, and that is reported', {
  timeout: 120_000,
}, async () => {
  const rows = Array.from({ length: 20_001 }, (_, at) => `B${at % 5};05/09/2026;Client;${at};x;10,50;20`);
  await using scene = await openScene({
    mappings: { 'sales.yaml': SALES_MAPPING.replace('documents:', 'documents:\n  rows: anywhere') },
  });
  scene.drop('ventes.csv', ['Num;Date;Client;Lig;Qte;PU;Taux', ...rows].join('\n').concat('\n'));
  const { told } = await scene.night();
  expect(told.filter(({ what }) => what === 'no-workbook')).toMatchObject([{ file: 'ventes.csv', most: 20_000 }]);
  expect(toFix(scene).map((path) => path.replace(/.*\./, ''))).toEqual(['csv']);
});

test('a workbook with other content, a cut one and a zip of something else are refused with the reason', async () => {
  await using scene = await failedNight();
  const bytes = workbookIn(scene);
  scene.drop('cut.xlsx', bytes.subarray(0, bytes.length - 300));
  scene.drop('other.xlsx', await workbookOf(new Map([['a.txt', 'x']])));
  scene.drop('old.xls', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]));
  const { told } = await scene.night();
  const refused = told.filter(({ what }) => what === 'file-refused') as Extract<
    PipelineEvent,
    { what: 'file-refused' }
  >[];
  expect(refused.map(({ file, faults }) => [file, faults[0]!.code]).sort()).toEqual([
    ['cut.xlsx', 'intake/no-mapping'],
    ['old.xls', 'intake/no-mapping'],
    ['other.xlsx', 'intake/no-mapping'],
  ]);
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 1 });
});

test('preview of a correction file says what the run then does, and changes nothing', async () => {
  const source = SALES.replace('A3;05/09/2026;Client A3;1;2', 'A3;05/09/2026;Client A3;1;y');
  await using scene = await failedNight(source);
  const bytes = await withSheet(workbookIn(scene), (xml) => retyped('y', 'z')(retyped('x', '3')(xml)));
  const path = join(scene.root, 'mine.xlsx');
  writeFileSync(path, bytes);
  const before = await scene.entries();
  const { code, out } = await commandIn(scene, '--json', 'preview', path);
  expect(await scene.entries()).toEqual(before);
  const preview = JSON.parse(out);
  expect(code).toBe(3);
  expect(preview.documents).toMatchObject([
    { identifier: 'A2', result: 'corrected', changes: [{ row: 5, column: 'Qte', from: 'x', to: '3' }] },
    { identifier: 'A3', result: 'stillWrong', changes: [{ row: 6, column: 'Qte', from: 'y', to: 'z' }] },
  ]);
  expect((await commandIn(scene, 'preview', path)).out).toMatch(
    /A2: passes all checks[\s\S]*mine\.xlsx: 2 documents, 1 /,
  );
  expect(await corrected(scene, 'mine.xlsx', bytes)).toMatchObject({ corrected: 2, refused: 0 });
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 1 });
  const after = JSON.parse((await commandIn(scene, '--json', 'preview', path)).out);
  expect(after).toMatchObject({ duplicateOf: 'mine.xlsx', documents: [] });
});
