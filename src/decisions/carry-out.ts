/**
 * Carries out one act of a person for any program that asked for it and any holder of the lock. Each step is made once for its request,
 * so an act that was cut off is carried out again from its begin. Throws OperatorError if nothing of it can be done.
 */
import { SELECTION } from '../i18n/messages/cli-decisions-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import { OperatorError, withMessage } from '../model/fault.ts';
import { type ApprovedBy, documentName, type LedgerEntry, type SourceFile } from '../model/ledger-entry.ts';
import { answerAgain } from '../pipeline/answers/answer-again.ts';
import { findEntry } from '../pipeline/context/find-entry.ts';
import type { RunContext } from '../pipeline/context/run-context.ts';
import { reprocess } from '../pipeline/reprocessing/reprocess-documents.ts';
import { changedMeanwhile } from '../pipeline/reprocessing/reread-result.ts';
import { resumeService } from '../pipeline/submission/service-pauses.ts';
import { needsAction } from '../views/queries/refused-files.ts';
import { type ActOf, documentsOf, isAsideAsSeen, isAsSeen, type PersonAct, type SeenDocument } from './act.ts';
import { type ActResult, type DecidedDocument, namedEntry, type ReadAgain } from './act-result.ts';
import { type DecidingAct, recordedAs, stateAfter, traitsOf } from './acts.ts';
import { type ActContext, consult, isRead, requeueFile, resolveDocuments, setFileAside } from './decide.ts';
import { fixDocuments } from './fix-documents.ts';
import { whyNotDecided } from './judge-decision.ts';
import { planFix, replacement } from './plan-fix.ts';
import { undoExportWaiver, undoFileSetAside, undoLastDecision } from './undo.ts';
import { hourToWaive, waiveExport } from './waive-export.ts';

/** Who decided, why, and when (ISO 8601, UTC): the ledger and the receipt keep it. */
export type PersonDecision = { readonly by: string; readonly reason: string; readonly at: string } & ApprovedBy;

/** An act with its request: the id is the key under which the ledger knows what is done of it. */
export type ActRequest = { readonly id: string; readonly act: PersonAct; readonly decision: PersonDecision };

/** The result is recorded in the ledger. A request that is done returns it and changes nothing. */
export async function carryOut(context: RunContext, { id, act, decision }: ActRequest): Promise<ActResult> {
  const seen = new Map(documentsOf(act).map((document) => [document.id, document]));
  const steps = await context.ledger.steps.stepsMade(id);
  const { submissions, corrections } = context.ledger.steps.stepsOf(id, seen);
  const ledger = {
    ...context.ledger,
    submissions: { ...context.ledger.submissions, ...submissions },
    corrections: { ...context.ledger.corrections, ...corrections },
  };
  return await resultOf({ ...context, ledger, steps }, act, decision);
}

/** Every act is a line here: a new one does not compile without it. */
async function resultOf(context: ActContext, act: PersonAct, decision: PersonDecision): Promise<ActResult> {
  switch (act.act) {
    case 'retry':
    case 'release':
    case 'set-aside':
    case 'acknowledge':
    case 'resolve':
      return { act: act.act, documents: await decideAll(context, act, decision) };
    case 'fix':
      return { act: act.act, documents: await fix(context, act, decision) };
    case 'replace-cells':
      return { act: act.act, documents: await replaceCells(context, act, decision) };
    case 'reprocess':
      return { act: act.act, documents: await reprocessSeen(context, act, decision) };
    case 'reprocess-file':
      return {
        act: act.act,
        files: await requeueFile(context, await fileOf(context, act.file, isRefusedFile), decision),
      };
    case 'set-file-aside':
      await setFileAside(context, await fileOf(context, act.file, needsAction), decision);
      return { act: act.act, done: true };
    case 'undo-file':
      await undoFileSetAside(context, await fileOf(context, act.file), decision);
      return { act: act.act, done: true };
    case 'undo': {
      const { outcome, entry, decision: undone } = await undoLastDecision(context, act.document.id, decision);
      return definedOnly({ act: act.act, outcome, is: entry.state, decision: undone });
    }
    case 'undo-export':
      return definedOnly({ act: act.act, due: await undoExportWaiver(context, act.export, decision) });
    case 'waive':
      await waiveExport(context, await hourToWaive(context, act), decision);
      return { act: act.act, done: true };
    case 'consult': {
      const ids = act.documents?.map(({ id }) => id);
      return { act: act.act, services: await consult(context, ids, decision) };
    }
    case 'report-again':
      return { act: act.act, reported: await answerAgain(context, act, decision) };
    case 'resume':
      return { act: act.act, resumed: await resumeService(context.ledger.submissions, act.service, decision) };
  }
}

