/**
 * The rows of failed documents as a workbook (.xlsx) that a person corrects: every cell is text, so that no spreadsheet
 * converts it or runs it. Cells at fault are colored, with the fault as a comment; `_doc` and `_row` are locked. Rows in
 * memory go in, the bytes of the zip come out piece by piece, the same for the same rows. Throws nothing of its own.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { type CellFault, type FailedRow, HELPER_COLUMNS } from '../../model/correction.ts';
import { greatestOf } from '../../text/long-lists.ts';
import { columnLetters } from '../xlsx/xlsx-cell-value.ts';
import { COMMENTED, commentsPart, type SheetComment, shapesPart } from './workbook-comments.ts';
import {
  CELL_STYLE,
  CONTENT_TYPES,
  escapeCellText,
  PACKAGE_LINKS,
  SHEET_LINKS,
  STYLES,
  WORKBOOK_LINKS,
  workbookPart,
} from './workbook-parts.ts';

/** One row of a failed document. `cells`: under the columns of the source. */
export type WorkbookRow = { readonly cells: readonly string[]; readonly found: FailedRow };

/** `texts`: the name of the sheet, and what the person has to know, as comments of the header. */
export type CorrectionWorkbook = {
  readonly columns: readonly string[];
  readonly rows: readonly WorkbookRow[];
  readonly texts: { readonly sheet: string; readonly howTo: string; readonly keep: string };
};

/** A cell of a spreadsheet holds no more characters (ECMA-376; Excel and Calc). */
export const LONGEST_CELL = 32_767;
/** Columns of a sheet, without the three of Nightpost. */
export const MOST_COLUMNS = 16_384 - HELPER_COLUMNS.length;

/** Rows of a piece of the sheet. */
const PIECE_ROWS = 200;
/** The date of all parts: the bytes do not depend on the clock. */
const DATE = new Date(Date.UTC(2000, 0, 1));

export async function* writeCorrectionWorkbook(workbook: CorrectionWorkbook): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error) => void output.destroy(error as Error));
  const sheet = sheetOf(workbook);
  const add = (path: string, part: string | Iterable<string>) => {
    const options = { mtime: DATE, forceDosTimestamp: true };
    if (typeof part === 'string') zip.addBuffer(Buffer.from(part), path, options);
    else zip.addReadStream(Readable.from(part, { objectMode: false }), path, options);
  };
  add('[Content_Types].xml', CONTENT_TYPES);
  add('_rels/.rels', PACKAGE_LINKS);
  add('xl/workbook.xml', workbookPart(workbook.texts.sheet, sheet.range));
  add('xl/_rels/workbook.xml.rels', WORKBOOK_LINKS);
  add('xl/styles.xml', STYLES);
  add('xl/worksheets/sheet1.xml', sheet.pieces());
  add('xl/worksheets/_rels/sheet1.xml.rels', SHEET_LINKS);
  add('xl/comments1.xml', commentsPart(sheet.comments));
  add('xl/drawings/vmlDrawing1.vml', shapesPart(sheet.comments));
  zip.end();
  for await (const piece of output) yield piece as Buffer;
}

type Sheet = {
  /** A1:H20, header included. */
  readonly range: string;
  readonly comments: readonly SheetComment[];
  readonly pieces: () => Iterable<string>;
};

/** `_error` comes first, where it is seen without scrolling; `_doc` and `_row`, which only Nightpost needs, are last. */
function sheetOf({ columns, rows, texts }: CorrectionWorkbook): Sheet {
  const names = ['_error', ...columns, '_doc', '_row'];
  const range = `A1:${columnLetters(names.length - 1)}${rows.length + 1}`;
  const header: readonly SheetComment[] = [
    { row: 0, column: 0, text: texts.howTo },
    { row: 0, column: names.length - 2, text: texts.keep },
    { row: 0, column: names.length - 1, text: texts.keep },
  ];
  const faults = rows.map(({ found }) => faultsByColumn(found, columns));
  const own = faults.flatMap((byColumn, at) =>
    [...byColumn].map(([column, { text }]): SheetComment => ({ row: at + 1, column: column + 1, text })),
  );
  function* pieces(): Generator<string> {
    yield headOf(names, rows, range);
    yield rowXml(1, names, () => CELL_STYLE.header);
    for (let from = 0; from < rows.length; from += PIECE_ROWS) {
      const some = rows.slice(from, from + PIECE_ROWS);
      yield some.map((row, at) => dataRow(from + at + 2, row, columns.length, faults[from + at])).join('');
    }
    yield tailOf(range, names.length, rows.length + 1);
  }
  return { range, comments: [...header, ...own].slice(0, COMMENTED), pieces };
}

