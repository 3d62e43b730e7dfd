/**
 * Where French VAT differs, by postal code or country: the mainland (with Monaco); Corsica; Guadeloupe, Martinique and Réunion;
 * Guyane and Mayotte, where there is none (CGI art. 294).
 */
import type { Decimal } from '../../../model/decimal.ts';

export type Territory = 'mainland' | 'corsica' | 'overseas' | 'untaxed';

/** In percent, today. */
const RATES: { readonly [territory in Territory]: ReadonlySet<number> } = {
  mainland: new Set([0, 2.1, 5.5, 10, 20]),
  corsica: new Set([0, 0.9, 2.1, 5.5, 10, 13, 20]),
  overseas: new Set([0, 1.05, 1.75, 2.1, 8.5]),
  untaxed: new Set([0]),
};

/** Codes of ISO 3166 of territories that have one of their own. */
const COUNTRIES: { readonly [country: string]: Territory } = {
  ...{ GP: 'overseas', MQ: 'overseas', RE: 'overseas', GF: 'untaxed', YT: 'untaxed', MC: 'mainland' },
};

/** Beginnings of postal codes. */
const BEGINNINGS: { readonly [beginning: string]: Territory } = {
  ...{ 971: 'overseas', 972: 'overseas', 974: 'overseas', 973: 'untaxed', 976: 'untaxed' },
};

/** Undefined abroad, and where nothing tells it. */
export function territoryOf(country: string | undefined, postalCode: string | undefined): Territory | undefined {
  if (country !== undefined && country !== 'FR') return COUNTRIES[country];
  if (postalCode === undefined || postalCode.length !== 5) return undefined;
  if (postalCode.startsWith('97')) return BEGINNINGS[postalCode.slice(0, 3)];
  return postalCode.startsWith('20') ? 'corsica' : 'mainland';
}

export function isRateOf(territory: Territory, percent: Decimal): boolean {
  const { units, scale } = percent;
  return RATES[territory].has(Number(units) / 10 ** scale);
}

export function ratesIn(territory: Territory): string {
  return [...RATES[territory]].join(', ');
}
