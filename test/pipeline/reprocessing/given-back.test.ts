/**
 * A correction workbook as LibreOffice Calc 25.2 gave it back (kept in given-back/): with columns moved, removed and
 * renamed, formulas, a further sheet, and in other formats. What can be read is taken, everything else is refused with
 * its own fault, and nothing of it is ever read as an export.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { docMark } from '../../../src/model/correction.ts';
import type { PipelineEvent } from '../../../src/pipeline/context/run-context.ts';
import { openScene, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { partsOf, workbookOf } from './workbook-edits.ts';

const FOLDER = join(import.meta.dirname, 'given-back');
const NUMBERS = ['A1', 'A2', 'A3', 'A4'];
/** Four documents, each with a wrong quantity in its first row; the person wrote 3. */
const WRONG = sales(NUMBERS).replaceAll(/;(Client A\d);1;2;/g, ';$1;1;x;');
let scene: Scene;

beforeEach(async () => {
  scene = await openScene();
  scene.drop('ventes.csv', WRONG);
  await scene.night();
});

afterEach(async () => await scene[Symbol.asyncDispose]());

/** The file with the marks of this night, both in the order of the documents. */
async function givenBack(name: string): Promise<Buffer> {
  const parts = await partsOf(readFileSync(join(FOLDER, name)));
  const path = 'xl/sharedStrings.xml';
  const texts = parts.get(path)!;
  const marks = [...new Set(texts.match(/[0-9a-f]{8}-[0-9a-f-]{27}\/1/g))].sort();
  const now = (await scene.entries()).map(docMark).sort();
  expect(marks).toHaveLength(now.length);
  const own = marks.reduce((text, mark, at) => text.replaceAll(mark, now[at]!), texts);
  return await workbookOf(parts.set(path, own));
}

type Told = Extract<PipelineEvent, { what: 'corrections' | 'file-refused' }>;

async function dropped(name: string, content: Uint8Array | string): Promise<Told> {
  scene.drop(name, content);
  const { told } = await scene.night();
  return told.find(({ what }) => what === 'corrections' || what === 'file-refused') as Told;
}

test.each([
  ['saved.xlsx', []],
  ['reordered.xlsx', []],
  ['saved.xlsm', []],
  ['sheets-added.xlsx', [{ code: 'correction/other-sheets', level: 'warning' }]],
])('%s is taken whole', async (name, faults) => {
  const told = await dropped(name, await givenBack(name));
  expect(told).toMatchObject({ what: 'corrections', corrected: 4, refused: 0, faults });
  expect(tally(await scene.entries())).toEqual({ authorized: 4 });
  expect(scene.sandbox.acceptances()).toHaveLength(4);
});

test('formulas: their values are taken, an error value is not', async () => {
  const told = await dropped('formulas.xlsx', await givenBack('formulas.xlsx'));
  expect(told).toMatchObject({ corrected: 3, refused: 1 });
  expect(told.faults).toMatchObject([{ code: 'correction/damaged-cell', origin: { row: 8, column: 'Qte' } }]);
  expect(tally(await scene.entries())).toEqual({ authorized: 3, invalid: 1 });
});

test.each(['column-removed.xlsx', 'column-renamed.xlsx'])('%s: one fault with the column', async (name) => {
  const told = await dropped(name, await givenBack(name));
  expect(told).toMatchObject({ what: 'corrections', corrected: 0, refused: 4 });
  expect(told.faults).toMatchObject([{ code: 'correction/columns', origin: { row: 2 }, moreRows: [4, 6, 8] }]);
  expect(told.faults[0]!.message).toContain('"Client"');
  expect(tally(await scene.entries())).toEqual({ invalid: 4 });
});

/** A compound file with the stream of a workbook that has a password. */
const PROTECTED = Buffer.concat([
  Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  Buffer.alloc(600),
  Buffer.from('EncryptedPackage', 'utf16le'),
  Buffer.alloc(600),
]);

/** Unpacks to 65 MiB, more than a small file may. */
async function bomb(): Promise<Buffer> {
  const parts = await partsOf(readFileSync(join(FOLDER, 'saved.xlsx')));
  return await workbookOf(parts.set('xl/sharedStrings.xml', `<sst>${'<si><t/></si>'.repeat(5_200_000)}</sst>`));
}

/** A sheet that claims more cells than it has, up to the last one that a sheet can have. */
async function vast(): Promise<Buffer> {
  const parts = await partsOf(await givenBack('saved.xlsx'));
  const path = 'xl/worksheets/sheet1.xml';
  const sheet = parts.get(path)!.replace('ref="A1:J9"', 'ref="A1:XFD1048576"');
  const last = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>';
  return await workbookOf(parts.set(path, sheet.replace('</sheetData>', last)));
}

test.each<[name: string, code: string, content: () => Buffer | Promise<Buffer>]>([
  ['ventes.csv.0130-1a2b3c4d.to-fix.ods', 'xlsx/other-kind', () => readFileSync(join(FOLDER, 'saved.ods'))],
  ['ventes.csv.0130-1a2b3c4d.to-fix.xls', 'xlsx/other-kind', () => readFileSync(join(FOLDER, 'saved.xls'))],
  ['ventes.csv.0130-1a2b3c4d.to-fix.xlsx', 'xlsx/protected', () => PROTECTED],
  ['ventes.csv.0130-1a2b3c4d.to-fix.xlsx', 'xlsx/too-large', bomb],
  ['ventes.csv.0130-1a2b3c4d.to-fix.xlsx', 'correction/columns', () => Buffer.from('%PDF-1.7\n')],
  // A mapping accepts ventes*.csv: without its helper columns the sheet would be an export of documents that are known.
  ['ventes.csv.0130-1a2b3c4d.to-fix.csv', 'correction/columns', () => Buffer.from(WRONG.replaceAll(';x;', ';9;'))],
])('%s: %s', async (name, code, content) => {
  const told = await dropped(name, await content());
  expect(told).toMatchObject({ what: 'file-refused', faults: [{ code }] });
  expect(told.faults[0]!.hint).toBeTruthy();
  const { files } = JSON.parse((await commandIn(scene, '--json', 'errors')).out);
  expect(files).toMatchObject([{ name, state: 'refused', faults: [{ code }] }]);
  expect(tally(await scene.entries())).toEqual({ invalid: 4 });
  const why = ['--reason', 'saved in a wrong format'];
  expect(await commandIn(scene, 'set-aside', name, ...why)).toMatchObject({ code: 0 });
});

test('a sheet that claims a billion cells costs no more than those that it has', async () => {
  const told = await dropped('vast.xlsx', await vast());
  expect(told).toMatchObject({ what: 'corrections', corrected: 4, refused: 1 });
  expect(told.faults).toMatchObject([{ code: 'correction/unknown-document', origin: { row: 1_048_576 } }]);
});
