/**
 * An act on a selection, as it would be done now: the documents that it fits, those that it does not fit with the reason,
 * what each would become, and the hash of all of it. A person who looked repeats the hash: if anything changed since, nothing
 * is done. Reads only. Throws OperatorError `select/*`, `fix/*` or `retry/in-doubt`.
 */
import { z } from 'zod';
import type { Message } from '../../i18n/message.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { SET_ASIDE_CAUSE } from '../../model/cause.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { isClosed, type LedgerEntry, type Selector } from '../../model/ledger-entry.ts';
import { selectDocuments, withCause } from '../queries/select-documents.ts';
import type { ReprocessContext } from '../reprocessing/reconvert-source.ts';
import { foresee } from '../reprocessing/reprocess-documents.ts';
import type { ReprocessResult } from '../reprocessing/reread-result.ts';
import { type ActName, EVIDENCE, type PersonAct, RESOLVED_AS, SEEN_STATE, seenDocument } from './act.ts';
import { traitsOf } from './acts.ts';
import { foreseeFix } from './fix-documents.ts';
import { refuseDoubtful, whyNotDecided } from './judge-decision.ts';
import { type FixRequest, formerMissing, type PlannedFix, planFix, replacement } from './plan-fix.ts';
import { lookOf, type SelectionLook } from './seen-look.ts';

const text = z.string().min(1);
/** Names (ids, numbers or receipt names) or filters, which together narrow the selection. */
const selector = z.strictObject({
  ids: z.array(text).min(1).optional(),
  state: z.array(SEEN_STATE).min(1).optional(),
  cause: text.optional(),
  mapping: text.optional(),
  run: text.optional(),
  file: text.optional(),
  since: z.iso.datetime().optional(),
});

/** Acts that a selection of documents can have. */
export const SELECTED_ACT = z.discriminatedUnion('act', [
  z.strictObject({ act: z.enum(['retry', 'release', 'set-aside', 'acknowledge']), selector, evidence: EVIDENCE }),
  z.strictObject({ act: z.literal('resolve'), selector, as: z.enum(RESOLVED_AS), evidence: EVIDENCE }),
  z.strictObject({ act: z.literal('reprocess'), selector }),
  /** `cells`: COLUMN=VALUE or COLUMN@ROW=VALUE; `suggested`: also what the faults suggest. */
  z.strictObject({
    act: z.literal('fix'),
    selector,
    cells: z.array(text).default([]),
    suggested: z.boolean().optional(),
  }),
  /** The cells of a column that have the text `from`, or, without `to`, what the faults suggest. */
  z.strictObject({
    act: z.literal('replace-cells'),
    selector,
    column: text,
    from: z.string().optional(),
    to: z.string().optional(),
  }),
]);
export type SelectedAct = z.infer<typeof SELECTED_ACT>;

export type ProposedAct = {
  /** Undefined if it fits no document. */
  readonly act?: PersonAct;
  readonly documents: readonly LedgerEntry[];
  readonly look: SelectionLook;
  readonly leftOut: readonly { readonly entry: LedgerEntry; readonly why: Message; readonly code?: string }[];
  /** What documents would become that are read again. */
  readonly foreseen: readonly ReprocessResult[];
};

/** The documents of a selection that the act can be about. Throws `select/*`, and `retry/in-doubt` for a filter on these. */
export async function documentsAsked(
  ledger: QueryStore,
  selector: Selector,
  act: ActName,
): Promise<readonly LedgerEntry[]> {
  if (act === 'retry') refuseDoubtful(selector);
  const entries = await selectDocuments(ledger, selector, act);
  return entries.filter((entry) => mayBeAsked(entry, selector, act));
}

/** A filter, or a whole file, never brings back what a person decided not to send. */
export function mayBeAsked(entry: LedgerEntry, { ids, cause }: Selector, act: ActName): boolean {
  return ids !== undefined || cause === SET_ASIDE_CAUSE || !traitsOf(act).sends || !isClosed(entry);
}

/** `foresees`: also what `reprocess` would make of each document, which reads their sources. */
export async function proposeAct(
  context: ReprocessContext,
  selected: SelectedAct,
  { foresees, at }: { readonly foresees: boolean; readonly at: string },
): Promise<ProposedAct> {
  const { state: states, cause, ...narrow } = selected.selector;
  const asked = withCause(definedOnly(narrow), definedOnly({ states, cause }));
  const entries = await documentsAsked(context.ledger, asked, selected.act);
  if (selected.act === 'fix' || selected.act === 'replace-cells') {
    const request = requestOf(selected);
    if (asked.ids === undefined && request.cells.length > 0 && !request.former) throw formerMissing();
    return await proposeFix(context, entries, { request, at });
  }
  if (selected.act === 'reprocess') {
    const foreseen = foresees ? await foresee(context, entries, { at }) : [];
    const act = { act: selected.act, documents: entries.map(seenDocument) };
    return {
      ...(entries.length > 0 && { act }),
      documents: entries,
      look: lookOf(act.documents),
      leftOut: [],
      foreseen,
    };
  }
  return proposeDecision(context, entries, selected);
}

type Deciding = Exclude<SelectedAct, { readonly act: 'fix' | 'replace-cells' | 'reprocess' }>;

function proposeDecision(
  { instance }: ReprocessContext,
  entries: readonly LedgerEntry[],
  { selector: _, ...decided }: Deciding,
): ProposedAct {
  const { evidence } = decided;
  const decision = definedOnly({
    act: decided.act,
    as: decided.act === 'resolve' ? decided.as : undefined,
    hasEvidence: evidence !== undefined,
  });
  const judged = entries.map((entry) => ({ entry, why: whyNotDecided(instance, entry, decision) }));
  const documents = judged.flatMap(({ entry, why }) => (why ? [] : [entry]));
  const leftOut = judged.flatMap(({ entry, why }) => (why ? [{ entry, why }] : []));
  const seen = documents.map(seenDocument);
  const act = { ...decided, documents: seen } as PersonAct;
  return { ...(documents.length > 0 && { act }), documents, look: lookOf(seen), leftOut, foreseen: [] };
}

async function proposeFix(
  context: ReprocessContext,
  entries: readonly LedgerEntry[],
  { request, at }: { readonly request: FixRequest; readonly at: string },
): Promise<ProposedAct> {
  const none = { documents: [], look: lookOf([]), leftOut: [], foreseen: [] };
  if (entries.length === 0) return none;
  const plan = await planFix(context, entries, request);
  const foreseen = await foreseeFix(context, plan.documents, { by: '', reason: '', at });
  const unchanged = new Set(
    foreseen.flatMap((one) => ('fault' in one || one.state === 'unchanged' ? [one.entry.id] : [])),
  );
  const planned: readonly PlannedFix[] = plan.documents.filter(({ entry }) => !unchanged.has(entry.id));
  const documents = planned.map(({ entry }) => entry);
  const act = {
    act: 'fix' as const,
    documents: planned.map(({ entry, edits }) => ({ ...seenDocument(entry), edits: [...edits] })),
  };
  const leftOut = plan.leftOut.map(({ entry, error }) => ({ entry, why: error.texts.message, code: error.code }));
  return { ...(planned.length > 0 && { act }), documents, look: lookOf(act.documents), leftOut, foreseen };
}

function requestOf(selected: Extract<SelectedAct, { readonly act: 'fix' | 'replace-cells' }>): FixRequest {
  if (selected.act === 'fix') return definedOnly({ cells: selected.cells, suggested: selected.suggested });
  return replacement(selected);
}
