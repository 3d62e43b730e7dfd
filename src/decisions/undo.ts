/**
 * Takes back the last decision of a person about a document, a file or an expected export. The ledger refuses it as
 * soon as anything happened since; nothing is deleted, the history has the decision and its end.
 */
import { APPROVAL_EVENTS } from '../ledger/contract/approval.ts';
import type { QueryStore } from '../ledger/contract/query-store.ts';
import { isError } from '../model/fault.ts';
import {
  CORRECTION_NOT_APPLIED,
  type Correction,
  FILE_SET_ASIDE_UNDONE,
  firstFileOf,
  type LedgerEntry,
  type SourceFile,
} from '../model/ledger-entry.ts';
import { must } from '../model/must.ts';
import { allows, isReplaceable, type State } from '../model/state.ts';
import { findEntry } from '../pipeline/context/find-entry.ts';
import type { RunContext } from '../pipeline/context/run-context.ts';
import type { ReprocessContext } from '../pipeline/reprocessing/reconvert-source.ts';
import { foresee, type ReprocessDecision, reprocess } from '../pipeline/reprocessing/reprocess-documents.ts';
import type { ReprocessResult } from '../pipeline/reprocessing/reread-result.ts';
import type { UndoneAs } from './act-result.ts';
import type { ActContext } from './decide.ts';
import { expectAgain } from './waive-export.ts';

/** `entry` is as it is now; `decision` is what was undone, as the history names it. */
export type UndoneDecision = {
  readonly outcome: UndoneAs;
  readonly entry: LedgerEntry;
  readonly decision?: string;
};

/** Events with a person that cannot be undone. */
const NO_DECISIONS: ReadonlySet<string> = new Set(['purged', CORRECTION_NOT_APPLIED, ...APPROVAL_EVENTS]);

/** One commit; a correction may take several, each of them once for a request. */
export async function undoLastDecision(
  context: ActContext,
  id: string,
  decision: ReprocessDecision,
): Promise<UndoneDecision> {
  const last = await lastDecision(context.ledger.queries, id);
  const outcome = await context.ledger.submissions.undo(id, decision);
  if (outcome === 'correction') return await undoCorrection(context, id, decision);
  const entry = must(await findEntry(context.ledger.queries, id), 'the entry of a decision');
  // Made of rows that the correction of another document has set apart.
  if (outcome === 'nothing' && entry.file.rereads !== undefined) return { outcome: 'correction-moved-rows', entry };
  return last === undefined ? { outcome, entry } : { outcome, entry, decision: last };
}

/**
 * Gives the cells the values of before and reads the document again. A document that is queued is taken out of the queue
 * first: between the two steps it is set aside, and never sent. One that was rejected, or set aside, is so again; one that was
 * held waits again.
 */
async function undoCorrection(context: ActContext, id: string, decision: ReprocessDecision): Promise<UndoneDecision> {
  const { ledger, steps } = context;
  const entry = must(await findEntry(ledger.queries, id), 'the entry of a decision');
  // What a request that was cut off has done already: the cells are as before.
  if (steps.has(`openReprocess ${firstFileOf(entry)}`)) {
    return { outcome: 'correction-undone', entry };
  }
  const former = await cellsOfBefore(ledger.queries, entry, decision);
  if ('stays' in former) return { outcome: former.stays, entry };
  const { corrections } = former;
  return await takeBack(context, entry, { corrections, decision });
}

/**
 * The documents that taking the last decision back would send: none where no correction is taken back, or the document is only as it
 * was, rejected or set aside.
 */
export async function foreseeUndo(
  context: ReprocessContext,
  id: string,
  at: string,
): Promise<readonly ReprocessResult[]> {
  const { ledger } = context;
  const decision = { by: '', reason: '', at };
  const entry = await findEntry(ledger.queries, id);
  if (!entry || !OF_CORRECTIONS.has((await lastDecision(ledger.queries, id)) ?? '')) return [];
  const former = await cellsOfBefore(ledger.queries, entry, decision);
  if ('stays' in former) return [];
  if (
    (isInQueue(entry) && (await wasRejected(ledger.queries, entry))) ||
    (await beforeCorrection(ledger.queries, id)).aside
  )
    return [];
  const foreseen = await foreseeTakenBack(context, entry, { corrections: former.corrections, decision });
  return foreseen.flatMap((one): readonly ReprocessResult[] => {
    if (!('fault' in one)) return one.state === 'ready' ? [one] : [];
    // It is queued until it is taken back.
    const sent = (one.would ?? []).filter(({ hold, faults }) => hold === undefined && !faults.some(isError));
    return sent.map((outcome) => ({ entry: one.entry, state: 'ready', outcome, more: 0, amounts: [outcome] }));
  });
}

