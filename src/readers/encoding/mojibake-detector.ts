/**
 * Watches a file that is read in a single-byte page, where every byte has a meaning: is it UTF-8? Letters of a page
 * hardly ever form UTF-8 in French or Spanish text; a file with more such characters than stray bytes would put
 * "SociÃ©tÃ©" into legal documents. Of two exports joined, fewer are enough if they are within words ("iÃ©t"). Nothing
 * throws.
 */
import { isAscii } from 'node:buffer';

/** Fed with all bytes of a file in order; `found` answers for the bytes so far. */
export type Utf8Watch = {
  /** `beyond`: ascending indexes of the bytes beyond ASCII, if the caller already knows them. */
  readonly see: (bytes: Buffer, beyond?: ArrayLike<number>) => void;
  /** Undefined if the file may well be in the page. */
  readonly found: () => Utf8Evidence | undefined;
};

/** The first word with a character of UTF-8 beyond ASCII, as bytes. Lines count from 1. */
type Place = { readonly word: Buffer; readonly line: number };

/**
 * What a message shows of the file. `stray`: line of the first byte that is not UTF-8, if the file has one. `isMixed`: a
 * considerable part of the file is in UTF-8, and another part is in the page.
 */
export type Utf8Evidence = Place &
  ({ readonly stray?: number; readonly isMixed?: never } | { readonly stray: number; readonly isMixed: true });

/**
 * A file is mixed from 3 characters of UTF-8 within words, and at least one of them to 20 stray bytes: fewer may be
 * chance.
 */
const MIXED_FROM = 3;
const MIXED_SHARE = 20;

const NOTHING = Buffer.alloc(0);
const LINE_FEED = 10;

/**
 * Counts three things per file: characters of UTF-8 (`telling`), stray bytes (`others`), and characters within words.
 */
export function watchUtf8(): Utf8Watch {
  let tail = NOTHING;
  let line = 1;
  let telling = 0;
  let others = 0;
  let first: Place | undefined;
  let within = 0;
  let firstWithin: Place | undefined;
  let last = 0;
  // A character at the end of a step: the byte after it comes with the next one.
  let open:
    | { readonly before: number; readonly head: number; readonly sign: number; readonly place: Place }
    | undefined;
  let stray: number | undefined;
  const weigh = (before: number, head: number, sign: number, next: number, place: () => Place) => {
    if (!isWithinWord(before, head, sign, next)) return;
    within++;
    firstWithin ??= place();
  };
  const see = (bytes: Buffer, beyond: ArrayLike<number> = indexesBeyondAscii(bytes)) => {
    const shift = tail.length;
    const all = tail.length > 0 ? Buffer.concat([tail, bytes]) : bytes;
    const whole = all.subarray(0, all.length - incompleteUtf8(all));
    tail = Buffer.from(all.subarray(whole.length));
    if (whole.length === 0) return;
    if (open) {
      const { before, head, sign, place } = open;
      weigh(before, head, sign, whole[0]!, () => place);
      open = undefined;
    }
    let from = 0;
    const lineAt = (at: number) => {
      line += countLineFeeds(whole.subarray(from, at));
      from = at;
      return line;
    };
    let behind = 0;
    // The bytes that waited from the step before are all beyond ASCII, and `beyond` does not have them.
    for (let n = -shift; n < beyond.length; n++) {
      const at = shift + (n < 0 ? n : beyond[n]!);
      if (at < behind) continue;
      if (at >= whole.length) break;
      const length = characterLengthAt(whole, at);
      if (length === 0) {
        others++;
        stray ??= lineAt(at);
      } else if (isCommonHead(whole[at]!)) {
        telling++;
        const here = at;
        const place = () => ({ word: Buffer.from(wordAt(whole, here)), line: lineAt(here) });
        first ??= place();
        const before = at > 0 ? whole[at - 1]! : last;
        const head = whole[at]!;
        const sign = whole[at + 1]!;
        const next = whole[at + length];
        if (next === undefined) open = { before, head, sign, place: place() };
        else weigh(before, head, sign, next, place);
      }
      behind = at + length;
    }
    last = whole.at(-1)!;
    lineAt(whole.length);
  };
  const found = (): Utf8Evidence | undefined => {
    if (!first) return undefined;
    const cut = tail.length > 0 ? 1 : 0;
    if (telling <= others + cut) {
      if (!firstWithin || stray === undefined) return undefined;
      const isMixed = within >= MIXED_FROM && within * MIXED_SHARE >= others;
      return isMixed ? { ...firstWithin, stray, isMixed } : undefined;
    }
    const place = stray ?? (cut > 0 ? line : undefined);
    return place === undefined ? first : { ...first, stray: place };
  };
  return { see, found };
}

export function indexesBeyondAscii(bytes: Buffer): number[] {
  const places: number[] = [];
  if (isAscii(bytes)) return places;
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! >= 0x80) places.push(at);
  return places;
}

/** Bytes of the UTF-8 character that begins at a byte beyond ASCII; 0 if none begins there. */
function characterLengthAt(bytes: Buffer, at: number): number {
  const head = bytes[at]!;
  const length = head >= 0xf5 || head < 0xc2 ? 0 : characterLength(head);
  for (let next = at + 1; next < at + length; next++) if ((bytes[next] ?? 0) >> 6 !== 0b10) return 0;
  return length;
}

/** Bytes of a character by its first byte, which is not ASCII. */
function characterLength(head: number): number {
  if (head >= 0xf0) return 4;
  return head >= 0xe0 ? 3 : 2;
}

/** How many bytes at the end, 0 to 3, belong to a character that is not complete yet. */
export function incompleteUtf8(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < characterLength(byte) ? back : 0;
  }
  return 0;
}

