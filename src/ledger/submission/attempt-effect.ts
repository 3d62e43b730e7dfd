/**
 * What the outcome of an attempt does to its document: one rule for submissions and consultations, between whose beginning
 * and end the network lies. An outcome counts only for the document as it was when the attempt began; what comes after
 * anything else happened is kept, and never settles a later submission.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { LEDGER_HOLD } from '../../i18n/messages/ledger-messages.ts';
import { STATE_BY_CODE, type Verdict } from '../../model/answer.ts';
import { MESSAGE } from '../../model/fault.ts';
import type { Evidence } from '../../model/ledger-entry.ts';
import { holdOf, readStoredHold, storedHold } from '../../model/recorded-words.ts';
import { isReplaceable, type State } from '../../model/state.ts';
import { type LedgerContext, optional, text } from '../contract/ledger-context.ts';
import type { AnswerEffect } from '../contract/submission-store.ts';
import { noteNotThere, noteThere } from '../records/attempts.ts';
import { combineHolds } from '../records/combine-holds.ts';
import { findTakers, holdEntry, holdShared } from '../records/shared-rows.ts';

/** The document that an attempt is about. `as`: columns of its entry, with the values that they had. */
export type AttemptSubject = {
  readonly entry: string;
  readonly revision: number;
  /** The number of the submission that it is, or asks about. */
  readonly submits: number;
  readonly as: { readonly [column in string]: string | number };
};

/** Outcomes of a document that the service has, or had: a resend that is queued waits for a person then. */
export const KNOWN_TO_SERVICE: ReadonlySet<State> = new Set([
  'authorized',
  'invalidated',
  'rejected',
  'failed',
  'contingency',
]);

/** The service has it under its number, also if a later submission ended otherwise. */
export const HAS_IT: ReadonlySet<State> = new Set<State>(['authorized', 'invalidated', 'contingency']);

/** From these a document is sent. */
const QUEUED = new Set<unknown>(['ready', 'held'] satisfies State[]);
/** What the service has under its number would not be there: it is corrected, or sent again, and no one asks the service before. */
const NOT_ISSUED = new Set<unknown>(['rejected', 'failed'] satisfies State[]);
/** Nothing is sent from these, but what they become, or what takes their place, may be. */
const BEFORE_THAT = new Set<unknown>(['sending', 'invalid', 'conflict', 'refused'] satisfies State[]);
/** Nothing takes their place any more. */
const ISSUED = new Set<unknown>(['authorized', 'invalidated'] satisfies State[]);

/** `isNews`: the verdict gives another state than the attempt began with. */
type Said = { readonly verdict: Verdict; readonly isNews: boolean };

/** `now`: the entry, read in the same transaction. */
export async function effectOf(
  sql: Statements,
  now: DatabaseRow,
  about: AttemptSubject,
  { verdict, isNews }: Said,
): Promise<AnswerEffect> {
  const { state } = verdict;
  if (Object.entries(about.as).every(([column, value]) => now[column] === value)) return 'counts';
  if (saysThatItIsThere({ verdict, isNews })) return await effectOfExistence(sql, now, about);
  if (!isNews || !KNOWN_TO_SERVICE.has(state)) return 'late';
  // The correction of a document that the service has rejected.
  const isOfFormer = now.revision !== about.revision && isReplaceable(state);
  return QUEUED.has(now.state) && !isOfFormer && (await isLastSent(sql, about)) ? 'holds' : 'late';
}

/** The service may have a document with this number although all of our submissions came back unprocessed: the code says so. */
function saysThatItIsThere({ verdict: { state, answer }, isNews }: Said): boolean {
  const says = answer && STATE_BY_CODE.get(answer.code);
  // An answer that changes nothing leaves the state that was asked about, which it does not confirm.
  return [isNews ? state : undefined, says].some((one) => one !== undefined && HAS_IT.has(one));
}

/** Of two answers about one submission that which was asked for later counts; of an answer and a person, neither alone. */
async function effectOfExistence(sql: Statements, now: DatabaseRow, about: AttemptSubject): Promise<AnswerEffect> {
  if (QUEUED.has(now.state)) return 'holds';
  if (BEFORE_THAT.has(now.state)) return 'marks';
  const isLater = now.submits !== about.submits;
  if (NOT_ISSUED.has(now.state)) {
    const isEarlier = !isLater && !isRecordedByPerson(now) && !(await isSettledBeforeQuestion(sql, now, about));
    return isEarlier ? 'late' : 'holds';
  }
  // The decision may be undone, and what was before it may be replaced; what the service has issued stays so.
  if (about.as.state === 'refused') return ISSUED.has(now.state) && !isRecordedByPerson(now) ? 'late' : 'marks';
  return isLater && !HAS_IT.has(text(now, 'state') as State) ? 'marks' : 'late';
}

