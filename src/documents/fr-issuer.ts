/** Who issues a French document, as one stable text, whichever of its identifiers a mapping happens to give. */

type Identifier = { readonly type: string | undefined; readonly value: string | undefined };

const SIREN_WITHIN: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['siren', /^(\d{9})$/],
  ['siret', /^(\d{9})\d{5}$/],
  ['vat', /^FR[0-9A-Z]{2}(\d{9})$/],
];

/**
 * The SIREN, also out of a SIRET or French VAT number, so that a later version of a mapping that gives another of
 * them does not make a new document of an old one; else the first identifier, else the name.
 */
export function frenchIssuer(identifiers: readonly Identifier[], name: () => string | undefined): string | undefined {
  for (const [type, pattern] of SIREN_WITHIN) {
    for (const one of identifiers) {
      if (one.type?.toLowerCase() !== type) continue;
      const siren = pattern.exec(withoutBlanks(one.value) ?? '')?.[1];
      if (siren) return siren;
    }
  }
  const first = identifiers.find(({ value }) => value !== undefined);
  return first ? withoutBlanks(first.value) : name();
}

function withoutBlanks(value: string | undefined): string | undefined {
  return value?.replace(/\s/g, '');
}
