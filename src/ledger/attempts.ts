/** The attempts of an entry: submissions, consultations and what persons recorded, each act in a series of its own. */
import type { Answer, Attempt, Verdict } from '../model/answer.ts';
import { SAID } from '../model/fault.ts';
import type { State } from '../model/state.ts';
import { inLanguage, type Language } from '../model/words.ts';
import { optional, text } from './desk.ts';
import type { Row, Statements, Value } from './driver.ts';
import { exchangeOf, exchangeText } from './exchange.ts';
import type { Intent, Told, Tried } from './ledger.ts';

type Act = Attempt['act'];
export type AttemptKey = { readonly entry: string; readonly act: Act; readonly n: number };

export async function openAttempt(sql: Statements, key: AttemptKey, revision: number, intent: Intent): Promise<void> {
  await sql.run(
    `INSERT INTO attempt (entry, act, n, revision, run, request_id, at, ordinal)
     VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT COUNT(*) FROM attempt WHERE entry = ?))`,
    ...[key.entry, key.act, key.n, revision, intent.run, intent.requestId, intent.at, key.entry],
  );
}

/** The first exchange of an attempt is kept for ever; false for a second one, or where there is no such attempt. */
export async function keepExchange(sql: Statements, key: AttemptKey, told: Told): Promise<boolean> {
  const { entry, act, n } = key;
  const set =
    'UPDATE attempt SET exchange = ?, http = ?, ms = ? WHERE entry = ? AND act = ? AND n = ? AND exchange IS NULL';
  return (await sql.run(set, ...valuesOf(told), entry, act, n)) === 1;
}

function valuesOf({ exchange, ms }: Told): readonly Value[] {
  return [exchangeText(exchange), 'status' in exchange ? exchange.status : null, ms];
}

export async function closeAttempt(
  sql: Statements,
  key: AttemptKey,
  verdict: Verdict,
  language: Language,
): Promise<void> {
  await sql.run(
    'UPDATE attempt SET outcome = ?, reason = ?, code = ?, answer = ? WHERE entry = ? AND act = ? AND n = ?',
    ...[...outcomeOf(verdict, language), key.entry, key.act, key.n],
  );
}

/** `keepExchange` and `closeAttempt` of one that nothing was kept of. */
export async function concludeAttempt(
  sql: Statements,
  { entry, act, n }: AttemptKey,
  told: Told,
  verdict: Verdict,
  language: Language,
): Promise<void> {
  await sql.run(
    `UPDATE attempt SET exchange = ?, http = ?, ms = ?, outcome = ?, reason = ?, code = ?, answer = ?
     WHERE entry = ? AND act = ? AND n = ?`,
    ...[...valuesOf(told), ...outcomeOf(verdict, language), entry, act, n],
  );
}

function outcomeOf(verdict: Verdict, language: Language): readonly Value[] {
  const { state, answer } = verdict;
  return [state, reasonIn(verdict, language), answer?.code ?? null, answer ? JSON.stringify(answer) : null];
}

/** As a verdict says it, in the language of the ledger. */
export function reasonIn({ reason, [SAID]: said }: Verdict, language: Language): string {
  return said === undefined ? reason : inLanguage(said.message, language);
}

/** All but what came back, which may be long. */
const TOLD = `SELECT n, act, run, request_id, at, ms, http, code, outcome, reason, answer FROM attempt
  WHERE entry = ? ORDER BY ordinal`;

/** In the order in which they began. */
export async function attemptsOf(sql: Statements, entry: string): Promise<readonly Attempt[]> {
  return (await sql.all(TOLD, entry)).map(attemptOf);
}

/** With what came back. */
export async function triedOf(sql: Statements, entry: string): Promise<readonly Tried[]> {
  const rows = await sql.all('SELECT * FROM attempt WHERE entry = ? ORDER BY ordinal', entry);
  return rows.map((row) => ({
    ...attemptOf(row),
    revision: row.revision as number,
    ...optional('exchange', row.exchange, exchangeOf),
  }));
}

function attemptOf(row: Row): Attempt {
  return {
    n: row.n as number,
    act: text(row, 'act') as Act,
    run: text(row, 'run'),
    requestId: text(row, 'request_id'),
    at: text(row, 'at'),
    ...(row.ms === null ? {} : { ms: row.ms as number }),
    ...(row.http === null ? {} : { http: row.http as number }),
    ...(row.code === null ? {} : { code: row.code as number }),
    ...optional('outcome', row.outcome, (value) => value as State),
    ...optional('reason', row.reason, String),
    ...optional('answer', row.answer, (value) => JSON.parse(value) as Answer),
  };
}