/** Whether the subject is a question, and what the document is now comes from an answer that was asked for before it. */
async function isSettledBeforeQuestion(
  sql: Statements,
  now: DatabaseRow,
  { entry, as }: AttemptSubject,
): Promise<boolean> {
  if (as.consults === undefined) return false;
  const since = `SELECT 1 FROM attempt WHERE entry = ? AND act = 'consult' AND n > ? AND outcome = ? LIMIT 1`;
  return (await sql.all(since, entry, as.consults, text(now, 'state'))).length === 0;
}

function isRecordedByPerson({ state, evidence }: DatabaseRow): boolean {
  return evidence !== null && (JSON.parse(evidence as string) as Evidence).as === state;
}

/** Whether every submission after it is proven not processed. */
async function isLastSent(sql: Statements, { entry, submits }: AttemptSubject): Promise<boolean> {
  const later = `SELECT 1 FROM attempt WHERE entry = ? AND act = 'submit' AND n > ?
    AND (outcome IS NULL OR outcome <> 'ready') LIMIT 1`;
  return (await sql.all(later, entry, submits)).length === 0;
}

type Kept = Said & { readonly effect: AnswerEffect; readonly at: string };

/**
 * Holds what is queued of a document about which an outcome came, or marks it, as `effect` says: a person has to see it first. So do
 * documents that have got rows of it since.
 */
export async function keepOutcome(
  sql: Statements,
  context: LedgerContext,
  now: DatabaseRow,
  about: AttemptSubject,
  { effect, verdict, isNews, at }: Kept,
): Promise<void> {
  // Nothing else is said of what a later answer has settled.
  const isSettled = effect === 'late' && NOT_ISSUED.has(now.state);
  const isThere =
    effect === 'counts' ? isNews && HAS_IT.has(verdict.state) : saysThatItIsThere({ verdict, isNews }) && !isSettled;
  if (isThere) await holdTakers(sql, context, about, { verdict, at });
  else if (about.as.consults !== undefined && isNews && NOT_ISSUED.has(verdict.state))
    await noteNotThere(sql, { entry: about.entry, n: about.submits, isLate: effect !== 'counts' });
  if (effect !== 'holds' && effect !== 'marks') return;
  const reason = verdict[MESSAGE]?.message ?? verdict.reason;
  const { hold: other } = optional('hold', now.hold, readStoredHold);
  const own = holdOf('outcome-arrived', LEDGER_HOLD.outcomeArrived({ reason }), context.language);
  // A person may record this outcome, whatever held the document before.
  const hold = { ...combineHolds(context, own, other), rule: own.rule };
  if (effect === 'holds') return await holdEntry(sql, context, now, { hold, at });
  // Who looked before decides nothing about it, and a document that needed no action comes back to the list: one that was set
  // aside is to be corrected again.
  const mark = `UPDATE entry SET hold = ?, since = CASE WHEN state = 'sending' THEN since ELSE ? END,
    evidence = CASE WHEN state = 'invalid' THEN NULL ELSE evidence END WHERE id = ?`;
  await sql.run(mark, storedHold(hold), Date.parse(at), text(now, 'id'));
}

/** A document that has rows of what the service has waits for a person; what it is now is its own, and stays. */
async function holdTakers(
  sql: Statements,
  context: LedgerContext,
  { entry, submits, as }: AttemptSubject,
  { verdict, at }: Pick<Kept, 'verdict' | 'at'>,
): Promise<void> {
  const revision = await noteThere(sql, { entry, n: submits, at, isOfNumber: as.consults !== undefined });
  if (revision === undefined) return;
  const reason = verdict[MESSAGE]?.message ?? verdict.reason;
  for (const id of await findTakers(sql, { entry, revision })) await holdShared(sql, context, id, { at, reason });
}

/**
 * After an outcome that counts; `now`: the entry with it. What an earlier outcome has marked is neither sent again nor corrected
 * before a person decides. True if it is held now.
 */
export async function followMark(
  sql: Statements,
  context: LedgerContext,
  now: DatabaseRow,
  at: string,
): Promise<boolean> {
  const { hold } = optional('hold', now.hold, readStoredHold);
  if (!hold) return false;
  const isHeld = QUEUED.has(now.state) || NOT_ISSUED.has(now.state);
  if (isHeld) await holdEntry(sql, context, now, { hold, at });
  else if (ISSUED.has(now.state)) await sql.run('UPDATE entry SET hold = NULL WHERE id = ?', text(now, 'id'));
  return isHeld;
}
