/**
 * The texts that the cells of a workbook share: the part in, its texts by their index out. Runs of rich text are joined;
 * phonetic readings are left out. Held in memory up to a bound; beyond it the workbook is refused (xlsx/too-large).
 */
import { XLSX_FILE } from '../../i18n/messages/readers-messages.ts';
import type { WorkbookArchive } from './xlsx-archive.ts';
import { unescapeText } from './xlsx-cell-value.ts';
import { damagedPart, refuseWorkbook } from './xlsx-file-faults.ts';
import { type PartHandler, readPart } from './xlsx-part.ts';

/** UTF-16 units of all texts, about 128 MiB. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
const MOST_TEXTS = 4_000_000;
/** From this length on a piece of a text keeps all of it in memory. */
const SLICE = 13;

/** UTF-16 units of one text; a cell of Excel has 32,767 at most. */
export const MOST_TEXT = 1024 * 1024;

/** Collects the text of `si` and of `is` elements, which have the same content. `tooLong` makes the error of a text. */
export function createTextCollector(tooLong: () => Error) {
  let text = '';
  let isText = false;
  let phonetic = 0;
  return {
    open: (name: string) => {
      if (name === 'rPh') phonetic++;
      isText = name === 't' && phonetic === 0;
    },
    close: (name: string) => {
      if (name === 'rPh') phonetic--;
      isText = false;
    },
    text: (more: string) => {
      text += more;
      if (text.length > MOST_TEXT) throw tooLong();
    },
    listens: () => isText,
    /** The text so far; the next one begins empty. */
    take: () => {
      const taken = unescapeText(text);
      text = '';
      return taken;
    },
  };
}

export async function readSharedStrings(archive: WorkbookArchive, path: string): Promise<readonly string[]> {
  const strings: string[] = [];
  const collector = createTextCollector(() => damagedPart(archive.file, path, XLSX_FILE.textTooLong()));
  let characters = 0;
  const handler: PartHandler = {
    ...collector,
    close: (name) => {
      collector.close(name);
      if (name !== 'si') return;
      const text = collector.take();
      characters += text.length;
      if (characters > MOST_CHARACTERS || strings.length >= MOST_TEXTS) {
        throw refuseWorkbook(archive.file, 'xlsx/too-large', XLSX_FILE.tooManyTexts(), XLSX_FILE.saveCsv());
      }
      strings.push(text.length < SLICE ? text : copyOf(text));
    },
  };
  await readPart(archive, path, handler, Number.POSITIVE_INFINITY);
  return strings;
}

/** The same text in memory of its own: otherwise it would keep the step of the part that it was cut from. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
