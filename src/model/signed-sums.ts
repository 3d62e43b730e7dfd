/**
 * Amounts of documents as they add up in the books: exact, by currency; a credit note carries a positive amount and subtracts. Every sum
 * that people see is made here.
 */
import { Decimal } from './decimal.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { must } from './must.ts';

/** Exact decimals with at least two places, by currency; an empty one where the documents name none. */
export type CurrencyAmounts = { readonly [currency: string]: string };

/** Undefined for a document without a readable amount: it is in no sum. */
export function signedAmount({
  class: documentClass,
  facts,
}: Pick<LedgerEntry, 'class'> & { readonly facts: Pick<LedgerEntry['facts'], 'amount'> }): Decimal | undefined {
  const amount = Decimal.parse(facts.amount ?? '');
  return documentClass === 'credit-note' ? amount?.negated() : amount;
}

/** Sums in the order in which their currencies come first. */
export class SignedSums {
  readonly #sums = new Map<string, Decimal>();

  add(currency: string, amount: Decimal): void {
    this.#sums.set(currency, (this.#sums.get(currency) ?? Decimal.zero).plus(amount));
  }

  /** What `amounts` of others returned. */
  addAll(amounts: CurrencyAmounts): void {
    for (const [currency, amount] of Object.entries(amounts)) this.add(currency, exactly(amount));
  }

  amounts(): CurrencyAmounts {
    return Object.fromEntries([...this.#sums].map(([currency, sum]) => [currency, withCents(sum)]));
  }
}

/** The sum of exact texts. */
export function addedAmounts(...amounts: readonly string[]): string {
  return withCents(amounts.reduce((sum, one) => sum.plus(exactly(one)), Decimal.zero));
}

/** Never rounded: more than two places stay. */
export function withCents(sum: Decimal): string {
  const [whole = '', cents = ''] = sum.toText().split('.');
  return `${whole}.${cents.padEnd(2, '0')}`;
}

function exactly(text: string): Decimal {
  return must(Decimal.parse(text), 'an exact amount');
}
