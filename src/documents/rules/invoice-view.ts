/**
 * A French invoice as its rules look at it: every field they ask for, read once. What is missing or of another type is
 * undefined; the shape speaks about that.
 */
import type { Decimal } from '../../model/decimal.ts';
import type { Json, JsonObject } from '../../model/draft.ts';
import { dayAt, decimalAt, listAt, textAt, valueAt } from '../read.ts';
import type { Seen } from './pack.ts';

export type InvoiceView = Seen & {
  readonly payload: JsonObject;
  /** invoice, credit-note or corrective. */
  readonly class: string;
  readonly issuer: PartyView;
  readonly receiver: PartyView;
  /** Issuer, receiver and further parties. */
  readonly parties: readonly PartyView[];
  /** Those of type original-invoice. */
  readonly originals: readonly Json[];
  readonly references: readonly Json[];
  readonly notes: readonly Json[];
  readonly lines: readonly LineView[];
  readonly subtotals: readonly SubtotalView[];
};

type PartyView = {
  /** "/issuer". */
  readonly at: string;
  readonly party: Json | undefined;
  readonly country: string | undefined;
  readonly identifiers: readonly Typed[];
  readonly eAddresses: readonly Typed[];
};

/** An entry {type, value} of a list, without outer blanks. */
type Typed = { readonly type: string | undefined; readonly value: string | undefined };

type LineView = {
  readonly line: Json;
  readonly quantity: Decimal | undefined;
  readonly unitPrice: Decimal | undefined;
  readonly net: Decimal | undefined;
  readonly taxes: readonly TaxView[];
};

type TaxView = {
  readonly subtype: string | undefined;
  readonly percent: Decimal | undefined;
  readonly amount: Decimal | undefined;
};

type SubtotalView = TaxView & {
  readonly type: string | undefined;
  readonly sign: string | undefined;
  readonly taxable: Decimal | undefined;
  readonly reason: Json | undefined;
  /** Those that are blocks, not names. */
  readonly nested: readonly SubtotalView[];
};

export function viewInvoice(payload: JsonObject, documentClass: string, today: string): InvoiceView {
  const issuer = partyView(valueAt(payload, ['issuer']), '/issuer');
  const receiver = partyView(valueAt(payload, ['receiver']), '/receiver');
  const further = listAt(payload, 'additional-parties').map((one, i) => partyView(one, `/additional-parties/${i}`));
  const references = listAt(payload, 'references');
  return {
    payload,
    class: documentClass,
    today,
    day: dayAt(payload, 'document', 'date') ?? today,
    issuer,
    receiver,
    parties: [issuer, receiver, ...further],
    references,
    originals: references.filter((one) => textAt(one, 'type') === 'original-invoice'),
    notes: listAt(payload, 'notes'),
    lines: listAt(payload, 'lines').map(lineView),
    subtotals: listAt(payload, 'totals', 'subtotals').map(subtotalView),
  };
}

function partyView(party: Json | undefined, at: string): PartyView {
  return {
    at,
    party,
    country: textAt(party, 'address', 'country'),
    identifiers: listAt(party, 'identifiers').map(typed),
    eAddresses: listAt(party, 'e-addresses').map(typed),
  };
}

function typed(one: Json): Typed {
  return { type: textAt(one, 'type'), value: textAt(one, 'value')?.trim() };
}

function lineView(line: Json): LineView {
  return {
    line,
    quantity: decimalAt(line, 'quantity'),
    unitPrice: decimalAt(line, 'unit-price'),
    net: decimalAt(line, 'net-amount'),
    taxes: listAt(line, 'taxes').map(taxView),
  };
}

function taxView(tax: Json): TaxView {
  return { subtype: textAt(tax, 'subtype'), percent: decimalAt(tax, 'percent'), amount: decimalAt(tax, 'amount') };
}

function subtotalView(subtotal: Json): SubtotalView {
  return {
    ...taxView(subtotal),
    type: textAt(subtotal, 'type'),
    sign: textAt(subtotal, 'sign'),
    taxable: decimalAt(subtotal, 'taxable-amount'),
    reason: valueAt(subtotal, ['reason']),
    nested: listAt(subtotal, 'subtotals')
      .filter((one) => typeof one === 'object')
      .map(subtotalView),
  };
}
