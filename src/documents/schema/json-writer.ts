/**
 * JSON text as UTF-8 bytes, written into one buffer that is used over and over: the same characters as JSON.stringify,
 * in two thirds of its time, because Decimals are written digit by digit and what is hashed need not be encoded again.
 *
 * Each function writes at a place of the buffer and returns the place after it; `written` reads the bytes between.
 */
import { Decimal } from '../../model/decimal.ts';
import { codeUnitAt } from '../../text/code-unit.ts';
import { deservesALook } from '../content/placeholders.ts';

const QUOTE = 34;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const BACKSLASH = 92;
const FEW = 64;

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

const USUAL = 64 * 1024;
/** Nearly every document fits in so much; a buffer with less room left is given up. */
const ROOM = 8 * 1024;
/** A buffer that one document with attachments made larger is not used again. */
const LARGE = 1024 * 1024;
/** Longer texts (attachments) are left to what is built in. */
const LONG = 4096;
/** Decimals up to this many units and decimals are numbers without exponent. */
const MOST_UNITS = 999_999_999;
const MOST_DECIMALS = 6;

/** The result of `writePlain` for a text that JSON.stringify must write. */
export const NOT_PLAIN = -1;

let bytes: Buffer = Buffer.allocUnsafe(USUAL);
let view = viewOf(bytes);
let kept = 0;
let special = false;

/** The place to write at, after everything that is kept. Resets `hasSpecial`. */
export function beginning(): number {
  if (bytes.length - kept < ROOM || bytes.length > LARGE) {
    use(Buffer.allocUnsafe(USUAL));
    kept = 0;
  }
  special = false;
  return kept;
}

/** The bytes from `start` to `end`: a view that the next write may change. */
export function written(start: number, end: number): Buffer {
  return bytes.subarray(start, end);
}

/** As `written`, for good: later writes begin after it. */
export function keep(start: number, end: number): Buffer {
  kept = end;
  return bytes.subarray(start, end);
}

/**
 * Whether a text was written since `beginning` that has a control character, as the place of a number has, is long, or
 * looks as if a draft mapping left it to be filled in. Other texts need no search for that.
 */
export function hasSpecial(): boolean {
  return special;
}

function use(other: Buffer): void {
  bytes = other;
  view = viewOf(other);
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function makeRoom(end: number): void {
  if (end <= bytes.length) return;
  const larger = Buffer.allocUnsafe(Math.max(end, 2 * bytes.length));
  bytes.copy(larger);
  use(larger);
}

/** Text that is JSON already. */
function writeJson(json: string, at: number): number {
  makeRoom(at + json.length * 3);
  return at + bytes.write(json, at);
}

/** As `writeJson`, for what is written again and again. */
export function writeBytes(from: Uint8Array, at: number): number {
  const { length } = from;
  makeRoom(at + length);
  const into = bytes;
  // A loop, because `set` takes longer for a few bytes.
  if (length > FEW) into.set(from, at);
  else for (let n = 0; n < length; n++) into[at + n] = from[n]!;
  return at + length;
}

/** Written again and again, four bytes at a time. */
export type JsonName = { readonly words: Int32Array; readonly length: number };

/** Prepares a text of JSON, such as `,"date":`, for `writeName`. */
export function jsonNameOf(text: string): JsonName {
  const own = Buffer.from(text);
  const padded = Buffer.alloc(Math.ceil(own.length / 4) * 4);
  own.copy(padded);
  const words = Int32Array.from({ length: padded.length / 4 }, (_, n) => padded.readInt32LE(n * 4));
  return { words, length: own.length };
}

/** Overwrites up to three bytes after the name as well. */
export function writeName({ words, length }: JsonName, at: number): number {
  const count = words.length;
  makeRoom(at + count * 4);
  const into = view;
  for (let n = 0; n < count; n++) into.setInt32(at + n * 4, words[n]!, true);
  return at + length;
}

/** Puts one byte in place of another that is written already. */
export function replaceByte(byte: number, at: number): void {
  bytes[at] = byte;
}

function writeText(text: string, at: number): number {
  const end = writePlain(text, at);
  return end === NOT_PLAIN ? writeSpecial(JSON.stringify(text), at) : end;
}

function writeSpecial(json: string, at: number): number {
  special = true;
  return writeJson(json, at);
}

/**
 * For a text without control characters, which neither half of a surrogate pair nor U+FFFE or U+FFFF is in; else
 * NOT_PLAIN.
 */
export function writePlain(text: string, start: number): number {
  const { length } = text;
  if (length > LONG) return NOT_PLAIN;
  if (deservesALook(text)) special = true;
  makeRoom(start + length * 3 + 2);
  const into = bytes;
  let at = start;
  into[at++] = QUOTE;
  for (let n = 0; n < length; n++) {
    const unit = codeUnitAt(text, n);
    if (unit < 0x80) {
      if (unit < 0x20) return NOT_PLAIN;
      if (unit === QUOTE || unit === BACKSLASH) into[at++] = BACKSLASH;
      into[at++] = unit;
    } else if (unit < 0x800) {
      into[at++] = 0xc0 | (unit >> 6);
      into[at++] = 0x80 | (unit & 0x3f);
    } else {
      // Half of a pair: two of them make one character. The last two are no characters.
      if ((unit & 0xf800) === 0xd800 || unit >= 0xfffe) return NOT_PLAIN;
      into[at++] = 0xe0 | (unit >> 12);
      into[at++] = 0x80 | ((unit >> 6) & 0x3f);
      into[at++] = 0x80 | (unit & 0x3f);
    }
  }
  into[at++] = QUOTE;
  return at;
}

/** Writes small numbers digit by digit, others through JSON.stringify: both give the same characters. */
export function writeDecimal(value: Decimal, start: number): number {
  let { units, scale } = value;
  if (typeof units === 'bigint' || Math.abs(units) > MOST_UNITS || scale < 0 || scale > MOST_DECIMALS) {
    return writeJson(JSON.stringify(value), start);
  }
  while (scale > 0 && units % 10 === 0) {
    units /= 10;
    scale--;
  }
  makeRoom(start + 12);
  let at = start;
  if (units < 0) bytes[at++] = MINUS;
  return writeDigits(Math.abs(units), scale, at);
}

/** From the last digit to the first, with at least one before the point. */
function writeDigits(units: number, scale: number, start: number): number {
  const into = bytes;
  let digits = 1;
  for (let rest = units; rest >= 10; rest = (rest / 10) | 0) digits++;
  if (digits <= scale) digits = scale + 1;
  const end = start + digits + (scale > 0 ? 1 : 0);
  let rest = units;
  let at = end;
  for (let n = 1; n <= digits; n++) {
    const whole = (rest / 10) | 0;
    into[--at] = ZERO + rest - whole * 10;
    rest = whole;
    if (n === scale) into[--at] = POINT;
  }
  return end;
}

/** Any value that JSON has a text for; in a list, what has none is null. */
export function writeValue(value: unknown, at: number): number {
  if (typeof value === 'string') return writeText(value, at);
  if (value instanceof Decimal) return writeDecimal(value, at);
  if (typeof value === 'boolean') return writeBytes(value ? TRUE : FALSE, at);
  return writeSpecial(JSON.stringify(value) ?? 'null', at);
}
