/** The attempts of an entry: submissions, consultations and what persons recorded, each act in a series of its own. */
import type { Answer, Attempt, Exchange, Verdict } from '../model/answer.ts';
import { SAID } from '../model/fault.ts';
import type { State } from '../model/state.ts';
import { inLanguage, type Language } from '../model/words.ts';
import { optional, text } from './desk.ts';
import type { Row, Statements } from './driver.ts';
import { exchangeOf, exchangeText } from './exchange.ts';
import type { Intent, Tried } from './ledger.ts';

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
export async function keepExchange(sql: Statements, key: AttemptKey, exchange: Exchange, ms: number): Promise<boolean> {
  const { entry, act, n } = key;
  const http = 'status' in exchange ? exchange.status : null;
  const set =
    'UPDATE attempt SET exchange = ?, http = ?, ms = ? WHERE entry = ? AND act = ? AND n = ? AND exchange IS NULL';
  return (await sql.run(set, exchangeText(exchange), http, ms, entry, act, n)) === 1;
}

export async function closeAttempt(
  sql: Statements,
  key: AttemptKey,
  verdict: Verdict,
  language: Language,
): Promise<void> {
  const { state, answer } = verdict;
  const reason = reasonIn(verdict, language);
  await sql.run(
    'UPDATE attempt SET outcome = ?, reason = ?, code = ?, answer = ? WHERE entry = ? AND act = ? AND n = ?',
    ...[state, reason, answer?.code ?? null, answer ? JSON.stringify(answer) : null, key.entry, key.act, key.n],
  );
}

/** As a verdict says it, in the language of the ledger. */
export function reasonIn({ reason, [SAID]: said }: Verdict, language: Language): string {
  return said === undefined ? reason : inLanguage(said.message, language);
}

/** In the order in which they began. */
export async function attemptsOf(sql: Statements, entry: string): Promise<readonly Attempt[]> {
  return (await sql.all('SELECT * FROM attempt WHERE entry = ? ORDER BY ordinal', entry)).map(attemptOf);
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
