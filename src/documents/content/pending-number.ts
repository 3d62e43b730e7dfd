/**
 * Finds the number that a document waits for: a sequence of the ledger gives it later. The body is searched only if its
 * JSON text contains the mark of such a number.
 */
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Draft, type Json, Numbering } from '../../model/draft.ts';
import { toPointer } from './json-pointer.ts';

/** `at` is the JSON pointer of its first place. */
export type FoundNumbering = { readonly numbering: Numbering; readonly at: string };

/** How JSON writes NUL, which no text of a checked document contains. */
const NUL_IN_JSON = '\\u0000';

/** One per distinct sequence and scope, in the order of the body; `content` is its JSON text in UTF-8. */
export function numberingsIn(content: Buffer, { payload, file }: Draft): readonly FoundNumbering[] {
  if (!content.includes(NUL_IN_JSON)) return [];
  const body = definedOnly({ ...payload, file });
  const found = new Map<string, FoundNumbering>();
  walk(body, [], (numbering, path) => {
    const key = JSON.stringify([numbering.sequence, ...numbering.scope]);
    if (!found.has(key)) found.set(key, { numbering, at: toPointer(path) });
  });
  return [...found.values()];
}

/** Whether a text holds the place of a number instead of the number itself. */
export function isOpen(text: string): boolean {
  return text.includes('\0');
}

function walk(
  value: Json | undefined,
  path: readonly (string | number)[],
  visit: (numbering: Numbering, path: readonly (string | number)[]) => void,
): void {
  if (value instanceof Numbering) visit(value, path);
  else if (Array.isArray(value)) {
    value.forEach((entry, i) => {
      walk(entry, [...path, i], visit);
    });
  } else if (typeof value === 'object' && value !== null && !(value instanceof Decimal)) {
    for (const [key, entry] of Object.entries(value)) walk(entry, [...path, key], visit);
  }
}
