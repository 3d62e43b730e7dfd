/**
 * What the outcome of an attempt does to its document: one rule for submissions and consultations, between whose beginning
 * and end the network lies. An outcome counts only for the document as it was when the attempt began; what comes after
 * anything else happened is kept, and never settles a later submission.
 */
import { LEDGER_HOLD } from '../../i18n/messages/ledger-messages.ts';
import { STATE_BY_CODE, type Verdict } from '../../model/answer.ts';
import type { DocumentFacts, Hold } from '../../model/document.ts';
import { MESSAGE } from '../../model/fault.ts';
import type { Evidence } from '../../model/ledger-entry.ts';
import { holdOf, readStoredHold, rowsHold, storedHold } from '../../model/recorded-words.ts';
import { isReplaceable, type State } from '../../model/state.ts';
import { appendEvent, type LedgerContext, optional, text, valueIn } from '../contract/ledger-context.ts';
import type { AnswerEffect } from '../contract/submission-store.ts';
import type { DatabaseRow, Statements } from '../database/database-driver.ts';
import { combineHolds } from '../records/combine-holds.ts';
import { receiptDue } from '../records/finish-staging.ts';
import { findTakers } from '../records/moved-rows.ts';
import { touchSummaryOfEntry } from '../records/touch-summary.ts';

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
/** It is sent, and may end as one that is corrected or sent again. */
const NOT_SETTLED = new Set<unknown>(['in-doubt', 'returned', 'contingency'] satisfies State[]);
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
  const isSettled = effect === 'counts' || (effect === 'late' && NOT_ISSUED.has(now.state));
  const isThere = saysThatItIsThere({ verdict, isNews }) && !isSettled;
  const isFound = effect === 'counts' && isNews && HAS_IT.has(verdict.state);
  const earlier = isThere || isFound ? await earlierContent(sql, about) : undefined;
  // It has at least the rows of the one that was asked about.
  if (earlier ?? isThere) await keepTakers(sql, context, earlier ?? about, { verdict, at });
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

/** Of submissions `s`: no answer, to it or to a later question, says that it was not issued. */
export const MAY_BE_PROCESSED = `(s.outcome IS NULL OR s.outcome NOT IN ('ready', 'refused', 'returned', 'rejected', 'failed'))
  AND NOT EXISTS (SELECT 1 FROM attempt c WHERE c.entry = s.entry AND c.act = 'consult' AND c.ordinal > s.ordinal
  AND c.outcome IN ('rejected', 'failed'))`;

/** A question is about a number: what the service has may be a content that was sent before, although a person said otherwise. */
async function earlierContent(
  sql: Statements,
  { entry, revision, as }: AttemptSubject,
): Promise<Pick<AttemptSubject, 'entry' | 'revision'> | undefined> {
  if (as.consults === undefined) return undefined;
  const first = `SELECT MIN(s.revision) AS revision FROM attempt s WHERE s.entry = ? AND s.act = 'submit' AND s.revision < ?
    AND ${MAY_BE_PROCESSED}`;
  const [found] = await sql.all(first, entry, revision);
  return typeof found?.revision === 'number' ? { entry, revision: found.revision } : undefined;
}

/** A document that has rows of what the service has waits for a person; what it is now is its own, and stays. */
async function keepTakers(
  sql: Statements,
  context: LedgerContext,
  about: Pick<AttemptSubject, 'entry' | 'revision'>,
  { verdict, at }: Pick<Kept, 'verdict' | 'at'>,
): Promise<void> {
  const [sent] = await sql.all(
    'SELECT facts FROM revision WHERE entry = ? AND revision = ?',
    about.entry,
    about.revision,
  );
  const { identifier: document } = JSON.parse((sent?.facts as string | undefined) ?? '{}') as Partial<DocumentFacts>;
  const reason = verdict[MESSAGE]?.message ?? verdict.reason;
  const own = rowsHold(LEDGER_HOLD.rowsIssued({ document: document ?? '', reason }), context.language);
  for (const id of await findTakers(sql, about)) {
    const [taker] = await sql.all('SELECT * FROM entry WHERE id = ?', id);
    if (!taker) continue;
    const { other } = optional('other', taker.hold, readStoredHold);
    const hold = combineHolds(context, own, other);
    if (QUEUED.has(taker.state)) await holdEntry(sql, context, taker, { hold, at });
    else if ([BEFORE_THAT, NOT_ISSUED, NOT_SETTLED].some((states) => states.has(taker.state)))
      await markTaker(sql, context, taker, { hold, at });
    // Nothing can be held any more, and the history shows it.
    else if (ISSUED.has(taker.state))
      await appendEvent(sql, context, { what: 'rows-issued', entry: id, at, detail: own });
  }
}

/** Who looked before decides nothing about it; a person who has closed it has done so. */
async function markTaker(
  sql: Statements,
  context: LedgerContext,
  taker: DatabaseRow,
  { hold, at }: { readonly hold: Hold; readonly at: string },
): Promise<void> {
  const [entry, state, atMs] = [text(taker, 'id'), text(taker, 'state') as State, Date.parse(at)];
  const since = state === 'sending' ? valueIn(taker, 'since') : atMs;
  const closed = taker.closed_since === taker.since ? since : valueIn(taker, 'closed_since');
  await sql.run(
    'UPDATE entry SET hold = ?, since = ?, closed_since = ?, receipt_due = ? WHERE id = ?',
    ...[storedHold(hold), since, closed, receiptDue(state), entry],
  );
  await touchSummaryOfEntry(sql, entry);
  await appendEvent(sql, context, { what: 'rows-issued', entry, at, detail: hold });
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

async function holdEntry(
  sql: Statements,
  context: LedgerContext,
  now: DatabaseRow,
  { hold, at }: { readonly hold: Hold; readonly at: string },
): Promise<void> {
  const entry = text(now, 'id');
  await sql.run(
    `UPDATE entry SET state = 'held', since = ?, due_at = NULL, hold = ?, receipt_due = 1
     WHERE id = ? AND revision = ? AND submits = ? AND state = ?`,
    ...[Date.parse(at), storedHold(hold), entry, now.revision as number, now.submits as number, text(now, 'state')],
  );
  await touchSummaryOfEntry(sql, entry);
  await appendEvent(sql, context, { what: 'held', entry, at, detail: hold });
}
