/** Workbooks by hand: parts as XML texts, zipped without a library. A second reading of the formats, by the standards. */
import { crc32, deflateRawSync } from 'node:zlib';

export type Parts = { readonly [path: string]: string | Buffer };

/** What a zip may be made to say that is not true. */
export type ZipLies = {
  /** Stored as it is, by default compressed. */
  readonly stored?: boolean;
  readonly wrongCrc?: string;
  readonly wrongSize?: string;
  readonly encrypted?: boolean;
  /** Written once more at the end. */
  readonly twice?: string;
};

/** APPNOTE.TXT 4.3: local header and data of each part, the central directory, its end. */
export function zipOf(parts: Parts, lies: ZipLies = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  const twice = lies.twice === undefined ? [] : [[lies.twice, parts[lies.twice]!] as const];
  for (const [path, content] of [...Object.entries(parts), ...twice]) {
    const data = Buffer.from(content as string);
    const packed = lies.stored ? data : deflateRawSync(data);
    const name = Buffer.from(path);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(lies.encrypted ? 0x801 : 0x800, 2);
    fields.writeUInt16LE(lies.stored ? 0 : 8, 4);
    fields.writeUInt32LE(lies.wrongCrc === path ? 1 : crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(lies.wrongSize === path ? 10 : data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, place, name]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

const TRANSITIONAL = {
  main: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  relationships: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
};
const STRICT = {
  main: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
  relationships: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
};

export type Book = {
  /** The content of `sheetData`, or of several sheets. */
  readonly rows?: string;
  /** Name -> content of `sheetData`, and attributes of the sheet in the workbook. */
  readonly sheets?: readonly { readonly name: string; readonly rows: string; readonly state?: string }[];
  /** Before and after `sheetData`. */
  readonly before?: string;
  readonly after?: string;
  /** Codes of number formats, by their place from 1; style 0 is General. Numbers are ids of built-in formats. */
  readonly formats?: readonly (string | number)[];
  readonly strings?: readonly string[];
  /** Inside of `workbook`, before the sheets. */
  readonly settings?: string;
  readonly contentType?: string;
  readonly strict?: boolean;
  readonly parts?: Parts;
};

const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';

/** The parts of a workbook, to be zipped by zipOf. */
export function partsOf(book: Book): Parts {
  const { main, relationships } = book.strict ? STRICT : TRANSITIONAL;
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const sheets: NonNullable<Book['sheets']> = book.sheets ?? [{ name: 'Sheet1', rows: book.rows ?? '' }];
  const codes = book.formats ?? [];
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relationships}/${type}" Target="${target}"/>`;
  const parts: { [path: string]: string | Buffer } = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${book.contentType ?? SHEET_TYPE}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships">${relation('r', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}">${book.settings ?? ''}<sheets>${sheets
      .map(
        ({ name, state }, n) =>
          `<sheet name="${name}" sheetId="${n + 1}"${state ? ` state="${state}"` : ''} r:id="s${n}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships">${sheets
      .map((_, n) => relation(`s${n}`, 'worksheet', `worksheets/sheet${n + 1}.xml`))
      .join('')}${codes.length > 0 ? relation('st', 'styles', '/xl/styles.xml') : ''}${
      book.strings ? relation('ss', 'sharedStrings', 'sharedStrings.xml') : ''
    }</Relationships>`,
  };
  for (const [n, { rows }] of sheets.entries()) {
    const { before = '', after = '' } = n === 0 ? book : {};
    parts[`xl/worksheets/sheet${n + 1}.xml`] =
      `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${main}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`;
  }
  if (codes.length > 0) {
    const own = codes.map((code, n) =>
      typeof code === 'number' ? '' : `<numFmt numFmtId="${164 + n}" formatCode="${code}"/>`,
    );
    const xfs = codes.map((code, n) => `<xf numFmtId="${typeof code === 'number' ? code : 164 + n}" xfId="0"/>`);
    parts['xl/styles.xml'] =
      `<styleSheet xmlns="${main}"><numFmts>${own.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs.join('')}</cellXfs></styleSheet>`;
  }
  if (book.strings) {
    parts['xl/sharedStrings.xml'] =
      `<sst xmlns="${main}">${book.strings.map((text) => `<si>${text}</si>`).join('')}</sst>`;
  }
  return { ...parts, ...book.parts };
}

export function workbookOf(book: Book, lies: ZipLies = {}): Buffer {
  return zipOf(partsOf(book), lies);
}

/** 0 is A; for the first 26 columns. */
export function columnName(column: number): string {
  return String.fromCharCode(65 + column);
}

/** A row of inline texts, from column A. */
export function textRow(row: number, ...texts: readonly string[]): string {
  const cells = texts.map((text, n) => inlineCell(`${columnName(n)}${row}`, text));
  return `<row r="${row}">${cells.join('')}</row>`;
}

export function inlineCell(reference: string, text: string): string {
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}
