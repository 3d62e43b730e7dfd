/**
 * The control totals of a night: what its exports have was sent, waits, was left out, or came again in a later export. Amounts are
 * exact, by currency; credit notes subtract, as in the books. The ledger comes in, sums come out.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { ReportStore } from '../../ledger/contract/report-store.ts';
import { Decimal } from '../../model/decimal.ts';
import { withCents } from '../../model/signed-sums.ts';
import { BALANCE_PLACES, balancePlace, openSheet } from './report-balance.ts';

/** Those of the balance of a report, and `exportedAgain`: what a later export has too, with the amount of the earlier one. */
const PLACES_OF_NIGHT = [...BALANCE_PLACES, 'exportedAgain'] as const;
/** `left`: `setAside` and `skipped` together, what a person has closed, and duplicates and invalidated ones. */
type NightPlace = (typeof PLACES_OF_NIGHT)[number] | 'left';

export type NightTotals = {
  /** `read` is the sum of the places. */
  readonly documents: { readonly [place in NightPlace | 'read']: number };
  /** Exact decimals with at least two places; `read` is the sum of the places. */
  readonly currencies: readonly ({ readonly currency: string } & { readonly [place in NightPlace | 'read']: string })[];
  /** Documents without a readable amount: they are in no sum. */
  readonly withoutAmount: { readonly [place in NightPlace]: number };
  /** Documents that were corrected after the night: their amounts are those of now. */
  readonly corrected: number;
};

/** Of the exports of the night of a run, by the states that the documents have now. */
export async function nightTotals(ledger: Pick<ReportStore, 'documentsOfNight'>, run: string): Promise<NightTotals> {
  const sheet = openSheet(PLACES_OF_NIGHT);
  let corrected = 0;
  for await (const some of ledger.documentsOfNight(run)) {
    for (const document of some) {
      sheet.add(document.exportedAgain ? 'exportedAgain' : balancePlace(document), document);
      corrected += Number(document.corrected && !document.exportedAgain);
    }
    // Other requests have their turn.
    await turn();
  }
  const withLeft = (counts: typeof sheet.documents) => ({ ...counts, left: counts.setAside + counts.skipped });
  const { documents, withoutAmount } = sheet;
  return {
    documents: { ...withLeft(documents), read: PLACES_OF_NIGHT.reduce((all, place) => all + documents[place], 0) },
    currencies: sheet.currencies().map(([currency, sums]) => {
      const { sent, waiting, setAside, skipped, exportedAgain } = sums;
      return {
        currency,
        read: withCents(PLACES_OF_NIGHT.reduce((all, place) => all.plus(sums[place]), Decimal.zero)),
        sent: withCents(sent),
        waiting: withCents(waiting),
        left: withCents(setAside.plus(skipped)),
        setAside: withCents(setAside),
        skipped: withCents(skipped),
        exportedAgain: withCents(exportedAgain),
      };
    }),
    withoutAmount: withLeft(withoutAmount),
    corrected,
  };
}
