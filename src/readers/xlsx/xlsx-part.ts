/**
 * One XML part of a workbook: its tags and texts to a handler, step by step. Elements of other namespaces (extensions
 * of a vendor, alternate content) are left out with all that is in them. Both namespaces of the standard are read, the
 * transitional and the strict one (ISO/IEC 29500-1 and -4). Damage throws UnreadableFileError (xlsx/damaged, xlsx/doctype).
 */
import { XLSX_FILE } from '../../i18n/messages/readers-messages.ts';
import { readUtf8 } from '../encoding/read-text.ts';
import { detectXmlEncoding } from '../xml/xml-encoding.ts';
import type { Attribute, XmlEventSink } from '../xml/xml-events.ts';
import { createXmlParser } from '../xml/xml-parser.ts';
import type { WorkbookArchive } from './xlsx-archive.ts';
import { damagedPart, refuseWorkbook } from './xlsx-file-faults.ts';

/** Namespaces of the parts that are read: sheets, relationships and content types. */
const NAMESPACES: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
  'http://schemas.openxmlformats.org/package/2006/relationships',
  'http://schemas.openxmlformats.org/package/2006/content-types',
]);

/** What is asked of a part. `name` is the local name; `open` and `close` come in pairs. */
export type PartHandler = {
  readonly open: (name: string, attributes: readonly Attribute[]) => void;
  readonly close: (name: string) => void;
  readonly text: (text: string) => void;
  /** True while the text of the open element counts. */
  readonly listens: () => boolean;
};

/** Yields the bytes of each step after it, so that the caller can pass on what the handler has collected. */
export async function* walkPart(
  archive: WorkbookArchive,
  path: string,
  handler: PartHandler,
  chunkBytes?: number,
): AsyncGenerator<number> {
  const { file } = archive;
  const parser = createXmlParser(file, createSink(handler));
  const declared = detectXmlEncoding(file, 'auto');
  try {
    for await (const { data } of readUtf8(archive.open(path), { file, encoding: 'auto', chunkBytes, declared })) {
      const failure = parser.write(data);
      if (failure) throw failure;
      yield data.length;
    }
    const failure = parser.waiting() ?? parser.end();
    if (failure) throw failure;
  } catch (error) {
    throw damagedPart(file, path, error);
  }
}

/** Bytes of a part whose content is kept: styles are the largest of them, and a hundred times smaller. */
const MOST_KEPT = 32 * 1024 * 1024;

/** Reads a whole part whose content the handler keeps. `most`: bytes after which the file is refused. */
export async function readPart(
  archive: WorkbookArchive,
  path: string,
  handler: PartHandler,
  most = MOST_KEPT,
): Promise<void> {
  let size = 0;
  for await (const bytes of walkPart(archive, path, handler)) {
    size += bytes;
    if (size > most) {
      throw refuseWorkbook(archive.file, 'xlsx/too-large', XLSX_FILE.unpacksTooLarge(), XLSX_FILE.saveCsv());
    }
  }
}

/** The value of an attribute without namespace. */
export function attributeOf(attributes: readonly Attribute[], name: string): string | undefined {
  for (const attribute of attributes) if (attribute.local === name && attribute.uri === '') return attribute.value;
  return undefined;
}

/** An attribute of type xsd:boolean; files of old programs write `on`. */
export function isSet(attributes: readonly Attribute[], name: string): boolean {
  return /^(?:1|true|on)$/.test(attributeOf(attributes, name) ?? '');
}

function createSink(handler: PartHandler): XmlEventSink {
  const names: string[] = [];
  /** How many elements are open inside of a foreign one, itself included. */
  let foreign = 0;
  return {
    open: ({ name, attributes }) => {
      if (foreign > 0 || !NAMESPACES.has(name.uri)) {
        foreign++;
        return;
      }
      names.push(name.local);
      handler.open(name.local, attributes);
    },
    close: () => {
      if (foreign > 0) foreign--;
      else handler.close(names.pop() ?? '');
    },
    text: (text) => {
      if (foreign === 0 && handler.listens()) handler.text(text);
    },
    listens: () => foreign === 0 && handler.listens(),
  };
}
