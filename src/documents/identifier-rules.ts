/**
 * Check digits as rules. Warnings: the contracts show no such rule, but a wrong digit is nearly always a typing error
 * or a zero that a spreadsheet took away, and comes back as a rejection.
 */
import type { Rule } from '../model/document.ts';
import type { Json, JsonObject } from '../model/draft.ts';
import { isDui, isFrenchVat, isNit, isSiren, isSiret } from '../model/identifiers.ts';
import { listAt, textAt, valueAt } from './read.ts';

/** An identifier of the payload; its pointer is made only where it is needed. */
type Visit = (type: string | undefined, value: string | undefined, at: () => string) => void;
/** Walks over the identifiers of a payload: three rules look at each, and nearly always nothing is wrong. */
type Walk = (payload: JsonObject, visit: Visit) => void;

const BLANK_OR_HYPHEN = /[\s-]/g;
const HINT = 'compare it with the register entry; leading zeros may have been lost in a spreadsheet';

/** SIREN, SIRET and VAT number of every party of the invoice. */
export function frenchIdentifierRules(kind: string): readonly Rule[] {
  return frenchRules(kind, (payload, visit) => {
    visitIdentifiers(valueAt(payload, ['issuer']), '/issuer', visit);
    visitIdentifiers(valueAt(payload, ['receiver']), '/receiver', visit);
    listAt(payload, 'additional-parties').forEach((party, i) => {
      visitIdentifiers(party, `/additional-parties/${i}`, visit);
    });
  });
}

/** The same for the one identifier of whoever files a report. */
export function reportIdentifierRules(kind: string): readonly Rule[] {
  return frenchRules(kind, (payload, visit) => {
    const type = textAt(payload, 'issuer', 'identifier-type');
    visit(type, textAt(payload, 'issuer', 'identifier'), () => '/issuer/identifier');
  });
}

/** NIT of the issuer; NIT (36) or DUI (13) of the receiver, by the type of its document (catalogue CAT-022). */
export function salvadoranIdentifierRules(kind: string): readonly Rule[] {
  const receiver: Walk = (payload, visit) => {
    const type = textAt(payload, 'receptor', 'tipoDocumento');
    visit(type, textAt(payload, 'receptor', 'numDocumento'), () => '/receptor/numDocumento');
  };
  const parties: Walk = (payload, visit) => {
    visit('36', textAt(payload, 'emisor', 'nit'), () => '/emisor/nit');
    receiver(payload, visit);
  };
  return [
    digitRule(`${kind}/nit-check-digit`, 'NIT', '36', isNit, parties),
    digitRule(`${kind}/dui-check-digit`, 'DUI', '13', isDui, receiver),
  ];
}

function frenchRules(kind: string, walk: Walk): readonly Rule[] {
  return [
    digitRule(`${kind}/siren-check-digit`, 'SIREN', 'siren', isSiren, walk),
    digitRule(`${kind}/siret-check-digit`, 'SIRET', 'siret', isSiret, walk),
    digitRule(`${kind}/vat-check-digit`, 'French VAT number', 'vat', isFrenchVat, walk),
  ];
}

function digitRule(code: string, name: string, type: string, valid: (text: string) => boolean, walk: Walk): Rule {
  return {
    code,
    says: `this is not a ${name}: its length or its check digit is wrong`,
    hint: HINT,
    level: 'warning',
    test: (payload) => {
      const wrong: string[] = [];
      walk(payload, (given, value, at) => {
        // Blanks and hyphens are a matter of writing, not of digits.
        if (given === type && value !== undefined && !valid(value.replace(BLANK_OR_HYPHEN, ''))) wrong.push(at());
      });
      return wrong;
    },
  };
}

function visitIdentifiers(party: Json | undefined, at: string, visit: Visit): void {
  listAt(party, 'identifiers').forEach((one, i) => {
    visit(textAt(one, 'type'), textAt(one, 'value'), () => `${at}/identifiers/${i}/value`);
  });
}
