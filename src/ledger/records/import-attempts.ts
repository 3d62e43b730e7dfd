/**
 * What receipts say of attempts, for a ledger that is restored or made again. Statements within a transaction of the caller; errors of
 * the database are thrown as they are.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { CLEARED_LATER, KNOWN_LATER } from '../../database/shared-rows-columns.ts';
import { text } from '../contract/ledger-context.ts';

export type ImportedAttempt = {
  readonly n: number;
  /** That of an earlier content; absent for the latest one, and in receipts of older versions. */
  readonly revision?: number | undefined;
  readonly act: string;
  readonly run: string;
  readonly requestId: string;
  readonly at: string;
  readonly ms: number | null;
  readonly http: number | null;
  readonly code: number | null;
  readonly outcome: string | null;
  readonly reason: string | null;
};

/** The part of a document in a receipt that its attempts are about. */
type Attempted = {
  readonly id: string;
  readonly revision: number;
  readonly state: string;
  readonly file: string;
  readonly answer: object | null;
  readonly attempts: readonly ImportedAttempt[];
};

const ATTEMPT = `INSERT INTO attempt (entry, act, n, revision, run, request_id, at, ordinal, ms, http, code, outcome, reason)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

export async function importAttempts(
  sql: Statements,
  { id, revision, attempts }: Attempted,
  isOfLatest: (one: ImportedAttempt) => boolean,
): Promise<void> {
  for (const [ordinal, one] of attempts.entries()) {
    const of = one.revision ?? (isOfLatest(one) ? revision : revision - 1);
    await sql.run(
      ATTEMPT,
      ...[id, one.act, one.n, of, one.run, one.requestId, one.at, ordinal],
      ...[one.ms, one.http, one.code, one.outcome, one.reason],
    );
  }
  for (const learn of [KNOWN_LATER, CLEARED_LATER]) await sql.run(`${learn} AND s.entry = ?`, id);
}

/** States in which a submission leaves a document: what takes its place is never in one of them. */
const LEFT_BY_SUBMISSION = new Set([
  'authorized',
  'contingency',
  'invalidated',
  'in-doubt',
  'returned',
  'failed',
  'rejected',
]);

/**
 * Where the receipt does not say it, as in older versions, attempts of before the reading that gave the document its latest content were
 * about an earlier one, unless its state is that in which the last of them, or a person, left it: then the clock went back.
 */
export async function attemptsOfLatest(
  sql: Statements,
  { revision, state, file, attempts }: Attempted,
): Promise<(one: ImportedAttempt) => boolean> {
  const [read] = await sql.all('SELECT claimed_at FROM source_file WHERE id = ?', file);
  const fromMs = revision === 1 || read === undefined ? 0 : Date.parse(text(read, 'claimed_at'));
  const last = attempts.findLast(({ outcome }) => outcome !== null);
  const isAfter = ({ at }: ImportedAttempt) => Date.parse(at) > fromMs;
  const isLeft = last?.act === 'resolve' || LEFT_BY_SUBMISSION.has(state);
  const isBack = last !== undefined && isLeft && !isAfter(last) && last.outcome === state;
  return (one) => one.revision === undefined && (isBack || isAfter(one));
}

/** The ledger has received the answer of the receipt itself, and has more of it than a receipt. */
export async function isAnswerKnown(
  sql: Statements,
  { id, revision, answer, attempts }: Attempted,
  recorded: DatabaseRow | undefined,
): Promise<boolean> {
  if (!recorded?.answer || answer === null || Number(recorded.revision) !== revision) return false;
  const answered = `SELECT count(*) AS received FROM attempt WHERE entry = ? AND act <> 'resolve' AND code IS NOT NULL`;
  const [row] = await sql.all(answered, id);
  return attempts.filter(({ act, code }) => act !== 'resolve' && code !== null).length === Number(row?.received);
}
