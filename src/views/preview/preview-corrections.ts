/**
 * What the next run would do with a correction file: the corrections it would take, the cells it would keep as archived,
 * what it would refuse, and what would become of each document. Nothing is recorded or sent. Throws the system's error
 * for a file that cannot be read.
 */
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { sha256OfFile } from '../../files/sha256-of-file.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { Fault } from '../../model/fault.ts';
import { type Correction, documentName } from '../../model/ledger-entry.ts';
import {
  type CorrectedDocument,
  type CorrectionRecord,
  matchDocuments,
} from '../../pipeline/reprocessing/match-corrections.ts';
import {
  faultsOf,
  groupsOf,
  openCorrection,
  planGroup,
  settleDocument,
} from '../../pipeline/reprocessing/plan-corrections.ts';
import type { ReprocessContext } from '../../pipeline/reprocessing/reconvert-source.ts';
import { foresee } from '../../pipeline/reprocessing/reprocess-documents.ts';
import type { ReprocessResult } from '../../pipeline/reprocessing/reread-result.ts';
import { passingSince, settleReread } from '../../pipeline/reprocessing/reread-unchanged.ts';
import { isTakenBefore } from '../../pipeline/reprocessing/taken-before.ts';
import { isCorrectionFile } from '../../readers/correction-file/recognize-correction-file.ts';

/**
 * One document of the file. `result`: `corrected` passes the checks and is sent; `held` waits for a person; `stillWrong`
 * keeps faults; `readAgain`: unchanged, and passes with the mapping of today; `refused`: see the faults of the file.
 */
type PreviewedCorrection = {
  readonly id: string;
  readonly identifier: string;
  readonly result: 'corrected' | 'held' | 'stillWrong' | 'readAgain' | 'unchanged' | 'late' | 'refused';
  /** The cells that are corrected: empty if the document is refused. */
  readonly changes: readonly Pick<Correction, 'row' | 'column' | 'from' | 'to'>[];
  /** What the document still lacks, or would be warned of. */
  readonly faults: readonly Fault[];
};

export type CorrectionPreview = {
  readonly file: string;
  /** An earlier file with the same bytes, which was taken: nothing would be done. */
  readonly duplicateOf?: string;
  readonly documents: readonly PreviewedCorrection[];
  readonly faults: readonly Fault[];
};

/** False also for a path without a file. */
export async function isPreviewOfCorrections(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true && (await isCorrectionFile(path, basename(path)));
}

/** `now`: the time that TODAY() is calculated from. */
export async function previewCorrections(
  context: ReprocessContext,
  path: string,
  now: Date,
): Promise<CorrectionPreview> {
  const { size } = await stat(path);
  const file: CorrectionRecord = { name: basename(path), path: resolve(path), size, claimedAt: now.toISOString() };
  const earlier = await context.ledger.intake.fileBySha256(await sha256OfFile(path));
  const duplicateOf = earlier && (await isTakenBefore(context.ledger.queries, earlier)) ? earlier.name : undefined;
  if (duplicateOf !== undefined) return { file: file.name, duplicateOf, documents: [], faults: [] };
  const opened = await openCorrection(file);
  if ('faults' in opened) return { file: file.name, documents: [], faults: opened.faults };
  const { content } = opened;
  const found = await matchDocuments(context, file, { lines: content.lines, isDone: async () => false });
  const becomes = new Map<string, ReprocessResult>();
  for (const group of groupsOf(found.docs)) {
    await planGroup(context, file, group, content);
    for (const one of await foreseeGroup(context, file, group)) becomes.set(one.entry.id, one);
  }
  const documents = found.docs.map((doc) => previewed(doc, becomes.get(doc.entry.id)));
  return definedOnly({ file: file.name, documents, faults: faultsOf(file, content, found) });
}

/** The results for the documents of one archived source that would be read again; settles them. */
async function foreseeGroup(
  context: ReprocessContext,
  file: CorrectionRecord,
  group: readonly CorrectedDocument[],
): Promise<readonly ReprocessResult[]> {
  const settled: ReprocessResult[] = [];
  const changed = group.filter(({ corrections }) => corrections.length > 0);
  const corrections = changed.flatMap((doc) => doc.corrections);
  const entries = changed.map(({ entry }) => entry);
  const foreseen = changed.length > 0 ? await foresee(context, entries, { at: file.claimedAt, corrections }) : [];
  for (const one of foreseen) {
    const doc = group.find(({ entry }) => entry.id === one.entry.id);
    if (!doc || !(changed.includes(doc) || 'state' in one)) continue;
    settled.push(one);
    settleDocument(file, doc, one);
  }
  const passing = (await passingSince(context, group, { at: file.claimedAt })).map(({ becomes }) => becomes);
  settleReread(group, passing);
  return [...settled, ...passing];
}

function previewed(
  { entry, rule = 'refused', corrections }: CorrectedDocument,
  becomes: ReprocessResult | undefined,
): PreviewedCorrection {
  const outcome = becomes && 'outcome' in becomes ? becomes.outcome : undefined;
  const isTaken = rule !== 'refused';
  return {
    id: entry.id,
    identifier: outcome?.identifier || documentName(entry),
    result: rule,
    changes: isTaken ? corrections.map(({ row, column, from, to }) => ({ row, column, from, to })) : [],
    faults: outcome?.faults ?? [],
  };
}
