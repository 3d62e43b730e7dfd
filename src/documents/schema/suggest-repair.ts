/**
 * Suggests what a value most likely was before a spreadsheet or a typist damaged it: leading zeros, no blanks, the
 * hyphen of a DUI. A payload and a pointer come in, a text or undefined comes out. Only a person puts it in.
 */
import type { Json, JsonObject } from '../../model/draft.ts';
import { type IdentifierType, repairIdentifier } from '../../model/identifiers.ts';
import { textAt, valueAt } from '../content/json-pointer.ts';

/** CAT-022. */
const DOCUMENT_TYPES = new Map<string, IdentifierType>([
  ['36', 'nit'],
  ['13', 'dui'],
]);
const TYPES = new Map<string, IdentifierType>([
  ['siren', 'siren'],
  ['siret', 'siret'],
]);

/** Field of an identifier -> the field next to it that has its type, and the types. */
const TYPED = new Map([
  ['value', { field: 'type', types: TYPES }],
  ['identifier', { field: 'identifier-type', types: TYPES }],
  ['numDocumento', { field: 'tipoDocumento', types: DOCUMENT_TYPES }],
]);

/** Codes of two digits that a spreadsheet made one, by the field: CAT-012, CAT-022, CAT-025, CAT-009. */
const ZERO_LOST = new Map(
  Object.entries({
    departamento: /^[1-9]$/,
    tipoDocumento: /^[23]$/,
    bienTitulo: /^[1-5]$/,
    tipoEstablecimiento: /^[1247]$/,
  }),
);
const NRC_WITH_HYPHEN = /^(\d{1,7})-(\d)$/;

/** `at`: JSON pointer of the value; undefined if no better value is certain. */
export function suggestedValue(payload: JsonObject, at: string): string | undefined {
  const path = at.split('/').slice(1);
  const given = textAt(valueAt(payload, path));
  if (given === undefined) return undefined;
  const block = valueAt(payload, path.slice(0, -1));
  const name = path.at(-1) ?? '';
  if (name === 'postal-code') {
    const isFrench = textAt(block, 'country') === 'FR';
    return isFrench && /^\d{4}$/.test(given) ? `0${given}` : undefined;
  }
  if (ZERO_LOST.get(name)?.test(given)) return `0${given}`;
  if (name === 'nrc') return NRC_WITH_HYPHEN.test(given) ? given.replace('-', '') : undefined;
  const type = typeOf(block, name);
  return type && repairIdentifier(type, given);
}

/** The type of the identifier in the field `name` of the block; undefined for another field. */
function typeOf(block: Json | undefined, name: string): IdentifierType | undefined {
  if (name === 'nit') return 'nit';
  const typed = TYPED.get(name);
  return typed?.types.get(textAt(block, typed.field) ?? '');
}
