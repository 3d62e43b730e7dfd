/**
 * Text as bytes of the encoding that a file was read in: the same bytes for UTF-8, UTF-16 and every single-byte page,
 * whose tables are inverted. UTF-8 in, bytes out; a character that the encoding does not have never throws.
 */
import { isAscii } from 'node:buffer';
import iconv from 'iconv-lite';
import { dictionary } from '../../text/dictionary.ts';
import type { TextPage } from '../../text/text-page.ts';
import { normalizeEncoding, singleBytePage, UNDEFINED } from './code-pages.ts';

/** For a correction file, which has the encoding of its source. */
export type Encoder = {
  /** The byte order mark that a file in this encoding begins with, so that spreadsheets recognize it; else empty. */
  readonly mark: Buffer;
  /** A character that the encoding does not have becomes a near one ("EUR" for the euro sign), or ?. */
  readonly bytes: (utf8: Buffer) => Buffer;
};

const NONE = Buffer.alloc(0);

/** `encoding` as `normalizeEncoding` returns it. UTF-8 passes through without a copy. */
export function createEncoder(encoding: string): Encoder {
  if (encoding === 'utf-8') return { mark: Buffer.from('\ufeff'), bytes: (utf8) => utf8 };
  if (encoding.startsWith('utf-16')) {
    const bytes = (utf8: Buffer) => {
      const wide = Buffer.from(utf8.toString('utf8'), 'utf16le');
      return encoding === 'utf-16be' ? wide.swap16() : wide;
    };
    return { mark: bytes(Buffer.from('\ufeff')), bytes };
  }
  const page = singleBytePage(encoding);
  if (!page) {
    // It would write the mark of `utf-32` before each part of the text.
    const bytes = (utf8: Buffer) => iconv.encode(utf8.toString('utf8'), encoding, { addBOM: false });
    return { mark: encoding.startsWith('utf-32') ? bytes(Buffer.from('\ufeff')) : NONE, bytes };
  }
  const byteOf = new Map<number, number>();
  for (const [byte, unit] of page.entries()) if (unit !== UNDEFINED && !byteOf.has(unit)) byteOf.set(unit, byte);
  const keepsAscii = page.subarray(0, 128).every((unit, byte) => unit === byte);
  const bytes = (utf8: Buffer) => {
    if (keepsAscii && isAscii(utf8)) return utf8;
    const result: number[] = [];
    for (const sign of utf8.toString('utf8')) {
      const byte = sign.length === 1 ? byteOf.get(sign.charCodeAt(0)) : undefined;
      if (byte !== undefined) result.push(byte);
      else for (const near of nearestText(sign)) result.push(byteOf.get(near.charCodeAt(0)) ?? 0x3f);
    }
    return Buffer.from(result);
  };
  return { mark: NONE, bytes };
}

/** Characters that spreadsheets put in, which narrow pages do not have. */
const NEAR = dictionary<string>({
  '\u2018': "'",
  '\u2019': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u2013': '-',
  '\u2014': '-',
  '\u2026': '...',
  '\u20ac': 'EUR',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u00ab': '"',
  '\u00bb': '"',
  '\u0153': 'oe',
  '\u0152': 'OE',
});

function nearestText(sign: string): string {
  const near = NEAR.get(sign) ?? sign.normalize('NFKD').replace(/\p{M}/gu, '');
  return near === sign || near === '' ? '?' : near;
}

/** The encoding as text for the ERP is written in it; undefined if its name is unknown. No byte order mark. */
export function textPage(name: string): TextPage | undefined {
  const encoding = normalizeEncoding(name);
  if (encoding === undefined) return undefined;
  const { bytes } = createEncoder(encoding);
  const decoded = (made: Buffer) => iconv.decode(made, encoding);
  if (encoding.startsWith('utf-')) {
    return { holds: () => true, fit: (text) => text, bytes: (text) => bytes(Buffer.from(text)), text: decoded };
  }
  const page = singleBytePage(encoding);
  if (!page) return undefined;
  const units = new Set(page);
  units.delete(UNDEFINED);
  const has = (sign: string) => sign.length === 1 && units.has(sign.charCodeAt(0));
  const holds = (text: string) => {
    for (let at = 0; at < text.length; at++) if (!units.has(text.charCodeAt(at))) return false;
    return true;
  };
  const near = (sign: string, other: string) => {
    const found = nearestText(sign);
    return found !== '?' && holds(found) ? found : other;
  };
  const fit = (text: string, other: string) => [...text].map((sign) => (has(sign) ? sign : near(sign, other))).join('');
  return { holds, fit, bytes: (text) => bytes(Buffer.from(text)), text: decoded };
}
