/**
 * Categories of VAT (UNTDID 5305) that French platforms accept (BR-FR-15, DGFiP G2.31), by the names that a treatment
 * may have: the contract shows only "standard", the other names are those of our mappings, and the code itself is taken
 * too.
 */
export type Category = 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O';

/** Category -> names of treatments in mappings. */
const NAMES: { readonly [category in Category]: readonly string[] } = {
  S: ['standard'],
  Z: ['zero', 'zero-rated'],
  E: ['exempt', 'exemption'],
  AE: ['reverse-charge'],
  K: ['intra-community', 'intra-community-supply', 'intracommunity', 'intracommunity-supply'],
  G: ['export'],
  O: ['outside-scope'],
};

const CATEGORIES: ReadonlyMap<string, Category> = new Map(
  Object.entries(NAMES).flatMap(([category, names]) =>
    [category, ...names].map((name): [string, Category] => [name, category as Category]),
  ),
);

/** The Canary Islands (L), Ceuta and Melilla (M) and the split payment of Italy (B). */
const FOREIGN: ReadonlySet<string> = new Set(['canary-islands', 'ceuta-melilla', 'split-payment', 'L', 'M', 'B']);

/** Undefined for a name that is of no category we know. */
export function categoryOf(treatment: string): Category | undefined {
  return CATEGORIES.get(treatment);
}

/** The first name of its category, so that two spellings are one treatment; a name of no category as it is. */
export function plainTreatment(treatment: string): string {
  const category = categoryOf(treatment);
  return (category && NAMES[category][0]) ?? treatment;
}

/** A category of EN 16931 that no French invoice has. */
export function isForeignCategory(treatment: string): boolean {
  return FOREIGN.has(treatment);
}
