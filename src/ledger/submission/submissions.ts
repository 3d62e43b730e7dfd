/**
 * Submissions: due, begun, answered, judged. An entry leaves `ready` before the first byte is sent, and becomes `ready`
 * again only if the verdict proves that nothing was processed.
 */

import { damagedLedger } from '../../database/damaged-ledger.ts';
import type { DatabaseRow, DatabaseValue, Statements } from '../../database/database-driver.ts';
import { storedKey } from '../../database/stored-key.ts';
import { LEDGER_FILE } from '../../i18n/messages/ledger-messages.ts';
import type { Verdict } from '../../model/answer.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { MESSAGE } from '../../model/fault.ts';
import type { State } from '../../model/state.ts';
import { sha256Hex } from '../../text/sha256.ts';
import { appendEvent, COUNT_COMMIT, type LedgerContext, optional, text } from '../contract/ledger-context.ts';
import type {
  BegunSubmission,
  DueDocument,
  Intent,
  JudgedResponse,
  ReceivedResponse,
  SubmissionStore,
} from '../contract/submission-store.ts';
import {
  type AttemptKey,
  type AttemptOutcome,
  addAttempt,
  attemptEnd,
  closeAttempt,
  keepExchange,
  toAttemptOutcome,
} from '../records/attempts.ts';
import { receiptDue } from '../records/finish-staging.ts';
import { holdShared, MAY_SHARE } from '../records/shared-rows.ts';
import { parseExchange } from '../records/stored-exchange.ts';
import { touchSummary, touchSummaryOfEntry } from '../records/touch-summary.ts';
import { hasRole, ofNoLivingWorker } from '../workers/worker-rows.ts';
import { type AttemptSubject, effectOf, followMark, keepOutcome } from './attempt-effect.ts';
import { SELECT_INTERRUPTED, SELECT_READY, toDueDocument, toDueDocuments, toMapping, toSeen } from './due-documents.ts';

/** The states that a submission can end in. */
const ENDS = new Set<State>([
  ...(['authorized', 'invalidated', 'rejected', 'failed'] as const),
  ...(['contingency', 'returned', 'refused', 'in-doubt'] as const),
]);

export function createSubmissions(context: LedgerContext) {
  const { read, write, guard } = context;
  const beginWith = beginStatements(context);
  return {
    due: async (service, nowMs, limit, { exceptClasses = [], after } = {}) => {
      if (!guard.send) return [];
      // 0 means due at once, and every id is longer than '': without `after` the first page has everything.
      const position = [after?.dueMs ?? 0, after?.id ?? ''];
      const where = `WHERE ${mayBeSent(exceptClasses)} AND e.due_at <= ? AND (e.due_at, e.id) > (?, ?)`;
      const values = [service, ...exceptClasses, nowMs, ...position, limit];
      return await read(async (sql) =>
        toDueDocuments(await sql.all(`${SELECT_READY} ${where} ORDER BY e.due_at, e.id LIMIT ?`, ...values)),
      );
    },
    hasMoreReadyThan: (count) =>
      read(async (sql) => {
        const one = `SELECT 1 FROM entry WHERE state = 'ready' LIMIT 1 OFFSET ?`;
        return (await sql.all(one, count)).length > 0;
      }),
    nextDue: async (service, afterMs = -1, { exceptClasses = [] } = {}) => {
      if (!guard.send) return undefined;
      const first = `SELECT e.due_at FROM entry e WHERE ${mayBeSent(exceptClasses)} AND e.due_at > ? ORDER BY e.due_at LIMIT 1`;
      const values = [service, ...exceptClasses, afterMs];
      return await read(async (sql) => (await sql.all(first, ...values))[0]?.due_at as number | undefined);
    },
    begin: async (due, intent) => {
      const { id, seen } = due;
      const asSeen = seen && { due, intent, seen };
      const begun =
        asSeen &&
        (await write((sql) => beginAsSeen(sql, context, asSeen, beginWith), undefined, { name: id, isAtOnce: true }));
      // Not apart from others: two documents may have the same rows.
      return begun ?? (await write((sql) => begin(sql, context, { due, intent }, beginWith)));
    },
    recordExchange: ({ due, n }, exchange, ms) =>
      write((sql) => recordResponse(sql, context, submissionKey(due, n), { exchange, ms }), 'ends', { name: due.id }),
    finish: ({ due, n }, verdict, at) =>
      write((sql) => finish(sql, context, submissionKey(due, n), { verdict, at }), 'ends', { name: due.id }),
    finishWithExchange: async (sending, response, verdict, at) => {
      const key = submissionKey(sending.due, sending.n);
      try {
        checkVerdict(verdict, true);
      } catch (error) {
        await write((sql) => recordResponse(sql, context, key, response), 'ends', { name: key.entry });
        throw error;
      }
      const asBegun = (sql: Statements) => finishAsBegun(sql, context, sending, { response, verdict, at });
      if (await write(asBegun, 'ends', { name: key.entry, isAtOnce: true })) return;
      const work = async (sql: Statements) => {
        await recordResponse(sql, context, key, response);
        await finish(sql, context, key, { verdict, at });
      };
      await write(work, 'ends', { name: key.entry });
    },
    interruptedSubmissions: () =>
      read(async (sql) => {
        const join = `LEFT JOIN attempt a ON a.entry = e.id AND a.act = 'submit' AND a.n = e.submits`;
        const left = context.worker ? `AND ${ofNoLivingWorker('e.begun_by')}` : '';
        return (await sql.all(`${SELECT_INTERRUPTED} ${join} WHERE e.state = 'sending' ${left} ORDER BY e.id`)).map(
          toInterrupted,
        );
      }),
  } satisfies Partial<SubmissionStore>;
}

