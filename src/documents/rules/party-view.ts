/** A party of a French invoice as the rules look at it, and where the receiver stands in the French flows. */
import type { Json } from '../../model/draft.ts';
import { listAt, textAt } from '../read.ts';
import { isNearFrance, meantCountry } from './lists/countries.ts';

export type PartyView = {
  /** "/issuer". */
  readonly at: string;
  readonly party: Json | undefined;
  readonly country: string | undefined;
  readonly identifiers: readonly Typed[];
  readonly eAddresses: readonly Typed[];
  /** As they are written, of the first identifier of each type. */
  readonly siren: string | undefined;
  readonly siret: string | undefined;
  readonly vat: string | undefined;
  /** Nine digits: the SIREN where it is one, else those of the SIRET. */
  readonly nineDigits: string | undefined;
};

/** An entry {type, value} of a list, without outer blanks. */
type Typed = { readonly type: string | undefined; readonly value: string | undefined };

/**
 * domestic: a business in France, or nothing says otherwise. abroad, consumer: reported, not invoiced electronically.
 * near: a territory that is neither, or a document that says of itself that it belongs to no flow.
 */
export type Buyer = 'domestic' | 'abroad' | 'consumer' | 'near';

/** Values of the note BAR ("traitement", AFNOR XP Z12-012), by which an invoice says what flow it is for. */
const TREATMENTS: { readonly [treatment: string]: Buyer } = {
  ...{ B2B: 'domestic', B2BINT: 'abroad', B2C: 'consumer', B2CINT: 'consumer' },
  ...{ OUTOFSCOPE: 'near', ARCHIVEONLY: 'near' },
};

const SIREN = /^\d{9}$/;
const SIRET = /^\d{14}$/;

export function partyView(party: Json | undefined, at: string): PartyView {
  const identifiers = listAt(party, 'identifiers').map(typed);
  const [siren, siret, vat] = ['siren', 'siret', 'vat'].map(
    (wanted) => identifiers.find(({ type, value }) => type === wanted && value !== undefined)?.value,
  );
  return {
    at,
    party,
    country: textAt(party, 'address', 'country'),
    identifiers,
    eAddresses: listAt(party, 'e-addresses').map(typed),
    siren,
    siret,
    vat,
    nineDigits:
      siren !== undefined && SIREN.test(siren) ? siren : SIRET.test(siret ?? '') ? siret!.slice(0, 9) : undefined,
  };
}

/** `treatment` is the text of the note BAR where there is one. */
export function buyerOf({ country }: PartyView, treatment: string | undefined): Buyer {
  const said = treatment === undefined ? undefined : TREATMENTS[treatment.trim().toUpperCase()];
  if (said !== undefined) return said;
  if (country === undefined) return 'domestic';
  const code = meantCountry(country) ?? country;
  if (code === 'FR') return 'domestic';
  return isNearFrance(code) ? 'near' : 'abroad';
}

function typed(one: Json): Typed {
  return { type: textAt(one, 'type'), value: textAt(one, 'value')?.trim() };
}
