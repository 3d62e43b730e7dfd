/**
 * Consultations ask a service for the outcome of a document. They change a state only by a trustworthy answer, and never
 * make an entry ready: a second submission after "does not exist" (code 18) is a person's decision.
 */
import { type Answer, isOfNumberOnly, type Verdict } from '../../model/answer.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { MESSAGE } from '../../model/fault.ts';
import { allows, type State } from '../../model/state.ts';
import { appendEvent, type LedgerContext, text } from '../contract/ledger-context.ts';
import type { DueDocument, Intent, JudgedResponse, SubmissionStore } from '../contract/submission-store.ts';
import type { DatabaseRow, Statements } from '../database/database-driver.ts';
import { type AttemptKey, addAttempt, closeAttempt, keepExchange, toAttemptOutcome } from '../records/attempts.ts';
import { receiptDue } from '../records/finish-staging.ts';
import { touchSummaryOfEntry } from '../records/touch-summary.ts';
import { SELECT_DUE, toDueDocuments } from './submissions.ts';

/** A consultation that a crash interrupted is repeated after this time. */
const CUT_OFF_MS = 15 * 60_000;

const ANSWERS = new Set<State>(['authorized', 'invalidated', 'rejected', 'failed', 'contingency', 'returned']);

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
    finishConsult: ({ due, n }, response, verdict, at) =>
      write(async (sql) => {
        const key: AttemptKey = { entry: due.id, act: 'consult', n };
        if (!(await keepExchange(sql, key, response))) throw new Error(`${due.id} has no open consultation ${n}`);
        await finishConsult(sql, context, key, { response, verdict, at });
      }, 'ends'),
  } satisfies Partial<SubmissionStore>;
}

async function beginConsult(sql: Statements, due: DueDocument, intent: Intent) {
  const [row] = await sql.all(
    `UPDATE entry SET consults = consults + 1, consult_at = CASE WHEN consult_at IS NULL THEN NULL ELSE CAST(? AS BIGINT) END
     WHERE id = ? RETURNING consults, state, answer`,
    ...[Date.parse(intent.at) + CUT_OFF_MS, due.id],
  );
  if (!row) throw new Error(`no entry ${due.id} in the ledger`);
  const n = row.consults as number;
  await addAttempt(sql, { entry: due.id, act: 'consult', n }, { ...intent, revision: due.revision });
  const { trackingId } = JSON.parse((row.answer as string | null) ?? '{}') as Partial<Answer>;
  const state = text(row, 'state') as State;
  const onlyReturned = state === 'returned' && !(await mayHaveArrived(sql, due));
  return definedOnly({ n, state, onlyReturned, trackingId });
}

/** Whether the service may have taken this content: a submission was in doubt, is so still, or had another outcome. */
async function mayHaveArrived(sql: Statements, { id, revision }: DueDocument): Promise<boolean> {
  const others = `SELECT 1 FROM attempt WHERE entry = ? AND act = 'submit' AND revision = ?
    AND (outcome IS NULL OR outcome NOT IN ('returned', 'ready', 'refused')) LIMIT 1`;
  return (await sql.all(others, id, revision)).length > 0;
}

async function finishConsult(
  sql: Statements,
  context: LedgerContext,
  key: AttemptKey,
  { response: { exchange }, verdict, at }: JudgedResponse,
): Promise<void> {
  const [now] = await sql.all('SELECT state, answer, not_found_first FROM entry WHERE id = ?', key.entry);
  if (!now) throw new Error(`no entry ${key.entry} in the ledger`);
  const before = text(now, 'state') as State;
  if (verdict.resend || (verdict.state !== before && !ANSWERS.has(verdict.state))) {
    throw new Error(`a consultation cannot make an entry ${verdict.state}`);
  }
  if (!('status' in exchange) && verdict.state !== before) throw new Error('no answer came, so the state stays');
  const outcome = toAttemptOutcome(verdict, context.language);
  await closeAttempt(sql, key, outcome);
  // A person may have recorded the outcome meanwhile: then the answer is stored and changes nothing.
  const mayChange = allows(before, 'consult');
  if (mayChange) await applyAnswer(sql, { ...now, id: key.entry }, verdict, at);
  const due = receiptDue(mayChange ? verdict.state : before);
  await sql.run('UPDATE entry SET receipt_due = ? WHERE id = ?', due, key.entry);
  await touchSummaryOfEntry(sql, key.entry);
  const detail = { n: key.n, state: outcome.state, code: verdict.answer?.code, reason: outcome.reason };
  await appendEvent(sql, context, { what: 'consulted', entry: key.entry, at, detail, [MESSAGE]: verdict[MESSAGE] });
}

/** `now`: the entry before the answer. */
async function applyAnswer(sql: Statements, now: DatabaseRow, verdict: Verdict, at: string): Promise<void> {
  const { state, consultAt = null, notFound } = verdict;
  const entry = text(now, 'id');
  const atMs = Date.parse(at);
  await sql.run('UPDATE entry SET consult_at = ? WHERE id = ?', consultAt, entry);
  if (state !== now.state) await sql.run('UPDATE entry SET state = ?, since = ? WHERE id = ?', state, atMs, entry);
  if (notFound) {
    await sql.run(
      'UPDATE entry SET not_found = not_found + 1, not_found_first = ?, not_found_last = ? WHERE id = ?',
      ...[now.not_found_first ?? atMs, atMs, entry],
    );
  } else if (verdict.answer && !isOfNumberOnly(state, verdict.answer)) {
    const { trackingId } = JSON.parse((now.answer as string | null) ?? '{}') as Partial<Answer>;
    const answer = definedOnly({ trackingId, ...verdict.answer });
    const set = 'UPDATE entry SET code = ?, answer = ? WHERE id = ?';
    await sql.run(set, verdict.answer.code, JSON.stringify(answer), entry);
  }
}
