/**
 * Check digits as rules. Warnings: the contracts show no such rule, but a wrong digit is nearly always a typing error
 * or a zero that a spreadsheet took away, and comes back as a rejection.
 */
import type { Rule } from '../model/document.ts';
import type { JsonObject } from '../model/draft.ts';
import { isDui, isFrenchVat, isNit, isSiren, isSiret } from './identifiers.ts';
import { listAt, textAt } from './read.ts';

type Found = { readonly type: string | undefined; readonly value: string | undefined; readonly at: string };
type Find = (payload: JsonObject) => readonly Found[];

const HINT = 'compare it with the register entry; leading zeros may have been lost in a spreadsheet';

/** SIREN, SIRET and VAT number of every party of the invoice. */
export function frenchIdentifierRules(kind: string): readonly Rule[] {
  return frenchRules(kind, (payload) => [
    ...identifiersOf(payload, '/issuer', 'issuer'),
    ...identifiersOf(payload, '/receiver', 'receiver'),
    ...listAt(payload, 'additional-parties').flatMap((_, i) =>
      identifiersOf(payload, `/additional-parties/${i}`, 'additional-parties', i),
    ),
  ]);
}

/** The same for the one identifier of whoever files a report. */
export function reportIdentifierRules(kind: string): readonly Rule[] {
  return frenchRules(kind, (payload) => [
    {
      type: textAt(payload, 'issuer', 'identifier-type'),
      value: textAt(payload, 'issuer', 'identifier'),
      at: '/issuer/identifier',
    },
  ]);
}

/** NIT of the issuer; NIT (36) or DUI (13) of the receiver, by the type of its document (catalogue CAT-022). */
export function salvadoranIdentifierRules(kind: string): readonly Rule[] {
  const receiver = (payload: JsonObject): Found => ({
    type: textAt(payload, 'receptor', 'tipoDocumento'),
    value: textAt(payload, 'receptor', 'numDocumento'),
    at: '/receptor/numDocumento',
  });
  const issuer = (payload: JsonObject): Found => ({
    type: '36',
    value: textAt(payload, 'emisor', 'nit'),
    at: '/emisor/nit',
  });
  return [
    digitRule(`${kind}/nit-check-digit`, 'NIT', '36', isNit, (payload) => [issuer(payload), receiver(payload)]),
    digitRule(`${kind}/dui-check-digit`, 'DUI', '13', isDui, (payload) => [receiver(payload)]),
  ];
}

function frenchRules(kind: string, look: Find): readonly Rule[] {
  const find = once(look);
  return [
    digitRule(`${kind}/siren-check-digit`, 'SIREN', 'siren', isSiren, find),
    digitRule(`${kind}/siret-check-digit`, 'SIRET', 'siret', isSiret, find),
    digitRule(`${kind}/vat-check-digit`, 'French VAT number', 'vat', isFrenchVat, find),
  ];
}

/** The rules of a document look for the same identifiers one after the other. */
function once(find: Find): Find {
  const known = new WeakMap<JsonObject, readonly Found[]>();
  return (payload) => {
    let found = known.get(payload);
    if (!found) {
      found = find(payload);
      known.set(payload, found);
    }
    return found;
  };
}

function digitRule(code: string, name: string, type: string, valid: (text: string) => boolean, find: Find): Rule {
  return {
    code,
    says: `this is not a ${name}: its length or its check digit is wrong`,
    hint: HINT,
    level: 'warning',
    // Blanks and hyphens are a matter of writing, not of digits.
    test: (payload) =>
      find(payload)
        .filter((one) => one.type === type && one.value !== undefined && !valid(one.value.replace(/[\s-]/g, '')))
        .map((one) => one.at),
  };
}

function identifiersOf(payload: JsonObject, at: string, ...path: (string | number)[]): readonly Found[] {
  return listAt(payload, ...path, 'identifiers').map((one, i) => ({
    type: textAt(one, 'type'),
    value: textAt(one, 'value'),
    at: `${at}/identifiers/${i}/value`,
  }));
}
