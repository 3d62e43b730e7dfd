/**
 * Finds receipts, summaries and archived exports that the ledger does not know: it wrote them once, so it is now an older
 * copy. This works without any witness, and if every witness was restored along with the ledger.
 *
 * Only files that a restore would import count (import-outputs.ts), so that a restored ledger has no unknown files.
 */
import type { Statements } from '../../database/database-driver.ts';

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
  readonly summaries: readonly { readonly path: string; readonly id: string; readonly isWhole: () => boolean }[];
  readonly exports: readonly {
    readonly path: string;
    /** SHA-256 (hex), or its first 16 digits. */
    readonly sha256: string;
    readonly modifiedMs: number;
  }[];
};

/** Path of the first one. Exports from before `learnedMs` count as known: a restore does not import them. */
export async function findUnknownOutput(
  sql: Statements,
  newest: NewestOutputs,
  learnedMs: number,
): Promise<string | undefined> {
  // Sent together, where the engine is a server.
  const entries = await Promise.all(
    newest.receipts.map(({ id }) => sql.all('SELECT revision, submits FROM entry WHERE id = ?', id)),
  );
  for (const [index, { path, revision, submits, isWhole }] of newest.receipts.entries()) {
    const [recorded] = entries[index] ?? [];
    const isKnown = recorded && Number(recorded.revision) >= revision && Number(recorded.submits) >= submits;
    if (!isKnown && isWhole()) return path;
  }
  const has = async (statement: string, ...values: string[]) => (await sql.all(statement, ...values)).length > 0;
  const files = await Promise.all(newest.summaries.map(({ id }) => has('SELECT id FROM source_file WHERE id = ?', id)));
  const unknown = newest.summaries.find(({ isWhole }, index) => !files[index] && isWhole());
  if (unknown) return unknown.path;
  for (const { path, sha256, modifiedMs } of newest.exports) {
    if (modifiedMs <= learnedMs) continue;
    // "g" sorts after every hexadecimal digit: the range of all hashes that begin so.
    const range = [sha256, `${sha256}g`] as const;
    if (await has('SELECT id FROM source_file WHERE sha256 >= ? AND sha256 < ? LIMIT 1', ...range)) continue;
    if (await has('SELECT file FROM attachment WHERE sha256 >= ? AND sha256 < ? LIMIT 1', ...range)) continue;
    return path;
  }
  return undefined;
}
