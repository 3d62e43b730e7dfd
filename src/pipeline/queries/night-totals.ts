/**
 * The control totals of a run: what was read is what was sent, what waits, and what was left out. Amounts are exact, by
 * currency; credit notes subtract, as in the books. The ledger comes in, sums come out.
 */
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { Decimal } from '../../model/decimal.ts';
import { isClosed, type LedgerEntry } from '../../model/ledger-entry.ts';
import { compareTexts } from '../../text/compare-texts.ts';

/** Where a document counts. `left`: duplicates, invalidated ones, and those that a person has closed. */
type NightPlace = 'sent' | 'waiting' | 'left';

export type NightTotals = {
  /** Exact decimals with at least two places; `read` is the sum of the others. */
  readonly currencies: readonly ({ readonly currency: string } & { readonly [place in NightPlace | 'read']: string })[];
  /** Documents without a readable amount: they are in no sum. */
  readonly withoutAmount: { readonly [place in NightPlace]: number };
};

type Sums = { [place in NightPlace]: Decimal };

export async function nightTotals(ledger: Pick<QueryStore, 'find'>, run: string): Promise<NightTotals> {
  const sums = new Map<string, Sums>();
  const withoutAmount = { sent: 0, waiting: 0, left: 0 };
  for await (const entry of ledger.find({ run })) {
    const place = nightPlace(entry);
    const amount = Decimal.parse(entry.facts.amount ?? '');
    if (!amount) {
      withoutAmount[place]++;
      continue;
    }
    const currency = entry.facts.currency ?? '';
    const sum = sums.get(currency) ?? { sent: Decimal.zero, waiting: Decimal.zero, left: Decimal.zero };
    sums.set(currency, sum);
    sum[place] = entry.class === 'credit-note' ? sum[place].minus(amount) : sum[place].plus(amount);
  }
  const currencies = [...sums].map(([currency, { sent, waiting, left }]) => ({
    currency,
    read: withCents(sent.plus(waiting).plus(left)),
    sent: withCents(sent),
    waiting: withCents(waiting),
    left: withCents(left),
  }));
  return { currencies: currencies.sort((a, b) => compareTexts(a.currency, b.currency)), withoutAmount };
}

/** Never rounded: more than two places stay. */
function withCents(sum: Decimal): string {
  const [whole = '', cents = ''] = sum.toText().split('.');
  return `${whole}.${cents.padEnd(2, '0')}`;
}

const LEFT: ReadonlySet<string> = new Set(['duplicate', 'invalidated']);

function nightPlace(entry: LedgerEntry): NightPlace {
  if (isClosed(entry) || LEFT.has(entry.state)) return 'left';
  return entry.state === 'authorized' ? 'sent' : 'waiting';
}
