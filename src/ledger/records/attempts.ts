/** The attempts of an entry: submissions, consultations and records of people, each act in a series of its own. */

import type { DatabaseRow, DatabaseValue, Statements } from '../../database/database-driver.ts';
import { format, type Language } from '../../i18n/message.ts';
import type { Answer, Attempt, Verdict } from '../../model/answer.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { MESSAGE, storedPhrases } from '../../model/fault.ts';
import type { HistoryLine } from '../../model/ledger-entry.ts';
import { withPhrases } from '../../model/recorded-words.ts';
import type { State } from '../../model/state.ts';
import { optional, selectByIds, text } from '../contract/ledger-context.ts';
import type { RecordedAttempt } from '../contract/query-store.ts';
import type { Intent, ReceivedResponse } from '../contract/submission-store.ts';
import { parseExchange, serializeExchange } from './stored-exchange.ts';

type Act = Attempt['act'];
/** One attempt: `n` counts the attempts of an entry by act. */
export type AttemptKey = { readonly entry: string; readonly act: Act; readonly n: number };

/** An attempt as it is recorded: its intent, and as much of its end as is known. */
type NewAttempt = Intent & {
  /** The revision of the entry that it is about. */
  readonly revision: number;
  readonly response?: ReceivedResponse | undefined;
  readonly outcome?: AttemptOutcome;
  /** Set where the attempt itself, not an event, is the line of its end in the history. */
  readonly endedAt?: string;
};

/**
 * Records an attempt before its request is sent, or with its end if that is already known. `where`: only if that is true of
 * the entry, a condition with one parameter, which is `n`.
 */
export async function addAttempt(
  sql: Statements,
  { entry, act, n }: AttemptKey,
  attempt: NewAttempt,
  where?: string,
): Promise<void> {
  const { revision, run, requestId, at, response, outcome, endedAt = null } = attempt;
  await sql.run(
    where === undefined ? `${ADD} VALUES (${ADDED})` : `${ADD} SELECT ${ADDED} FROM entry WHERE id = ? AND ${where}`,
    ...[entry, act, n, revision, run, requestId, at, ...(response ? exchangeValues(response) : NO_EXCHANGE)],
    ...[...(outcome ? outcomeColumns(outcome) : NO_OUTCOME), endedAt, entry],
    ...(where === undefined ? [] : [entry, n]),
  );
}

const ADD = `INSERT INTO attempt (entry, act, n, revision, run, request_id, at, exchange, http, ms, outcome, reason, phrases,
  code, answer, ended_at, ordinal)`;
const ADDED = '?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT COUNT(*) FROM attempt WHERE entry = ?)';
const NO_EXCHANGE = [null, null, null] as const;
const NO_OUTCOME = [null, null, null, null, null] as const;

/** Stores the first exchange of an attempt for good. False for a second one, or if the attempt does not exist. */
export async function keepExchange(sql: Statements, key: AttemptKey, response: ReceivedResponse): Promise<boolean> {
  const { entry, act, n } = key;
  const set =
    'UPDATE attempt SET exchange = ?, http = ?, ms = ? WHERE entry = ? AND act = ? AND n = ? AND exchange IS NULL';
  return (await sql.run(set, ...exchangeValues(response), entry, act, n)) === 1;
}

function exchangeValues({ exchange, ms }: ReceivedResponse): readonly DatabaseValue[] {
  return [serializeExchange(exchange), 'status' in exchange ? exchange.status : null, ms];
}

/** Records the outcome of an attempt. */
export async function closeAttempt(sql: Statements, key: AttemptKey, outcome: AttemptOutcome): Promise<void> {
  await sql.run(
    `UPDATE attempt SET outcome = ?, reason = ?, phrases = ?, code = ?, answer = ?, ended_at = NULL
     WHERE entry = ? AND act = ? AND n = ?`,
    ...[...outcomeColumns(outcome), key.entry, key.act, key.n],
  );
}

/** Of submissions `s`: nothing says that it was not issued. What a later answer says of one counts before its own outcome. */
export const MAY_BE_PROCESSED = `(s.known <> 'no' OR (s.known IS NULL
  AND (s.outcome IS NULL OR s.outcome NOT IN ('ready', 'refused', 'returned', 'rejected', 'failed'))))`;

const SUBMISSIONS = `s.entry = ? AND s.act = 'submit'`;

type LaterAnswer = { readonly entry: string; readonly n: number };

/**
 * A later answer says that the service has a submission of the entry: that with the number `n`, or, if it is about its number
 * (`isOfNumber`), any before it that may be there. Resolves to the first revision that was sent with one of them.
 */
export async function noteThere(
  sql: Statements,
  { entry, n, at, isOfNumber }: LaterAnswer & { readonly at: string; readonly isOfNumber: boolean },
): Promise<number | undefined> {
  const before = isOfNumber ? `OR (s.n < ? AND ${MAY_BE_PROCESSED})` : '';
  const noted = await sql.all(
    `UPDATE attempt AS s SET known = ?, cleared = NULL WHERE ${SUBMISSIONS} AND (s.n = ? ${before}) RETURNING revision`,
    ...[at, entry, n, ...(isOfNumber ? [n] : [])],
  );
  return noted.map(({ revision }) => revision as number).toSorted((a, b) => a - b)[0];
}

/** The service has issued no such submission. An answer that came late says so only where no other one is known. */
export async function noteNotThere(
  sql: Statements,
  { entry, n, isLate }: LaterAnswer & { readonly isLate: boolean },
): Promise<void> {
  const where = `${SUBMISSIONS} AND s.n = ? ${isLate ? 'AND s.known IS NULL' : ''}`;
  await sql.run(`UPDATE attempt AS s SET known = 'no' WHERE ${where}`, entry, n);
}

