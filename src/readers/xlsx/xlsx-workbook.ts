/**
 * A workbook without the rows of its sheets: the sheets by name, the formats of its cells, its shared texts. Bytes of
 * the file in. Throws UnreadableFileError for a file that is no workbook (.ods, .docx, .xlsb), that holds macros without
 * saying so in its name, or that is damaged (xlsx/other-kind, xlsx/macros, xlsx/damaged, xlsx/too-large).
 */
import { FILE_TEXT, XLSX_FILE } from '../../i18n/messages/readers-messages.ts';
import type { Attribute } from '../xml/xml-events.ts';
import { openArchive, type WorkbookArchive } from './xlsx-archive.ts';
import { damagedWorkbook, otherKind, refuseWorkbook } from './xlsx-file-faults.ts';
import { type NumberForm, numberForm } from './xlsx-number-format.ts';
import { attributeOf, isSet, readPart } from './xlsx-part.ts';
import { readSharedStrings } from './xlsx-shared-strings.ts';

/** `path`: the part with its cells. A very hidden sheet shows in no menu; only a program can bring it back. */
export type SheetEntry = { readonly name: string; readonly path: string; readonly isHidden: boolean };

export type Workbook = {
  readonly archive: WorkbookArchive;
  /** In the order of the tabs, without sheets of charts and dialogs. */
  readonly sheets: readonly SheetEntry[];
  /** The form of numbers by the style of a cell; undefined for a style that the workbook does not have. */
  readonly formOf: (style: number) => NumberForm | undefined;
  readonly strings: readonly string[];
  readonly is1904: boolean;
  /** The program that wrote the file left the formulas to be calculated when it is opened: their values do not count. */
  readonly isUncalculated: boolean;
};

type Relationship = { readonly id: string; readonly type: string; readonly path: string };

/** A workbook of macros has to be named so, and then its values are read. Its code is never looked at. */
const MACRO_NAME = /\.(?:xlsm|xltm)$/i;

/** Reads all but the sheets. `file`: the name of the file. */
export async function openWorkbook(bytes: AsyncIterable<Uint8Array>, file: string): Promise<Workbook> {
  const archive = await openArchive(bytes, file);
  const main = await findMainPart(archive);
  const relationships = await readRelationships(archive, main);
  const book = await readBook(archive, main);
  const partOf = (kind: string) => relationships.find(({ type }) => type === kind)?.path;
  const sheets = book.sheets.flatMap(({ id, name, state }) => {
    const target = relationships.find((one) => one.id === id);
    if (!target) throw damagedWorkbook(file, XLSX_FILE.sheetWithoutPart({ sheet: name }));
    const isHidden = state === 'hidden' || state === 'veryHidden';
    return target.type === 'worksheet' ? [{ name, path: target.path, isHidden }] : [];
  });
  const styles = partOf('styles');
  const texts = partOf('sharedStrings');
  return {
    archive,
    sheets,
    formOf: styles !== undefined && archive.has(styles) ? await readFormats(archive, styles) : () => 'number',
    strings: texts !== undefined && archive.has(texts) ? await readSharedStrings(archive, texts) : [],
    is1904: book.is1904,
    isUncalculated: book.isUncalculated,
  };
}

/** The sheet of this name, upper and lower case being the same to spreadsheets, or the first one that people see. */
export function chooseSheet({ archive, sheets }: Workbook, name: string | undefined): SheetEntry {
  const { file } = archive;
  const wanted = name?.toLowerCase();
  const found =
    wanted === undefined
      ? sheets.find(({ isHidden }) => !isHidden)
      : (sheets.find((sheet) => sheet.name === name) ?? sheets.find((sheet) => sheet.name.toLowerCase() === wanted));
  if (found) return found;
  if (name === undefined) throw refuseWorkbook(file, 'xlsx/no-sheet', XLSX_FILE.noSheet(), XLSX_FILE.showSheet());
  const message = XLSX_FILE.noSuchSheet({ sheet: name, sheets: sheets.map((sheet) => `"${sheet.name}"`) });
  throw refuseWorkbook(file, 'xlsx/no-such-sheet', message, XLSX_FILE.correctSheet());
}

/** The path of the workbook part; refuses archives that hold something else. */
async function findMainPart(archive: WorkbookArchive): Promise<string> {
  const { file } = archive;
  if (!archive.has('[Content_Types].xml') || !archive.has('_rels/.rels')) throw noWorkbook(archive);
  const [main] = (await readRelationships(archive, '')).filter(({ type }) => type === 'officeDocument');
  if (!main) throw noWorkbook(archive);
  const type = await contentTypeOf(archive, main.path);
  if (type.includes('ms-excel.sheet.binary')) throw otherKind(file, XLSX_FILE.binaryWorkbook(), XLSX_FILE.saveXlsx());
  const hasMacros = type.includes('macroEnabled') || archive.paths.some((path) => /vbaProject\.bin$/i.test(path));
  if (hasMacros && !MACRO_NAME.test(file)) {
    throw refuseWorkbook(file, 'xlsx/macros', XLSX_FILE.macros(), XLSX_FILE.withoutMacros());
  }
  if (!/spreadsheetml|ms-excel/.test(type)) throw noWorkbook(archive);
  return main.path;
}

