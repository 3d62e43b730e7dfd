/**
 * The name of a dropped file as part of a name of Nightpost: readable, one path segment on every file system,
 * reversible. Letters and digits of any script stay; everything else that could act (separators, controls, direction
 * marks, combining marks, the percent sign) becomes %XX of its bytes. The original name is only data. Never throws.
 */
import { sha256Hex } from './sha256.ts';

const KEPT = /^[[\p{L}\p{N} ._\-\(\)+,=@#\&!]--[\p{Default_Ignorable_Code_Point}]]$/v;

/**
 * At most `maxBytes` in UTF-8; a longer name is cut, keeps its ending and gets 12 hex digits of the hash of the whole.
 */
export function safeName(name: Uint8Array | string, maxBytes: number): string {
  const bytes = Buffer.from(name as string);
  const units = encodedUnits(bytes);
  const first = units[0];
  // A leading dot would hide the file, a trailing dot or space is dropped by Windows.
  if (first === '.' || first === ' ') units[0] = percent(Buffer.from(first));
  const last = units.at(-1);
  if (last === '.' || last === ' ') units[units.length - 1] = percent(Buffer.from(last));
  const whole = units.join('');
  return Buffer.byteLength(whole) <= maxBytes ? whole : shorten(units, bytes, maxBytes);
}

/** The bytes that `safeName` was given, unless it had to cut them. */
export function originalName(safe: string): Buffer {
  const parts = safe.split(/(%[0-9A-F]{2})/);
  return Buffer.concat(
    parts.map((part, n) => (n % 2 === 1 ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part, 'utf8'))),
  );
}

/** The name as text: itself if it is UTF-8, else with %XX in place of the bytes that are not. */
export function nameText(name: Uint8Array): string {
  const bytes = Buffer.from(name);
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : encodedUnits(bytes).join('');
}

function encodedUnits(bytes: Buffer): string[] {
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) {
    return Array.from(bytes, (byte) => {
      const character = String.fromCharCode(byte);
      return byte < 0x80 && KEPT.test(character) ? character : percent(Buffer.from([byte]));
    });
  }
  return Array.from(text, (character) => (KEPT.test(character) ? character : percent(Buffer.from(character))));
}

function percent(bytes: Buffer): string {
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

function shorten(units: readonly string[], bytes: Buffer, maxBytes: number): string {
  const dot = units.lastIndexOf('.');
  const ending = dot > 0 && units.length - dot <= 9 ? units.slice(dot).join('') : '';
  const tail = `-${sha256Hex(bytes).slice(0, 12)}${ending}`;
  let room = maxBytes - Buffer.byteLength(tail);
  let head = '';
  for (const unit of units) {
    room -= Buffer.byteLength(unit);
    if (room < 0) break;
    head += unit;
  }
  return head + tail;
}