/** A correction, and a former undo of it that was not possible. */
const OF_CORRECTIONS: ReadonlySet<string> = new Set(['read-again', 'withdrawn', 'undone']);

async function lastDecision(ledger: QueryStore, id: string): Promise<string | undefined> {
  const history = await ledger.historyOf(id);
  return history.findLast(({ person, what }) => person !== undefined && !NO_DECISIONS.has(what))?.what;
}

/** The cells of the last correction with their values of before; `stays`: why it cannot be taken back. */
async function cellsOfBefore(
  ledger: QueryStore,
  entry: LedgerEntry,
  decision: ReprocessDecision,
): Promise<{ readonly corrections: readonly Correction[] } | { readonly stays: UndoneAs }> {
  const isSent = entry.attempts.some(({ act, revision }) => act === 'submit' && revision === undefined);
  const isOpen = entry.state === 'ready' || allows(entry.state, 'fix') || entry.state === 'held';
  if (isSent || !(isOpen || entry.rows.length === 0)) return { stays: 'correction-sent' };
  if (await hasMovedRows(ledger, entry)) return { stays: 'correction-moved-rows' };
  const corrections = await formerCells(ledger, entry, decision);
  return corrections.length === 0 ? { stays: 'nothing' } : { corrections };
}

type TakenBack = { readonly corrections: readonly Correction[]; readonly decision: ReprocessDecision };

async function takeBack(
  context: ActContext,
  entry: LedgerEntry,
  { corrections, decision }: TakenBack,
): Promise<UndoneDecision> {
  const { ledger, steps } = context;
  const { id, state } = entry;
  const isQueued = isInQueue(entry) || steps.has(`withdraw ${id}`);
  // A request that was cut off after its first commit finds the document rejected again.
  const isRejected =
    state === 'rejected' ? steps.has(`withdraw ${id}`) : isQueued && (await wasRejected(ledger.queries, entry));
  if (isRejected) return await leaveQueue(context, entry, 'rejected', { corrections, decision });
  const { from, aside } = await beforeCorrection(ledger.queries, id);
  if (aside) return await leaveQueue(context, entry, 'invalid', { corrections, decision });
  // Before it leaves the queue, in which it would not be again.
  if (!(await canBeRead(context, entry, { corrections, decision }))) return { outcome: 'correction-stays', entry };
  const mustLeave = state === 'ready' || from === 'held';
  if (
    mustLeave &&
    !(await ledger.submissions.withdraw(id, 'invalid', decision, { revision: entry.revision })) &&
    state === 'ready'
  )
    return { outcome: 'correction-sent', entry };
  const current = must(await findEntry(ledger.queries, id), 'the entry of a decision');
  // An export has replaced it since: its rows are others.
  if (current.revision !== entry.revision) return { outcome: 'moved-on', entry: current };
  const isDone = await isReadAgain(context, current, { corrections, decision });
  const now = must(await findEntry(ledger.queries, id), 'the entry of a decision');
  return { outcome: isDone ? 'correction-undone' : 'correction-stays', entry: now };
}

function isInQueue({ state, hold }: LedgerEntry): boolean {
  return state === 'ready' || (state === 'held' && isReplaceable(state, hold?.rule));
}

/** Otherwise the document is again where it was before it left the queue; a reading that has begun is completed by the next run. */
async function isReadAgain(
  context: ActContext,
  entry: LedgerEntry,
  { corrections, decision }: TakenBack,
): Promise<boolean> {
  const { ledger } = context;
  try {
    const [result] = await reprocess(context, [entry], { ...decision, corrections });
    if (!(result && 'fault' in result)) return true;
  } catch (error) {
    const first = firstFileOf(entry);
    if ((await ledger.intake.loadingFiles()).some(({ rereads }) => rereads === first)) throw error;
    await ledger.submissions.putBack(entry.id, decision);
    throw error;
  }
  await ledger.submissions.putBack(entry.id, decision);
  return false;
}

