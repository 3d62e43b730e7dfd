/**
 * What a value of a payload most likely was before a spreadsheet or a typist damaged it: zeros back, blanks out, the hyphen
 * of a DUI in its place. Offered with a broken rule, never put in.
 */
import type { JsonObject } from '../model/draft.ts';
import { type IdentifierType, mendedIdentifier } from '../model/identifiers.ts';
import { textAt } from './read.ts';

/** CAT-022. */
const DOCUMENT_TYPES: { readonly [code: string]: IdentifierType } = { '36': 'nit', '13': 'dui' };
const TYPES: { readonly [type: string]: IdentifierType } = { siren: 'siren', siret: 'siret' };

/** `at`: JSON pointer of the value; undefined where nothing better is known. */
export function suggestedValue(payload: JsonObject, at: string): string | undefined {
  const path = at.split('/').slice(1);
  const given = textAt(payload, ...path);
  if (given === undefined) return undefined;
  const beside = (field: string) => textAt(payload, ...path.slice(0, -1), field);
  const name = path.at(-1);
  if (name === 'postal-code') return beside('country') === 'FR' && /^\d{4}$/.test(given) ? `0${given}` : undefined;
  const type =
    name === 'value'
      ? TYPES[beside('type') ?? '']
      : name === 'identifier'
        ? TYPES[beside('identifier-type') ?? '']
        : name === 'numDocumento'
          ? DOCUMENT_TYPES[beside('tipoDocumento') ?? '']
          : name === 'nit'
            ? 'nit'
            : undefined;
  return type && mendedIdentifier(type, given);
}