function toInterrupted(row: DatabaseRow) {
  return {
    due: toDueDocument(row, toMapping(text(row, 'mapping'))),
    n: row.submits as number,
    requestId: text(row, 'request_id'),
    ...optional('begunBy', row.begun_by, String),
    ...optional('exchange', row.exchange, parseExchange),
  };
}

function submissionKey({ id }: Pick<DueDocument, 'id'>, n: number): AttemptKey {
  return { entry: id, act: 'submit', n };
}

/** The condition that no file being read has a newer revision of the entry, which would be sent after this one. */
const NOT_REPLACED = 'NOT EXISTS (SELECT 1 FROM staged s WHERE s.entry = e.id)';

/** Now or later. Values: the service, and the classes that the settings do not allow to send. */
function mayBeSent(exceptClasses: readonly string[]): string {
  const places = exceptClasses.map(() => '?').join(', ');
  const except = exceptClasses.length > 0 ? `AND e.class NOT IN (${places})` : '';
  return `e.state = 'ready' AND e.service = ? AND ${NOT_REPLACED} ${except}`;
}

const READY = `SELECT e.submits, r.file, r.digest, r.content_sha256, r.keys FROM entry e
  JOIN revision r ON r.entry = e.id AND r.revision = e.revision WHERE e.id = ? AND e.revision = ? AND e.state = 'ready'`;

/** For a document that is not as it was seen. */
async function begin(
  sql: Statements,
  context: LedgerContext,
  { due, intent }: Omit<Beginning, 'seen'>,
  beginWith: BeginStatement,
): Promise<BegunSubmission | undefined> {
  const [row] = await sql.all(READY, due.id, due.revision);
  if (!row || (await holdShared(sql, context, due.id, { at: intent.at }))) return undefined;
  const looked = (keys: number) => beginWith(keys, 'looked');
  const again = await beginAsSeen(sql, context, { due, intent, seen: toSeen(row) }, looked);
  if (again) return again;
  if (context.worker) await context.worker.expectRole(sql, senderRole(due.service));
  const content = await readyContent(sql, due);
  if (content === undefined) return undefined;
  expectContent(due, content, text(row, 'content_sha256'));
  throw damagedLedger(undefined, LEDGER_FILE.identityOfDocumentChanged({ document: due.identifier }));
}

