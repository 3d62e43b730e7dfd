/**
 * A small workbook of some rows of a sample, for the first test of a draft: typed cells in, the bytes of an .xlsx file
 * out, with one sheet and without any formula. Each cell is read back as the same text. Nothing throws.
 */
import { zipOf } from '../../files/write-zip.ts';
import { escapeCellText } from '../../readers/correction-file/workbook-parts.ts';
import type { XlsxCell } from '../../readers/xlsx/read-xlsx-table.ts';
import { dayNumber } from '../../text/calendar-date.ts';

/** `row` from 1, in ascending order. */
type SampleRow = { readonly row: number; readonly cells: readonly XlsxCell[] };

const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';

/** Formats of dates by the form of their text; the style of a cell is the place here, from 1. */
const DATE_FORMATS: readonly (readonly [RegExp, code: string])[] = [
  [/^\d{4}-\d{2}-\d{2}$/, 'yyyy-mm-dd'],
  [/^\d{4}-\d{2}-\d{2}T/, 'yyyy-mm-dd hh:mm:ss'],
];
/** The serial of 1 January 1970, and the first day whose serial all programs agree on. */
const SERIAL_1970 = 25_569;
const FIRST_SERIAL = 61;

export function writeSampleWorkbook(sheet: string, rows: readonly SampleRow[]): Promise<Uint8Array> {
  const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const formats = DATE_FORMATS.map(([, code], n) => `<numFmt numFmtId="${164 + n}" formatCode="${code}"/>`).join('');
  const styles = DATE_FORMATS.map((_, n) => `<xf numFmtId="${164 + n}" applyNumberFormat="1"/>`).join('');
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${MAIN_TYPE.replace('sheet.main', 'worksheet')}"/><Override PartName="/xl/workbook.xml" ContentType="${MAIN_TYPE}"/><Override PartName="/xl/styles.xml" ContentType="${MAIN_TYPE.replace('sheet.main', 'styles')}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships">${relation('r1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><sheets><sheet name="${escapeCellText(sheet)}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}${relation('r2', 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${SHEETS}"><numFmts count="${DATE_FORMATS.length}">${formats}</numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${DATE_FORMATS.length + 1}"><xf/>${styles}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SHEETS}"><sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`,
  };
  return zipOf(Object.entries(parts).map(([path, xml]) => ({ path, content: declaration + xml })));
}

function rowXml({ row, cells }: SampleRow): string {
  const all = cells.map((cell) => cellXml(cell, cell.cell.replace(/\d+$/, String(row)))).join('');
  return `<row r="${row}">${all}</row>`;
}

function cellXml({ kind, text }: XlsxCell, reference: string): string {
  if (kind === 'empty') return '';
  if (kind === 'boolean') return `<c r="${reference}" t="b"><v>${text === 'TRUE' ? 1 : 0}</v></c>`;
  if (kind === 'error') return `<c r="${reference}" t="e"><v>${escapeCellText(text)}</v></c>`;
  if (kind === 'number' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return `<c r="${reference}"><v>${text}</v></c>`;
  const style = kind === 'date' ? DATE_FORMATS.findIndex(([form]) => form.test(text)) + 1 : 0;
  const serial = style > 0 ? serialOf(text) : 0;
  if (serial >= FIRST_SERIAL) return `<c r="${reference}" s="${style}"><v>${serial}</v></c>`;
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeCellText(text)}</t></is></c>`;
}

function serialOf(iso: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = iso.slice(11).split(':').map(Number);
  return SERIAL_1970 + dayNumber(iso) + (hours * 3600 + minutes * 60 + seconds) / 86_400;
}
