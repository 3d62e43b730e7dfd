/** A workbook as sample: the draft that it gives, and the small workbook of its first test. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSampleWorkbook } from '../../src/infer/sample/write-sample-workbook.ts';
import { readXlsxTable, type XlsxTable } from '../../src/readers/xlsx/read-xlsx-table.ts';
import { inferMapping } from '../../src/views/preview/infer-mapping.ts';
import { inlineCell, textRow, workbookOf, zipOf } from '../readers/xlsx/make-workbook.ts';

const SAMPLE = readFileSync(join(import.meta.dirname, '../../samples/excel-invoices/input/Factures_2026-11-21.xlsx'));

describe('infer of a workbook', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'nightpost-infer-xlsx-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const infer = async (bytes: Uint8Array, out?: string) =>
    await inferMapping({ bytes, file: 'Factures_2026.xlsx', target: 'fr-invoice', folder, ...(out ? { out } : {}) });

  it('reads types, header row and totals of the sheet, and asks nothing about a delimiter', async () => {
    const { mapping, trial, evidence, questions } = await infer(SAMPLE);
    const source = mapping.slice(mapping.indexOf('source:'), mapping.indexOf('tables:')).replace(/ +#.*/g, '');
    for (const line of ['format: xlsx', 'header-row: 3', 'dates: yyyy-MM-dd', 'Date: date', 'CP: { text: 5 digits }']) {
      expect(source).toContain(line);
    }
    expect(source).not.toMatch(/delimiter|encoding|final-line-end|sheet:/);
    expect([...evidence, ...questions].map(({ at }) => at).filter((at) => /delimiter|encoding|quote/.test(at))).toEqual(
      [],
    );
    expect(trial).toMatchObject({ documents: 4, good: 3 });
  });

  it('names the sheet if there are others', async () => {
    const rows = textRow(1, 'Num', 'Client') + textRow(2, 'F1', 'A') + textRow(3, 'F2', 'B');
    const { mapping } = await infer(
      workbookOf({
        sheets: [
          { name: 'Ventes 47', rows },
          { name: 'Notes', rows: '' },
        ],
      }),
    );
    expect(mapping).toContain('sheet: Ventes 47');
  });

  it('gives the draft a first test with a workbook of the first documents', async () => {
    const table = await readXlsxTable(SAMPLE, { file: 'a.xlsx' });
    const withoutTotal = await writeSampleWorkbook(table.sheet, table.rows.slice(0, -1));
    const { sample, mapping } = await infer(withoutTotal, join(folder, 'mappings/factures.yaml'));
    expect(mapping).toContain('given: "mappings/samples/factures.xlsx"');
    const cut = await readXlsxTable(sample!.bytes, { file: 'cut.xlsx' });
    expect(textsOf(cut)).toEqual(textsOf(table).slice(0, 5));
  });

  it.each([
    ['an archive', zipOf({ 'a.csv': 'x' })],
    ['a damaged workbook', SAMPLE.subarray(0, 3000)],
    ['an empty sheet', workbookOf({})],
  ])('refuses %s', async (_, bytes) => {
    await expect(infer(bytes)).rejects.toMatchObject({ code: 'infer/not-an-export' });
  });
});

const text = fc
  .string({ unit: 'binary', maxLength: 20 })
  .filter((one) => one.isWellFormed() && !/[\0\ufffe\uffff]/.test(one));

describe('writeSampleWorkbook', () => {
  it('writes cells that are read back as they were', async () => {
    const rows = fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, async (texts) => {
        const source = workbookOf({
          formats: ['00000', 14, 22, 20],
          rows: texts
            .map((cells, n) => {
              const at = (column: string) => `${column}${n + 1}`;
              const dates = `<c r="${at('F')}" s="2"><v>${n}</v></c><c r="${at('G')}" s="3"><v>46347.5451</v></c><c r="${at('H')}" s="4"><v>0.25</v></c>`;
              const others = `<c r="${at('I')}" s="1"><v>${n}</v></c><c r="${at('J')}"><v>-1.5E-5</v></c><c r="${at('K')}" t="b"><v>1</v></c><c r="${at('L')}" t="e"><v>#N/A</v></c>`;
              const escaped = cells.map((cell, c) => inlineCell(`${'ABCD'[c]}${n + 1}`, encodeControls(cell)));
              return `<row r="${n + 1}">${escaped.join('')}${dates}${others}</row>`;
            })
            .join(''),
        });
        const before = await readXlsxTable(source, { file: 'a.xlsx' });
        const after = await readXlsxTable(await writeSampleWorkbook(before.sheet, before.rows), { file: 'a.xlsx' });
        expect(textsOf(after)).toEqual(textsOf(before));
      }),
    );
  });
});

function textsOf({ rows }: XlsxTable) {
  return rows.map(({ row, cells }) => [row, ...cells.map(({ cell, text: found }) => [cell, found])]);
}

/** As ST_Xstring writes what XML cannot hold. */
function encodeControls(cell: string): string {
  const escaped = cell.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
  return escaped.replace(/[\x01-\x08\x0b-\x1f]/g, (sign) => `_x00${sign.charCodeAt(0).toString(16).padStart(2, '0')}_`);
}
