/** The workbook of samples/excel-invoices: a title, the header in row 3, cells of the header on the first row of an invoice, a row of totals. */
import { partsOf, withSheet } from '../../test/pipeline/reprocessing/workbook-edits.ts';
import { decimal, rounded, totalsOf, units } from './amounts.ts';
import { FACTORS, type Format, NUMBER, sampleBytes, type Template } from './format.ts';

const sample = sampleBytes('excel-invoices/input/Factures_2026-11-21.xlsx');
const sheet = (await partsOf(sample)).get('xl/worksheets/sheet1.xml')!;
const rows = [...sheet.matchAll(/<row r="(\d+)".*?<\/row>/gs)].map(([row]) => row);
/** Rows of the sample: title and header, the invoices without fault, the row of totals. */
const FIRST = 3;
const INVOICES = [
  [4, 5],
  [6, 6],
  [7, 9],
] as const;
const TOTALS = 11;
const ROW = '\u0002ROW\u0002';
const BEGIN = sheet.slice(0, sheet.indexOf('<sheetData>') + '<sheetData>'.length);
const END = sheet.slice(sheet.indexOf('</sheetData>'));

export const WORKBOOK: Format = {
  mapping: 'excel-invoices',
  service: 'fr',
  today: '2026-12-02',
  nameOf: (id) => `Factures_${id}.xlsx`,
  encoding: 'utf-8',
  head: '',
  tail: ({ quantity }) => placed(rowAt(TOTALS)).replace(/(<c r="M[^>]*><v>)[^<]*/, `$1${decimal(quantity, 1)}`),
  templatesOf: () => ({ good: FACTORS.flatMap((factor) => INVOICES.map(([from, to]) => timesOf(from, to, factor))) }),
  pack: async (text) => {
    const head = Array.from({ length: FIRST }, (_, at) => rowAt(at + 1)).join('');
    let row = FIRST;
    const numbered = text.split('\n').map((line) => (line === '' ? '' : line.replaceAll(ROW, String(++row))));
    const whole = BEGIN + head + numbered.join('') + END;
    return await withSheet(sample, () => whole.replace(/<dimension [^>]*\/>/, ''));
  },
};

function timesOf(from: number, to: number, factor: number): Template {
  const lines: { quantity: number; net: number; rate: number }[] = [];
  const texts = rows.slice(indexOf(from), indexOf(to) + 1).map((row) => {
    const quantity = units(valueIn(row, 'M'), 1) * factor;
    lines.push({
      quantity,
      net: rounded(quantity * units(valueIn(row, 'O'), 2), 10),
      rate: units(valueIn(row, 'P'), 3),
    });
    return placed(row).replace(/(<c r="M[^>]*><v>)[^<]*/, `$1${decimal(quantity, 1)}`);
  });
  const { gross } = totalsOf(lines);
  const text = texts
    .join('')
    .replace(/<c r="A[^>]*><v>\d+<\/v>/, `<c r="A${ROW}" t="inlineStr"><is><t>${NUMBER}</t></is>`)
    .replace(/(<c r="Q[^>]*><v>)[^<]*/, `$1${decimal(gross, 2)}`);
  return { text, quantity: lines.reduce((sum, line) => sum + line.quantity, 0) };
}

function rowAt(number: number): string {
  return rows[indexOf(number)] ?? '';
}

function indexOf(number: number): number {
  return rows.findIndex((row) => row.startsWith(`<row r="${number}"`));
}

/** For any place in the sheet, one row a line. */
function placed(row: string): string {
  return `${row.replaceAll(/(r="[A-Z]*)\d+(?=")/g, `$1${ROW}`)}\n`;
}

function valueIn(row: string, column: string): string {
  return new RegExp(`<c r="${column}\\d+"[^>]*><v>([^<]*)`).exec(row)![1]!;
}