type Beginning = {
  readonly due: DueDocument;
  readonly intent: Intent;
  readonly seen: NonNullable<DueDocument['seen']>;
};

/** Undefined, without a change, if it is not as it was seen. All is asked at once. */
async function beginAsSeen(
  sql: Statements,
  { worker, dialect }: LedgerContext,
  { due, intent, seen }: Beginning,
  beginWith: BeginStatement,
): Promise<BegunSubmission | undefined> {
  const { submits, file, digest, contentSha256 } = seen;
  const keys = [...new Set(JSON.parse(seen.keys) as readonly string[])];
  const role = senderRole(due.service);
  const fence = worker?.fenceOf(role) ?? 0;
  if (worker) sql.atEnd(COUNT_COMMIT, role, worker.id, fence);
  const [row] = await sql.all(
    beginWith(keys.length),
    ...[Date.parse(intent.at), submits + 1, intent.requestId, digest, intent.at, intent.run],
    ...(worker ? [worker.id] : []),
    ...[due.id, due.revision, submits, ...keys.map(storedKey)],
    ...(dialect.sha256 ? [contentSha256] : []),
    ...[...(worker ? [role, worker.id, fence] : []), due.id, due.revision],
  );
  if (!row) return undefined;
  const [content, requestId] = [text(row, 'content'), text(row, 'request_id')];
  expectContent(due, content, contentSha256);
  return { due: { ...due, requestId }, n: submits + 1, file, content, ...intent, requestId };
}

function expectContent({ identifier }: DueDocument, content: string, contentSha256: string): void {
  if (sha256Hex(content) === contentSha256) return;
  throw damagedLedger(undefined, LEDGER_FILE.contentChanged({ document: identifier }));
}

/** The statement for each number of identities, seldom more than three. `looked`: none of its rows is out in another document. */
type BeginStatement = (keys: number, looked?: 'looked') => string;

function beginStatements(context: Pick<LedgerContext, 'worker' | 'dialect'>): BeginStatement {
  const texts: { [keys: string]: string } = {};
  return (keys, looked) => {
    const name = `${keys} ${looked}`;
    texts[name] ??= beginText(keys, context, looked);
    return texts[name];
  };
}

/**
 * The whole condition in one statement: of two programs that begin the entry only one does. Each identity has to be found
 * by its key, as the next document with this identity would find it. A worker still has the role of sending, under the fence
 * with which it took it.
 */
function beginText(
  keys: number,
  { worker, dialect: { sha256 } }: Pick<LedgerContext, 'worker' | 'dialect'>,
  looked?: 'looked',
): string {
  const found = Array.from({ length: keys }, () => 'AND (SELECT i.entry FROM identity i WHERE i.key = ?) = e.id');
  const any = 'AND EXISTS (SELECT 1 FROM identity i WHERE i.entry = e.id)';
  // Where the answer comes too late to undo the beginning of a content that was changed.
  const content = sha256
    ? `AND EXISTS (SELECT 1 FROM revision c WHERE c.entry = e.id AND c.revision = e.revision AND ${sha256('c.content')} = ?)`
    : '';
  return `UPDATE entry AS e SET state = 'sending', since = ?, due_at = NULL, submits = ?, receipt_due = 0,
    request_id = COALESCE(e.request_id, ?), sent_digest = ?, begun_at = ?, begun_run = ?${worker ? ', begun_by = ?' : ''}
    WHERE e.id = ? AND e.revision = ? AND e.submits = ? AND e.state = 'ready' AND e.hold IS NULL AND ${NOT_REPLACED}
    ${keys === 0 ? any : found.join(' ')} ${looked ? '' : `AND NOT ${MAY_SHARE}`} ${content} ${worker ? `AND ${hasRole(worker.nowMs)}` : ''} ${BEGUN}`;
}

