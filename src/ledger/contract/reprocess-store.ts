/** The part of the ledger for reprocessing: corrected cells, the file that is read a second time, and its revisions. */
import type { DocumentOutcome } from '../../model/document.ts';
import type { Correction, SourceFile } from '../../model/ledger-entry.ts';
import type { Recorded } from '../../model/recorded-words.ts';

/** A file to reprocess for some of its entries, and the corrections of a person for it. */
export type ReprocessRequest = {
  /** Ids; each of a state that may be corrected, its rows in this file. */
  readonly entries: readonly string[];
  readonly corrections: readonly Correction[];
  readonly by: string;
  readonly reason: string;
  /** ISO 8601 in UTC. */
  readonly claimedAt: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly run: string;
};

/** The outcome of the rows of an entry after reprocessing. */
export type RevisionBasis = {
  readonly entry: string;
  /** The revision that was looked at: an entry with a later one has moved on. */
  readonly revision?: number;
  readonly outcome: DocumentOutcome;
  /** Other entries whose rows are part of it now: they keep no rows, and become duplicates of `entry`. */
  readonly absorbs?: readonly string[];
};

export type PlannedRevision = {
  readonly entry: string;
  /**
   * unchanged: exactly the content that the service has rejected, which is not sent a second time. moved-on: another worker or
   * person has changed the entry, so that it has a later revision or its state allows no correction.
   */
  readonly state: 'ready' | 'held' | 'invalid' | 'duplicate' | 'conflict' | 'unchanged' | 'moved-on';
  /** duplicate, conflict: the entry that has the identity. */
  readonly first?: string;
};

/** A decision of a person about a file, an entry or an expected export, for the history alone. `at` in ISO 8601 in UTC. */
type RecordedDecision = Recorded & {
  readonly what: string;
  readonly entry?: string;
  readonly file?: string;
  readonly at: string;
  readonly person: string;
  readonly detail: { readonly reason: string; readonly name?: string; readonly due?: string };
};

export type ReprocessStore = {
  /**
   * Records corrections, in this order, under the file that was read first, and in the history. No file is read because
   * of them. Throws an Error for a file that is not in the ledger, and for a value with NUL in it.
   */
  recordCorrections(fileId: string, corrections: readonly Correction[]): Promise<void>;
  /**
   * Records corrections and, as `loading`, the second reading of the file: one commit, which a run finds after a crash.
   * Resolves to the new reading; it has the bytes and the path of the first one.
   */
  openReprocess(fileId: string, request: ReprocessRequest): Promise<SourceFile>;
  /** Ids of the entries for which this reading was opened. */
  entriesToReprocess(fileId: string): Promise<readonly string[]>;
  /** What `stageRevisions` would make of these now. Writes nothing. */
  planRevisions(bases: readonly RevisionBasis[]): Promise<readonly PlannedRevision[]>;
  /**
   * As `IntakeStore.stage`, for a file that is reprocessed: each outcome is the next revision of its entry, even if its
   * identity has changed; an identity of another entry makes it duplicate or conflict. A number of a sequence stays with
   * the entry. Outcomes that are unchanged, and of entries that have moved on, are not staged.
   */
  stageRevisions(id: string, bases: readonly RevisionBasis[]): Promise<readonly PlannedRevision[]>;
  /** Adds a decision to the history; with FILE_SET_ASIDE (ledger-entry.ts) it sets a refused file aside. */
  recordEvent(event: RecordedDecision): Promise<void>;
};
