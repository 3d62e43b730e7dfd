/** The records of runs as people ask for them: a run without an end works now, or it died. Reads only. */
import { ledgerSiteOf, type SiteOwner } from '../../instance/ledger-site-of.ts';
import type { RunRecord } from '../../ledger/contract/run-record.ts';
import type { RunStore } from '../../ledger/contract/run-store.ts';
import { isLedgerBusy } from '../../ledger/ledger-health.ts';

/** A record with what became of its run: `running` while it works. */
export type RecordedRun = Omit<RunRecord, 'outcome'> & {
  readonly outcome: NonNullable<RunRecord['outcome']> | 'running';
};

type Place = { readonly instance: SiteOwner; readonly ledger: RunStore };

/**
 * The latest first, at most `limit`; `from`: this run and those before it. Not for a process that holds the lock of the
 * instance itself.
 */
export async function recordedRuns(
  { instance, ledger }: Place,
  limit: number,
  from?: string,
): Promise<readonly RecordedRun[]> {
  const records = await ledger.runs(limit, from);
  // A later run marks earlier ones as died, so only the latest can be at work.
  const [latest] = from === undefined ? records : await ledger.runs(1);
  const isOpen = records.some(({ id, outcome }) => outcome === undefined && id === latest?.id);
  const works = isOpen && (await isLedgerBusy(ledgerSiteOf(instance)));
  return records.map((record) => {
    if (record.outcome) return { ...record, outcome: record.outcome };
    return { ...record, outcome: works && record.id === latest?.id ? 'running' : 'died' };
  });
}
