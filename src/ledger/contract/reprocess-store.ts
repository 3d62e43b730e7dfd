/** The part of the ledger for reprocessing: corrected cells, the file that is read again, and the revisions it gives. */
import type { DocumentOutcome } from '../../model/document.ts';
import type { Correction, SourceFile } from '../../model/ledger-entry.ts';

/** A file to read again for some of its entries, and what a person has corrected for it. */
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

/** What the rows of an entry have become. */
export type RevisionBasis = {
  readonly entry: string;
  readonly outcome: DocumentOutcome;
  /** Other entries whose rows are part of it now: they keep none, as duplicates of `entry`. */
  readonly absorbs?: readonly string[];
};

export type PlannedRevision = {
  readonly entry: string;
  /** unchanged: the very content that the service has rejected, which does not go there again. */
  readonly state: 'ready' | 'held' | 'invalid' | 'duplicate' | 'conflict' | 'unchanged';
  /** duplicate, conflict: the entry that has the identity. */
  readonly first?: string;
};

/** A decision of a person about a file, for the history alone. `at` in ISO 8601 in UTC. */
type FileDecision = {
  readonly what: string;
  readonly file: string;
  readonly at: string;
  readonly person: string;
  readonly detail: { readonly reason: string };
};

export type ReprocessStore = {
  /**
   * Keeps corrections, in this order, under the file that was read first, and in the history. Nothing is read again
   * because of them. Throws an Error for a file that is not in the ledger, and for a value with NUL in it.
   */
  recordCorrections(fileId: string, corrections: readonly Correction[]): Promise<void>;
  /**
   * Records corrections and, as `loading`, that the file is read again: one commit, which a run finds after a crash.
   * Resolves to the new reading; it has the bytes and the path of the first one.
   */
  openReprocess(fileId: string, request: ReprocessRequest): Promise<SourceFile>;
  /** Ids of the entries for which this reading was opened. */
  entriesToReprocess(fileId: string): Promise<readonly string[]>;
  /** What `stageRevisions` would make of these now. Writes nothing. */
  planRevisions(bases: readonly RevisionBasis[]): Promise<readonly PlannedRevision[]>;
  /**
   * As `IntakeStore.stage`, for a file that is read again: each outcome is the next revision of its entry, whatever its
   * identity is now; an identity of another entry makes it duplicate or conflict. A number of a sequence stays with the
   * entry. Nothing is staged of what is unchanged. Throws if the state of an entry does not allow a correction.
   */
  stageRevisions(id: string, bases: readonly RevisionBasis[]): Promise<readonly PlannedRevision[]>;
  /** Adds a decision to the history; with FILE_SET_ASIDE (ledger-entry.ts) it sets a refused file aside. */
  recordEvent(event: FileDecision): Promise<void>;
};