/**
 * First byte of a letter from U+0080 to U+017F, or of a sign such as an apostrophe or the euro. In a page "CAFÉ’S" is
 * UTF-8 too, of an exotic letter: that is not enough to refuse a file.
 */
function isCommonHead(byte: number): boolean {
  return (byte >= 0xc2 && byte <= 0xc5) || byte === 0xe2;
}

/**
 * As letters of a page the bytes would be a capital such as Ã or Å in the middle of a word of small letters, or a sign
 * that a letter follows. Quotes, dashes, dots and blanks may be after a capital word, "MAÇÃ”": they count next to small
 * letters only. Three bytes of an apostrophe or a euro would be "â€™".
 */
function isWithinWord(before: number, head: number, sign: number, next: number): boolean {
  if (head === 0xe2) return sign === 0x80 || sign === 0x82;
  if (head !== 0xc3 && head !== 0xc5) return false;
  if (isSmall(before)) return true;
  if (before >= 0x80 || isCapital(before)) return isCapital(next) && !isPunctuation(sign);
  return isSmall(next) && !isPunctuation(sign);
}

function isSmall(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

/** Signs between words in a page of Windows: quotes, dashes, dots, blanks; º and ª after an abbreviation. */
function isPunctuation(byte: number): boolean {
  return byte === 0x82 || byte === 0x84 || byte === 0x85 || (byte >= 0x91 && byte <= 0x97) || PUNCTUATION.has(byte);
}

const PUNCTUATION: ReadonlySet<number> = new Set([0x8b, 0x99, 0x9b, 0xa0, 0xaa, 0xab, 0xad, 0xae, 0xb7, 0xba, 0xbb]);

/** The line, from 1, of an index of the bytes that a watch sees. */
export type LineAt = (index: number) => number;

/** Of the first bytes of a file. */
export function lineIn(bytes: Buffer): LineAt {
  return (index) => 1 + countLineFeeds(bytes.subarray(0, index));
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

/** The bytes around `at` up to the next blank or punctuation; a byte beyond ASCII is part of the word. */
export function wordAt(bytes: Buffer, at: number): Buffer {
  const inWord = (byte: number | undefined) =>
    byte !== undefined && (byte >= 0x80 || /[A-Za-z0-9'-]/.test(String.fromCharCode(byte)));
  let from = at;
  let to = at;
  while (inWord(bytes[from - 1])) from--;
  while (inWord(bytes[to])) to++;
  return bytes.subarray(from, to);
}

/** "Ã" in UTF-8: the first byte of "é" and most other accents, that was taken for a letter and encoded once more. */
const TWICE = Buffer.from('Ã');

/** The first word with a letter that was encoded twice, as bytes. */
export type TwiceEvidence = Place;

/** Fed with all bytes of a file in order: were its letters encoded as UTF-8 twice ("SociÃ©tÃ©")? */
export type TwiceWatch = {
  /** `lineAt`: of an index of these bytes. */
  readonly see: (bytes: Buffer, lineAt: LineAt) => void;
  /** Undefined where nothing, or less than in a mixed file, was encoded twice. */
  readonly found: () => TwiceEvidence | undefined;
};

/** Characters count from the first such letter: most files have none, and are searched through natively. */
export function watchTwice(): TwiceWatch {
  let [within, others, last] = [0, 0, 0];
  let first: Place | undefined;
  // A letter at the end of a step, whose other bytes and neighbor come with the next one.
  let open: { readonly bytes: Buffer; readonly line: number } | undefined;
  const count = (bytes: Buffer, end: number, lineAt: LineAt) => {
    const start = first ? 0 : bytes.indexOf(TWICE);
    if (start < 0) return;
    for (let at = bytes.indexOf(TWICE[0]!, start); at >= 0 && at < end; at = bytes.indexOf(TWICE[0]!, at + 1)) {
      if (!isTwice(bytes, at, at > 0 ? bytes[at - 1]! : last)) others++;
      else {
        within++;
        first ??= { word: Buffer.from(wordAt(bytes, at)), line: lineAt(at) };
      }
    }
  };
  const see = (bytes: Buffer, lineAt: LineAt) => {
    const { bytes: kept, line } = open ?? { bytes: NOTHING, line: 0 };
    const all = kept.length > 0 ? Buffer.concat([kept, bytes]) : bytes;
    const lineOf = (at: number) => (at < kept.length ? line : lineAt(at - kept.length));
    const end = Math.max(0, all.length - TWICE_LENGTH);
    count(all, end, lineOf);
    const at = all.indexOf(TWICE[0]!, end);
    open = at < 0 ? undefined : { bytes: Buffer.from(all.subarray(at)), line: lineOf(at) };
    last = all[(at < 0 ? all.length : at) - 1] ?? last;
  };
  const isMixed = () => within >= MIXED_FROM && within * MIXED_SHARE >= others;
  const found = () => {
    const { bytes, line } = open ?? { bytes: NOTHING, line: 0 };
    open = undefined;
    count(bytes, bytes.length, () => line);
    return within > others || isMixed() ? first : undefined;
  };
  return { see, found };
}

/** Bytes of a letter that was encoded twice. */
const TWICE_LENGTH = 4;

/** "Ã" and a sign that is the second byte of a letter, next to a small letter. */
function isTwice(bytes: Buffer, at: number, before: number): boolean {
  const isWithin = isSmall(before) || isSmall(bytes[at + TWICE_LENGTH] ?? 0);
  return isWithin && bytes[at + 1] === TWICE[1] && bytes[at + 2] === 0xc2;
}
