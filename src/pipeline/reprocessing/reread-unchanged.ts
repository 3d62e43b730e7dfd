/**
 * Documents of a correction file whose cells a person left as they are, because the mapping was at fault: with another
 * mapping now they are read again, where that helps. One that would fail again stays as it is, with its mark.
 */
import { isClosed, type LedgerEntry } from '../../model/ledger-entry.ts';
import type { CorrectedDocument } from './match-corrections.ts';
import type { ReprocessContext } from './reconvert-source.ts';
import { foresee, type ReprocessResult } from './reprocess-documents.ts';

type Reread = { readonly doc: CorrectedDocument; readonly becomes: ReprocessResult };

/** The unchanged documents that failed under another mapping and do not fail under the current one. `at`: ISO 8601. */
export async function passingSince(
  work: ReprocessContext,
  docs: readonly CorrectedDocument[],
  at: string,
): Promise<readonly Reread[]> {
  const stale = docs.filter(({ rule, entry }) => rule === 'unchanged' && isUnderOtherMapping(work, entry));
  if (stale.length === 0) return [];
  const foreseen = await foresee(
    work,
    stale.map(({ entry }) => entry),
    { at },
  );
  return stale.flatMap((doc) => {
    const becomes = foreseen.find(({ entry }) => entry.id === doc.entry.id);
    return becomes && 'state' in becomes && isBetter(becomes.state) ? [{ doc, becomes }] : [];
  });
}

function isBetter(state: string): boolean {
  return state !== 'invalid' && state !== 'unchanged' && state !== 'conflict';
}

/** False for what a person has set aside: an unchanged row does not take that back. */
function isUnderOtherMapping({ instance }: ReprocessContext, entry: LedgerEntry): boolean {
  const { mapping: before } = entry.file;
  const now = instance.mappings.find(({ id }) => id === before?.id);
  return now !== undefined && !isClosed(entry) && instance.stampOf(now).sha256 !== before?.sha256;
}

/** Records in the documents of the file that they were read again. */
export function settleReread(docs: readonly CorrectedDocument[], becomes: readonly ReprocessResult[]): void {
  for (const one of becomes) {
    const doc = docs.find(({ entry, rule }) => entry.id === one.entry.id && rule === 'unchanged');
    if (doc && 'state' in one && isBetter(one.state)) doc.rule = 'readAgain';
  }
}
