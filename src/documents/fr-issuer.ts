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
export function frenchIssuer(identifiers: readonly Identifier[], name: string | undefined): string | undefined {
  const plain = identifiers.map(({ type, value }) => ({
    type: type?.toLowerCase() ?? '',
    value: value?.replace(/\s/g, ''),
  }));
  for (const [type, pattern] of SIREN_WITHIN) {
    const sirens = plain.map((one) => (one.type === type ? pattern.exec(one.value ?? '')?.[1] : undefined));
    const siren = sirens.find((one) => one !== undefined);
    if (siren) return siren;
  }
  return plain.find((one) => one.value !== undefined)?.value ?? name;
}