async function decideAll(
  context: ActContext,
  act: ActOf<DecidingAct>,
  decision: PersonDecision,
): Promise<readonly DecidedDocument[]> {
  const as = recordedAs(act);
  const against = await refusedNow(context, act);
  const ids = act.documents.map(({ id }) => id).filter((id) => !against.has(id));
  const recorded = await resolveDocuments(context, ids, { ...decision, ...act.evidence, as });
  const refused = [...against, ...recorded.refused];
  const results: DecidedDocument[] = [];
  for (const seen of act.documents) {
    const { id, state: was } = seen;
    const entry = await entryOf(context, id);
    const done = !refused.includes(id);
    const why = isAsSeen(entry, seen) && isAsideAsSeen(entry, seen) ? 'not-allowed' : 'changed-meanwhile';
    const number = documentName(entry);
    // What no person has seen yet holds it at once.
    const isHeld = recordedAs(act) === 'ready' && entry.state === 'held';
    results.push(
      definedOnly({
        id,
        number,
        was,
        is: done && !isHeld ? stateAfter(act, was) : entry.state,
        done,
        why: done ? undefined : why,
      }),
    );
  }
  return results;
}

/** Ids of documents, as the person has seen them, that may not have the decision: the same is checked for every program that asks. */
async function refusedNow(context: ActContext, act: ActOf<DecidingAct>): Promise<ReadonlySet<string>> {
  const as = act.act === 'resolve' ? act.as : undefined;
  const asked = definedOnly({ act: act.act, as, hasEvidence: act.evidence !== undefined });
  const refused = new Set<string>();
  for (const seen of act.documents) {
    // After a stop the same request finds what it has done before.
    if (context.steps.has(`resolve ${seen.id}`)) continue;
    const entry = await entryOf(context, seen.id);
    if (traitsOf(act.act).sends && !isAsideAsSeen(entry, seen)) refused.add(seen.id);
    if (isAsSeen(entry, seen) && whyNotDecided(context.instance, entry, asked)) refused.add(seen.id);
  }
  return refused;
}

async function fix(
  context: ActContext,
  { documents }: ActOf<'fix'>,
  decision: PersonDecision,
): Promise<readonly ReadAgain[]> {
  const planned = [];
  for (const { id, revision, state, since, aside = false, edits } of documents) {
    const entry = await entryOf(context, id);
    planned.push({ entry: { ...entry, revision, state, since: since ?? entry.since }, edits, wasAside: aside });
  }
  return await fixDocuments(context, planned, decision);
}

/** Plans with the cells of now; a document that the request does not fit stays as it is, with the reason. */
async function replaceCells(
  context: ActContext,
  act: ActOf<'replace-cells'>,
  decision: PersonDecision,
): Promise<readonly ReadAgain[]> {
  const { open, changed, done } = await asSeen(context, act.documents);
  if (open.length === 0) return [...changed, ...done];
  const plan = await planFix(context, open, replacement(act));
  const left = plan.leftOut.map(({ entry, error }): ReadAgain => {
    const origin = { file: entry.file.name, row: entry.rows[0] ?? 0 };
    const { message, hint } = error.texts;
    const words = hint ? withMessage(message, hint) : withMessage(message);
    return { entry: namedEntry(entry), fault: { code: error.code, level: 'error', ...words, origin } };
  });
  return [...changed, ...done, ...left, ...(await fixDocuments(context, plan.documents, decision))];
}

async function reprocessSeen(
  context: ActContext,
  { documents }: ActOf<'reprocess'>,
  decision: PersonDecision,
): Promise<readonly ReadAgain[]> {
  const { open, changed, done } = await asSeen(context, documents);
  const became = await reprocess(context, open, decision);
  return [...changed, ...done, ...became.map((one) => ({ ...one, entry: namedEntry(one.entry) }))];
}

/** `done`: the request has read their source before it was cut off. `changed`: not the version that the person has seen. */
async function asSeen(context: ActContext, documents: readonly SeenDocument[]) {
  const open: LedgerEntry[] = [];
  const [changed, done]: [ReadAgain[], ReadAgain[]] = [[], []];
  for (const seen of documents) {
    const entry = await entryOf(context, seen.id);
    if (isRead(context, entry)) done.push({ entry: namedEntry(entry), done: true });
    else if (isAsSeen(entry, seen) && isAsideAsSeen(entry, seen)) open.push(entry);
    else changed.push({ entry: namedEntry(entry), fault: changedMeanwhile(entry) });
  }
  return { open, changed, done };
}

/** Throws `select/no-such-document`. */
async function entryOf({ ledger }: RunContext, id: string): Promise<LedgerEntry> {
  const entry = await findEntry(ledger.queries, id);
  if (entry) return entry;
  throw new OperatorError('select/no-such-document', SELECTION.noSuch({ name: id }), {
    hint: SELECTION.listUnchanged(),
  });
}

function isRefusedFile({ state }: SourceFile): boolean {
  return state === 'refused';
}

/** Throws `select/no-such-document`, also for a file that the act does not fit. */
async function fileOf(
  { ledger }: RunContext,
  id: string,
  isMeant: (file: SourceFile) => boolean = () => true,
): Promise<SourceFile> {
  const file = await ledger.queries.sourceFile(id);
  if (file && isMeant(file)) return file;
  throw new OperatorError('select/no-such-document', SELECTION.noSuch({ name: id }), {
    hint: SELECTION.listUnchanged(),
  });
}
