/**
 * VAT rates in percent that French platforms accept (BR-FR-16, DGFiP G1.24): of the mainland, of Corsica and overseas,
 * and those of the past, because credit notes correct old invoices.
 */
import type { Decimal } from '../../model/decimal.ts';

const ACCEPTED: readonly number[] = [0, 0.9, 1.05, 1.75, 2.1, 5.5, 7, 8.5, 9.2, 9.6, 10, 13, 19.6, 20, 20.6];

const RATES: ReadonlySet<number> = new Set(ACCEPTED);

/** Treatments with tax, as they may be written: the contract shows only the first. */
export const TAXED: ReadonlySet<string> = new Set(['standard', 'S']);

/** The rates for hints, in percent. */
export const RATES_TEXT = ACCEPTED.join(', ');

/** `percent` is 20 for 20 %. */
export function isFrenchRate(percent: Decimal): boolean {
  return RATES.has(asNumber(percent));
}

/** 0.2 for 20: a rate below one half that is no rate is nearly always a fraction. */
export function looksLikeFraction(percent: Decimal): boolean {
  const rate = asNumber(percent);
  return rate > 0 && rate < 0.5;
}

/** The float nearest to the decimal, as a literal is: equal rates are equal floats. Nothing is reckoned with it. */
function asNumber({ units, scale }: Decimal): number {
  return Number(units) / 10 ** scale;
}
