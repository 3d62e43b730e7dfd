/**
 * Totals that a French invoice states next to its final amount, under the keys of totals.additional-info that our
 * mappings use (the contract shows none), and what they say is to be paid.
 */
import { Decimal } from '../../../model/decimal.ts';
import type { Json } from '../../../model/draft.ts';
import { asDecimal, asList, asText, objectFields } from '../../content/json-pointer.ts';

/** BT-107 to BT-109 and BT-113 to BT-115 of EN 16931. */
const KEYS = [
  'tax-exclusive-amount',
  'discounts-amount',
  'charges-amount',
  'prepaid-amount',
  'rounding-amount',
  'payable-amount',
] as const;
type Key = (typeof KEYS)[number];

type StatedAmount = {
  /** Of the value: "/totals/additional-info/0/value". */
  readonly at: string;
  /** Undefined where the text is no number. */
  readonly amount: Decimal | undefined;
  /** Values of later entries of the key that are not this amount: "/totals/additional-info/3/value". */
  readonly others: readonly string[];
};

/** The stated totals by key; a key is absent if the document does not state it. */
export type StatedView = { readonly [key in Key]?: StatedAmount };

const NOTHING: StatedView = {};

/** The first entry of each key that has a value. */
export function statedIn(totals: Json | undefined): StatedView {
  const entries = asList(objectFields(totals)['additional-info']);
  if (entries.length === 0) return NOTHING;
  const found: { [key in Key]?: StatedAmount & { readonly others: string[] } } = {};
  entries.forEach((entry, i) => {
    const { key, value } = objectFields(entry);
    if (!isKey(key) || (asText(value) === undefined && asDecimal(value) === undefined)) return;
    const at = `/totals/additional-info/${i}/value`;
    const amount = asDecimal(value) ?? Decimal.parse((asText(value) ?? '').trim());
    const first = found[key];
    if (!first) found[key] = { at, amount, others: [] };
    else if (!first.amount || !amount?.equals(first.amount)) first.others.push(at);
  });
  return found;
}

/**
 * What is to be paid: as it is stated, else the final amount less what was paid before, plus rounding. Undefined where
 * that cannot be calculated.
 */
export function amountDue(final: Decimal | undefined, stated: StatedView): Decimal | undefined {
  return stated['payable-amount']?.amount ?? expectedDue(final, stated);
}

/** EN 16931 BR-CO-16. */
export function expectedDue(final: Decimal | undefined, stated: StatedView): Decimal | undefined {
  const { 'prepaid-amount': prepaid, 'rounding-amount': rounding } = stated;
  if (final === undefined || (prepaid && !prepaid.amount) || (rounding && !rounding.amount)) return undefined;
  return final.minus(prepaid?.amount ?? Decimal.zero).plus(rounding?.amount ?? Decimal.zero);
}

function isKey(key: Json | undefined): key is Key {
  return typeof key === 'string' && (KEYS as readonly string[]).includes(key);
}
