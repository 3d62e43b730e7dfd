/** Why documents of the finance night do not become authorized as they are, and what a person types to correct them. */

/** The cause of a document of tonight that does not become authorized: found by the checks, or by the service. */
export type Cause =
  | ('short-siren' | 'vat-t85' | 'short-postal-code' | 'exponent' | 'letter-o' | 'plus-sign' | 'xml-total')
  | ('unit-pal' | 'unit-bulto' | 'dui-without-hyphen')
  | ('code-6' | 'code-6-replaced' | 'code-15' | 'code-4' | 'code-11' | 'lost-answer' | 'lost-for-good');

/** How many documents of each cause. */
export const CAUSES: { readonly [cause in Cause]: number } = {
  'short-siren': 40,
  'vat-t85': 10,
  'short-postal-code': 4,
  exponent: 3,
  'letter-o': 2,
  'plus-sign': 3,
  'xml-total': 2,
  'unit-pal': 2,
  'unit-bulto': 3,
  'dui-without-hyphen': 2,
  'code-6': 4,
  'code-6-replaced': 1,
  'code-15': 3,
  'code-4': 2,
  'code-11': 1,
  'lost-answer': 2,
  'lost-for-good': 1,
};

/** What a person types to correct the documents of a cause. */
export const RIGHT = {
  /** The SIREN of the customer whose export holds 8 digits of it. */
  siren: siren('99920041'),
  /** What the export holds of it. */
  shortSiren: '99920041',
  /** Of the customer whose SIREN a spreadsheet has turned into an exponent. */
  exponentSiren: siren('99920057'),
  /** Of the customer of the French documents in code 6: in the export, and in the directory. */
  unregisteredSiren: siren('99920006'),
  registeredSiren: siren('99920073'),
  /** Of the customer whose VAT code no table has: nothing to correct but the table. */
  overseasSiren: siren('99920081'),
  price: '12,50',
} as const;

/** The cause of a document of an export by its place, from 0; a place without one is a good document. */
export type Plan = ReadonlyMap<number, Cause>;

/** Nine digits: these eight and their check digit (Luhn). */
function siren(eight: string): string {
  const sum = [...eight].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${eight}${(10 - (sum % 10)) % 10}`;
}