/** The attempt has the request-id of one before that is proven not sent. */
const BEGUN = `RETURNING request_id,
  (SELECT r.content FROM revision r WHERE r.entry = ? AND r.revision = ?) AS content`;

function senderRole(service: string) {
  return `send ${service}` as const;
}

/** Its content, if only that or its identities can be the reason why it was not begun. */
async function readyContent(sql: Statements, { id, revision }: DueDocument): Promise<string | undefined> {
  const ready = `SELECT r.content FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision
    WHERE e.id = ? AND e.revision = ? AND e.state = 'ready' AND e.hold IS NULL AND ${NOT_REPLACED}`;
  const [row] = await sql.all(ready, id, revision);
  return row && text(row, 'content');
}

async function recordResponse(
  sql: Statements,
  context: LedgerContext,
  key: AttemptKey,
  response: ReceivedResponse,
): Promise<void> {
  if ((await closeIntent(sql, key, response)) || (await keepExchange(sql, key, response))) return;
  await appendEvent(sql, context, { what: 'second-answer', entry: key.entry, detail: { n: key.n } });
}

/** Turns the submission that is under way into an attempt, with its response. False if none has this number. */
async function closeIntent(sql: Statements, key: AttemptKey, response?: ReceivedResponse): Promise<boolean> {
  const { entry, n } = key;
  const begun =
    'SELECT revision, request_id, begun_at, begun_run FROM entry WHERE id = ? AND submits = ? AND begun_at IS NOT NULL';
  const [row] = await sql.all(begun, entry, n);
  if (!row) return false;
  const intent = { requestId: text(row, 'request_id'), at: text(row, 'begun_at'), run: text(row, 'begun_run') };
  await addAttempt(sql, key, { ...intent, revision: row.revision as number, response });
  await sql.run('UPDATE entry SET begun_at = NULL, begun_run = NULL WHERE id = ?', entry);
  return true;
}

const SET_OUTCOME = `UPDATE entry SET state = ?, since = ?, due_at = ?, consult_at = ?, tries = tries + ?, code = ?, answer = ?,
  receipt_due = ?, request_id = CASE WHEN ? = 1 THEN request_id ELSE NULL END, begun_at = NULL, begun_run = NULL
  WHERE id = ? AND submits = ?`;

const SUBMITTED = `SELECT e.id, e.state, e.submits, e.revision, e.hold, e.evidence, e.consults, e.resolves,
  a.revision AS sent_revision, a.exchange IS NOT NULL AS answered, a.n, a.run, a.outcome,
  a.code, a.reason, a.phrases, a.ended_at, r.file FROM attempt a JOIN entry e ON e.id = a.entry JOIN revision r ON r.entry = e.id AND r.revision = e.revision
  WHERE a.entry = ? AND a.act = 'submit' AND a.n = ?`;

async function finish(
  sql: Statements,
  context: LedgerContext,
  key: AttemptKey,
  { verdict, at }: Pick<JudgedResponse, 'verdict' | 'at'>,
): Promise<void> {
  const { entry, n } = key;
  await closeIntent(sql, key);
  const [now] = await sql.all(SUBMITTED, entry, n);
  if (!now) throw new Error(`entry ${entry} has no submission ${n}`);
  checkVerdict(verdict, Boolean(now.answered));
  const run = text(now, 'run');
  const about = subjectOf(now, key, verdict);
  const effect = await effectOf(sql, now, about, { verdict, isNews: true });
  if (effect !== 'counts') {
    await appendEvent(sql, context, { what: 'late-verdict', entry, at, run, detail: { n, ...verdict } });
    await sql.run('UPDATE entry SET receipt_due = ? WHERE id = ?', receiptDue(text(now, 'state') as State), entry);
    await touchSummaryOfEntry(sql, entry);
    return await keepOutcome(sql, context, now, about, { effect, verdict, isNews: true, at });
  }
  // An earlier end that only the attempt has goes into the history before it is overwritten.
  const former = attemptEnd(now);
  if (former) await appendEvent(sql, context, { entry, ...former, [MESSAGE]: former[MESSAGE] });
  const outcome = toAttemptOutcome(verdict, context.language);
  await closeAttempt(sql, key, outcome);
  const from = text(now, 'state');
  await sql.run(`${SET_OUTCOME} AND state = ?`, ...outcomeValues(verdict, outcome, at), entry, n, from);
  touchUnlessReceiptDue(sql, outcome.state, text(now, 'file'));
  const { state, code, reason } = outcome;
  // What was asked, and decided, while it was in doubt.
  const [consults, resolves] = [now.consults as number, now.resolves as number];
  const after = from === 'in-doubt' && state !== from && consults + resolves > 0 ? { consults, resolves } : undefined;
  const detail = definedOnly({ n, code: code ?? undefined, reason, after });
  await appendEvent(sql, context, { what: state, entry, at, run, detail, [MESSAGE]: verdict[MESSAGE] });
  await followMark(sql, context, { ...now, state }, at);
}

