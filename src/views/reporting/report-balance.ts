/**
 * The balance of a night: what was read is sent, waits, is set aside or skipped; documents and exact amounts by currency. The
 * one side comes from the accounts of exports, the other from the documents: a difference is printed, never hidden. Pure.
 */

import type { RunDocument } from '../../ledger/contract/query-store.ts';
import { Decimal } from '../../model/decimal.ts';
import { isClosed, type LedgerEntry } from '../../model/ledger-entry.ts';
import { addedAmounts, type CurrencyAmounts, SignedSums, signedAmount, withCents } from '../../model/signed-sums.ts';
import { compareTexts } from '../../text/compare-texts.ts';
import type { FileAccount } from '../queries/file-accounts.ts';
import type { Balance, NightReport, Settled } from './report-shape.ts';

/** Where a document of a balance is. */
export const BALANCE_PLACES = ['sent', 'waiting', 'setAside', 'skipped'] as const;
export type BalancePlace = (typeof BALANCE_PLACES)[number];

/** Adds up accounts and documents. `balance` may be called at any time. */
export type BalanceSheet = {
  /** What an export has, by its own account. */
  readonly addAccount: (account: Pick<FileAccount, 'documents' | 'totals'>) => void;
  /** A document where it is now. */
  readonly addDocument: (entry: RunDocument) => void;
  readonly balance: () => Balance;
};

/** Counts of documents and exact sums by currency, in each of these places. */
export function openSheet<P extends string>(places: readonly P[]) {
  const each = <T>(value: T) => Object.fromEntries(places.map((place) => [place, value])) as { [place in P]: T };
  const documents = each(0);
  const withoutAmount = each(0);
  const sums = new Map<string, { [place in P]: Decimal }>();
  const addAmount = (place: P, currency: string, amount: Decimal) => {
    const sum = sums.get(currency) ?? each(Decimal.zero);
    sums.set(currency, sum);
    sum[place] = sum[place].plus(amount);
  };
  return {
    documents,
    withoutAmount,
    addAmount,
    add: (place: P, entry: RunDocument) => {
      documents[place]++;
      const amount = signedAmount(entry);
      if (amount) addAmount(place, entry.facts.currency ?? '', amount);
      else withoutAmount[place]++;
    },
    currencies: () => [...sums].sort(([a], [b]) => compareTexts(a, b)),
  };
}

export function openBalance(): BalanceSheet {
  const { documents, withoutAmount, addAmount, add, currencies } = openSheet(['read', ...BALANCE_PLACES]);
  return {
    addAccount: ({ documents: { outbox, pending, error, withoutAmount: without }, totals }) => {
      documents.read += outbox + pending + error;
      withoutAmount.read += without;
      for (const { currency, read } of totals) addAmount('read', currency, Decimal.parse(read.amount) ?? Decimal.zero);
    },
    addDocument: (entry) => add(balancePlace(entry), entry),
    balance: () => ({
      documents: {
        ...documents,
        difference: BALANCE_PLACES.reduce((rest, place) => rest - documents[place], documents.read),
      },
      currencies: currencies().map(([currency, sum]) => ({
        currency,
        read: withCents(sum.read),
        sent: withCents(sum.sent),
        waiting: withCents(sum.waiting),
        setAside: withCents(sum.setAside),
        skipped: withCents(sum.skipped),
        difference: withCents(BALANCE_PLACES.reduce((rest, place) => rest.minus(sum[place]), sum.read)),
      })),
      withoutAmount: { ...withoutAmount },
    }),
  };
}

const SKIPPED: ReadonlySet<string> = new Set(['duplicate', 'invalidated']);

export function balancePlace(entry: Pick<LedgerEntry, 'state' | 'evidence' | 'closed'>): BalancePlace {
  if (isClosed(entry)) return 'setAside';
  if (SKIPPED.has(entry.state)) return 'skipped';
  return entry.state === 'authorized' ? 'sent' : 'waiting';
}

/** The balance of documents that were read before: only where they are. Undefined where there are none. */
export function settledOf({ documents, currencies, withoutAmount }: Balance): Settled | undefined {
  const only = <T>(of: { readonly [place in BalancePlace]: T }) => ({
    sent: of.sent,
    waiting: of.waiting,
    setAside: of.setAside,
    skipped: of.skipped,
  });
  if (BALANCE_PLACES.every((place) => documents[place] === 0)) return undefined;
  return {
    documents: only(documents),
    currencies: currencies.map((one) => ({ currency: one.currency, ...only(one) })),
    withoutAmount: only(withoutAmount),
  };
}

/** How many documents they are. */
export function settledCount(settled: Settled | undefined): number {
  return settled ? BALANCE_PLACES.reduce((sum, place) => sum + settled.documents[place], 0) : 0;
}

/** Exact amounts by currency that the runs of these reports sent, of their own exports and of earlier ones. */
export function sentIn(reports: readonly Pick<NightReport, 'balance' | 'settled'>[]): CurrencyAmounts {
  const sums = new SignedSums();
  for (const { balance, settled } of reports) {
    for (const { currency, sent } of [...balance.currencies, ...(settled?.currencies ?? [])])
      sums.addAll({ [currency]: sent });
  }
  return sums.amounts();
}

/** Nothing is missing and nothing is there twice. */
export function isEven({ documents, currencies }: Balance): boolean {
  return documents.difference === 0 && currencies.every(({ difference }) => Number(difference) === 0);
}

/** What several balances add up to; exact, as each of them. */
export function addedBalances(balances: readonly Balance[]): Balance {
  const { documents, withoutAmount, ...none } = openBalance().balance();
  const sums = new Map<string, Balance['currencies'][number]>();
  for (const one of balances.flatMap(({ currencies }) => currencies)) {
    const before = sums.get(one.currency);
    sums.set(one.currency, before ? { currency: one.currency, ...added(before, one) } : one);
  }
  const count = <T extends { readonly [name in keyof T]: number }>(zero: T, each: readonly T[]): T =>
    each.reduce((sum, one) => {
      const names = Object.keys(zero) as (keyof T)[];
      return Object.fromEntries(names.map((name) => [name, sum[name] + one[name]])) as T;
    }, zero);
  return {
    ...none,
    documents: count(
      documents,
      balances.map((one) => one.documents),
    ),
    currencies: [...sums.values()].sort((a, b) => compareTexts(a.currency, b.currency)),
    withoutAmount: count(
      withoutAmount,
      balances.map((one) => one.withoutAmount),
    ),
  };
}

type Sum = Omit<Balance['currencies'][number], 'currency'>;

function added(a: Sum, b: Sum): Sum {
  const plus = (name: keyof Sum) => addedAmounts(a[name], b[name]);
  return {
    read: plus('read'),
    sent: plus('sent'),
    waiting: plus('waiting'),
    setAside: plus('setAside'),
    skipped: plus('skipped'),
    difference: plus('difference'),
  };
}
