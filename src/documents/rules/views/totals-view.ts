/**
 * The totals of a French invoice for the rules, and what its lines add up to. Sums are exact; a sum with an unknown
 * part is undefined, so that no rule compares it.
 */
import { Decimal } from '../../../model/decimal.ts';
import type { Json, JsonObject } from '../../../model/draft.ts';
import { asDecimal, asList, asText, objectFields, valueAt } from '../../content/json-pointer.ts';
import { effectiveRate, isNamedVat, type LineView, rateKey, type TaxView, vatOf } from './line-view.ts';
import { amountDue, type StatedView, statedIn } from './stated-view.ts';

const HUNDRED = Decimal.from(100);
const CENT = Decimal.from(0.01);

/** What is taxed, by `rateKey`. */
type Rates = ReadonlyMap<string, Decimal>;

/** The final amount and the subtotals; derived sums are calculated on demand and kept. */
export class TotalsView {
  readonly #lines: () => readonly LineView[];
  readonly #totals: Json | undefined;
  readonly final: Decimal | undefined;
  readonly subtotals: readonly SubtotalView[];
  /** The subtotal of type lines-net-amount, where there is exactly one. */
  readonly net: SubtotalView | undefined;
  /** The subtotal of type tax, where there is exactly one. */
  readonly tax: SubtotalView | undefined;
  #perRate: readonly SubtotalView[] | undefined;
  #adjustments: Decimal | undefined;
  #afterTaxes: Decimal | undefined;
  #rates: Rates | undefined;
  #stated: StatedView | undefined;
  #others: readonly SubtotalView[] | undefined;
  #reasoned: readonly SubtotalView[] | undefined;

  constructor(view: { readonly payload: JsonObject; readonly lines: readonly LineView[] }) {
    this.#lines = () => view.lines;
    this.#totals = objectFields(view.payload).totals;
    const totals = objectFields(this.#totals);
    this.final = asDecimal(totals['final-amount']);
    this.subtotals = asList(totals.subtotals).map((one, i) => new SubtotalView(one, undefined, i));
    this.net = only(this.subtotals, 'lines-net-amount');
    this.tax = only(this.subtotals, 'tax');
  }

  /** The entries per rate: those nested in the subtotals of taxes. */
  get perRate(): readonly SubtotalView[] {
    this.#perRate ??= this.tax ? this.tax.nested : this.#nestedInTaxes();
    return this.#perRate;
  }

  /** Subtotals that are neither the net amount of the lines nor taxes: discounts and charges on the document. */
  get others(): readonly SubtotalView[] {
    this.#others ??= othersOf(this.subtotals);
    return this.#others;
  }

  /** Discounts and charges on the document before taxes, as one amount with its sign; undefined where one lacks its amount. */
  get adjustments(): Decimal | undefined {
    this.#adjustments ??= sumOf(this.others, (one) => !one.isAfterTaxes);
    return this.#adjustments;
  }

  /** What comes after the taxes, such as a deposit, as one amount with its sign; undefined where one lacks its amount. */
  get afterTaxes(): Decimal | undefined {
    this.#afterTaxes ??= sumOf(this.others, (one) => one.isAfterTaxes);
    return this.#afterTaxes;
  }

  /**
   * What is taxed per treatment and rate (`rateKey`): net amounts of lines, discounts and charges; undefined where one of
   * them lacks its amount or its rate.
   */
  get rates(): Rates | undefined {
    this.#rates ??= ratesOf(this.#lines(), this.others);
    return this.#rates;
  }

  /**
   * How many lines, discounts and charges are taxed at the rate, because each may have been rounded; at least one. A discount
   * without a rate is shared over all of them.
   */
  amountsAt(key: string): number {
    const lines = this.#lines().filter(({ vat }) => vat?.rateKey === key);
    const others = this.others.filter(({ isAfterTaxes, vat }) => !isAfterTaxes && (!vat || vat.rateKey === key));
    return Math.max(1, lines.length + others.length);
  }

  /** Whether the bases show how these discounts and charges, which say no rate, are shared over the rates. */
  areShared(unrated: readonly SubtotalView[]): boolean {
    const rates = ratesOf(
      this.#lines(),
      this.others.filter((one) => !unrated.includes(one)),
    );
    const whole = sumOf(unrated, () => true);
    const bases = this.tax && basesOf(this.tax.nested);
    return rates !== undefined && whole !== undefined && bases !== undefined
      ? isShared(whole, CENT.times(Decimal.from(unrated.length)), rates, bases)
      : false;
  }

  /** The entries per rate that give a reason for their treatment: none of nearly every document. */
  get reasoned(): readonly SubtotalView[] {
    this.#reasoned ??= reasonedOf(this.perRate);
    return this.#reasoned;
  }

  /** Totals stated next to the final amount. */
  get stated(): StatedView {
    this.#stated ??= statedIn(this.#totals);
    return this.#stated;
  }

  /** What is to be paid. */
  get due(): Decimal | undefined {
    return amountDue(this.final, this.stated);
  }

  #nestedInTaxes(): readonly SubtotalView[] {
    return this.subtotals.flatMap(({ type, nested }) => (type === 'tax' ? nested : []));
  }
}

/** A subtotal, or a subtotal nested in one. */
export class SubtotalView implements TaxView {
  readonly #subtotal: Json;
  readonly #within: SubtotalView | undefined;
  readonly #place: number;
  readonly type: string | undefined;
  readonly sign: string | undefined;
  readonly beforeTaxes: Json | undefined;
  readonly amount: Decimal | undefined;
  readonly taxable: Decimal | undefined;
  readonly subtype: string | undefined;
  readonly percent: Decimal | undefined;
  readonly isVat: boolean;
  #nested: readonly SubtotalView[] | undefined;
  #rateKey: string | undefined;
  #owed: Decimal | undefined;

