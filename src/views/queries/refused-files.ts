/**
 * Finds files without documents that need an action of a person: `errors` lists them, `run` and `status` count them.
 * The ledger comes in, files with their open faults come out.
 */

import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { isError } from '../../model/fault.ts';
import { isSourceMissing, type SourceFile } from '../../model/ledger-entry.ts';
import { allows } from '../../model/state.ts';
import { isCorrectionRecord } from '../../pipeline/reprocessing/correction-results.ts';
import { faultOfRows } from '../../pipeline/reprocessing/group-correction-faults.ts';

/**
 * Refused files, correction files that were refused in part, and files whose private copy is missing; the same bytes
 * once. Left out: files that a person set aside, those that a later file with the same name or the same bytes replaced (a
 * missing copy is replaced by the same bytes alone), and faults of documents that a later correction file has again.
 */
export async function refusedFiles(
  ledger: QueryStore,
  { run, since = '' }: { readonly run?: string; readonly since?: string } = {},
): Promise<readonly SourceFile[]> {
  const seenBytes = new Set<string>();
  const setAside = await ledger.filesSetAside();
  const refused: SourceFile[] = [];
  // Files come with the latest first: what it refuses of a document is the newest attempt to correct it.
  const attempted = new Set<string>();
  for (const file of await ledger.filesWithFaults()) {
    if (setAside.has(file.id)) seenBytes.add(file.sha256);
    const open = seenBytes.has(file.sha256) ? undefined : await openPart(ledger, file, attempted);
    if (open && (run === undefined || file.run === run) && file.claimedAt >= since) refused.push(open);
    if (open && !isSourceMissing(file)) seenBytes.add(file.sha256);
    for (const one of documentsTried(file)) attempted.add(one);
  }
  return refused;
}

/** A file that is refused, refused in part, or without its copy. */
export function needsAction(file: SourceFile): boolean {
  return isSourceMissing(file) || file.state === 'refused' || isFaultyCorrection(file);
}

/** A correction file that was refused in part. */
function isFaultyCorrection(file: SourceFile): boolean {
  return isCorrectionRecord(file) && file.faults.some(isError);
}

/** A later file with the same name or bytes replaces it; only the same bytes replace a missing copy. */
async function isReplaced(ledger: QueryStore, file: SourceFile): Promise<boolean> {
  const { byName, byBytes, archived } = await ledger.laterIntake(file);
  if (isSourceMissing(file)) return byBytes || archived;
  return byBytes || byName;
}

/** Ids of the documents that a correction file tried to correct; none for another file. */
function documentsTried(file: SourceFile): readonly string[] {
  return isFaultyCorrection(file) ? file.leftOut.flatMap(({ of }) => of?.id ?? []) : [];
}

/**
 * The file if it needs an action; a correction file keeps only the faults that no one has corrected since. `attempted`:
 * ids of documents that later correction files have.
 */
async function openPart(
  ledger: QueryStore,
  file: SourceFile,
  attempted: ReadonlySet<string>,
): Promise<SourceFile | undefined> {
  if (!needsAction(file) || (await isReplaced(ledger, file))) return undefined;
  if (!isFaultyCorrection(file) || isSourceMissing(file)) return file;
  return await stillToCorrect(ledger, file, attempted);
}

/** With the faults of documents that can be corrected and that no one has tried to correct since; undefined without. */
async function stillToCorrect(
  ledger: QueryStore,
  file: SourceFile,
  attempted: ReadonlySet<string>,
): Promise<SourceFile | undefined> {
  const revisions = new Map(file.leftOut.flatMap(({ of }) => (of ? [[of.id, of.revision]] : [])));
  const changed = new Set(attempted);
  for await (const { id, revision, state } of ledger.find({ ids: [...revisions.keys()] })) {
    if (revision !== revisions.get(id) || !allows(state, 'fix')) changed.add(id);
  }
  const rows = new Map(file.leftOut.map(({ row, of }) => [row, of !== undefined && changed.has(of.id)]));
  const isOneOpen = [...rows.values()].includes(false);
  // A fault of no row, or of the export, concerns all documents of the file.
  const isOpen = (row: number) => (rows.has(row) ? rows.get(row) === false : isOneOpen);
  const faults = file.faults.filter(isError).flatMap((fault) => {
    const ofFile = fault.origin?.file === file.name;
    return (ofFile ? faultOfRows(fault, isOpen) : isOneOpen && fault) || [];
  });
  if (faults.length === 0) return undefined;
  return { ...file, faults };
}
