/**
 * The control totals of the last night for a page that is opened often: they read every document of the run, so they are
 * kept until something in the ledger changes, and shown once the run is over.
 */
import { openLedgerChanges } from '../../ledger/search/ledger-changes.ts';
import type { RecordedRun } from '../../pipeline/queries/recorded-runs.ts';
import { type NightTotals, nightTotals } from '../../pipeline/reporting/night-totals.ts';
import type { InstanceView } from '../server/screen-context.ts';

type Kept = { readonly run: string; readonly place: string; readonly totals: Promise<NightTotals> };

/** By folder of the instance. */
const kept = new Map<string, Kept>();

/** Undefined while the run is at work. */
export async function sumsOf(
  { instance: { folder }, ledger }: Pick<InstanceView, 'instance' | 'ledger'>,
  { id: run, outcome }: Pick<RecordedRun, 'id' | 'outcome'>,
): Promise<NightTotals | undefined> {
  if (outcome === 'running') return undefined;
  using changes = openLedgerChanges(folder);
  const { place } = changes.since(undefined);
  const before = kept.get(folder);
  if (before?.run === run && before.place === place) return await before.totals;
  const totals = nightTotals(ledger, run);
  kept.set(folder, { run, place, totals });
  try {
    return await totals;
  } catch (error) {
    kept.delete(folder);
    throw error;
  }
}
