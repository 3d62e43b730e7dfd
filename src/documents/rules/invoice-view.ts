/**
 * A French invoice as its rules look at it: every field they ask for, read once. What is missing or of another type is
 * undefined; the shape speaks about that.
 */
import { Decimal } from '../../model/decimal.ts';
import type { Json, JsonObject } from '../../model/draft.ts';
import { dayAt, decimalAt, listAt, textAt, valueAt } from '../read.ts';
import { type HeaderView, headerView } from './header-view.ts';
import type { Seen } from './pack.ts';
import { type Buyer, buyerOf, type PartyView, partyView } from './party-view.ts';

export type InvoiceView = Seen & {
  readonly payload: JsonObject;
  /** invoice, credit-note or corrective. */
  readonly class: string;
  readonly header: HeaderView;
  readonly issuer: PartyView;
  readonly receiver: PartyView;
  readonly buyer: Buyer;
  /** Issuer, receiver and further parties. */
  readonly parties: readonly PartyView[];
  /** References of type original-invoice. */
  readonly originals: readonly ReferenceView[];
  readonly notes: readonly NoteView[];
  readonly lines: readonly LineView[];
  readonly totals: TotalsView;
};

export type ReferenceView = {
  /** "/references/0". */
  readonly at: string;
  readonly identifier: string | undefined;
  readonly date: string | undefined;
};

type NoteView = { readonly tag: string | undefined; readonly content: string | undefined };

export type LineView = {
  readonly line: Json;
  readonly quantity: Decimal | undefined;
  readonly unitPrice: Decimal | undefined;
  readonly net: Decimal | undefined;
  readonly taxes: readonly TaxView[];
  readonly discounts: readonly Json[];
  readonly charges: readonly Json[];
};

export type TaxView = {
  readonly subtype: string | undefined;
  readonly percent: Decimal | undefined;
  readonly amount: Decimal | undefined;
};

export type SubtotalView = TaxView & {
  /** "/totals/subtotals/1/subtotals/0". */
  readonly at: string;
  readonly type: string | undefined;
  readonly sign: string | undefined;
  readonly beforeTaxes: Json | undefined;
  readonly taxable: Decimal | undefined;
  readonly reason: Json | undefined;
  /** Those that are blocks, not names. */
  readonly nested: readonly SubtotalView[];
};

export type TotalsView = {
  readonly final: Decimal | undefined;
  readonly subtotals: readonly SubtotalView[];
  /** The subtotal of type lines-net-amount, where there is exactly one. */
  readonly net: SubtotalView | undefined;
  /** The subtotal of type tax, where there is exactly one. */
  readonly tax: SubtotalView | undefined;
  /** Discounts and charges on the document before taxes, as one amount with its sign. */
  readonly adjustments: Decimal | undefined;
  /**
   * What is taxed per treatment and rate (`rateKey`): net amounts of lines, discounts and charges, and how many there
   * are; undefined where one of them lacks its amount or its rate.
   */
  readonly rates: ReadonlyMap<string, { readonly net: Decimal; readonly amounts: number }> | undefined;
};

/**
 * 20, 20.0 and 20,00 are one rate; one above zero is standard where nothing else is said; outside the scope of VAT no
 * rate and 0 are the same (EN 16931 BR-O-05).
 */
export function rateKey({ subtype, percent }: Pick<TaxView, 'subtype' | 'percent'>): string {
  const treatment = subtype ?? (percent && !percent.isZero() ? 'standard' : '');
  return `${treatment} ${percent?.toText() ?? (subtype === undefined ? '' : '0')}`;
}

export function viewInvoice(payload: JsonObject, documentClass: string, today: string): InvoiceView {
  const issuer = partyView(valueAt(payload, ['issuer']), '/issuer');
  const receiver = partyView(valueAt(payload, ['receiver']), '/receiver');
  const further = listAt(payload, 'additional-parties').map((one, i) => partyView(one, `/additional-parties/${i}`));
  const lines = listAt(payload, 'lines').map(lineView);
  const notes = listAt(payload, 'notes').map((one) => ({ tag: textAt(one, 'tag'), content: textAt(one, 'content') }));
  const treatment = notes.find(({ tag }) => tag?.toUpperCase() === 'BAR')?.content;
  const header = headerView(payload);
  return {
    payload,
    class: documentClass,
    today,
    day: header.date ?? today,
    header,
    issuer,
    receiver,
    buyer: buyerOf(receiver, treatment),
    parties: [issuer, receiver, ...further],
    originals: listAt(payload, 'references').flatMap(original),
    notes,
    lines,
    totals: totalsView(payload, lines),
  };
}

