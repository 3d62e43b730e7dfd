/** Files nobody could make documents of, as long as somebody has to act: what `errors` lists, `run` and `status` count. */

import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { isError } from '../../model/fault.ts';
import { isSourceMissing, type SourceFile } from '../../model/ledger-entry.ts';
import { stateInfo } from '../../model/state.ts';
import { isCorrectionRecord } from '../../pipeline/reprocessing/correction-results.ts';

/**
 * Refused ones, and correction files that were refused in part, the same bytes once, unless a later file of the same name or with the same bytes was taken: then nobody
 * waits any more. And files whose private copy is missing, until the same bytes are dropped once more.
 */
export async function refusedFiles(
  ledger: QueryStore,
  { run, since = '' }: { readonly run?: string; readonly since?: string } = {},
): Promise<readonly SourceFile[]> {
  /** Bytes that are told already, or that a person has set aside. */
  const done = new Set<string>();
  const aside = await ledger.dismissedFiles();
  const refused: SourceFile[] = [];
  for (const file of await ledger.filesWithFaults()) {
    const isFaulty = isCorrectionRecord(file) && file.faults.some(isError);
    const isMissing = isSourceMissing(file);
    if (aside.has(file.id)) done.add(file.sha256);
    if ((!isMissing && file.state !== 'refused' && !isFaulty) || done.has(file.sha256)) continue;
    const { byName, byBytes, archived } = await ledger.laterIntake(file);
    if (byBytes || (isMissing ? archived : byName)) continue;
    const open = isFaulty && !isMissing ? await stillToCorrect(ledger, file) : file;
    if (open && (run === undefined || file.run === run) && file.claimedAt >= since) refused.push(open);
    if (!isMissing) done.add(file.sha256);
  }
  return refused;
}

/** A correction file with what it says of documents that can be corrected, and that nobody has corrected since; undefined where there is none. */
async function stillToCorrect(ledger: QueryStore, file: SourceFile): Promise<SourceFile | undefined> {
  const revisions = new Map(file.leftOut.flatMap(({ of }) => (of ? [[of.id, of.revision]] : [])));
  const changed = new Set<string>();
  for await (const { id, revision, state } of ledger.find({ ids: [...revisions.keys()] })) {
    const acts: readonly string[] = stateInfo(state).acts;
    if (revision !== revisions.get(id) || !acts.includes('correct')) changed.add(id);
  }
  const done = new Set(file.leftOut.flatMap(({ row, of }) => (of && changed.has(of.id) ? [row] : [])));
  const faults = file.faults.filter((fault) => isError(fault) && !done.has(fault.origin?.row ?? 0));
  return faults.length === 0 ? undefined : { ...file, faults };
}