/** Place of the column -> its fault; an error comes before a warning. */
function faultsByColumn({ faults = [] }: FailedRow, columns: readonly string[]): ReadonlyMap<number, CellFault> {
  const found = new Map<number, CellFault>();
  for (const fault of faults) {
    const at = columns.indexOf(fault.column);
    if (at < 0) continue;
    const earlier = found.get(at);
    const level = earlier?.level === 'error' ? 'error' : fault.level;
    found.set(at, { ...fault, level, text: earlier ? `${earlier.text}\n\n${fault.text}` : fault.text });
  }
  return found;
}

function dataRow(
  number: number,
  { cells, found }: WorkbookRow,
  width: number,
  faults: ReadonlyMap<number, CellFault> | undefined,
): string {
  const own = Array.from({ length: width }, (_, at) => cells[at] ?? '');
  const styleAt = (at: number) => {
    if (at === 0) return CELL_STYLE.problem;
    if (at > width) return CELL_STYLE.locked;
    const fault = faults?.get(at - 1);
    return fault ? CELL_STYLE[fault.level] : CELL_STYLE.text;
  };
  return rowXml(number, [found.error, ...own, found.doc, String(found.row)], styleAt);
}

/** Characters of a line of `_error`, the height of a line in points, and the lines of a row before the text is cut. */
const [LINE_LENGTH, LINE_HEIGHT, MOST_LINES] = [58, 13, 12];

/** Empty cells as well: they are unlocked, and what is typed into them stays text. */
function rowXml(number: number, texts: readonly string[], styleAt: (at: number) => number): string {
  const cells = texts.map((text, at) => {
    const head = `<c r="${columnLetters(at)}${number}" s="${styleAt(at)}"`;
    if (text === '') return `${head}/>`;
    return `${head} t="inlineStr"><is><t xml:space="preserve">${escapeCellText(text)}</t></is></c>`;
  });
  const lines = Math.min(MOST_LINES, Math.ceil((texts[0]?.length ?? 0) / LINE_LENGTH));
  const height = lines > 1 ? ` ht="${lines * LINE_HEIGHT + 2}" customHeight="1"` : '';
  return `<row r="${number}"${height}>${cells.join('')}</row>`;
}

const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** Rows whose texts decide the width of a column. */
const MEASURED = 200;
const [NARROWEST, WIDEST] = [8, 40];
const WIDTH = { problem: 55, row: 7, doc: 14 } as const;

/** The pane below the header and right of `_error` moves alone. */
function headOf(names: readonly string[], rows: readonly WorkbookRow[], range: string): string {
  const measured = rows.slice(0, MEASURED);
  const widthOf = (at: number) => {
    if (at === 0) return WIDTH.problem;
    if (at === names.length - 2) return WIDTH.doc;
    if (at === names.length - 1) return WIDTH.row;
    const longest = Math.max(
      names[at]?.length ?? 0,
      greatestOf(measured.map(({ cells }) => cells[at - 1]?.length ?? 0)),
    );
    return Math.min(WIDEST, Math.max(NARROWEST, longest + 3));
  };
  const styleOf = (at: number) => (at === 0 || at > names.length - 3 ? CELL_STYLE.locked : CELL_STYLE.text);
  const cols = names.map(
    (_, at) => `<col min="${at + 1}" max="${at + 1}" width="${widthOf(at)}" style="${styleOf(at)}" customWidth="1"/>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    `<worksheet xmlns="${SHEET}" xmlns:r="${LINKS}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><dimension ref="${range}"/>`,
    '<sheetViews><sheetView tabSelected="1" workbookViewId="0">',
    '<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/>',
    '<selection pane="bottomRight" activeCell="B2" sqref="B2"/></sheetView></sheetViews>',
    `<sheetFormatPr defaultRowHeight="15"/><cols>${cols.join('')}</cols><sheetData>`,
  ].join('');
}

/** Protected without a password, so that `_doc` and `_row` are not changed by mistake; widths and filters stay free. */
const PROTECTION =
  '<sheetProtection sheet="1" objects="1" scenarios="1" formatCells="0" formatColumns="0" formatRows="0" deleteRows="0" sort="0" autoFilter="0"/>';

function tailOf(range: string, width: number, lastRow: number): string {
  const all = `A1:${columnLetters(width - 1)}${lastRow}`;
  return [
    `</sheetData>${PROTECTION}<autoFilter ref="${range}"/>`,
    '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/>',
    '<pageSetup orientation="landscape" fitToHeight="0"/>',
    `<ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1" twoDigitTextYear="1"/></ignoredErrors>`,
    '<legacyDrawing r:id="rId1"/></worksheet>',
  ].join('');
}
