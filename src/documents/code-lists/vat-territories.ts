/**
 * Where French VAT differs, by postal code or country: the mainland (with Monaco); Corsica; Guadeloupe, Martinique and
 * Réunion; where there is none: Guyane and Mayotte (CGI art. 294), and the collectivities that are third territories
 * for it (BOI-TVA-CHAMP-20-10), Saint-Martin and Saint-Barthélemy among them although their postal codes are like those
 * of Guadeloupe.
 */
import type { Decimal } from '../../model/decimal.ts';
import { dictionary } from '../../text/dictionary.ts';

/** `untaxed`: France without French VAT. The other names are groups with the same rates. */
export type Territory = 'mainland' | 'corsica' | 'overseas' | 'untaxed';

/** In percent, today. */
const RATES: { readonly [territory in Territory]: ReadonlySet<number> } = {
  mainland: new Set([0, 2.1, 5.5, 10, 20]),
  corsica: new Set([0, 0.9, 2.1, 5.5, 10, 13, 20]),
  overseas: new Set([0, 1.05, 1.75, 2.1, 8.5]),
  untaxed: new Set([0]),
};

/** Codes of ISO 3166 of territories that have one of their own. */
const COUNTRIES = dictionary<Territory>({
  ...{ GP: 'overseas', MQ: 'overseas', RE: 'overseas', GF: 'untaxed', YT: 'untaxed', MC: 'mainland' },
  ...{ BL: 'untaxed', MF: 'untaxed', PM: 'untaxed', NC: 'untaxed', PF: 'untaxed', TF: 'untaxed', WF: 'untaxed' },
});

/** Beginnings of postal codes, the longest that fits; 980 is Monaco. */
const BEGINNINGS = dictionary<Territory>({
  ...{ 971: 'overseas', 972: 'overseas', 974: 'overseas', 973: 'untaxed', 976: 'untaxed' },
  // Saint-Barthélemy, Saint-Martin; Saint-Pierre-et-Miquelon, the southern territories, Wallis-et-Futuna, Polynésie,
  // Nouvelle-Calédonie.
  ...{ 97133: 'untaxed', 97150: 'untaxed', 975: 'untaxed', 977: 'untaxed', 978: 'untaxed' },
  ...{ 984: 'untaxed', 986: 'untaxed', 987: 'untaxed', 988: 'untaxed', 980: 'mainland' },
});

/** Undefined abroad, and if neither country nor postal code decides. */
export function territoryOf(country: string | undefined, postalCode: string | undefined): Territory | undefined {
  if (country !== undefined && country !== 'FR') return COUNTRIES.get(country);
  if (postalCode === undefined || postalCode.length !== 5) return undefined;
  if (/^9[78]/.test(postalCode)) return BEGINNINGS.get(postalCode) ?? BEGINNINGS.get(postalCode.slice(0, 3));
  return postalCode.startsWith('20') ? 'corsica' : 'mainland';
}

/** `percent` is 20 for 20 %. */
export function isRateOf(territory: Territory, percent: Decimal): boolean {
  const { units, scale } = percent;
  return RATES[territory].has(Number(units) / 10 ** scale);
}

/** The rates for hints, in percent. */
export function territoryRates(territory: Territory): string {
  return [...RATES[territory]].join(', ');
}
