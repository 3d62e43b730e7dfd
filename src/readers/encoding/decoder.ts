/**
 * One decoder per encoding: bytes in, text out, strictly; an incomplete character waits for the next bytes. A decoder
 * counts bytes and lines to report the place of what it cannot read. It throws UnreadableFileError (text/undecodable,
 * text/nul, text/is-utf-8, text/mixed-encodings, text/other-page, text/utf-8-twice).
 */
import { isAscii, isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import type { Message } from '../../i18n/message.ts';
import { FILE_TEXT } from '../../i18n/messages/readers-messages.ts';
import { type Fault, type Localizable, withMessage } from '../../model/fault.ts';
import { UnreadableFileError } from '../reader.ts';
import { singleBytePage, UNDEFINED } from './code-pages.ts';
import {
  incompleteUtf8,
  indexesBeyondAscii,
  lineIn,
  type TwiceEvidence,
  type Utf8Evidence,
  watchTwice,
  watchUtf8,
} from './mojibake-detector.ts';
import { type PageEvidence, type PageWatch, watchPage } from './page-watch.ts';

/** Fed step by step with the bytes of one file, after its byte order mark. `text` and `utf8` share one state. */
export type Decoder = {
  readonly encoding: string;
  readonly text: (bytes: Buffer) => string;
  /**
   * The text as UTF-8 bytes. A file in UTF-8 is only checked: the result is the input, without an incomplete character.
   */
  readonly utf8: (bytes: Buffer) => Buffer;
  /** Throws if the end of the file cuts a character, or if a file read in a page was UTF-8 or in another page. */
  readonly end: () => void;
};

/** The position before the next byte: bytes and line ends so far, in the whole file with its byte order mark. */
type Place = {
  readonly file: string;
  readonly hint: Message;
  readonly declares: boolean;
  offset: number;
  lineFeeds: number;
  returns: number;
};

const NOTHING = Buffer.alloc(0);

/**
 * `start`: bytes of the byte order mark that the caller took off. `hint`: what to do about an undecodable byte.
 * `declares`: the file itself names the encoding.
 */
export type DecoderOptions = {
  readonly file: string;
  readonly start: number;
  readonly hint: Message;
  readonly declares?: boolean;
};

/** `encoding` as `normalizeEncoding` returns it. */
export function createDecoder(encoding: string, options: DecoderOptions): Decoder {
  const { file, hint, start: offset, declares = false } = options;
  const place: Place = { file, hint, declares, offset, lineFeeds: 0, returns: 0 };
  if (encoding === 'utf-8') return createUtf8Decoder(place);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return createUtf16Decoder(encoding, place);
  const page = singleBytePage(encoding);
  return page ? createPageDecoder(encoding, page, place) : createMultiByteDecoder(encoding, place);
}

/** Checks with the native `isUtf8`; the place of a wrong byte is searched for only after the check has failed. */
function createUtf8Decoder(place: Place): Decoder {
  let tail = NOTHING;
  const twice = watchTwice();
  const utf8 = (bytes: Buffer) => {
    const all = tail.length > 0 ? Buffer.concat([tail, bytes]) : bytes;
    const whole = all.subarray(0, all.length - incompleteUtf8(all));
    if (!isUtf8(whole)) throw undecodable(place, 'utf-8', whole, firstNotUtf8(whole));
    refuseNul(place, whole);
    twice.see(whole, (at) => lineNumberAfter(place, whole.subarray(0, at)));
    advance(place, whole, whole.length);
    tail = Buffer.from(all.subarray(whole.length));
    return whole;
  };
  const end = () => {
    if (tail.length > 0) throw undecodable(place, 'utf-8', tail, 0);
    const found = twice.found();
    if (found) throw refuseAll(place, [twiceFault(found)]);
  };
  return { encoding: 'utf-8', utf8, text: (bytes) => utf8(bytes).toString('utf8'), end };
}

/** Decoding writes U+FFFD for a wrong byte. The first U+FFFD that is not in the bytes themselves is the place. */
function firstNotUtf8(bytes: Buffer): number {
  const text = bytes.toString('utf8');
  let offset = 0;
  let from = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) {
    offset += Buffer.byteLength(text.slice(from, at));
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) return offset;
    from = at;
  }
  return offset;
}

