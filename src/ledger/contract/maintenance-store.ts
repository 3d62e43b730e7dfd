/** The part of the ledger for maintenance: what is purged of old documents, and since when no report was made. */
import type { Purged } from '../../model/ledger-entry.ts';

/** `at`: ISO 8601 in UTC. `link`: number of the last link of the chain then, whatever the clock shows; absent in ledgers of before. */
type Unreported = { readonly at: string; readonly link?: number };

export type MaintenanceStore = {
  /** Removes the parts in `purged.what` of an entry in a final state, and records who did it and why; its identities stay. */
  purgeEntry(id: string, purged: Purged): Promise<void>;
  /** Records that the receipt and the payload of the entry are removed. */
  markReceiptPurged(id: string): Promise<void>;
  /** Records that a file was purged, by whom and why. */
  purgeFile(id: string, purged: Purged): Promise<void>;
  /** Records that the summary of the file is removed. */
  markSummaryPurged(id: string): Promise<void>;

  /** Since when no report covers files and documents: a run works now, or was cut off. */
  unreportedSince(): Promise<Unreported | undefined>;
  /** A report will cover what happens from now on, `at` by the clock of the run, ISO 8601 in UTC; an earlier instant that is open stays. */
  openReportWindow(at: string): Promise<void>;
  /** A report has covered everything so far. */
  closeReportWindow(): Promise<void>;
};
