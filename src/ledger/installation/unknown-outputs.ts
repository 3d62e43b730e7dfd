/**
 * Finds receipts, summaries and archived exports that the ledger does not know: it wrote them once, so it is now an older
 * copy. This works without any witness, and if every witness was restored along with the ledger.
 *
 * Only files that a restore would import count (import-outputs.ts), so that a restored ledger has no unknown files.
 */
import type { DatabaseSync } from 'node:sqlite';

/** A sample of the newest files of an instance. Paths are as people see them. */
export type NewestOutputs = {
  readonly receipts: readonly {
    readonly path: string;
    readonly id: string;
    readonly revision: number;
    /** Submissions that it reports. */
    readonly submits: number;
    /** False for a receipt that no restore could import. Called only for unknown ones, because it is slow. */
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

/** Path of the first one. Exports from before `learnedMs` count as known: a restore does not import them. */
export function findUnknownOutput(db: DatabaseSync, newest: NewestOutputs, learnedMs: number): string | undefined {
  const entry = db.prepare('SELECT revision, submits FROM entry WHERE id = ?');
  const receipt = newest.receipts.find(({ id, revision, submits, isWhole }) => {
    const recorded = entry.get(id);
    const isKnown = recorded && Number(recorded.revision) >= revision && Number(recorded.submits) >= submits;
    return !isKnown && isWhole();
  });
  if (receipt) return receipt.path;
  const file = db.prepare('SELECT 1 FROM source_file WHERE id = ?');
  const summary = newest.summaries.find(({ id }) => !file.get(id));
  if (summary) return summary.path;
  // "g" sorts after every hexadecimal digit: the range of all hashes that begin so.
  const bytes = db.prepare('SELECT 1 FROM source_file WHERE sha256 >= ? AND sha256 < ?');
  const carried = db.prepare('SELECT 1 FROM attachment WHERE sha256 >= ? AND sha256 < ? LIMIT 1');
  const unknown = newest.exports.find(({ sha256, modifiedMs }) => {
    const range = [sha256, `${sha256}g`] as const;
    return modifiedMs > learnedMs && !bytes.get(...range) && !carried.get(...range);
  });
  return unknown?.path;
}
