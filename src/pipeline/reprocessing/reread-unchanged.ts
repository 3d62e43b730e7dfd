/**
 * Documents of a correction file whose cells a person left as they are, because something else was at fault: with another
 * mapping now, or where an attachment could not be read, they are read again, where that helps. One that would fail again
 * stays as it is, with its mark.
 */
import { isClosed, type LedgerEntry } from '../../model/ledger-entry.ts';
import { isOfAttachment } from '../sources/open-attachments.ts';
import type { CorrectedDocument } from './match-corrections.ts';
import type { ReprocessContext } from './reconvert-source.ts';
import { foresee } from './reprocess-documents.ts';
import type { ReprocessResult } from './reread-result.ts';

type Reread = { readonly doc: CorrectedDocument; readonly becomes: ReprocessResult };

/**
 * The unchanged documents that failed under another mapping, or for want of an attachment, and do not fail now. `at`: ISO
 * 8601; `patient`: throws AttachmentGrowingError for an attachment that is not at rest.
 */
export async function passingSince(
  context: ReprocessContext,
  docs: readonly CorrectedDocument[],
  { at, patient = false }: { readonly at: string; readonly patient?: boolean },
): Promise<readonly Reread[]> {
  const stale = docs.filter(({ rule, entry }) => rule === 'unchanged' && !isClosed(entry) && mayPass(context, entry));
  if (stale.length === 0) return [];
  const foreseen = await foresee(
    context,
    stale.map(({ entry }) => entry),
    { at, patient },
  );
  return stale.flatMap((doc) => {
    const becomes = foreseen.find(({ entry }) => entry.id === doc.entry.id);
    return becomes && 'state' in becomes && isBetter(becomes.state) ? [{ doc, becomes }] : [];
  });
}

function isBetter(state: string): boolean {
  return state !== 'invalid' && state !== 'unchanged' && state !== 'conflict';
}

/** Asked of no document that a person has set aside: an unchanged row does not take that back. */
function mayPass({ instance }: ReprocessContext, { file, faults }: LedgerEntry): boolean {
  const now = instance.mappings.find(({ id }) => id === file.mapping?.id);
  return now !== undefined && (instance.stampOf(now).sha256 !== file.mapping?.sha256 || faults.some(isOfAttachment));
}

/** Records in the documents of the file that they were read again. */
export function settleReread(docs: readonly CorrectedDocument[], becomes: readonly ReprocessResult[]): void {
  for (const one of becomes) {
    const doc = docs.find(({ entry, rule }) => entry.id === one.entry.id && rule === 'unchanged');
    if (doc && 'state' in one && isBetter(one.state)) doc.rule = 'readAgain';
  }
}
