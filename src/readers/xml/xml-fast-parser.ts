/**
 * The regular markup of an XML file, which nearly all is: bytes in, tags and texts to the element walk. Only values
 * with letters beyond ASCII are decoded. It judges nothing: it accepts less than XML allows and reports a tag, with the
 * text before it, only once all of it is regular. From the first irregular one, and after the root element, the strict
 * parser reads on, beginning at the end of the tag before, and alone decides what is accepted.
 */
import { createByteBuffer } from '../encoding/byte-buffer.ts';
import { resolveReferences } from './xml-entities.ts';
import { type Attribute, MAX_ATTRIBUTES, MAX_DEPTH, type XmlEventSink } from './xml-events.ts';
import {
  createOutermostScope,
  type Declaration,
  declaredPrefix,
  type KnownName,
  type NameScope,
} from './xml-namespaces.ts';

/** Where the strict parser continues: the text not yet reported, with its place and the open elements. */
export type XmlRest = {
  readonly text: string;
  readonly line: number;
  /** Characters of the line that are before it. */
  readonly column: number;
  /** Start tags, with their namespaces, of the elements that are open; after the root element, one that is empty. */
  readonly before: string;
  readonly depth: number;
};

/** Fed with the bytes of one file until `take` returns false; `rest` then says where the strict parser continues. */
export type XmlFastParser = {
  /** Reports to `elements` what `bytes` (UTF-8) contain; false once the rest is for the strict parser. */
  readonly take: (bytes: Buffer) => boolean;
  readonly rest: () => XmlRest;
};

const MOST_HELD = 64 * 1024;
const NO_ATTRIBUTES: readonly Attribute[] = [];
const TAB = 9;
const LF = 10;
const CR = 13;
const BLANK = 32;
const BANG = 33;
const QUOTE = 34;
const APOSTROPHE = 39;
const SLASH = 47;
const OPEN = 60;
const EQUALS = 61;
const CLOSE = 62;
const QUESTION = 63;
const BRACKET = 91;
const LETTER_X = 120;
const SECTION = '<![CDATA[';
const SECTION_END = ']]>';

/** Kinds of bytes that a text or value has to be looked at for. */
const IS_LINE_FEED = 1;
const IS_TAB = 2;
const IS_AMPERSAND = 4;
const IS_OPEN = 8;
const IS_BRACKET = 16;
const IS_WIDE = 32;
const IS_CONTROL = 64;
/** The first byte of U+FFFE and U+FFFF, which are no characters of XML, and of others. */
const IS_EF = 128;
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte > 127) return byte === 0xef ? IS_WIDE | IS_EF : IS_WIDE;
  if (byte < BLANK) return byte === LF ? IS_LINE_FEED : byte === TAB ? IS_TAB : IS_CONTROL;
  return byte === 38 ? IS_AMPERSAND : byte === OPEN ? IS_OPEN : byte === 93 ? IS_BRACKET : 0;
});
/** What ends a name; all other bytes are looked at once for each name. */
const IN_NAME = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[\0- <>/=?"'&]/.test(String.fromCharCode(byte)) ? 0 : 1,
);
const IS_BLANK = Uint8Array.from({ length: 256 }, (_, byte) => (byte === BLANK || byte === LF || byte === TAB ? 1 : 0));

const S = '[ \\t\\n]';
const ONLY_BLANKS = new RegExp(`^${S}*$`);
const DECLARATION = new RegExp(
  String.raw`<\?xml${S}+version${S}*=${S}*(["'])1\.0\1(?:${S}+encoding${S}*=${S}*(["'])[A-Za-z][\w.-]*\2)?` +
    String.raw`(?:${S}+standalone${S}*=${S}*(["'])(?:yes|no)\3)?${S}*\?>`,
  'y',
);
const TARGET = new RegExp(String.raw`(?!xml(?:${S}|\?))[a-z_][\w.-]*(?=${S}|\?>)`, 'iy');
const NO_CHARACTER = /\xef\xbf[\xbe\xbf]/;