/** A person says that no submission of the entry is at the service, by the decision with the number `n`. */
export async function noteDecided(sql: Statements, entry: string, n: number): Promise<void> {
  const where = `${SUBMISSIONS} AND s.cleared IS NULL AND ${MAY_BE_PROCESSED}`;
  await sql.run(`UPDATE attempt AS s SET cleared = ? WHERE ${where}`, n, entry);
}

/** A person takes back what was decided at that time: other records may have come after it, which changed nothing. */
export async function noteUndone(sql: Statements, entry: string, at: string): Promise<void> {
  const decided = `SELECT d.n FROM attempt d WHERE d.entry = s.entry AND d.act = 'resolve' AND d.at = ?`;
  await sql.run(`UPDATE attempt AS s SET cleared = NULL WHERE ${SUBMISSIONS} AND s.cleared IN (${decided})`, entry, at);
}

/** A verdict as it is recorded in the entry, its attempt and the history. */
export type AttemptOutcome = {
  readonly state: State;
  readonly reason: string;
  /** The message of the reason as JSON; absent for the words of a person. */
  readonly phrases?: string | undefined;
  readonly code: number | null;
  /** JSON. */
  readonly answer: string | null;
};

export function toAttemptOutcome(
  { state, reason, answer, [MESSAGE]: phrases }: Verdict,
  language: Language,
): AttemptOutcome {
  return {
    state,
    // The column has the English reason.
    reason: phrases === undefined || language === 'en' ? reason : format(phrases.message, language),
    phrases: storedPhrases(phrases),
    code: answer?.code ?? null,
    answer: answer ? JSON.stringify(answer) : null,
  };
}

function outcomeColumns({ state, reason, phrases, code, answer }: AttemptOutcome): readonly DatabaseValue[] {
  return [state, reason, phrases ?? null, code, answer];
}

/** All but the answer, which may be long, and the message of the reason, which receipts do not need. */
const ATTEMPT_COLUMNS = `a.entry, a.n, a.act, NULLIF(a.revision, e.revision) AS former, a.run, a.request_id, a.at, a.ms, a.http, a.code,
  a.outcome, a.reason`;

/** The attempts of each of these entries that has any, in the order in which they began. */
export async function selectAttempts(
  sql: Statements,
  entries: readonly string[],
  answers: 'with-answers' | 'without-answers',
): Promise<ReadonlyMap<string, readonly Attempt[]>> {
  const columns = answers === 'with-answers' ? `${ATTEMPT_COLUMNS}, a.answer, a.phrases` : ATTEMPT_COLUMNS;
  const rows = await selectByIds(
    sql,
    entries,
    (places) =>
      `SELECT ${columns} FROM attempt a JOIN entry e ON e.id = a.entry WHERE a.entry IN (${places}) ORDER BY a.ordinal`,
  );
  const found = new Map<string, Attempt[]>();
  for (const row of rows) {
    const entry = text(row, 'entry');
    const attempts = found.get(entry) ?? [];
    attempts.push(toAttempt(row));
    found.set(entry, attempts);
  }
  return found;
}

/** The attempts of an entry with their answers, and the one that is under way. */
export async function readAttempts(sql: Statements, entry: string): Promise<readonly RecordedAttempt[]> {
  const [rows, [row]] = await Promise.all([
    sql.all('SELECT * FROM attempt WHERE entry = ? ORDER BY ordinal', entry),
    sql.all('SELECT * FROM entry WHERE id = ?', entry),
  ]);
  const tried = rows.map((row) => ({
    ...toAttempt(row),
    revision: row.revision as number,
    ...optional('exchange', row.exchange, parseExchange),
  }));
  const begun = row && attemptUnderWay(row);
  return begun ? [...tried, { ...begun, revision: row.revision as number }] : tried;
}

/** The line of the history for an attempt that records its end itself; undefined where an event does. */
export function attemptEnd(row: DatabaseRow): HistoryLine | undefined {
  const { n, run, code, reason, outcome, ended_at } = row;
  if (typeof ended_at !== 'string') return undefined;
  const detail = definedOnly({ n, code: code ?? undefined, reason: reason ?? undefined });
  return withPhrases({ at: ended_at, what: outcome as State, run: run as string, detail }, row.phrases);
}

/** The submission that the row of an entry shows as begun: it may have been sent, and has no answer yet. */
export function attemptUnderWay(row: DatabaseRow): Attempt | undefined {
  if (row.begun_at === null) return undefined;
  return {
    n: row.submits as number,
    act: 'submit',
    run: text(row, 'begun_run'),
    requestId: text(row, 'request_id'),
    at: text(row, 'begun_at'),
  };
}

function toAttempt(row: DatabaseRow): Attempt {
  const { former, ms, http, code, outcome, reason, answer } = row;
  const attempt: { -readonly [K in keyof Attempt]: Attempt[K] } = {
    n: row.n as number,
    act: text(row, 'act') as Act,
    run: text(row, 'run'),
    requestId: text(row, 'request_id'),
    at: text(row, 'at'),
  };
  // Assigned one by one: there are many, and an object to spread for each would cost half as much as reading the row.
  if (typeof former === 'number') attempt.revision = former;
  if (ms !== null) attempt.ms = ms as number;
  if (http !== null) attempt.http = http as number;
  if (code !== null) attempt.code = code as number;
  if (outcome !== null) attempt.outcome = outcome as State;
  if (reason !== null) attempt.reason = reason as string;
  if (typeof answer === 'string') attempt.answer = JSON.parse(answer) as Answer;
  return withPhrases(attempt, row.phrases);
}
