/** What followers of a ledger ask, whichever engine keeps it: whether it changed, and what changed after a place. */

/** Rows of the history that one answer is made of, about. */
export const MOST_CHANGES = 2000;

/** `place` is a text for the next question; `more`: there were too many to name all. Ids, each once. */
export type ChangesSince = {
  readonly place: string;
  readonly documents: readonly string[];
  readonly files: readonly string[];
  readonly more: boolean;
};

/** Each question is a read of its own, so that it holds up nothing in the ledger. */
export type LedgerChanges = AsyncDisposable & {
  /** Whether anything may have been committed since the last call; true the first time. */
  hasChanged(): Promise<boolean>;
  /** What changed after a place; nothing without one. A place of another ledger is one of the past or of now. */
  since(place: string | undefined): Promise<ChangesSince>;
  /** The documents of the next rows after a place, and the place after these rows: page by page, nothing is left out. */
  next(
    place: string,
  ): Promise<{ readonly place: string; readonly documents: readonly string[]; readonly more: boolean }>;
};
