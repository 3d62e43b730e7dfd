/**
 * Receipts, summaries and archived exports that the ledger does not know: it wrote them once, so it is older than it
 * was. This holds without any witness, and where every witness was restored along with the ledger.
 *
 * Only what a restore would learn counts (import-outputs.ts), so that a ledger that has learned has no strangers.
 */
import type { DatabaseSync } from 'node:sqlite';

/** A sample of the newest files of an instance. Paths are those that a person is shown. */
export type NewestOutputs = {
  readonly receipts: readonly {
    readonly path: string;
    readonly id: string;
    readonly revision: number;
    /** Submissions that it reports. */
    readonly submits: number;
    /** False for one that nobody could learn from. Asked only of strangers: the answer is dear. */
    readonly isWhole: () => boolean;
  }[];
  readonly summaries: readonly { readonly path: string; readonly id: string }[];
  readonly exports: readonly {
    readonly path: string;
    /** SHA-256 (hex), or its first 16 digits. */
    readonly sha256: string;
    readonly modifiedMs: number;
  }[];
};

/** Path of the first one. Exports from before `learnedMs` count as known: a restore does not learn them. */
export function findUnknownOutput(db: DatabaseSync, newest: NewestOutputs, learnedMs: number): string | undefined {
  const entry = db.prepare('SELECT revision, submits FROM entry WHERE id = ?');
  const receipt = newest.receipts.find(({ id, revision, submits, isWhole }) => {
    const known = entry.get(id);
    const isKnown = known && Number(known.revision) >= revision && Number(known.submits) >= submits;
    return !isKnown && isWhole();
  });
  if (receipt) return receipt.path;
  const file = db.prepare('SELECT 1 FROM source_file WHERE id = ?');
  const summary = newest.summaries.find(({ id }) => !file.get(id));
  if (summary) return summary.path;
  // "g" is behind every digit: the range of all hashes that begin so.
  const bytes = db.prepare('SELECT 1 FROM source_file WHERE sha256 >= ? AND sha256 < ?');
  const carried = db.prepare('SELECT 1 FROM attachment WHERE sha256 >= ? AND sha256 < ? LIMIT 1');
  const unknown = newest.exports.find(({ sha256, modifiedMs }) => {
    const range = [sha256, `${sha256}g`] as const;
    return modifiedMs > learnedMs && !bytes.get(...range) && !carried.get(...range);
  });
  return unknown?.path;
}
