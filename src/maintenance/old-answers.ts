/**
 * Answer files that are older than `keep.answers`, or about a counterparty, and still in their folder. Only bytes that Nightpost wrote are removed;
 * what a file reported stays in the ledger. Errors of the disk are thrown.
 */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256OfOurs } from '../files/sha256-of-file.ts';
import type { AnswersFile } from '../ledger/contract/answer-store.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import { appendAll, pagesAfter } from '../text/long-lists.ts';

const PAGE = 500;

/** An answer file to remove, and where it is. */
export type OldAnswers = {
  readonly id: number;
  readonly path: string;
  readonly sha256: string;
  readonly marker?: string;
};

/** Files written before this instant (milliseconds since 1970). Reads only. */
export async function oldAnswers(ledger: Ledger, beforeMs: number): Promise<readonly OldAnswers[]> {
  const found: OldAnswers[] = [];
  for await (const page of pagesAfter(PAGE, (last?: AnswersFile) => ledger.answers.answerFiles(last?.id ?? 0, PAGE)))
    for (const file of page) appendAll(found, stillThere(file, beforeMs));
  return found;
}

function stillThere(file: AnswersFile, beforeMs: number): readonly OldAnswers[] {
  const { id, name, path: folder, sha256, marker, state, writtenAt = '', removedAt } = file;
  if (state !== 'written' || folder === undefined || removedAt !== undefined) return [];
  const path = join(folder, name);
  if (!(Date.parse(writtenAt) < beforeMs) || !statSync(path, { throwIfNoEntry: false })?.isFile()) return [];
  return [{ id, path, sha256, ...(marker !== undefined && { marker }) }];
}

/**
 * Ids of documents that the ERP has still to get an answer about, which is made of their content: also those that a duplicate
 * repeats. Reads only.
 */
export async function unansweredDocuments(ledger: Ledger): Promise<ReadonlySet<string>> {
  const due = await ledger.answers.entriesDue();
  const found = new Set(due);
  for (let from = 0; from < due.length; from += PAGE) {
    const outcomes = await ledger.answers.answerOutcomes(due.slice(from, from + PAGE), { document: false });
    for (const { repeats } of outcomes) if (repeats) found.add(repeats.id);
  }
  return found;
}

/** Of documents, whatever their age; and the documents with an answer file that is not in its folder yet. Reads only. */
export async function answersAbout(
  ledger: Ledger,
  documents: readonly string[],
): Promise<{ readonly files: readonly OldAnswers[]; readonly pending: ReadonlySet<string> }> {
  const files = new Map<number, AnswersFile>();
  const pending = new Set<string>();
  for (const id of documents) {
    for (const { file } of await ledger.answers.reportedToErp(id)) {
      files.set(file.id, file);
      if (file.state === 'chosen' || file.state === 'placed') pending.add(id);
    }
  }
  return { files: [...files.values()].flatMap((file) => stillThere(file, Number.POSITIVE_INFINITY)), pending };
}

/** A file that another program has changed since stays. */
export async function removeAnswers(ledger: Ledger, old: readonly OldAnswers[], at: string): Promise<void> {
  for (const { id, path, sha256, marker } of old) {
    const isThere = statSync(path, { throwIfNoEntry: false })?.isFile();
    if (isThere && (await sha256OfOurs(path)) !== sha256) continue;
    if (marker !== undefined) rmSync(path + marker, { force: true });
    rmSync(path, { force: true });
    await ledger.answers.answerFileRemoved(id, at);
  }
}