function noWorkbook(archive: WorkbookArchive) {
  const { file, paths } = archive;
  const has = (pattern: RegExp) => paths.some((path) => pattern.test(path));
  if (has(/^mimetype$/) && has(/^content\.xml$/))
    return otherKind(file, XLSX_FILE.openDocument(), XLSX_FILE.saveXlsx());
  if (has(/^word\//)) return otherKind(file, XLSX_FILE.wordDocument());
  if (has(/\.numbers$|^Index\//)) return otherKind(file, XLSX_FILE.numbersDocument(), XLSX_FILE.saveXlsx());
  if (has(/\.(?:xlsx|csv|xml|txt)$/i) && !has(/^xl\//)) return otherKind(file, XLSX_FILE.archive(), XLSX_FILE.unpack());
  return otherKind(file, FILE_TEXT.workbook());
}

async function contentTypeOf(archive: WorkbookArchive, path: string): Promise<string> {
  let found: string | undefined;
  let byExtension = '';
  await readPart(archive, '[Content_Types].xml', {
    open: (name, attributes) => {
      const type = attributeOf(attributes, 'ContentType') ?? '';
      const part = attributeOf(attributes, 'PartName');
      if (name === 'Override' && part?.toLowerCase() === `/${path.toLowerCase()}`) found = type;
      const extension = attributeOf(attributes, 'Extension') ?? '';
      if (name === 'Default' && path.toLowerCase().endsWith(`.${extension.toLowerCase()}`)) byExtension = type;
    },
    close: () => undefined,
    text: () => undefined,
    listens: () => false,
  });
  return found ?? byExtension;
}

/** The relationships of a part, '' for those of the whole archive. Targets outside of the file are left out. */
async function readRelationships(archive: WorkbookArchive, part: string): Promise<readonly Relationship[]> {
  const at = part.lastIndexOf('/') + 1;
  const folder = part.slice(0, at);
  const path = `${folder}_rels/${part.slice(at)}.rels`;
  const found: Relationship[] = [];
  if (!archive.has(path)) return found;
  await readPart(archive, path, {
    open: (name, attributes) => {
      if (name !== 'Relationship' || attributeOf(attributes, 'TargetMode') === 'External') return;
      const target = attributeOf(attributes, 'Target') ?? '';
      const type = attributeOf(attributes, 'Type') ?? '';
      const id = attributeOf(attributes, 'Id') ?? '';
      found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), path: resolvePart(folder, target) });
    },
    close: () => undefined,
    text: () => undefined,
    listens: () => false,
  });
  return found;
}

/** Targets count from the folder of their part, or from the top with a slash at the beginning. */
function resolvePart(folder: string, target: string): string {
  const names: string[] = [];
  const whole = target.startsWith('/') ? target : `${folder}${target}`;
  for (const name of whole.replaceAll('\\', '/').split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}

type Book = {
  readonly sheets: { readonly name: string; readonly id: string; readonly state: string | undefined }[];
  is1904: boolean;
  isUncalculated: boolean;
};

async function readBook(archive: WorkbookArchive, path: string): Promise<Book> {
  const book: Book = { sheets: [], is1904: false, isUncalculated: false };
  await readPart(archive, path, {
    open: (name, attributes) => {
      if (name === 'workbookPr') book.is1904 = isSet(attributes, 'date1904');
      else if (name === 'calcPr') book.isUncalculated = isSet(attributes, 'fullCalcOnLoad');
      else if (name === 'sheet') {
        const state = attributeOf(attributes, 'state');
        book.sheets.push({ name: attributeOf(attributes, 'name') ?? '', id: relationshipId(attributes), state });
      }
    },
    close: () => undefined,
    text: () => undefined,
    listens: () => false,
  });
  return book;
}

/** `r:id`, in the namespace of relationships, which differs between the strict and the transitional form. */
function relationshipId(attributes: readonly Attribute[]): string {
  return attributes.find(({ local, uri }) => local === 'id' && uri.endsWith('/relationships'))?.value ?? '';
}

/** The form of numbers for each entry of `cellXfs`, which the styles of cells count from 0. */
async function readFormats(archive: WorkbookArchive, path: string): Promise<(style: number) => NumberForm | undefined> {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  /** `xf` and `numFmt` have other meanings in other lists of the part. */
  let list = '';
  await readPart(archive, path, {
    open: (name, attributes) => {
      if (name === 'cellXfs' || name === 'numFmts') list = name;
      else if (name === 'xf' && list === 'cellXfs') ids.push(Number(attributeOf(attributes, 'numFmtId') ?? 0));
      else if (name === 'numFmt' && list === 'numFmts') {
        codes.set(Number(attributeOf(attributes, 'numFmtId')), attributeOf(attributes, 'formatCode') ?? '');
      }
    },
    close: (name) => {
      if (name === list) list = '';
    },
    text: () => undefined,
    listens: () => false,
  });
  const forms = ids.map((id) => numberForm(id, codes.get(id)));
  // A style part without formats of cells is as good as none.
  return forms.length === 0 ? () => 'number' : (style) => forms[style];
}
