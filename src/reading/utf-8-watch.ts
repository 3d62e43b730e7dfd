/**
 * Watches a file that is read as a single-byte page, in which every byte means something: was it UTF-8 all along?
 *
 * Letters of a page are hardly ever UTF-8, so the watch ends at the first that is not; a file that is UTF-8 to its end,
 * with an accented letter or typographic sign in it, would come out as "SociÃ©tÃ©", in legal documents.
 */
import { isAscii, isUtf8 } from 'node:buffer';

export type Utf8Watch = {
  readonly see: (bytes: Buffer) => void;
  /** The first word beyond ASCII, as bytes and with the line feeds before it, if the whole file was UTF-8. */
  readonly found: () => { readonly word: Buffer; readonly line: number } | undefined;
};

const NOTHING = Buffer.alloc(0);
const LINE_FEED = 10;

export function watchUtf8(): Utf8Watch {
  let watching = true;
  let tail = NOTHING;
  let line = 1;
  let first: { readonly word: Buffer; readonly line: number } | undefined;
  const see = (bytes: Buffer) => {
    if (!watching) return;
    const all = tail.length > 0 ? Buffer.concat([tail, bytes]) : bytes;
    const whole = all.subarray(0, all.length - incompleteUtf8(all));
    tail = Buffer.from(all.subarray(whole.length));
    watching = isUtf8(whole);
    if (!watching || first) return;
    const at = isAscii(whole) ? -1 : whole.findIndex(isTelling);
    line += lineFeeds(at < 0 ? whole : whole.subarray(0, at));
    if (at >= 0) first = { word: Buffer.from(wordAt(whole, at)), line };
  };
  return { see, found: () => (watching && tail.length === 0 ? first : undefined) };
}

/** How many bytes at the end belong to a character that is not complete yet. */
export function incompleteUtf8(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/**
 * First byte of a letter from U+0080 to U+017F, or of a sign such as an apostrophe or the euro. In a page "CAFÉ’S" is
 * UTF-8 too, of an exotic letter: that is not enough to refuse a file.
 */
function isTelling(byte: number): boolean {
  return (byte >= 0xc2 && byte <= 0xc5) || byte === 0xe2;
}

function lineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

function wordAt(bytes: Buffer, at: number): Buffer {
  const inWord = (byte: number | undefined) =>
    byte !== undefined && (byte >= 0x80 || /[A-Za-z0-9'-]/.test(String.fromCharCode(byte)));
  let from = at;
  let to = at;
  while (inWord(bytes[from - 1])) from--;
  while (inWord(bytes[to])) to++;
  return bytes.subarray(from, to);
}
