/**
 * Input: a document number. Output: the stem of a file name that every file system accepts and no number can abuse: no
 * path, reserved name or invisible character. Other characters are percent-encoded. Never throws. Windows, macOS and SMB
 * shares compare names without case and in other normal forms: stems differ only if `receiptNameKey` does.
 */
import { sha256Hex } from './sha256.ts';

/** Bytes of a stem; with an id and ".payload.json" after it far below the 255 of the narrowest file systems. */
const MAX_BYTES = 104;
const SAFE = /^[[\p{L}\p{M}\p{N} ._\-+=@,\(\)]--[\p{Default_Ignorable_Code_Point}]]$/v;
/** With or without an extension, also followed by spaces: "nul.txt" opens the device too. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?= *(?:\.|$))/iu;

/** The stem for a document number; '' for an empty number. */
export function receiptName(identifier: string): string {
  const safe = Array.from(identifier.toWellFormed().normalize('NFC'), (sign) =>
    SAFE.test(sign) ? sign : encoded(sign),
  );
  const first = safe[0];
  if (first !== undefined && /^[-. \p{M}]$/u.test(first)) safe[0] = encoded(first);
  const last = safe.at(-1);
  if (last !== undefined && /^[. ]$/.test(last)) safe[safe.length - 1] = encoded(last);
  if (first !== undefined && RESERVED.test(safe.join(''))) safe[0] = encoded(first);
  return shortened(safe, identifier);
}

/** Names with equal keys may be the same file on some file system. */
export function receiptNameKey(name: string): string {
  return name.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKC');
}

function encoded(sign: string): string {
  return Array.from(Buffer.from(sign), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** A number that is too long keeps its beginning and gets a fingerprint of the whole, so that two of them differ. */
function shortened(signs: readonly string[], identifier: string): string {
  const whole = signs.join('');
  if (Buffer.byteLength(whole) <= MAX_BYTES) return whole;
  const print = sha256Hex(identifier.toWellFormed()).slice(0, 12);
  let kept = '';
  let bytes = 0;
  for (const sign of signs) {
    bytes += Buffer.byteLength(sign);
    if (bytes > MAX_BYTES - 13) break;
    kept += sign;
  }
  return `${kept}~${print}`;
}
