/**
 * Corrects cells of many documents as one decision: planned edits come in, what each document became comes out. Each
 * source is read once; one commit per source records all its corrections, which the next run completes after a crash. A
 * document that changed since the plan is left as it is.
 */
import { OperatorError } from '../model/fault.ts';
import { type Correction, firstFileOf, isClosed, type LedgerEntry } from '../model/ledger-entry.ts';
import { findEntry } from '../pipeline/context/find-entry.ts';
import { isCorrectable, type ReprocessContext } from '../pipeline/reprocessing/reconvert-source.ts';
import { foresee, type ReprocessDecision, reprocess } from '../pipeline/reprocessing/reprocess-documents.ts';
import { changedMeanwhile, type ReprocessResult } from '../pipeline/reprocessing/reread-result.ts';
import { appendAll } from '../text/long-lists.ts';
import { documentsOf, isAsideAsSeen, isAsSeen, type PersonAct } from './act.ts';
import { namedEntry, type ReadAgain } from './act-result.ts';
import { type ActContext, isRead } from './decide.ts';
import { type PlannedFix, planFix, replacement } from './plan-fix.ts';
import { foreseeUndo } from './undo.ts';

/** The edits as corrections of this person. */
export function correctionsOf(
  planned: readonly PlannedFix[],
  { by, at, reason }: ReprocessDecision,
): readonly Correction[] {
  return planned.flatMap(({ edits }) => edits.map((edit) => ({ ...edit, by, at, reason })));
}

/** The results without the corrections: nothing is written. Of a pair, the second file is read with those of the first one. */
export async function foreseeFix(
  context: ReprocessContext,
  planned: readonly PlannedFix[],
  decision: ReprocessDecision,
): Promise<readonly ReprocessResult[]> {
  const results: ReprocessResult[] = [];
  const given = new Map<string, readonly Correction[]>();
  const { ledger } = context;
  const correctionsSoFar = async (id: string) => [
    ...(await ledger.queries.correctionsOf(id)),
    ...(given.get(id) ?? []),
  ];
  const within = { ...context, ledger: { ...ledger, queries: { ...ledger.queries, correctionsOf: correctionsSoFar } } };
  for (const [source, own] of bySource(planned)) {
    const corrections = correctionsOf(own, decision);
    const made = await foresee(within, entriesOf(own), { at: decision.at, corrections });
    if (made.some(isRecorded)) given.set(source, corrections);
    appendAll(results, made);
  }
  return results;
}

/** The corrections of a source are recorded if a document of it becomes another one. */
function isRecorded(one: ReprocessResult): boolean {
  return 'state' in one && one.state !== 'unchanged';
}

/** What an act would make of these documents, an undo only what it would send: none where it reads no document again, or is refused as a whole. */
export async function foreseeAct(
  context: ReprocessContext,
  act: PersonAct,
  entries: readonly LedgerEntry[],
  at: string,
): Promise<readonly ReprocessResult[]> {
  const decision = { by: '', reason: '', at };
  const seen = new Map(documentsOf(act).map((one) => [one.id, one]));
  // One that has changed since stays as it is: its corrections make nothing of the others, either.
  const open = entries.filter((entry) => {
    const one = seen.get(entry.id);
    return isCorrectable(entry) && one !== undefined && isAsSeen(entry, one) && isAsideAsSeen(entry, one);
  });
  if (act.act === 'reprocess') return await foresee(context, open, { at });
  if (act.act === 'undo') return await foreseeUndo(context, act.document.id, at);
  if (act.act === 'fix') {
    const entryOf = new Map(open.map((entry) => [entry.id, entry]));
    const planned = act.documents.flatMap(({ id, edits }) => {
      const entry = entryOf.get(id);
      return entry ? [{ entry, edits }] : [];
    });
    return await foreseeFix(context, planned, decision);
  }
  if (act.act !== 'replace-cells' || open.length === 0) return [];
  try {
    return await foreseeFix(context, (await planFix(context, open, replacement(act))).documents, decision);
  } catch (error) {
    if (error instanceof OperatorError) return [];
    throw error;
  }
}

/** Does it; nothing is sent. A document of another revision than planned keeps it. */
export async function fixDocuments(
  context: ActContext,
  planned: readonly PlannedFix[],
  decision: ReprocessDecision,
): Promise<readonly ReadAgain[]> {
  const results: ReadAgain[] = [];
  const open: PlannedFix[] = [];
  for (const one of planned) {
    const now = (await findEntry(context.ledger.queries, one.entry.id)) ?? one.entry;
    if (isAsPlanned(now, one) && !isRead(context, now)) open.push(one);
    else if (await isDone(context, one)) results.push({ entry: namedEntry(now), done: true });
    else if (isCorrectable(now)) results.push({ entry: namedEntry(now), fault: changedMeanwhile(now) });
    // Reprocessing reports why this state does not allow it.
    else open.push({ entry: now, edits: [] });
  }
  for (const [, own] of bySource(open)) {
    const corrections = correctionsOf(own, decision);
    appendAll(
      results,
      (await reprocess(context, entriesOf(own), { ...decision, corrections })).map((one) => ({
        ...one,
        entry: namedEntry(one.entry),
      })),
    );
  }
  return results;
}

/** The sources one after the other: the rows of a correction are rows of one source. */
function bySource(planned: readonly PlannedFix[]): ReadonlyMap<string, readonly PlannedFix[]> {
  return Map.groupBy(planned, ({ entry }) => firstFileOf(entry));
}

function entriesOf(planned: readonly PlannedFix[]): readonly LedgerEntry[] {
  return planned.map(({ entry }) => entry);
}

function isAsPlanned(now: LedgerEntry, { entry, wasAside = isClosed(entry) }: PlannedFix): boolean {
  return isAsSeen(now, entry) && isAsideAsSeen(now, { aside: wasAside });
}

/** Whether the last correction of each cell wrote what is asked: a stop came between the commit and the report. */
async function isDone({ ledger }: ActContext, { entry, edits }: PlannedFix): Promise<boolean> {
  const known = await ledger.queries.correctionsOf(firstFileOf(entry));
  return edits.every(({ row, column, to }) => {
    return known.findLast((one) => one.row === row && one.column === column)?.to === to;
  });
}
