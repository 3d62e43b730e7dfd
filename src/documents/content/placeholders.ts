/**
 * Texts of a payload that a draft mapping holds for a person to replace: a document with one of them is never sent.
 *
 * The JSON text is searched once; only where something is found, the payload is walked for the fields.
 */

import { DRAFT } from '../../i18n/messages/documents-messages.ts';
import type { DocumentKind } from '../../model/document.ts';
import { type Draft, FILL_IN, isToFillIn } from '../../model/draft.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { codeUnitAt } from '../../text/code-unit.ts';

/** Zeros pass every check digit and identify no one. */
const ZEROS = /^(?:FR12)?0{7,14}$/;
const NUMBERED = new Set(['value', 'nit', 'nrc', 'numDocumento']);
/** One of them is wherever a placeholder is; looking for each takes a third of the time of one pattern for all. */
const TRACES: readonly string[] = [FILL_IN, 'fill-in@example.invalid', '00000"'];

/** Quick, and true of every placeholder and formula: they begin like "FILL IN" or "=", or end in five zeros. */
export function deservesALook(text: string): boolean {
  const { length } = text;
  if (length < 5) return false;
  if (codeUnitAt(text, 0) === EQUALS) return true;
  if (codeUnitAt(text, length - 1) === ZERO && codeUnitAt(text, length - 5) === ZERO && text.endsWith('00000'))
    return true;
  // Bit 5 makes a small letter of a capital.
  return (codeUnitAt(text, 0) | 32) === F && (codeUnitAt(text, 1) | 32) === I;
}

const ZERO = 48;
const EQUALS = 61;
const F = 102;
const I = 105;

/** `<kind>/not-filled-in` (error) per placeholder, with its pointer. `content` is the JSON text of the document. */
export function placeholderFaults(content: Buffer, { payload }: Draft, kind: DocumentKind): readonly DataFault[] {
  if (!payload || !TRACES.some((trace) => content.includes(trace))) return [];
  return [...textsIn(payload, '')]
    .filter(({ at, key, text }) => isPlaceholder(at, key, text))
    .map(({ at, text }) => ({
      code: `${kind.name}/not-filled-in`,
      level: 'error',
      ...withMessage(DRAFT.placeholder({ field: at.slice(1).replaceAll('/', '.'), text }), DRAFT.fillIn()),
      at,
      given: text,
    }));
}

/**
 * A function call, or a program that is called (DDE): "=HYPERLINK(...)", "=cmd|' /C calc'!A0". A name may well begin
 * with "=".
 */
const FORMULA = /^=\s*[+-]?[\p{L}_][\p{L}\p{N}_.]*\s*[(|]/u;

/** Texts that a spreadsheet runs: what was shown in the cell is not what the document says. */
export function formulaFaults(content: Buffer, { payload }: Draft): readonly DataFault[] {
  if (!payload || !content.includes('"=')) return [];
  return [...textsIn(payload, '')]
    .filter(({ text }) => FORMULA.test(text))
    .map(({ at, text }) => ({
      code: 'map/formula-text',
      level: 'warning',
      ...withMessage(DRAFT.formula({ field: at.slice(1).replaceAll('/', '.'), text }), DRAFT.writeShown()),
      at,
      given: text,
    }));
}

/** In the text of a mapping one of them is wherever a placeholder is. */
export const MARKS_OF_DRAFTS: readonly string[] = [FILL_IN, 'fill-in@example.invalid', '00000'];

/** `at` is a JSON pointer into the payload, `key` its last part. */
export function isPlaceholder(at: string, key: string, text: string): boolean {
  if (isToFillIn(text) || text === 'fill-in@example.invalid') return true;
  if (at === '/issuer/address/postal-code') return text === '00000';
  if (at === '/emisor/telefono') return ZEROS.test(text);
  // An odometer or a meter may be at zero; drafts identify no one there.
  if (at.includes('/additional-info/')) return false;
  return ZEROS.test(text) && (NUMBERED.has(key) || at === '/issuer/identifier');
}

type Text = { readonly at: string; readonly key: string; readonly text: string };

function* textsIn(value: unknown, at: string): Iterable<Text> {
  if (typeof value === 'string') yield { at, key: at.slice(at.lastIndexOf('/') + 1), text: value };
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* textsIn(inner, `${at}/${key}`);
}
