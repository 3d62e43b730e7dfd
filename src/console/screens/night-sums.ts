/**
 * The control totals of the last night for a page that is opened often: they read every document of the run, so they are
 * kept until something in the ledger changes, and shown once the run is over. A page does not wait for those of a large run.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openLedgerChanges } from '../../ledger/search/ledger-changes.ts';
import type { RecordedRun } from '../../pipeline/queries/recorded-runs.ts';
import { type NightTotals, nightTotals } from '../../pipeline/reporting/night-totals.ts';
import { keepAnswers } from '../server/kept-answers.ts';
import type { ScreenContext } from '../server/screen-context.ts';

/** How long a page waits for them. */
const SOON_MS = 250;

const keepTotals = keepAnswers<NightTotals>();

/** Undefined while the run is at work, `adding` while the documents are added up. */
export async function sumsOf(
  { instance: { folder }, acts, look }: Pick<ScreenContext, 'instance' | 'acts' | 'look'>,
  { id: run, outcome }: Pick<RecordedRun, 'id' | 'outcome'>,
): Promise<NightTotals | 'adding' | undefined> {
  if (outcome === 'running') return undefined;
  using changes = openLedgerChanges(folder);
  const { place } = changes.since(undefined);
  const version = `${run} ${place}`;
  // In a look of its own: the page may be answered before.
  const totals = keepTotals({ folder, acts }, { key: run, version }, () =>
    look(({ ledger }) => nightTotals(ledger, run)),
  );
  const waited = new AbortController();
  const { signal } = waited;
  const enough = pause(SOON_MS, 'adding' as const, { signal, ref: false }).catch(() => 'adding' as const);
  try {
    return await Promise.race([totals, enough]);
  } finally {
    waited.abort();
  }
}
