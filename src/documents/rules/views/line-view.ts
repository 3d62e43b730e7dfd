/**
 * Lines of a French invoice and their taxes for the rules: each field is read once. A value that is missing or of
 * another type is undefined. Pointers are composed only when a rule reports something.
 */
import { Decimal } from '../../../model/decimal.ts';
import type { Json } from '../../../model/draft.ts';
import { plainTreatment } from '../../code-lists/vat-categories.ts';
import { TAXED } from '../../code-lists/vat-rates.ts';
import { asDecimal, asList, asText, objectFields } from '../../content/json-pointer.ts';

/** A tax of a line or of the totals. */
export type TaxView = {
  /** "/lines/0/taxes/0". */
  readonly at: string;
  readonly subtype: string | undefined;
  readonly percent: Decimal | undefined;
  readonly amount: Decimal | undefined;
  readonly rateKey: string;
  /** Its kind says so, or says nothing: another kind, such as an eco-tax, has no rate of VAT. */
  readonly isVat: boolean;
};

/** One line; amounts are exact decimals in the currency of the document. */
export class LineView {
  readonly #place: number;
  readonly line: Json;
  readonly number: string | undefined;
  readonly description: string | undefined;
  readonly unit: string | undefined;
  readonly quantity: Decimal | undefined;
  readonly unitPrice: Decimal | undefined;
  readonly net: Decimal | undefined;
  readonly taxes: readonly LineTax[];
  readonly vat: TaxView | undefined;
  readonly discounts: readonly Json[];
  readonly charges: readonly Json[];
  /** Its additional-dates. */
  readonly dates: readonly Json[];

  constructor(line: Json, place: number) {
    this.#place = place;
    this.line = line;
    const fields = objectFields(line);
    this.number = asText(fields.number);
    this.description = asText(fields.description);
    this.unit = asText(fields.unit);
    this.quantity = asDecimal(fields.quantity);
    this.unitPrice = asDecimal(fields['unit-price']);
    this.net = asDecimal(fields['net-amount']);
    this.taxes = asList(fields.taxes).map((tax, i) => new LineTax(tax, this, i));
    this.vat = vatOf(this.taxes);
    this.discounts = asList(fields.discounts);
    this.charges = asList(fields.charges);
    this.dates = asList(fields['additional-dates']);
  }

  /** Each part that a line has to carry is there and of its type, and one tax with its rate. */
  get isComplete(): boolean {
    const { number, description, unit, quantity, unitPrice, net, taxes } = this;
    if (number === undefined || description === undefined || unit === undefined) return false;
    if (quantity === undefined || unitPrice === undefined || net === undefined) return false;
    return taxes.length === 1 && taxes[0]?.percent !== undefined;
  }

  /** "/lines/0". */
  get at(): string {
    return `/lines/${this.#place}`;
  }
}

class LineTax implements TaxView {
  readonly #line: LineView;
  readonly #place: number;
  readonly subtype: string | undefined;
  readonly percent: Decimal | undefined;
  readonly amount: Decimal | undefined;
  readonly isVat: boolean;
  #rateKey: string | undefined;

  constructor(tax: Json, line: LineView, place: number) {
    this.#line = line;
    this.#place = place;
    const fields = objectFields(tax);
    this.subtype = asText(fields.subtype);
    this.percent = asDecimal(fields.percent);
    this.amount = asDecimal(fields.amount);
    this.isVat = isNamedVat(fields.type);
  }

  get at(): string {
    return `${this.#line.at}/taxes/${this.#place}`;
  }

  get rateKey(): string {
    this.#rateKey ??= rateKey(this);
    return this.#rateKey;
  }
}

/** A kind that is absent or blank is VAT. */
export function isNamedVat(kind: Json | undefined): boolean {
  const name = asText(kind)?.trim();
  return !name || name.toLowerCase() === 'vat';
}

/** The tax that decides the rate of a line, discount or charge: the only one, else the only VAT. Undefined otherwise. */
export function vatOf(taxes: readonly TaxView[]): TaxView | undefined {
  if (taxes.length <= 1) return taxes[0];
  const [vat, ...more] = taxes.filter(({ isVat }) => isVat);
  return more.length === 0 ? vat : undefined;
}

/** The rate that a tax is calculated at: 0 for a treatment without VAT that gives none. Undefined where nothing says it. */
export function effectiveRate({ subtype, percent }: Pick<TaxView, 'subtype' | 'percent'>): Decimal | undefined {
  return percent ?? (subtype === undefined || TAXED.has(subtype) ? undefined : Decimal.zero);
}

/**
 * 20, 20.0 and 20,00 are one rate, and names of one category one treatment; a rate above zero is standard where nothing else
 * is said; outside the scope of VAT no rate and 0 are the same (EN 16931 BR-O-05).
 */
export function rateKey({ subtype, percent }: Pick<TaxView, 'subtype' | 'percent'>): string {
  const treatment = subtype ?? (percent && !percent.isZero() ? 'standard' : '');
  return `${plainTreatment(treatment)} ${percent?.toText() ?? (subtype === undefined ? '' : '0')}`;
}
