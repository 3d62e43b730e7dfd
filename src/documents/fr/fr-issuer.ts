/**
 * Gives the issuer of a French document as one stable text, no matter which of its identifiers a mapping gives.
 * Identifiers come in; the SIREN, another identifier, the name or undefined comes out.
 */
import { hasDigits, looksLikeFrenchVat, withoutBlanks } from '../../model/identifiers.ts';

type Identifier = { readonly type: string | undefined; readonly value: string | undefined };

type SirenOf = (value: string) => string | undefined;

/** Types in the order of trust, and the SIREN within a value of the type. */
const SIREN_WITHIN: readonly (readonly [type: string, siren: SirenOf])[] = [
  ['siren', (value) => (hasDigits(value, 9) ? value : undefined)],
  ['siret', (value) => (hasDigits(value, 14) ? value.slice(0, 9) : undefined)],
  ['vat', (value) => (looksLikeFrenchVat(value) ? value.slice(4) : undefined)],
];

/**
 * The SIREN, also out of a SIRET or French VAT number, so that a later version of a mapping that gives another of
 * them does not make a new document of an old one; else the first identifier, else the name.
 */
export function frenchIssuer(identifiers: readonly Identifier[], name: () => string | undefined): string | undefined {
  for (const [wanted, sirenOf] of SIREN_WITHIN) {
    for (const { type, value } of identifiers) {
      if (value === undefined || (type !== wanted && type?.toLowerCase() !== wanted)) continue;
      // Blanks are seldom there.
      const siren = sirenOf(value) ?? sirenOf(withoutBlanks(value));
      if (siren) return siren;
    }
  }
  const first = identifiers.find(({ value }) => value !== undefined)?.value;
  return first === undefined ? name() : withoutBlanks(first);
}
