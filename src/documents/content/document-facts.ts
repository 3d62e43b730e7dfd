/** The facts of a document that people see in lists and receipts, from its draft. Nothing here decides anything. */
import type { Decimal } from '../../model/decimal.ts';
import type { DocumentFacts } from '../../model/document.ts';
import type { Draft } from '../../model/draft.ts';

/** The facts as a kind finds them; each may be missing. */
type Found = { readonly [fact in Exclude<keyof DocumentFacts, 'amount' | 'rules'>]: string | undefined } & {
  readonly amount?: Decimal | undefined;
};

/** Absent facts have no key; the amount becomes an exact text. */
export function factsFrom(draft: Draft, found: Found): DocumentFacts {
  const { identifier, date, currency, amount, counterparty, receiver, issuer } = found;
  const facts: { -readonly [fact in keyof DocumentFacts]: DocumentFacts[fact] } = {
    identifier: identifier ?? sourceName(draft),
  };
  if (date !== undefined) facts.date = date;
  if (currency !== undefined) facts.currency = currency;
  if (counterparty !== undefined) facts.counterparty = counterparty;
  if (receiver !== undefined) facts.receiver = receiver;
  if (issuer !== undefined) facts.issuer = issuer;
  if (amount) facts.amount = amountText(amount);
  return facts;
}

/** At least two decimals, as people write money; more where the amount has them. */
export function amountText(amount: Decimal): string {
  return amount.toText(Math.max(2, amount.decimals()));
}

/** Without a number of its own, a document is called by its never-twice values: the number of the source system. */
export function sourceName({ neverTwice = [] }: Pick<Draft, 'neverTwice'>): string {
  return neverTwice.filter((value) => value !== '').join(' ');
}

/** A name as it is compared: case and blanks make no difference. */
export function plainName(name: string | undefined): string | undefined {
  return name?.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
}
