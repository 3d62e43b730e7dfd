/**
 * What the outcome of an attempt does to its document: one rule for submissions and consultations, between whose beginning
 * and end the network lies. An outcome counts only for the document as it was when the attempt began; what comes after
 * anything else happened is kept, and never settles a later submission.
 */
import { LEDGER_HOLD } from '../../i18n/messages/ledger-messages.ts';
import type { Verdict } from '../../model/answer.ts';
import { MESSAGE } from '../../model/fault.ts';
import { holdOf, readStoredHold, storedHold } from '../../model/recorded-words.ts';
import { isReplaceable, type State } from '../../model/state.ts';
import { appendEvent, type LedgerContext, optional, text } from '../contract/ledger-context.ts';
import type { AnswerEffect } from '../contract/submission-store.ts';
import type { DatabaseRow, Statements } from '../database/database-driver.ts';
import { combineHolds } from '../intake/number-twice.ts';
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
const KNOWN_TO_SERVICE = new Set<State>(['authorized', 'invalidated', 'rejected', 'failed', 'contingency']);

/** The service has it under its number, also if a later submission ended otherwise. */
const HAS_IT = new Set<State>(['authorized', 'invalidated', 'contingency']);

/** `now`: the entry, read in the same transaction. `isNews`: the verdict gives another state than the attempt began with. */
export async function effectOf(
  sql: Statements,
  now: DatabaseRow,
  about: AttemptSubject,
  { state, isNews }: { readonly state: State; readonly isNews: boolean },
): Promise<AnswerEffect> {
  if (Object.entries(about.as).every(([column, value]) => now[column] === value)) return 'counts';
  if (!isNews || !KNOWN_TO_SERVICE.has(state)) return 'late';
  if (now.state !== 'ready' && now.state !== 'held') return 'late';
  // The correction of a document that the service has rejected.
  if (now.revision !== about.revision && isReplaceable(state)) return 'late';
  return HAS_IT.has(state) || (await isLastSent(sql, about)) ? 'holds' : 'late';
}

/** Whether every submission after it is proven not processed. */
async function isLastSent(sql: Statements, { entry, submits }: AttemptSubject): Promise<boolean> {
  const later = `SELECT 1 FROM attempt WHERE entry = ? AND act = 'submit' AND n > ?
    AND (outcome IS NULL OR outcome <> 'ready') LIMIT 1`;
  return (await sql.all(later, entry, submits)).length === 0;
}

/** Holds what is queued of a document about whose last submission an outcome came: a person has to see it first. */
export async function holdForOutcome(
  sql: Statements,
  context: LedgerContext,
  now: DatabaseRow,
  { verdict, at }: { readonly verdict: Verdict; readonly at: string },
): Promise<void> {
  const entry = text(now, 'id');
  const reason = verdict[MESSAGE]?.message ?? verdict.reason;
  const { hold: other } = optional('hold', now.hold, readStoredHold);
  const own = holdOf('outcome-arrived', LEDGER_HOLD.outcomeArrived({ reason }), context.language);
  // A person may record this outcome, whatever held the document before.
  const hold = { ...combineHolds(context, own, other), rule: own.rule };
  await sql.run(
    `UPDATE entry SET state = 'held', since = ?, due_at = NULL, hold = ?, receipt_due = 1
     WHERE id = ? AND revision = ? AND submits = ? AND state = ?`,
    ...[Date.parse(at), storedHold(hold), entry, now.revision as number, now.submits as number, text(now, 'state')],
  );
  await touchSummaryOfEntry(sql, entry);
  await appendEvent(sql, context, { what: 'held', entry, at, detail: hold });
}
