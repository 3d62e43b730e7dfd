/**
 * Comments of a correction workbook: their texts (ECMA-376), and the boxes that spreadsheets show them in, which are
 * VML. Places and texts in, the two parts out; nothing throws.
 */
import { columnLetters } from '../xlsx/xlsx-cell-value.ts';
import { escapeCellText } from './workbook-parts.ts';

/** `row` and `column`: from 0. */
export type SheetComment = { readonly row: number; readonly column: number; readonly text: string };

/** Each comment is a drawing: many of them make a spreadsheet slow. Further cells are only colored. */
export const COMMENTED = 2000;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

export function commentsPart(comments: readonly SheetComment[]): string {
  const all = comments.map(({ row, column, text }) => {
    const words = `<t xml:space="preserve">${escapeCellText(text)}</t>`;
    return `<comment ref="${columnLetters(column)}${row + 1}" authorId="0"><text>${words}</text></comment>`;
  });
  const authors = '<authors><author>Nightpost</author></authors>';
  return `${HEAD}<comments xmlns="${SHEET}">${authors}<commentList>${all.join('')}</commentList></comments>`;
}

/** Characters of a line of the box. */
const LINE_LENGTH = 48;
const LEAST_LINES = 3;

/** Hidden until the pointer is on the cell, three columns wide and as high as the text. */
export function shapesPart(comments: readonly SheetComment[]): string {
  const shapes = comments.map(({ row, column, text }, at) => {
    const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_LENGTH)), 1);
    const height = Math.max(LEAST_LINES, lines);
    const anchor = [column + 1, 12, row, 4, column + 4, 60, row + height, 4].join(', ');
    return [
      `<v:shape id="_x0000_s${1025 + at}" type="#_x0000_t202" fillcolor="#ffffe1" o:insetmode="auto"`,
      ` style="position:absolute;width:240pt;height:${height * 14}pt;z-index:${at + 1};visibility:hidden">`,
      '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>',
      '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>',
      `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor>`,
      `<x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`,
    ].join('');
  });
  return [
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"',
    ' xmlns:x="urn:schemas-microsoft-com:office:excel">',
    '<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>',
    '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">',
    '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>',
    ...shapes,
    '</xml>',
  ].join('');
}
