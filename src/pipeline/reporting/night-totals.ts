/**
 * The control totals of a run: what was read is what was sent, what waits, and what was left out. Amounts are exact, by
 * currency; credit notes subtract, as in the books. The ledger comes in, sums come out.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { addedAmounts } from '../../model/signed-sums.ts';
import { openBalance } from './report-balance.ts';

/** Documents and amounts of a run, where the report of the run has its balance. `left` is `setAside` and `skipped` together: what a person has closed, and duplicates and invalidated ones. */
type NightPlace = 'sent' | 'waiting' | 'left' | 'setAside' | 'skipped';

export type NightTotals = {
  /** `read` is the sum of the others. */
  readonly documents: { readonly [place in NightPlace | 'read']: number };
  /** Exact decimals with at least two places; `read` is the sum of the others. */
  readonly currencies: readonly ({ readonly currency: string } & { readonly [place in NightPlace | 'read']: string })[];
  /** Documents without a readable amount: they are in no sum. */
  readonly withoutAmount: { readonly [place in NightPlace]: number };
};

/** By the states that the documents have now, so without the accounts that the report of the run compares them with. */
export async function nightTotals(ledger: Pick<QueryStore, 'documentsOfRun'>, run: string): Promise<NightTotals> {
  const sheet = openBalance();
  for await (const some of ledger.documentsOfRun(run)) {
    for (const document of some) sheet.addDocument(document);
    // Other requests have their turn.
    await turn();
  }
  const { documents, currencies, withoutAmount } = sheet.balance();
  const { sent, waiting, setAside, skipped } = documents;
  return {
    documents: {
      read: sent + waiting + setAside + skipped,
      ...{ sent, waiting, left: setAside + skipped, setAside, skipped },
    },
    currencies: currencies.map(({ currency, sent, waiting, setAside, skipped }) => ({
      currency,
      read: addedAmounts(sent, waiting, setAside, skipped),
      sent,
      waiting,
      left: addedAmounts(setAside, skipped),
      setAside,
      skipped,
    })),
    withoutAmount: {
      sent: withoutAmount.sent,
      waiting: withoutAmount.waiting,
      left: withoutAmount.setAside + withoutAmount.skipped,
      setAside: withoutAmount.setAside,
      skipped: withoutAmount.skipped,
    },
  };
}