/** An outcome that came meanwhile has marked an entry with a hold. */
const IS_SENDING = `state = 'sending' AND begun_at IS NOT NULL AND hold IS NULL`;
const UNDER_WAY = `submits = ? AND ${IS_SENDING}`;
const CONCLUDED = `${SET_OUTCOME} AND ${IS_SENDING}`;

/** Records the end of nearly all submissions, in as few statements as possible, asked at once. False, without a change of it, for any other. */
async function finishAsBegun(
  sql: Statements,
  context: LedgerContext,
  sending: BegunSubmission,
  { response, verdict, at }: JudgedResponse,
): Promise<boolean> {
  const { due, n, file } = sending;
  const outcome = toAttemptOutcome(verdict, context.language);
  const { requestId, run } = sending;
  const attempt = { revision: due.revision, requestId, run, at: sending.at, response, outcome, endedAt: at };
  // No revision replaces an entry that is being sent: its file is still the one of its beginning.
  touchUnlessReceiptDue(sql, outcome.state, file);
  // Both or none, so neither waits for the other; the condition of the attempt is that of the entry before it changes.
  const [, concluded] = await Promise.all([
    addAttempt(sql, submissionKey(due, n), attempt, UNDER_WAY),
    sql.run(CONCLUDED, ...outcomeValues(verdict, outcome, at), due.id, n),
  ]);
  return concluded === 1;
}

/** The writing of a due receipt touches the summary, once for a batch; here it would be in each commit. */
function touchUnlessReceiptDue(sql: Statements, state: State, file: string): void {
  if (receiptDue(state) !== 1) touchSummary(sql, file);
}

/** Evidence counts for the attempt it belongs to, also if that ended in doubt; never against a decision of a person. */
function subjectOf(now: DatabaseRow, { entry, n }: AttemptKey, { resend }: Verdict): AttemptSubject {
  const isStillInDoubt = now.state === 'in-doubt' && now.evidence === null && !resend;
  const as = { submits: n, state: isStillInDoubt ? 'in-doubt' : 'sending' };
  return { entry, revision: now.sent_revision as number, submits: n, as };
}

/** Throws for a verdict that would break the promise: a defect of the program, which changes nothing. */
function checkVerdict({ state, resend }: Verdict, answered: boolean): void {
  if (resend ? state !== 'ready' : !ENDS.has(state)) throw new Error(`a submission cannot end as ${state}`);
  if (!answered && state !== 'in-doubt') throw new Error(`no exchange is stored, so the outcome cannot be ${state}`);
}

function outcomeValues(
  { resend, consultAt }: Verdict,
  { state, code, answer }: AttemptOutcome,
  at: string,
): readonly DatabaseValue[] {
  const atMs = Date.parse(at);
  const unsent = resend ? 1 : 0;
  return [
    ...[state, atMs, resend ? atMs + resend.afterMs : null, consultAt ?? null, unsent, code, answer],
    ...[receiptDue(state), unsent],
  ];
}
