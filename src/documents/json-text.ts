/**
 * A body as JSON text, to the letter what `JSON.stringify` writes, in about half its time.
 *
 * `JSON.stringify` leaves its fast path for every object that has a `toJSON`, and every amount has one.
 */
import { Decimal } from '../model/decimal.ts';
import { type Json, Numbering } from '../model/draft.ts';

/** Nothing to escape: no quote, backslash, control character, or half of a surrogate pair. */
const PLAIN = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/;

export function jsonText(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  // A decimal shows the same digits as its JSON token: a number of 15 digits, or its own text.
  if (value instanceof Decimal) return value.toText();
  if (value instanceof Numbering) return JSON.stringify(value);
  return Array.isArray(value) ? listText(value) : blockText(value as { readonly [key: string]: Json | undefined });
}

function listText(list: readonly Json[]): string {
  let text = '';
  for (const item of list) text += text === '' ? jsonText(item) : `,${jsonText(item)}`;
  return `[${text}]`;
}

function blockText(block: { readonly [key: string]: Json | undefined }): string {
  let text = '';
  for (const key of Object.keys(block)) {
    const value = block[key];
    if (value !== undefined) text += `${text === '' ? '' : ','}${quoted(key)}:${jsonText(value)}`;
  }
  return `{${text}}`;
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
