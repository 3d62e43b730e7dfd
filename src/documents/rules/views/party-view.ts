/** A party of a French invoice as the rules look at it, and where the receiver stands in the French flows. */
import type { Json } from '../../../model/draft.ts';
import { hasDigits } from '../../../model/identifiers.ts';
import { dictionary } from '../../../text/dictionary.ts';
import { isNearFrance, meantCountry } from '../../code-lists/countries.ts';
import { asList, asText, objectFields } from '../../content/json-pointer.ts';

const PARTS: readonly string[] = ['street', 'street-additional', 'city', 'postal-code', 'region'];

/** Reads the fields of a party once; lists that few rules need are read on demand. */
export class PartyView {
  /** "/issuer". */
  readonly at: string;
  readonly party: Json | undefined;
  readonly name: string | undefined;
  /** Some part of its address is there. */
  readonly hasAddress: boolean;
  readonly country: string | undefined;
  readonly postalCode: string | undefined;
  readonly identifiers: readonly Typed[];
  /** As they are written, of the first identifier of each type. */
  readonly siren: string | undefined;
  readonly siret: string | undefined;
  readonly vat: string | undefined;
  /** Nine digits: the SIREN where it is one, else those of the SIRET. */
  readonly nineDigits: string | undefined;
  #addresses: readonly Typed[] | undefined;
  #routing: readonly Typed[] | undefined;

  constructor(party: Json | undefined, at: string) {
    this.at = at;
    this.party = party;
    const fields = objectFields(party);
    const address = objectFields(fields.address);
    this.name = asText(fields.name);
    this.country = asText(address.country);
    this.postalCode = asText(address['postal-code'])?.trim();
    this.hasAddress = this.country !== undefined || PARTS.some((part) => asText(address[part]) !== undefined);
    this.identifiers = asList(fields.identifiers).map((one, i) => new Typed(one, this, 'identifiers', i));
    const siren = firstOf(this.identifiers, 'siren');
    const siret = firstOf(this.identifiers, 'siret');
    this.siren = siren;
    this.siret = siret;
    this.vat = firstOf(this.identifiers, 'vat');
    if (siren !== undefined && hasDigits(siren, 9)) this.nineDigits = siren;
    else if (siret !== undefined && hasDigits(siret, 14)) this.nineDigits = siret.slice(0, 9);
  }

  /** Electronic addresses that have a type, which is their scheme, and a value. */
  get addresses(): readonly Typed[] {
    this.#addresses ??= asList(objectFields(this.party)['e-addresses'])
      .map((one, i) => new Typed(one, this, 'e-addresses', i))
      .filter(({ type, value }) => type !== undefined && value !== undefined);
    return this.#addresses;
  }

  /** Of a further party: payee, tax-representative. The UBL and CII mappings write it into additional-info. */
  get role(): string | undefined {
    for (const one of asList(objectFields(this.party)['additional-info'])) {
      const { key, value } = objectFields(one);
      if (key === 'role') return asText(value);
    }
    return undefined;
  }

  /** Those of type routing-address: of the French directory, scheme 0225. */
  get routing(): readonly Typed[] {
    this.#routing ??= this.addresses.filter(({ type }) => type === 'routing-address');
    return this.#routing;
  }
}

/** An entry {type, value} of a list, without outer blanks. */
export class Typed {
  readonly party: PartyView;
  readonly #list: string;
  readonly #place: number;
  readonly type: string | undefined;
  readonly value: string | undefined;

  constructor(one: Json, party: PartyView, list: string, place: number) {
    this.party = party;
    this.#list = list;
    this.#place = place;
    const fields = objectFields(one);
    this.type = asText(fields.type);
    this.value = asText(fields.value)?.trim();
  }

  /** Of the value: "/issuer/identifiers/0/value". */
  get at(): string {
    return `${this.party.at}/${this.#list}/${this.#place}/value`;
  }
}

/** The first identifier of the type counts; a rule reports a second one. */
function firstOf(identifiers: readonly Typed[], wanted: string): string | undefined {
  for (const { type, value } of identifiers) if (type === wanted && value !== undefined) return value;
  return undefined;
}

/** Has an identifier of the tax office that is no VAT number (BT-32). */
export function isRegistered({ identifiers }: PartyView): boolean {
  return identifiers.some(({ type, value }) => type === 'tax-registration' && value !== undefined);
}

/**
 * domestic: a business in France, or nothing says otherwise. abroad, consumer: reported, not invoiced electronically.
 * near: a territory that is neither, or a document that says of itself that it belongs to no flow.
 */
export type Buyer = 'domestic' | 'abroad' | 'consumer' | 'near';

/** Values of the note BAR ("traitement", AFNOR XP Z12-012), by which an invoice says what flow it is for (BR-FR-20). */
const TREATMENTS = dictionary<Buyer>({
  ...{ B2B: 'domestic', B2BINT: 'abroad', B2C: 'consumer', B2CINT: 'consumer' },
  ...{ OUTOFSCOPE: 'near', ARCHIVEONLY: 'near' },
});

/** `treatment` is the text of the note BAR where there is one. */
export function buyerOf({ country }: PartyView, treatment: string | undefined): Buyer {
  const said = treatment === undefined ? undefined : TREATMENTS.get(treatment.trim().toUpperCase());
  if (said !== undefined) return said;
  if (country === undefined) return 'domestic';
  const code = meantCountry(country) ?? country;
  if (code === 'FR') return 'domestic';
  return isNearFrance(code) ? 'near' : 'abroad';
}

/** All codes, for hints. */
export const TREATMENT_CODES: readonly string[] = [...TREATMENTS.keys()];

/** Exactly as the platforms want it written. */
export function isTreatmentCode(text: string): boolean {
  return TREATMENT_CODES.includes(text);
}
