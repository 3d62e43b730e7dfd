/**
 * Workbooks that other programs wrote. `files` holds one table, made once with a fixed seed, in the workbooks of nine
 * writers: openpyxl 3.0, XlsxWriter 3.0 (both modes), ExcelJS 4.4 (both modes), SheetJS 0.18, write-excel-file 4.1,
 * excel4node 1.8 and LibreOffice 7.4; expected.json has its cells as the mapping has to read them.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { xlsxReader } from '../../../src/readers/xlsx/xlsx-reader.ts';
import { cellsOf, readAll } from '../make.ts';
import { columnName, inlineCell, workbookOf } from './make-workbook.ts';

const FILES = join(import.meta.dirname, 'files');
const WORKBOOKS = readdirSync(FILES).filter((name) => name.endsWith('.xlsx'));

describe('the same table', () => {
  const expected = JSON.parse(readFileSync(join(FILES, 'expected.json'), 'utf8')) as readonly (readonly string[])[];

  it.each(WORKBOOKS)('is read from %s exactly, in steps of any size', async (name) => {
    for (const chunk of [1 << 20, 997]) {
      const outcome = await readAll(xlsxReader, readFileSync(join(FILES, name)), {}, { chunk, chunkBytes: chunk });
      expect(outcome.refused).toEqual([]);
      expect(outcome.table!.columns.slice(0, 3)).toEqual(['Num', 'Texte', 'Entier']);
      expect(cellsOf(outcome)).toEqual(expected);
      expect(outcome.rows.map(({ row }) => row)).toEqual(expected.map((_, n) => n + 2));
    }
  });

  it('was written by nine programs', () => {
    expect(WORKBOOKS).toHaveLength(9);
    expect(expected.flat().length).toBe(240);
  });
});

const text = fc
  .string({ unit: 'binary', maxLength: 40 })
  .filter(
    (value) =>
      /^[\t\n\r\x20-\ud7ff\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]+$/u.test(value) && !/_x[0-9a-f]{4}_/i.test(value),
  );
const decimal = fc
  .tuple(fc.boolean(), fc.integer({ min: 1, max: 999_999_999_999_999 }), fc.nat(20))
  .map(([isNegative, digits, places]) => decimalText(isNegative, String(digits), places));

/** Of 12500 and 3 places: 12.5. */
function decimalText(isNegative: boolean, digits: string, places: number): string {
  const padded = digits.padStart(places + 1, '0');
  const whole = padded.slice(0, padded.length - places);
  const fraction = padded.slice(padded.length - places).replace(/0+$/, '');
  return `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const day = fc
  .date({ min: new Date('1900-03-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19));
type Value = { readonly cell: (reference: string) => string; readonly text: string };
const serial = (iso: string) => (Date.parse(`${iso}Z`) - Date.UTC(1899, 11, 30)) / 86_400_000;
const value = fc.oneof(
  text.map((one) => ({ text: one, cell: (at: string) => inlineCell(at, one) })),
  // As a program writes a double: with up to 17 digits, perhaps with an exponent.
  fc.tuple(decimal, fc.constantFrom('as is', 'double', 'exponent')).map(([one, way]) => ({
    text: one,
    cell: (at: string) =>
      `<c r="${at}"><v>${way === 'as is' ? one : way === 'double' ? Number(one).toPrecision(17) : Number(one).toExponential(16)}</v></c>`,
  })),
  day.map((one) => ({
    text: one.slice(0, 10),
    cell: (at: string) => `<c r="${at}" s="1"><v>${Math.floor(serial(one))}</v></c>`,
  })),
  day.map((one) => ({ text: one, cell: (at: string) => `<c r="${at}" s="2"><v>${serial(one)}</v></c>` })),
  fc.boolean().map((one) => ({
    text: one ? 'TRUE' : 'FALSE',
    cell: (at: string) => `<c r="${at}" t="b"><v>${one ? 1 : 0}</v></c>`,
  })),
  fc.constant({ text: '', cell: () => '' }),
);
const WIDTH = 5;
const HEADER = `<row r="1">${Array.from({ length: WIDTH }, (_, n) => inlineCell(`${columnName(n)}1`, `C${n}`)).join('')}</row>`;

function sheetOf(rows: readonly (readonly Value[])[]): Buffer {
  const lines = rows.map(
    (cells, n) => `<row r="${n + 2}">${cells.map(({ cell }, at) => cell(`${columnName(at)}${n + 2}`)).join('')}</row>`,
  );
  return workbookOf({ rows: HEADER + lines.join(''), formats: [14, 'yyyy-mm-dd hh:mm:ss'] });
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');
const tables = fc.array(fc.array(value, { minLength: WIDTH, maxLength: WIDTH }), { maxLength: 20 });

describe('any values', () => {
  it('come back as they were written, empty rows apart', async () => {
    await fc.assert(
      fc.asyncProperty(tables, fc.integer({ min: 1, max: 5000 }), async (rows, chunkBytes) => {
        const outcome = await readAll(xlsxReader, sheetOf(rows), {}, { chunkBytes });
        const expected = rows.map((cells) => cells.map((one) => one.text)).filter((cells) => !isBlank(cells));
        expect(outcome.refused).toEqual([]);
        expect(outcome.rows.filter(({ broken }) => broken)).toEqual([]);
        expect(cellsOf(outcome)).toEqual(expected);
      }),
    );
  });
});

const SOFFICE = '/usr/bin/soffice';

describe.skipIf(!existsSync(SOFFICE))('LibreOffice (skipped where it is not installed)', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'nightpost-xlsx-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Opens the file and saves it as another one, in a profile of its own. */
  const convert = async (name: string, content: Buffer | string, ...options: readonly string[]) => {
    writeFileSync(join(folder, name), content);
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    await promisify(execFile)(SOFFICE, [
      profile,
      '--headless',
      '--convert-to',
      'xlsx',
      '--outdir',
      join(folder, 'out'),
      ...options,
      join(folder, name),
    ]);
    return readFileSync(join(folder, 'out', name.replace(/\.\w+$/, '.xlsx')));
  };

  it('saves a CSV of texts that are read back exactly', { timeout: 120_000 }, async () => {
    const plain = text.filter(
      (one) => !/[\r\0-\x08\x0b-\x1f\ufffe\uffff]/.test(one) && one.trim() === one && !one.includes('_x'),
    );
    const rows = fc.sample(fc.array(plain, { minLength: 3, maxLength: 3 }), { numRuns: 200, seed: 7 });
    const quoted = [['A', 'B', 'C'], ...rows].map((cells) =>
      cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'),
    );
    // Semicolon, quote, UTF-8, from row 1, each column as text.
    const saved = await convert('texts.csv', `${quoted.join('\n')}\n`, '--infilter=CSV:59,34,76,1,1/2/2/2/3/2');
    expect(cellsOf(await readAll(xlsxReader, saved, {}))).toEqual(rows);
  });

  it('opens a workbook written by hand and saves it with the same values', { timeout: 120_000 }, async () => {
    const rows = fc
      .sample(tables, { numRuns: 20, seed: 7 })
      .flat()
      .filter((cells) => !isBlank(cells.map((one) => one.text)));
    const written = sheetOf(rows);
    const before = cellsOf(await readAll(xlsxReader, written, {}));
    const after = cellsOf(await readAll(xlsxReader, await convert('hand.xlsx', written), {}));
    // LibreOffice keeps line feeds of texts, and not carriage returns; its texts have no other control characters.
    const plain = (all: readonly (readonly string[])[]) =>
      all.map((cells) => cells.map((cell) => cell.replace(/\r\n?/g, '\n')));
    expect(plain(after)).toEqual(plain(before));
    expect(rows.length).toBeGreaterThan(50);
  });
});