function original(one: Json, i: number): readonly ReferenceView[] {
  if (textAt(one, 'type') !== 'original-invoice') return [];
  return [{ at: `/references/${i}`, identifier: textAt(one, 'identifier'), date: dayAt(one, 'date') }];
}

function lineView(line: Json): LineView {
  return {
    line,
    quantity: decimalAt(line, 'quantity'),
    unitPrice: decimalAt(line, 'unit-price'),
    net: decimalAt(line, 'net-amount'),
    taxes: listAt(line, 'taxes').map(taxView),
    discounts: listAt(line, 'discounts'),
    charges: listAt(line, 'charges'),
  };
}

function taxView(tax: Json): TaxView {
  return { subtype: textAt(tax, 'subtype'), percent: decimalAt(tax, 'percent'), amount: decimalAt(tax, 'amount') };
}

function totalsView(payload: JsonObject, lines: readonly LineView[]): TotalsView {
  const subtotals = listAt(payload, 'totals', 'subtotals').map((one, i) => subtotalView(one, `/totals/subtotals/${i}`));
  const others = subtotals.filter(({ type }) => type !== 'lines-net-amount' && type !== 'tax');
  return {
    final: decimalAt(payload, 'totals', 'final-amount'),
    subtotals,
    net: only(subtotals, 'lines-net-amount'),
    tax: only(subtotals, 'tax'),
    adjustments: others.reduce<Decimal | undefined>((sum, one) => added(sum, one), Decimal.zero),
    rates: ratesOf(lines, others),
  };
}

function only(subtotals: readonly SubtotalView[], wanted: string): SubtotalView | undefined {
  const found = subtotals.filter(({ type }) => type === wanted);
  return found.length === 1 ? found[0] : undefined;
}

/** Unknown where an amount is missing or does not say whether it comes before the taxes. */
function added(sum: Decimal | undefined, { amount, sign, beforeTaxes }: SubtotalView): Decimal | undefined {
  if (sum === undefined || amount === undefined || beforeTaxes !== true) return undefined;
  return sign === 'negative' ? sum.minus(amount) : sum.plus(amount);
}

function ratesOf(lines: readonly LineView[], adjustments: readonly SubtotalView[]): TotalsView['rates'] {
  const rates = new Map<string, { net: Decimal; amounts: number }>();
  const add = (tax: Pick<TaxView, 'subtype' | 'percent'>, net: Decimal) => {
    const key = rateKey(tax);
    const rate = rates.get(key);
    if (rate) {
      rate.net = rate.net.plus(net);
      rate.amounts++;
    } else rates.set(key, { net, amounts: 1 });
  };
  for (const { net, taxes } of lines) {
    if (net === undefined || taxes.length !== 1) return undefined;
    add(taxes[0]!, net);
  }
  for (const { amount, sign, beforeTaxes, nested } of adjustments) {
    if (amount === undefined || beforeTaxes !== true || nested.length !== 1) return undefined;
    add(nested[0]!, sign === 'negative' ? amount.negated() : amount);
  }
  return rates;
}

function subtotalView(subtotal: Json, at: string): SubtotalView {
  const nested = listAt(subtotal, 'subtotals');
  return {
    at,
    subtype: textAt(subtotal, 'subtype'),
    percent: decimalAt(subtotal, 'percent'),
    amount: decimalAt(subtotal, 'amount'),
    type: textAt(subtotal, 'type'),
    sign: textAt(subtotal, 'sign'),
    beforeTaxes: valueAt(subtotal, ['before-taxes']),
    taxable: decimalAt(subtotal, 'taxable-amount'),
    reason: valueAt(subtotal, ['reason']),
    nested: nested.flatMap((one, i) => (typeof one === 'object' ? [subtotalView(one, `${at}/subtotals/${i}`)] : [])),
  };
}