/** Results in place of an end: the text ends inside a tag, or the tag is not regular. */
const INCOMPLETE = -1;
const IRREGULAR = -2;

/** Throws only what `elements` throws (UnreadableFileError); the rows before it stay. */
export function createXmlFastParser(elements: XmlEventSink): XmlFastParser {
  const held = createByteBuffer();
  let endsInReturn = false;
  let isStarted = false;
  const names: KnownName[] = [];
  const scopes: NameScope[] = [createOutermostScope()];
  /** The bytes at hand, and each of them as a character. */
  let bytes: Buffer = held.all();
  let text = '';
  // Where the last tag that was reported ends.
  let done = 0;
  let doneLine = 1;
  let column = 0;
  let line = 1;
  /** The kinds found in the bytes passed last. */
  let kinds = 0;
  /** Of the name that was passed last. */
  let hash = 0;
  // Of the start tag that was read last.
  let name: KnownName | undefined;
  let scope = scopes[0]!;
  let attributes = NO_ATTRIBUTES;
  let isEmpty = false;
  let tags = 0;
  /** Of each attribute the start, the end and the hash of its name. */
  const places: number[] = [];
  const values: string[] = [];

  const take = (more: Buffer): boolean => {
    const before = held.all().length;
    bytes = withLineFeeds(held.append(more), endsInReturn ? before - 1 : before);
    text = bytes.toString('latin1');
    done = 0;
    line = doneLine;
    const isRegular = scan();
    const start = done === 0 ? 0 : text.lastIndexOf('\n', done - 1) + 1;
    column = (start > 0 ? 0 : column) + charactersIn(bytes.subarray(start, done));
    held.keep(done, endsInReturn ? bytes.length + 1 : bytes.length);
    return isRegular && bytes.length - done <= MOST_HELD;
  };

  /**
   * From `fresh` on in their place; a carriage return at the end waits after them for the line feed that may follow.
   */
  const withLineFeeds = (all: Buffer, fresh: number): Buffer => {
    endsInReturn = all.at(-1) === CR;
    const end = endsInReturn ? all.length - 1 : all.length;
    let length = all.indexOf(CR, fresh);
    if (length < 0 || length === end) return all.subarray(0, end);
    for (let at = length; at < end; at++) {
      const byte = all[at]!;
      if (byte === CR && all[at + 1] === LF) continue;
      all[length++] = byte === CR ? LF : byte;
    }
    if (endsInReturn) all[length] = CR;
    return all.subarray(0, length);
  };

  /** False: what is after `done` is not regular. */
  const scan = (): boolean => {
    let at = isStarted ? 0 : declarationEnd(text);
    let before = '';
    for (;;) {
      const open = pass(at, bytes.length, OPEN);
      if (open === bytes.length) return true;
      if (open > at) {
        const more = textOf(at, open);
        if (more === undefined) return false;
        before += more;
      }
      const byte = bytes[open + 1];
      if (byte === BANG || byte === QUESTION) {
        at = noTag(open);
        if (at < 0) return at === INCOMPLETE;
        if (bytes[open + 2] === BRACKET && elements.listens()) {
          before += decoded(open + SECTION.length, at - SECTION_END.length);
        }
        continue;
      }
      const tagLine = line;
      at = byte === SLASH ? endTag(open + 2) : startTag(open + 1);
      if (at < 0) return at === INCOMPLETE;
      if (before !== '') elements.text(before);
      before = '';
      if (byte === SLASH) leave();
      else enter(tagLine);
      done = at;
      doneLine = line;
      if (names.length === 0) return false;
    }
  };

  const enter = (tagLine: number) => {
    isStarted = true;
    elements.open({ name: name!, attributes, isInterned: true }, tagLine);
    names.push(name!);
    scopes.push(scope);
    if (isEmpty) leave();
  };
  const leave = () => {
    names.pop();
    scopes.pop();
    elements.close();
  };

  /** To the byte `stop`, or to the end; the lines are counted. */
  const pass = (from: number, to: number, stop: number): number => {
    const all = bytes;
    let found = 0;
    let at = from;
    for (; at < to; at++) {
      const byte = all[at]!;
      if (byte === stop) break;
      const kind = KINDS[byte]!;
      if (kind === 0) continue;
      found |= kind;
      if (kind === IS_LINE_FEED) line++;
    }
    kinds = found;
    return at;
  };
  const passBlanks = (from: number): number => {
    const all = bytes;
    let at = from;
    for (; at < all.length && IS_BLANK[all[at]!] === 1; at++) if (all[at] === LF) line++;
    return at;
  };
  const passName = (from: number): number => {
    const all = bytes;
    let at = from;
    let sum = 0;
    for (; at < all.length && IN_NAME[all[at]!] === 1; at++) sum = (sum * 31 + all[at]!) | 0;
    hash = sum;
    return at;
  };
  const orIncomplete = (at: number): number => (at < bytes.length ? IRREGULAR : INCOMPLETE);

  /** What was passed last. */
  const decoded = (from: number, to: number): string =>
    (kinds & IS_WIDE) === 0 ? text.slice(from, to) : bytes.toString(undefined, from, to);
  const hasOther = (from: number, to: number): boolean =>
    (kinds & IS_CONTROL) !== 0 || ((kinds & IS_EF) !== 0 && NO_CHARACTER.test(text.slice(from, to)));

  /** Text that no path reads is only checked; undefined: it is not regular. */
  const textOf = (from: number, to: number): string | undefined => {
    if (kinds > IS_TAB && hasOther(from, to)) return undefined;
    if (names.length === 0) return ONLY_BLANKS.test(text.slice(from, to)) ? '' : undefined;
    if ((kinds & IS_BRACKET) !== 0 && text.slice(from, to).includes(SECTION_END)) return undefined;
    if ((kinds & IS_AMPERSAND) !== 0) return resolveReferences(decoded(from, to));
    return elements.listens() ? decoded(from, to) : '';
  };

  const endTag = (from: number): number => {
    if (names.length === 0) return IRREGULAR;
    const top = names[names.length - 1]!.bytes;
    let at = from;
    for (let n = 0; n < top.length; n++, at++) if (bytes[at] !== top[n]) return orIncomplete(at);
    if (bytes[at] === CLOSE) return at + 1;
    at = passBlanks(at);
    return bytes[at] === CLOSE ? at + 1 : orIncomplete(at);
  };

  /** The documents of an export have their elements in one order. Undefined: another name is there. */
  const expected = (from: number): KnownName | undefined => {
    const next = name?.behind;
    if (next === undefined || next.scope !== scopes[scopes.length - 1]) return undefined;
    const all = bytes;
    const own = next.name.bytes;
    for (let n = 0; n < own.length; n++) if (all[from + n] !== own[n]) return undefined;
    const behind = from + own.length;
    return behind < all.length && IN_NAME[all[behind]!] === 0 ? next.name : undefined;
  };

  const startTag = (from: number): number => {
    const likely = expected(from);
    let at = likely ? from + likely.bytes.length : passName(from);
    const nameEnd = at;
    let count = 0;
    let declares = false;
    let byte = bytes[at];
    while (byte !== CLOSE && byte !== SLASH) {
      const start = passBlanks(at);
      if (start === at) return orIncomplete(at);
      byte = bytes[start];
      at = start;
      if (byte === CLOSE || byte === SLASH) break;
      at = passName(start);
      places[3 * count] = start;
      places[3 * count + 1] = at;
      places[3 * count + 2] = hash;
      if (bytes[start] === LETTER_X && text.startsWith('xmlns', start)) declares = true;
      at = passBlanks(at);
      if (bytes[at] !== EQUALS) return orIncomplete(at);
      at = passBlanks(at + 1);
      const quote = bytes[at];
      if (quote !== QUOTE && quote !== APOSTROPHE) return orIncomplete(at);
      const end = pass(at + 1, bytes.length, quote);
      const value = attributeValue(at + 1, end);
      if (value === undefined) return IRREGULAR;
      if (end === bytes.length) return INCOMPLETE;
      if (count === MAX_ATTRIBUTES) return IRREGULAR;
      values[count++] = value;
      at = end + 1;
      byte = bytes[at];
    }
    isEmpty = byte === SLASH;
    if (isEmpty && bytes[++at] !== CLOSE) return orIncomplete(at);
    if (names.length >= MAX_DEPTH) return IRREGULAR;
    const around = scopes[scopes.length - 1]!;
    const inside = declares ? around.declare(declarations(count)) : around;
    const found = likely && !declares ? likely : inside && element(inside, from, nameEnd);
    if (!inside || !found || !resolveAttributes(inside, count)) return IRREGULAR;
    if (!likely && name) name.behind = { name: found, scope: inside };
    name = found;
    scope = inside;
    return at + 1;
  };

  const attributeValue = (from: number, to: number): string | undefined => {
    if (kinds === 0) return text.slice(from, to);
    if ((kinds & IS_OPEN) !== 0 || hasOther(from, to)) return undefined;
    const value = decoded(from, to);
    const plain = (kinds & (IS_TAB | IS_LINE_FEED)) === 0 ? value : value.replace(/[\t\n]/g, ' ');
    return (kinds & IS_AMPERSAND) === 0 ? plain : resolveReferences(plain);
  };

  const element = (inside: NameScope, from: number, to: number): KnownName | undefined => {
    passName(from);
    return inside.element(bytes, from, to, hash);
  };

  const resolveAttributes = (inside: NameScope, count: number): boolean => {
    attributes = NO_ATTRIBUTES;
    if (count === 0) return true;
    const found: Attribute[] = [];
    tags++;
    for (let n = 0; n < count; n++) {
      const attribute = inside.attribute(bytes, places[3 * n]!, places[3 * n + 1]!, places[3 * n + 2]!);
      if (!attribute || attribute.once.tag === tags) return false;
      attribute.once.tag = tags;
      found.push({ name: attribute.name, local: attribute.local, uri: attribute.uri, value: values[n]! });
    }
    attributes = found;
    return true;
  };
  const declarations = (count: number): readonly Declaration[] => {
    const all: Declaration[] = [];
    for (let n = 0; n < count; n++) {
      const prefix = declaredPrefix(bytes.toString('utf8', places[3 * n], places[3 * n + 1]));
      if (prefix !== undefined) all.push({ prefix, uri: values[n]! });
    }
    return all;
  };

  /** Behind a CDATA section, a comment or a processing instruction. */
  const noTag = (open: number): number => {
    let [start, end] = [open + 2, '?>'];
    if (bytes[open + 1] === QUESTION) TARGET.lastIndex = start;
    else if (text.startsWith('<!--', open)) [start, end] = [open + 4, '--'];
    else if (text.startsWith(SECTION, open) && names.length > 0) [start, end] = [open + SECTION.length, SECTION_END];
    else return bytes.length < open + SECTION.length ? INCOMPLETE : IRREGULAR;
    const found = text.indexOf(end, start);
    if (found < 0) return INCOMPLETE;
    pass(start, found, -1);
    if (hasOther(start, found)) return IRREGULAR;
    if (end === '?>' && !TARGET.test(text)) return IRREGULAR;
    const behind = found + end.length;
    if (end !== '--') return behind;
    return bytes[behind] === CLOSE ? behind + 1 : orIncomplete(behind);
  };

  const rest = (): XmlRest => {
    const inside = names.map(
      (each, n) => `<${each.name}${scopes[n] === scopes[n + 1] ? '' : scopes[n + 1]!.declared}>`,
    );
    const before = isStarted && names.length === 0 ? '<over/>' : inside.join('');
    return { text: held.all().toString(), line: doneLine, column, before, depth: names.length };
  };
  return { take, rest };
}

/** Behind the XML declaration, where the text begins with a usual one. */
function declarationEnd(text: string): number {
  DECLARATION.lastIndex = 0;
  return DECLARATION.test(text) ? DECLARATION.lastIndex : 0;
}

function charactersIn(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte >> 6 !== 0b10) count++;
  return count;
}