/** Whether the export still makes this document; one that is queued may not be corrected before it leaves the queue. */
async function canBeRead(context: RunContext, entry: LedgerEntry, taken: TakenBack): Promise<boolean> {
  const own = (await foreseeTakenBack(context, entry, taken)).find((one) => one.entry.id === entry.id);
  return own !== undefined && !('fault' in own && own.fault.code !== 'reprocess/not-correctable');
}

async function foreseeTakenBack(context: ReprocessContext, entry: LedgerEntry, { corrections, decision }: TakenBack) {
  const left: LedgerEntry = { ...entry, state: 'invalid' };
  return await foresee(context, [left], { at: decision.at, corrections });
}

/** The content before was: by an answer to its submission or to a consultation, or as a person has recorded. */
async function wasRejected(ledger: QueryStore, { id, revision }: LedgerEntry): Promise<boolean> {
  const last = (await ledger.attemptsOf(id)).findLast(({ outcome }) => outcome !== undefined);
  return last?.outcome === 'rejected' && last.revision === revision - 1;
}

/** What the history has of the document before its last correction; older versions noted nothing. */
async function beforeCorrection(ledger: QueryStore, id: string): Promise<{ from?: State; aside?: true }> {
  const reading = (await ledger.historyOf(id)).findLast(({ what }) => what === 'read-again');
  return (reading?.detail as { from?: State; aside?: true } | undefined) ?? {};
}

/** The content before is not made again: it was rejected and is never sent again, or a person had set it aside. */
async function leaveQueue(
  { ledger }: RunContext,
  entry: LedgerEntry,
  as: 'rejected' | 'invalid',
  { corrections, decision }: TakenBack,
): Promise<UndoneDecision> {
  if (!(await ledger.submissions.withdraw(entry.id, as, decision, { revision: entry.revision, corrections })))
    return { outcome: entry.state === 'ready' ? 'correction-sent' : 'correction-stays', entry };
  return {
    outcome: 'correction-undone',
    entry: must(await findEntry(ledger.queries, entry.id), 'the entry of a decision'),
  };
}

/**
 * Its last correction joined documents or split one: taken back for one of them alone, it would leave rows in no document that is
 * open, or send a part of a document.
 */
async function hasMovedRows(ledger: QueryStore, entry: LedgerEntry): Promise<boolean> {
  if (entry.file.rereads === undefined) return false;
  const before = (await ledger.revisionsOfEntry(entry.id)).at(-2);
  if (before === undefined) return false;
  const now = new Set(entry.rows);
  if (before.rows.length !== now.size || before.rows.some((row) => !now.has(row))) return true;
  // The lines of a header that waited alone have its document now.
  const file = await ledger.sourceFile(before.file);
  return file !== undefined && firstFileOf({ file }) !== firstFileOf(entry);
}

/** The cells of the last correction of the document, each with its value of before. */
async function formerCells(
  ledger: QueryStore,
  { file, rows }: LedgerEntry,
  { by, at, reason }: ReprocessDecision,
): Promise<readonly Correction[]> {
  const all = await ledger.correctionsOf(file.id);
  const own = all.filter(({ row }) => rows.includes(row));
  // A later reading without a correction has no cells to take back.
  const last = file.claimedAt;
  const cells = new Map<string, Correction>();
  for (const { row, column, from, to, at: then } of own) {
    const key = JSON.stringify([row, column]);
    if (then === last && !cells.has(key)) cells.set(key, { row, column, from: to, to: from, by, at, reason });
  }
  return [...cells.values()];
}

/** The file is listed as refused again. */
export async function undoFileSetAside(
  context: RunContext,
  { id }: Pick<SourceFile, 'id'>,
  { at, by, reason }: ReprocessDecision,
): Promise<void> {
  await context.ledger.corrections.recordEvent({
    what: FILE_SET_ASIDE_UNDONE,
    file: id,
    at,
    person: by,
    detail: { reason },
  });
}

/** Expects the hour of this export again that was waived last; resolves to that hour (ISO 8601), undefined without a waiver. */
export async function undoExportWaiver(
  context: RunContext,
  name: string,
  decision: ReprocessDecision,
): Promise<string | undefined> {
  const waived = await context.ledger.queries.exportsWaived();
  const due = waived.findLast((one) => one.name === name)?.due;
  if (due !== undefined) await expectAgain(context, { name, due }, decision);
  return due;
}
