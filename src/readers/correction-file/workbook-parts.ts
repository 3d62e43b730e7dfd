/**
 * The parts of a correction workbook that do not depend on its rows (ECMA-376, SpreadsheetML), and the texts of XML.
 * Strings in, strings out; nothing throws.
 */
import { escapeXml } from '../../text/escape-xml.ts';

/** Places in `cellXfs` of STYLES. All of them hold text (format 49, `@`). */
export const CELL_STYLE = { header: 1, text: 2, error: 3, warning: 4, locked: 5, problem: 6 } as const;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export const CONTENT_TYPES = [
  `${HEAD}<Types xmlns="${PACKAGE}/content-types">`,
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
  '<Default Extension="xml" ContentType="application/xml"/>',
  '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>',
  `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>`,
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>`,
  `<Override PartName="/xl/comments1.xml" ContentType="${TYPE}.comments+xml"/></Types>`,
].join('');

function linksPart(...links: readonly (readonly [type: string, target: string])[]): string {
  const all = links.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${LINKS}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
}

export const PACKAGE_LINKS = linksPart(['officeDocument', 'xl/workbook.xml']);
export const WORKBOOK_LINKS = linksPart(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml']);
export const SHEET_LINKS = linksPart(['vmlDrawing', '../drawings/vmlDrawing1.vml'], ['comments', '../comments1.xml']);

/** One visible sheet, whose filter covers `range`. */
export function workbookPart(sheet: string, range: string): string {
  const fixed = range.replace(/([A-Z]+)(\d+)/g, '$$$1$$$2');
  return [
    `${HEAD}<workbook xmlns="${SHEET}" xmlns:r="${LINKS}"><bookViews><workbookView/></bookViews>`,
    `<sheets><sheet name="${escapeCellText(sheet)}" sheetId="1" r:id="rId1"/></sheets>`,
    `<definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'${escapeCellText(sheet)}'!${fixed}`,
    '</definedName></definedNames></workbook>',
  ].join('');
}

const FONTS = [
  '<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>',
  '<font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/><family val="2"/></font>',
  '<font><b/><sz val="11"/><color rgb="FF9C0006"/><name val="Calibri"/><family val="2"/></font>',
  '<font><sz val="11"/><color rgb="FF7F6000"/><name val="Calibri"/><family val="2"/></font>',
  '<font><sz val="9"/><color rgb="FF808080"/><name val="Calibri"/><family val="2"/></font>',
  '<font><sz val="10"/><color rgb="FF9C0006"/><name val="Calibri"/><family val="2"/></font>',
];
const FILLS = ['FF1F3864', 'FFFFC7CE', 'FFFFEB9C', 'FFEDEDED', 'FFFDF3F3'].map(
  (color) =>
    `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/><bgColor indexed="64"/></patternFill></fill>`,
);
const LINE = '<bottom style="thin"><color rgb="FFD9D9D9"/></bottom>';

/** `fill` and `font`: places in the lists above, the fills after the two that every workbook has. */
function cellStyle(font: number, fill: number, { locked = true, wrap = false } = {}): string {
  return [
    `<xf numFmtId="49" fontId="${font}" fillId="${fill}" borderId="1" xfId="0" applyNumberFormat="1" applyFont="1"`,
    ' applyFill="1" applyBorder="1" applyAlignment="1" applyProtection="1">',
    `<alignment vertical="top"${wrap ? ' wrapText="1"' : ''}/><protection locked="${locked ? 1 : 0}"/></xf>`,
  ].join('');
}

const CELLS = [
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  cellStyle(1, 2),
  cellStyle(0, 0, { locked: false }),
  cellStyle(2, 3, { locked: false }),
  cellStyle(3, 4, { locked: false }),
  cellStyle(4, 5),
  cellStyle(5, 6, { wrap: true }),
];

function listOf(name: string, items: readonly string[]): string {
  return `<${name} count="${items.length}">${items.join('')}</${name}>`;
}

export const STYLES = [
  `${HEAD}<styleSheet xmlns="${SHEET}">`,
  listOf('fonts', FONTS),
  listOf('fills', [
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
    ...FILLS,
  ]),
  listOf('borders', [
    '<border><left/><right/><top/><bottom/><diagonal/></border>',
    `<border><left/><right/><top/>${LINE}<diagonal/></border>`,
  ]),
  listOf('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
  listOf('cellXfs', CELLS),
  listOf('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
  '</styleSheet>',
].join('');

/**
 * The text for a cell. Signs that XML does not have are written as `_x0007_` (ECMA-376, ST_Xstring), and so is the
 * underscore of a text that only looks like that.
 */
export function escapeCellText(text: string): string {
  return escapeXml(text.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')).replace(
    /[\0-\x08\x0b-\x1f\ufffe\uffff]/g,
    (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}