function createUtf16Decoder(encoding: 'utf-16le' | 'utf-16be', place: Place): Decoder {
  let tail = NOTHING;
  const text = (bytes: Buffer) => {
    const all = Buffer.concat([tail, bytes]);
    let length = all.length - (all.length % 2);
    const high = encoding === 'utf-16le' ? all[length - 1] : all[length - 2];
    // A high surrogate at the end waits for its low one.
    if (length > 0 && high !== undefined && high >= 0xd8 && high <= 0xdb) length -= 2;
    tail = Buffer.from(all.subarray(length));
    const whole = all.subarray(0, length);
    if (encoding === 'utf-16be') whole.swap16();
    const result = whole.toString('utf16le');
    if (!result.isWellFormed()) {
      const at = firstDifference(result, result.toWellFormed());
      if (encoding === 'utf-16be') whole.swap16();
      throw undecodable(place, encoding, whole, at * 2, result.slice(0, at));
    }
    refuseNul(place, result);
    advance(place, result, length);
    return result;
  };
  const end = () => {
    if (tail.length > 0) throw undecodable(place, encoding, tail, 0);
  };
  return { encoding, text, utf8: (bytes) => Buffer.from(text(bytes), 'utf8'), end };
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** In a single-byte page nearly every byte is a character, so a watch looks for other encodings in parallel. */
function createPageDecoder(encoding: string, page: Uint16Array, place: Place): Decoder {
  const watch = watchEncoding(encoding, place.declares);
  const end = () => {
    const found = watch.found();
    if (found.length > 0) throw refuseAll(place, found);
  };
  const lineOf = (bytes: Buffer) => (index: number) => lineNumberAfter(place, bytes.subarray(0, index));
  const text = (bytes: Buffer) => {
    watch.see(bytes, undefined, lineOf(bytes));
    const units = new Uint16Array(bytes.length);
    for (let at = 0; at < bytes.length; at++) {
      const unit = page[bytes[at]!]!;
      if (unit === UNDEFINED) {
        end();
        throw undecodable(place, encoding, bytes, at, Buffer.from(units.buffer, 0, at * 2).toString('utf16le'));
      }
      units[at] = unit;
    }
    const result = Buffer.from(units.buffer).toString('utf16le');
    refuseNul(place, result);
    advance(place, result, bytes.length);
    return result;
  };
  const keepsAscii = page.subarray(0, 128).every((unit, byte) => unit === byte);
  const encode = pageToUtf8(page, keepsAscii);
  // From page to UTF-8 without a string between, which is faster. What cannot be decoded is reported by `text`.
  const utf8 = (bytes: Buffer) => {
    const encoded = keepsAscii && isAscii(bytes) ? { result: bytes, beyond: NOWHERE } : encode(bytes);
    if (!encoded) return Buffer.from(text(bytes), 'utf8');
    const { result, beyond } = encoded;
    watch.see(bytes, beyond, lineOf(bytes));
    refuseNul(place, result);
    advance(place, result, bytes.length);
    return result;
  };
  return { encoding, text, utf8, end };
}

type Encoded = {
  readonly result: Buffer;
  /** Where the bytes beyond ASCII were. */
  readonly beyond: Uint32Array;
};

/** The high bits in a word of four bytes: one of them is set if a byte is not ASCII. */
const BEYOND_ASCII = 0x80808080 | 0;
const NOWHERE = new Uint32Array(0);

/** Undefined if a byte has no meaning in the page. `places` is used again for the next step of the file. */
function pageToUtf8(page: Uint16Array, keepsAscii: boolean): (bytes: Buffer) => Encoded | undefined {
  let places = NOWHERE;
  return (bytes) => {
    if (places.length < bytes.length) places = new Uint32Array(bytes.length);
    const result = Buffer.allocUnsafe(bytes.length * 3);
    const [from, into] = [viewOf(bytes), viewOf(result)];
    const fours = keepsAscii ? bytes.length - 4 : -1;
    let length = 0;
    let count = 0;
    for (let at = 0; at < bytes.length; at++) {
      // Four characters of ASCII at a time, which stay what they are.
      while (at <= fours) {
        const word = from.getInt32(at);
        if ((word & BEYOND_ASCII) !== 0) break;
        into.setInt32(length, word);
        at += 4;
        length += 4;
      }
      if (at === bytes.length) break;
      const byte = bytes[at]!;
      const unit = page[byte]!;
      if (byte >= 0x80) places[count++] = at;
      if (unit < 0x80) result[length++] = unit;
      else if (unit < 0x800) {
        result[length++] = 0xc0 | (unit >> 6);
        result[length++] = 0x80 | (unit & 0x3f);
      } else {
        if (unit === UNDEFINED) return undefined;
        result[length++] = 0xe0 | (unit >> 12);
        result[length++] = 0x80 | ((unit >> 6) & 0x3f);
        result[length++] = 0x80 | (unit & 0x3f);
      }
    }
    return { result: result.subarray(0, length), beyond: places.subarray(0, count) };
  };
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Another encoding that was found, as words and code (text/is-utf-8, text/utf-8-twice, text/mixed-encodings, text/other-page). */
export type OtherEncoding = { readonly line: number; readonly fault: Localizable & Pick<Fault, 'code'> };

/**
 * Fed with all bytes of a file in order: is what is read in the page `encoding` in UTF-8, or in another page? Two faults for
 * letters that were encoded twice: another setting alone would bring up the second one.
 */
export function watchEncoding(encoding: string, declares = false) {
  const [utf8, twice, page] = [watchUtf8(), watchTwice(), watchPage(encoding)];
  const see: PageWatch['see'] = (bytes, known, lineAt) => {
    const beyond = known ?? indexesBeyondAscii(bytes);
    utf8.see(bytes, beyond);
    twice.see(bytes, lineAt ?? lineIn(bytes));
    page.see(bytes, beyond, lineAt);
  };
  const found = (): readonly OtherEncoding[] => {
    const inUtf8 = utf8.found();
    if (inUtf8) {
      const hint = declares ? FILE_TEXT.declareRight({ encoding }) : FILE_TEXT.writeUtf8({ encoding });
      const other = { line: inUtf8.line, fault: utf8InPageFault(encoding, inUtf8, hint) };
      const again = twice.found();
      return again ? [other, twiceFault(again)] : [other];
    }
    const inPage = page.found();
    if (!inPage) return [];
    const setting = `\`encoding: ${inPage.page}\``;
    const hint = declares ? FILE_TEXT.declareRight({ encoding }) : FILE_TEXT.writePage({ setting, encoding });
    return [{ line: inPage.line, fault: otherPageFault(encoding, inPage, hint) }];
  };
  return { see, found };
}

/** The message shows the word as it was meant and as it is in the file. */
function twiceFault({ word: bytes, line }: TwiceEvidence): OtherEncoding {
  const garbled = bytes.toString('utf8').slice(0, 60);
  const word = iconv.encode(garbled, 'windows-1252').toString('utf8');
  const words = withMessage(FILE_TEXT.twice({ word, line, garbled }), FILE_TEXT.encodeOnce());
  return { line, fault: { code: 'text/utf-8-twice', ...words } };
}

function otherPageFault(encoding: string, found: PageEvidence, hint: Message): OtherEncoding['fault'] {
  const { page, word, line } = found;
  const what = { encoding, page, line, word: readAs(page, word), garbled: readAs(encoding, word) };
  if (found.isMixed)
    return { code: 'text/mixed-encodings', ...withMessage(FILE_TEXT.mixedPages(what), FILE_TEXT.exportInOne()) };
  return { code: 'text/other-page', ...withMessage(FILE_TEXT.otherPage(what), hint) };
}

function readAs(encoding: string, word: Buffer): string {
  const page = singleBytePage(encoding);
  return Array.from(word, (byte) => String.fromCharCode(page?.[byte] ?? byte)).join('');
}

/** text/mixed-encodings if a part of it is in the page. The message shows the word as meant and as the page garbles it. */
function utf8InPageFault(encoding: string, found: Utf8Evidence, hint: Message): OtherEncoding['fault'] {
  const { word, line, stray } = found;
  const garbled = readAs(encoding, word.subarray(0, 60));
  const what = { encoding, word: word.toString('utf8').slice(0, 60), garbled };
  if (found.isMixed) {
    const message = FILE_TEXT.mixed({ ...what, line, stray: found.stray });
    return { code: 'text/mixed-encodings', ...withMessage(message, FILE_TEXT.exportInOne()) };
  }
  const words =
    stray === undefined
      ? withMessage(FILE_TEXT.isUtf8(what), hint)
      : withMessage(FILE_TEXT.mostlyUtf8({ ...what, line: stray }), FILE_TEXT.oneEncoding({ line: stray }));
  return { code: 'text/is-utf-8', ...words };
}

/** U+FFFD, or a control character where other encodings have letters: the file is in another encoding, as in a page. */
const NO_TEXT = /[\ufffd\u0080-\u009f]/;

/**
 * Encodings of several bytes a character, by iconv-lite, which replaces wrong bytes and does not report them: the
 * check looks for its replacements.
 */
function createMultiByteDecoder(encoding: string, place: Place): Decoder {
  const stream = iconv.getDecoder(encoding);
  const check = (result: string, bytes: Buffer) => {
    const at = result.isWellFormed() ? result.search(NO_TEXT) : firstDifference(result, result.toWellFormed());
    // Which byte it was is not known here: the characters before it show where, the bytes around it are shown.
    if (at >= 0) {
      const before = iconv.encode(result.slice(0, at), encoding).length;
      throw undecodable(place, encoding, bytes, Math.min(before, bytes.length - 1), result.slice(0, at));
    }
    refuseNul(place, result);
    advance(place, result, bytes.length);
    return result;
  };
  const text = (bytes: Buffer) => check(stream.write(bytes), bytes);
  const end = () => {
    const rest = stream.end();
    if (rest) throw undecodable(place, encoding, NOTHING, 0);
  };
  return { encoding, text, utf8: (bytes) => Buffer.from(text(bytes), 'utf8'), end };
}

function advance(place: Place, text: Buffer | string, bytes: number): void {
  const { lineFeeds, returns } = countLineEnds(text, place.lineFeeds === 0);
  place.lineFeeds += lineFeeds;
  place.returns += returns;
  place.offset += bytes;
}

/** Carriage returns count only until the first line feed: alone they end lines on old systems. */
function countLineEnds(text: Buffer | string, withReturns: boolean): { lineFeeds: number; returns: number } {
  const lineFeeds = countCharacter(text, '\n');
  return { lineFeeds, returns: withReturns && lineFeeds === 0 ? countCharacter(text, '\r') : 0 };
}

function countCharacter(text: Buffer | string, character: string): number {
  let found = 0;
  if (typeof text === 'string') {
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++;
    return found;
  }
  // As a number: a text would be encoded once more for each line of the file.
  const byte = character.charCodeAt(0);
  for (let at = text.indexOf(byte); at >= 0; at = text.indexOf(byte, at + 1)) found++;
  return found;
}

function lineNumberAfter(place: Place, text: Buffer | string): number {
  const { lineFeeds, returns } = countLineEnds(text, place.lineFeeds === 0);
  return 1 + (place.lineFeeds + lineFeeds || place.returns + returns);
}

function refuseNul(place: Place, text: Buffer | string): void {
  // Among bytes as a number: a text is looked for ten times as long.
  const at = typeof text === 'string' ? text.indexOf('\0') : text.indexOf(0);
  if (at < 0) return;
  const line = lineNumberAfter(place, typeof text === 'string' ? text.slice(0, at) : text.subarray(0, at));
  throw refuseAt(place, line, {
    code: 'text/nul',
    ...withMessage(FILE_TEXT.nul({ line }), FILE_TEXT.noNul()),
  });
}

function undecodable(place: Place, encoding: string, bytes: Buffer, at: number, before?: string): UnreadableFileError {
  const line = lineNumberAfter(place, before ?? bytes.subarray(0, at));
  const wide = encoding.startsWith('utf-16') ? 2 : 1;
  const shown = [...bytes.subarray(at, at + wide)].map(
    (byte) => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  );
  const where = { offset: place.offset + at, line, encoding };
  return refuseAt(place, line, {
    code: 'text/undecodable',
    ...withMessage(
      shown.length > 0 ? FILE_TEXT.undecodable({ ...where, bytes: shown.join(' ') }) : FILE_TEXT.lastCut(where),
      withWindowsReading(place.hint, bytes[at], encoding),
    ),
  });
}

/**
 * Adds the character that windows-1252, the page of most exports, has for the byte: a person who knows the file sees
 * at once whether it is the right one.
 */
function withWindowsReading(hint: Message, byte: number | undefined, encoding: string): Message {
  const unit = byte === undefined || encoding === 'windows-1252' ? UNDEFINED : singleBytePage('windows-1252')?.[byte];
  if (unit === undefined || unit === UNDEFINED || encoding.startsWith('utf-16')) return hint;
  return FILE_TEXT.inPage({ hint, character: String.fromCharCode(unit) });
}

function refuseAt(place: Place, line: number, fault: OtherEncoding['fault']): UnreadableFileError {
  return refuseAll(place, [{ line, fault }]);
}

function refuseAll({ file }: Place, found: readonly OtherEncoding[]): UnreadableFileError {
  return new UnreadableFileError(
    found.map(({ line, fault }) => ({ ...fault, level: 'error', origin: { file, row: line, line } })),
  );
}
