/**
 * Consultations ask a service for the outcome of a document. They change a state only by a trustworthy answer, and never
 * make an entry ready: a second submission after "does not exist" (code 18) is a person's decision.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { type Answer, isOfNumberOnly, STATE_BY_CODE } from '../../model/answer.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { MESSAGE } from '../../model/fault.ts';
import { allows, STATE_NAMES, type State } from '../../model/state.ts';
import { appendEvent, type LedgerContext, text, valueIn } from '../contract/ledger-context.ts';
import type {
  AnswerEffect,
  BegunConsultation,
  DueDocument,
  Intent,
  JudgedResponse,
  SubmissionStore,
} from '../contract/submission-store.ts';
import { type AttemptKey, addAttempt, closeAttempt, keepExchange, toAttemptOutcome } from '../records/attempts.ts';
import { receiptDue } from '../records/finish-staging.ts';
import { AFTER_LAST_SUBMISSION } from '../records/not-found.ts';
import { touchSummaryOfEntry } from '../records/touch-summary.ts';
import { type AttemptSubject, effectOf, followMark, keepOutcome } from './attempt-effect.ts';
import { SELECT_DUE, toDueDocuments } from './due-documents.ts';

/** A consultation that a crash interrupted is repeated after this time. */
const CUT_OFF_MS = 15 * 60_000;

const ANSWERS = new Set<State>(['authorized', 'invalidated', 'rejected', 'failed', 'contingency', 'returned']);

const ASKED_IN = STATE_NAMES.filter((state) => allows(state, 'consult'));

export function createConsultations(context: LedgerContext) {
  const { read, write, guard } = context;
  return {
    consultDue: async (service, nowMs, limit) => {
      if (!guard.send) return [];
      const where = 'WHERE e.consult_at <= ? AND e.service = ? ORDER BY e.consult_at, e.id LIMIT ?';
      return await read(async (sql) => toDueDocuments(await sql.all(`${SELECT_DUE} ${where}`, nowMs, service, limit)));
    },
    nextConsult: async (service) => {
      if (!guard.send) return undefined;
      const first =
        'SELECT consult_at FROM entry WHERE consult_at IS NOT NULL AND service = ? ORDER BY consult_at LIMIT 1';
      return await read(async (sql) => (await sql.all(first, service))[0]?.consult_at as number | undefined);
    },
    beginConsult: (due, intent) => write((sql) => beginConsult(sql, due, intent)),
    finishConsult: (begun, response, verdict, at) =>
      write((sql) => finishConsult(sql, context, begun, { response, verdict, at }), 'ends'),
  } satisfies Partial<SubmissionStore>;
}

/** Nothing is asked about a document that was settled, sent or corrected since it was found due. */
async function beginConsult(sql: Statements, due: DueDocument, intent: Intent): Promise<BegunConsultation | undefined> {
  const [row] = await sql.all(
    `UPDATE entry SET consults = consults + 1, consult_at = CASE WHEN consult_at IS NULL THEN NULL ELSE CAST(? AS BIGINT) END
     WHERE id = ? AND revision = ? AND state IN (${ASKED_IN.map(() => '?').join(', ')})
     RETURNING consults, submits, resolves, state, answer`,
    ...[Date.parse(intent.at) + CUT_OFF_MS, due.id, due.revision, ...ASKED_IN],
  );
  if (!row) return undefined;
  const n = row.consults as number;
  const asked = await countAsked(sql, due.id);
  await addAttempt(sql, { entry: due.id, act: 'consult', n }, { ...intent, revision: due.revision });
  const { trackingId } = JSON.parse((row.answer as string | null) ?? '{}') as Partial<Answer>;
  const state = text(row, 'state') as State;
  const onlyReturned = state === 'returned' && !(await mayHaveArrived(sql, due));
  const [submits, resolves] = [row.submits as number, row.resolves as number];
  return definedOnly({ due, n, asked, submits, resolves, state, onlyReturned, trackingId });
}

async function countAsked(sql: Statements, entry: string): Promise<number> {
  const [row] = await sql.all(
    `SELECT COUNT(*) AS n FROM attempt a WHERE a.entry = ? AND ${AFTER_LAST_SUBMISSION}`,
    entry,
  );
  return row?.n as number;
}