  constructor(subtotal: Json, within: SubtotalView | undefined, place: number) {
    this.#subtotal = subtotal;
    this.#within = within;
    this.#place = place;
    const fields = objectFields(subtotal);
    this.type = asText(fields.type);
    this.sign = asText(fields.sign);
    this.beforeTaxes = fields['before-taxes'];
    this.amount = asDecimal(fields.amount);
    this.taxable = asDecimal(fields['taxable-amount']);
    this.subtype = asText(fields.subtype);
    this.percent = asDecimal(fields.percent);
    this.isVat = isNamedVat(fields.class);
  }

  /** "/totals/subtotals/1/subtotals/0". */
  get at(): string {
    return `${this.#within ? this.#within.at : '/totals'}/subtotals/${this.#place}`;
  }

  get reason(): Json | undefined {
    return valueAt(this.#subtotal, ['reason']);
  }

  /** Only what says so: an amount that says nothing about taxes counts before them, so that sums are compared. */
  get isAfterTaxes(): boolean {
    return this.beforeTaxes === false;
  }

  /** The tax of a discount or charge. */
  get vat(): TaxView | undefined {
    return vatOf(this.nested);
  }

  /** Those that are blocks, not names. */
  get nested(): readonly SubtotalView[] {
    this.#nested ??= this.#blocks();
    return this.#nested;
  }

  #blocks(): readonly SubtotalView[] {
    const found: SubtotalView[] = [];
    asList(objectFields(this.#subtotal).subtotals).forEach((one, i) => {
      if (typeof one === 'object') found.push(new SubtotalView(one, this, i));
    });
    return found;
  }

  get rateKey(): string {
    this.#rateKey ??= rateKey(this);
    return this.#rateKey;
  }

  /** Percent of the taxable amount, to the cent. */
  get owed(): Decimal | undefined {
    const percent = effectiveRate(this);
    if (percent) this.#owed ??= this.taxable?.times(percent).dividedBy(HUNDRED)?.round(2);
    return this.#owed;
  }
}

const NO_SUBTOTALS: readonly SubtotalView[] = [];

function othersOf(subtotals: readonly SubtotalView[]): readonly SubtotalView[] {
  let found = NO_SUBTOTALS;
  for (const one of subtotals) if (one.type !== 'lines-net-amount' && one.type !== 'tax') found = [...found, one];
  return found;
}

function reasonedOf(perRate: readonly SubtotalView[]): readonly SubtotalView[] {
  let found = NO_SUBTOTALS;
  for (const one of perRate) if (one.reason !== undefined) found = [...found, one];
  return found;
}

/** Undefined for none and for several: with two, no rule can know which one counts. */
function only(subtotals: readonly SubtotalView[], wanted: string): SubtotalView | undefined {
  let found: SubtotalView | undefined;
  for (const one of subtotals) {
    if (one.type !== wanted) continue;
    if (found) return undefined;
    found = one;
  }
  return found;
}

/** Undefined where one of the wanted amounts is missing. */
function sumOf(all: readonly SubtotalView[], isWanted: (one: SubtotalView) => boolean): Decimal | undefined {
  let sum = Decimal.zero;
  for (const one of all) {
    if (!isWanted(one)) continue;
    if (one.amount === undefined) return undefined;
    sum = one.sign === 'negative' ? sum.minus(one.amount) : sum.plus(one.amount);
  }
  return sum;
}

/** Undefined if it is not known which VAT a line, discount or charge has: then its amount belongs to no rate. */
function ratesOf(lines: readonly LineView[], adjustments: readonly SubtotalView[]): Rates | undefined {
  const rates = new Map<string, Decimal>();
  const add = ({ rateKey: key }: TaxView, net: Decimal) => rates.set(key, rates.get(key)?.plus(net) ?? net);
  for (const { net, vat } of lines) {
    if (net === undefined || !vat) return undefined;
    add(vat, net);
  }
  for (const { amount, sign, isAfterTaxes, vat } of adjustments) {
    if (isAfterTaxes) continue;
    if (amount === undefined || !vat) return undefined;
    add(vat, sign === 'negative' ? amount.negated() : amount);
  }
  return rates;
}

/** By `rateKey`; undefined where an entry has no taxable amount. */
function basesOf(perRate: readonly SubtotalView[]): ReadonlyMap<string, Decimal> | undefined {
  const bases = new Map<string, Decimal>();
  for (const { rateKey: key, taxable } of perRate) {
    if (!taxable) return undefined;
    bases.set(key, taxable.plus(bases.get(key) ?? Decimal.zero));
  }
  return bases;
}

/**
 * Each rate has a base, each base its part of the whole, in proportion to what else is taxed at the rate, and nothing of it
 * is left.
 */
function isShared(whole: Decimal, tolerance: Decimal, rates: Rates, bases: ReadonlyMap<string, Decimal>): boolean {
  // Also where a discount of all leaves nothing to tax: a tax without an entry of its own would be compared with nothing.
  if ([...rates.keys()].some((key) => !bases.has(key))) return false;
  const total = [...rates.values()].reduce((sum, net) => sum.plus(net), Decimal.zero);
  let rest = whole;
  for (const [key, base] of bases) {
    const net = rates.get(key) ?? Decimal.zero;
    const part = base.minus(net.round(2));
    const off = part.times(total).minus(whole.times(net));
    if (off.abs().compare(tolerance.times(total).abs()) > 0) return false;
    rest = rest.minus(part);
  }
  return rest.isZero();
}
