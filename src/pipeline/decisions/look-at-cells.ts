/**
 * What a correction of cells would make of documents, before a person decides: which cells change, and what becomes of each
 * document. Nothing is written. A request that fits none of them throws OperatorError `fix/*`.
 */
import type { OperatorError } from '../../model/fault.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import type { ReprocessContext } from '../reprocessing/reconvert-source.ts';
import type { ReprocessResult } from '../reprocessing/reread-result.ts';
import type { CellEdit } from './cell-edits.ts';
import { foreseeFix } from './fix-documents.ts';
import { type FixRequest, planFix } from './plan-fix.ts';

/** One document of the look. `leftOut`: why the request does not fit it. */
type LookedDocument = { readonly entry: LedgerEntry } & (
  | { readonly edits: readonly CellEdit[]; readonly becomes: ReprocessResult }
  | { readonly leftOut: OperatorError }
);

export type CellLook = {
  readonly documents: readonly LookedDocument[];
  readonly cells: number;
  /** Documents that get corrections, and those of them that would be sent, or would wait for an approval. */
  readonly changed: number;
  readonly passing: number;
};

/** Each source is read twice, however many of the documents are in it. */
export async function lookAtCells(
  context: ReprocessContext,
  entries: readonly LedgerEntry[],
  request: FixRequest,
): Promise<CellLook> {
  const plan = await planFix(context, entries, request);
  const decision = { by: '', reason: '', at: context.clock.now().toISOString() };
  const foreseen = await foreseeFix(context, plan.documents, decision);
  const becomes = new Map(foreseen.map((one) => [one.entry.id, one]));
  const documents = [
    ...plan.documents.flatMap(({ entry, edits }) => {
      const one = becomes.get(entry.id);
      return one ? [{ entry, edits, becomes: one }] : [];
    }),
    ...plan.leftOut.map(({ entry, error }) => ({ entry, leftOut: error })),
  ];
  const changed = documents.filter((one) => 'edits' in one && !stays(one.becomes));
  return {
    documents,
    cells: plan.documents.reduce((sum, { edits }) => sum + edits.length, 0),
    changed: changed.length,
    passing: changed.filter((one) => 'becomes' in one && isPassing(one.becomes)).length,
  };
}

function stays(one: ReprocessResult): boolean {
  return 'fault' in one || one.state === 'unchanged';
}

function isPassing(one: ReprocessResult): boolean {
  return 'state' in one && (one.state === 'ready' || one.state === 'held');
}