/** Whether the service may have taken this content: a submission was in doubt, is so still, or had another outcome. */
async function mayHaveArrived(sql: Statements, { id, revision }: DueDocument): Promise<boolean> {
  const others = `SELECT 1 FROM attempt WHERE entry = ? AND act = 'submit' AND revision = ?
    AND (outcome IS NULL OR outcome NOT IN ('returned', 'ready', 'refused')) LIMIT 1`;
  return (await sql.all(others, id, revision)).length > 0;
}

/** The document as it was when the question was put; a later question, a submission or a decision of a person ends that. */
function subjectOf({ due, n, submits, resolves, state }: BegunConsultation): AttemptSubject {
  const as = { revision: due.revision, submits, resolves, consults: n, state };
  return { entry: due.id, revision: due.revision, submits, as };
}

async function finishConsult(
  sql: Statements,
  context: LedgerContext,
  begun: BegunConsultation,
  { response, verdict, at }: JudgedResponse,
): Promise<AnswerEffect> {
  const { due, n } = begun;
  const isNews = verdict.state !== begun.state;
  if (verdict.resend || (isNews && !ANSWERS.has(verdict.state))) {
    throw new Error(`a consultation cannot make an entry ${verdict.state}`);
  }
  if (!('status' in response.exchange) && isNews) throw new Error('no answer came, so the state stays');
  const key: AttemptKey = { entry: due.id, act: 'consult', n };
  if (!(await keepExchange(sql, key, response))) throw new Error(`${due.id} has no open consultation ${n}`);
  const [now] = await sql.all('SELECT * FROM entry WHERE id = ?', due.id);
  if (!now) throw new Error(`no entry ${due.id} in the ledger`);
  const outcome = toAttemptOutcome(verdict, context.language);
  await closeAttempt(sql, key, outcome);
  const about = subjectOf(begun);
  const effect = await effectOf(sql, now, about, { verdict, isNews });
  if (effect === 'counts') await applyAnswer(sql, now, about, { verdict, at });
  else await keepLate(sql, now, { isOutcome: isNews, at });
  await touchSummaryOfEntry(sql, due.id);
  const asked = now.consults as number;
  const recorded = { n, state: outcome.state, code: verdict.answer?.code, reason: outcome.reason, asked };
  const [what, detail] =
    effect === 'counts' ? ['consulted', recorded] : ['late-verdict', { act: key.act, ...recorded }];
  await appendEvent(sql, context, { what, entry: due.id, at, detail, [MESSAGE]: verdict[MESSAGE] });
  await keepOutcome(sql, context, now, about, { effect, verdict, isNews, at });
  const isHeld = effect === 'counts' && (await followMark(sql, context, { ...now, state: verdict.state }, at));
  return isHeld ? 'holds' : effect;
}

/** Nothing but a receipt is due; an outcome that does not count is asked for again, where the service can be consulted about the document now. */
async function keepLate(
  sql: Statements,
  now: DatabaseRow,
  { isOutcome, at }: { readonly isOutcome: boolean; readonly at: string },
): Promise<void> {
  const state = text(now, 'state') as State;
  const asksAgain = isOutcome && now.consult_at === null && allows(state, 'consult');
  await sql.run(
    'UPDATE entry SET receipt_due = ?, consult_at = ? WHERE id = ?',
    ...[receiptDue(state), asksAgain ? Date.parse(at) : valueIn(now, 'consult_at'), text(now, 'id')],
  );
}

/** `now`: the entry before the answer. */
async function applyAnswer(
  sql: Statements,
  now: DatabaseRow,
  { entry, as }: AttemptSubject,
  { verdict, at }: Pick<JudgedResponse, 'verdict' | 'at'>,
): Promise<void> {
  const { state, consultAt = null } = verdict;
  const since = state === now.state ? (now.since as number) : Date.parse(at);
  const asItWas = Object.keys(as).map((column) => `${column} = ?`);
  await sql.run(
    `UPDATE entry SET state = ?, since = ?, consult_at = ?, receipt_due = ? WHERE id = ? AND ${asItWas.join(' AND ')}`,
    ...[state, since, consultAt, receiptDue(state), entry, ...Object.values(as)],
  );
  const { answer: found } = verdict;
  if (!found || !STATE_BY_CODE.has(found.code) || isOfNumberOnly(state, found)) return;
  const { trackingId } = JSON.parse((now.answer as string | null) ?? '{}') as Partial<Answer>;
  const answer = definedOnly({ trackingId, ...found });
  await sql.run('UPDATE entry SET code = ?, answer = ? WHERE id = ?', found.code, JSON.stringify(answer), entry);
}
