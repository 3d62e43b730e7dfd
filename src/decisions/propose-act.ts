/**
 * A decision of a person about documents, in its order:
 * 1. select: `documentsAsked`, what names or filters mean; a filter never brings back what a person decided not to send;
 * 2. look and propose: `proposeAct`, what the act would do to each document as it is now, and why it does not fit others;
 * 3. request: `submitAct` (`runs/submit-act.ts`) puts the act into the queue, with the versions that the person has seen;
 * 4. approval: `judgeApproval` (`decisions/requests`) has it wait for another person where the two-person rule asks for one;
 * 5. step: `carryOut` does it for the holder of the lock, each step once for its request, and leaves what changed since;
 * 6. second reading: `reprocess` makes the next revisions of documents that the act reads again, and the next run sends them.
 * A command, a form of the console and the API each only parse what is asked and show what is proposed. Here is 1 and 2: reads
 * only, throws OperatorError `select/*`, `fix/*` or `retry/in-doubt`.
 */
import type { Message } from '../i18n/message.ts';
import type { QueryStore } from '../ledger/contract/query-store.ts';
import { SET_ASIDE_CAUSE } from '../model/cause.ts';
import { definedOnly } from '../model/defined-only.ts';
import { isClosed, type LedgerEntry, type Selector } from '../model/ledger-entry.ts';
import type { ReprocessContext } from '../pipeline/reprocessing/reconvert-source.ts';
import { foresee } from '../pipeline/reprocessing/reprocess-documents.ts';
import type { ReprocessResult } from '../pipeline/reprocessing/reread-result.ts';
import { selectDocuments } from '../views/queries/select-documents.ts';
import { type ActName, type ActOf, seenDocument } from './act.ts';
import { type DecidingAct, traitsOf } from './acts.ts';
import { foreseeFix } from './fix-documents.ts';
import { refuseDoubtful, whyNotDecided } from './judge-decision.ts';
import { type FixRequest, type PlannedFix, planFix } from './plan-fix.ts';
import { lookOf, type SelectionLook } from './seen-look.ts';

/** What a person asks of documents, without the documents. */
export type DocumentAct =
  | { readonly [Name in DecidingAct]: Omit<ActOf<Name>, 'documents'> }[DecidingAct]
  | { readonly act: 'reprocess' }
  | { readonly act: 'fix'; readonly request: FixRequest };

export type ProposedAct<Name extends DocumentAct['act'] = DocumentAct['act']> = {
  /** About the documents that it fits, in the version of now; undefined if it fits none. */
  readonly act?: ActOf<Name>;
  readonly documents: readonly LedgerEntry[];
  /** A person who looked repeats it: if anything changed since, nothing is done. */
  readonly look: SelectionLook;
  readonly leftOut: readonly { readonly entry: LedgerEntry; readonly why: Message; readonly code?: string }[];
  /** What documents would become that are read again. */
  readonly foreseen: readonly ReprocessResult[];
  /** The cells that a `fix` changes, also of documents that stay as they are with them. */
  readonly planned: readonly PlannedFix[];
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

/**
 * `foresees`: also what documents would become, which reads their sources once more; a `fix` then leaves out those that would
 * stay as they are, and their corrections are not recorded.
 */
export async function proposeAct<Asked extends DocumentAct>(
  context: ReprocessContext,
  entries: readonly LedgerEntry[],
  asked: Asked,
  { foresees, at }: { readonly foresees: boolean; readonly at: string },
): Promise<ProposedAct<Asked['act']>> {
  const proposed = await proposal(context, entries, asked, { foresees, at });
  return proposed as ProposedAct<Asked['act']>;
}

async function proposal(
  context: ReprocessContext,
  entries: readonly LedgerEntry[],
  asked: DocumentAct,
  { foresees, at }: { readonly foresees: boolean; readonly at: string },
): Promise<ProposedAct> {
  if (asked.act === 'reprocess') {
    const foreseen = foresees ? await foresee(context, entries, { at }) : [];
    return proposedOf({ act: 'reprocess', documents: entries.map(seenDocument) }, { documents: entries, foreseen });
  }
  if (asked.act !== 'fix') return proposeDecision(context, entries, asked);
  const plan = await planFix(context, entries, asked.request);
  const foreseen = foresees ? await foreseeFix(context, plan.documents, { by: '', reason: '', at }) : [];
  const staying = new Set(foreseen.filter(isUnchanged).map(({ entry }) => entry.id));
  const changed = plan.documents.filter(({ entry }) => !staying.has(entry.id));
  const leftOut = plan.leftOut.map(({ entry, error }) => ({ entry, why: error.texts.message, code: error.code }));
  const documents = changed.map(({ entry }) => entry);
  return proposedOf(fixOf(changed), { documents, leftOut, foreseen, planned: plan.documents });
}

function proposeDecision(
  { instance }: ReprocessContext,
  entries: readonly LedgerEntry[],
  asked: Exclude<DocumentAct, { readonly act: 'fix' | 'reprocess' }>,
): ProposedAct {
  const as = asked.act === 'resolve' ? asked.as : undefined;
  const decision = definedOnly({ act: asked.act, as, hasEvidence: asked.evidence !== undefined });
  const judged = entries.map((entry) => ({ entry, why: whyNotDecided(instance, entry, decision) }));
  const documents = judged.flatMap(({ entry, why }) => (why ? [] : [entry]));
  const leftOut = judged.flatMap(({ entry, why }) => (why ? [{ entry, why }] : []));
  return proposedOf({ ...asked, documents: documents.map(seenDocument) }, { documents, leftOut });
}

type About = Pick<ProposedAct, 'documents'> & Partial<Pick<ProposedAct, 'leftOut' | 'foreseen' | 'planned'>>;

function proposedOf(act: ActOf<DocumentAct['act']>, about: About): ProposedAct {
  const none = { leftOut: [], foreseen: [], planned: [] };
  return { ...none, ...about, look: lookOf(act.documents), ...(act.documents.length > 0 && { act }) };
}

/** The act that changes these cells. */
export function fixOf(planned: readonly PlannedFix[]): ActOf<'fix'> {
  return { act: 'fix', documents: planned.map(({ entry, edits }) => ({ ...seenDocument(entry), edits: [...edits] })) };
}

/** Whether the document stays as it is. */
function isUnchanged(one: ReprocessResult): boolean {
  return 'fault' in one || one.state === 'unchanged';
}
