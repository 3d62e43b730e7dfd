/**
 * Input: a key of any length. Output: the text that the ledger stores it as, the same on every engine: the key itself, or the
 * beginning of a long one with the SHA-256 of the whole. PostgreSQL refuses rows of an index above 2.7 KB.
 */
import { sha256Hex } from '../text/sha256.ts';

/** In UTF-8. Two stored keys and the name of a sequence are one row of an index. */
export const MOST_KEY_BYTES = 900;
/** The most bytes that one code unit of a text takes. */
const MOST_PER_UNIT = 3;

/** Two keys have the same stored form only if they are the same: that of a long one is longer than every short one. */
export function storedKey(key: string): string {
  const start = storedStart(key);
  return start === key ? key : `${start} sha256:${sha256Hex(key)}`;
}

/** The text with which every stored key begins that begins with this one. */
export function storedStart(text: string): string {
  if (text.length * MOST_PER_UNIT <= MOST_KEY_BYTES || Buffer.byteLength(text) <= MOST_KEY_BYTES) return text;
  // A character that the limit cuts is left out as a whole.
  const bytes = Buffer.from(text).subarray(0, MOST_KEY_BYTES);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
