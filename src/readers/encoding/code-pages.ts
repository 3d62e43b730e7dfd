/**
 * Legacy single-byte code pages as tables: byte in, UTF-16 unit out, and UNDEFINED for a byte the page does not have.
 *
 * The tables are built from iconv-lite at first use. TextDecoder is not used: several releases of Node decode
 * Windows-1252 wrongly with it, and it never refuses a byte of a single-byte page.
 */
import iconv from 'iconv-lite';

/** The entry of a table for a byte that has no meaning in that page. */
export const UNDEFINED = 0xfffd;

const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
/** iconv-lite converts these too, but no ERP writes an export in them, and some are not encodings of text. */
const NOT_FOR_FILES = /^(?:utf-?7.*|cesu-?8|base64|hex|binary)$/;
const pages = new Map<string, Uint16Array | undefined>();

/**
 * The usual spelling of an encoding's name in lower case ("cp1252", "Latin1" and "UTF8" have one); undefined if it is
 * unknown or cannot be the encoding of a file.
 */
export function normalizeEncoding(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  const windows = /^(?:cp|win|windows)[-_]?(125[0-8]|874)$/.exec(lower);
  if (windows) return `windows-${windows[1]}`;
  const iso = /^iso[-_]?8859[-_]?(\d+)$/.exec(lower) ?? /^latin[-_]?(1)$/.exec(lower);
  if (iso && iconv.encodingExists(`iso-8859-${iso[1]}`)) return `iso-8859-${iso[1]}`;
  // iconv-lite passes over signs inside of a name and would read "u-tf-8" as UTF-8, but never refuse a broken byte.
  const unicode = /^(?:unicode11)?utf(8|16|16le|16be)$/.exec(lower.replace(/[^0-9a-z]/g, ''));
  if (unicode) return `utf-${unicode[1]}`;
  return NOT_FOR_FILES.test(lower) || !iconv.encodingExists(lower) ? undefined : lower;
}

/**
 * The table of a single-byte page: 256 UTF-16 units by byte. Undefined for an encoding with several bytes a character.
 */
export function singleBytePage(encoding: string): Uint16Array | undefined {
  if (!pages.has(encoding)) pages.set(encoding, buildPage(encoding));
  return pages.get(encoding);
}

function buildPage(encoding: string): Uint16Array | undefined {
  // Alone, each byte of UTF-8 is a character or none, as in a page.
  if (encoding === 'utf-8') return undefined;
  const text = iconv.decode(EVERY_BYTE, encoding, { stripBOM: false });
  if (text.length !== 256) return undefined;
  const page = new Uint16Array(256);
  for (let byte = 0; byte < 256; byte++) {
    const unit = text.charCodeAt(byte);
    if (iconv.decode(EVERY_BYTE.subarray(byte, byte + 1), encoding) !== text[byte]) return undefined;
    // Bytes 0x80 to 0x9F:
    // Control characters where other pages have letters: ISO-8859 names them, but a file that holds such a byte was
    // written in Windows-1252 or a DOS page, and its euro signs and apostrophes would be lost without a word.
    page[byte] = unit >= 0x80 && unit <= 0x9f ? UNDEFINED : unit;
  }
  return page;
}
