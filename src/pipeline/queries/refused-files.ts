/**
 * Finds files without documents that need an action of a person: `errors` lists them, `run` and `status` count them.
 * The ledger comes in, files with their open faults come out.
 */

import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { isError } from '../../model/fault.ts';
import { isSourceMissing, type SourceFile } from '../../model/ledger-entry.ts';
import { allows } from '../../model/state.ts';
import { isCorrectionRecord } from '../reprocessing/correction-results.ts';

/**
 * Refused files, correction files that were refused in part, and files whose private copy is missing; the same bytes
 * once. Left out: files that a person set aside, and those that a later file with the same name or the same bytes
 * replaced; a missing copy is replaced by the same bytes alone.
 */
export async function refusedFiles(
  ledger: QueryStore,
  { run, since = '' }: { readonly run?: string; readonly since?: string } = {},
): Promise<readonly SourceFile[]> {
  const seenBytes = new Set<string>();
  const setAside = await ledger.filesSetAside();
  const refused: SourceFile[] = [];
  for (const file of await ledger.filesWithFaults()) {
    if (setAside.has(file.id)) seenBytes.add(file.sha256);
    if (!needsAction(file) || seenBytes.has(file.sha256) || (await isReplaced(ledger, file))) continue;
    const open = await withOpenFaults(ledger, file);
    if (open && (run === undefined || file.run === run) && file.claimedAt >= since) refused.push(open);
    if (!isSourceMissing(file)) seenBytes.add(file.sha256);
  }
  return refused;
}

/** A file that is refused, refused in part, or without its copy. */
function needsAction(file: SourceFile): boolean {
  return isSourceMissing(file) || file.state === 'refused' || isFaultyCorrection(file);
}

function isFaultyCorrection(file: SourceFile): boolean {
  return isCorrectionRecord(file) && file.faults.some(isError);
}

/** A later file with the same name or bytes replaces it; only the same bytes replace a missing copy. */
async function isReplaced(ledger: QueryStore, file: SourceFile): Promise<boolean> {
  const { byName, byBytes, archived } = await ledger.laterIntake(file);
  if (isSourceMissing(file)) return byBytes || archived;
  return byBytes || byName;
}

/** A correction file keeps only the faults that no one has corrected since; undefined if none is left. */
async function withOpenFaults(ledger: QueryStore, file: SourceFile): Promise<SourceFile | undefined> {
  if (!isFaultyCorrection(file) || isSourceMissing(file)) return file;
  return await stillToCorrect(ledger, file);
}

/** With the faults of documents that can be corrected and have not changed since; undefined if there are none. */
async function stillToCorrect(ledger: QueryStore, file: SourceFile): Promise<SourceFile | undefined> {
  const revisions = new Map(file.leftOut.flatMap(({ of }) => (of ? [[of.id, of.revision]] : [])));
  const changed = new Set<string>();
  for await (const { id, revision, state } of ledger.find({ ids: [...revisions.keys()] })) {
    if (revision !== revisions.get(id) || !allows(state, 'correct')) changed.add(id);
  }
  const done = new Set(file.leftOut.flatMap(({ row, of }) => (of && changed.has(of.id) ? [row] : [])));
  const faults = file.faults.filter((fault) => isError(fault) && !done.has(fault.origin?.row ?? 0));
  if (faults.length === 0) return undefined;
  return { ...file, faults };
}
