/**
 * Counts what a ledger on PostgreSQL holds for metrics: attempts are carried from count to count by the transactions that
 * were counted (transaction-mark.ts), documents are counted each time by the server. Errors as of a read of the connection.
 */
import type { Statements } from '../database/database-driver.ts';
import type { PostgresPlace } from '../database/postgres/postgres-place.ts';
import { sharePostgres } from '../database/postgres/shared-postgres.ts';
import { IS_NEW, markText, newSince, readMark, type TransactionMark } from '../database/postgres/transaction-mark.ts';
import {
  addOutcome,
  type LedgerSums,
  type LedgerTally,
  MOST_OPEN,
  NO_SUMS,
  OPEN_BY_STATE,
  SUBMIT_BUCKETS,
  stateTally,
} from './ledger-sums.ts';
import { currentMark } from './postgres-source.ts';

export async function tallyPostgres(place: PostgresPlace, before: LedgerSums): Promise<LedgerTally> {
  const { read, close } = sharePostgres(place);
  try {
    return await read(async (sql) => {
      const now = await currentMark(sql);
      const from = await countedBefore(sql, before, now);
      const sums = structuredClone(from ? before : NO_SUMS);
      await addAttempts(sql, sums, { from, now });
      const states = (await sql.all(STATES)).map(stateTally);
      sums.documents = {};
      for (const { service, count } of states) sums.documents[service] = (sums.documents[service] ?? 0) + count;
      return { sums, states };
    });
  } finally {
    await close();
  }
}

/** Undefined for the sums of another ledger, of a later copy of this one, and without any. */
async function countedBefore(
  sql: Statements,
  { attempts: { mark, place } }: LedgerSums,
  now: TransactionMark,
): Promise<TransactionMark | undefined> {
  const from = readMark(place ?? '');
  if (!from || from.end > now.end) return undefined;
  const rows = await sql.all(`SELECT 1 AS one FROM event WHERE id = ?`, mark);
  return rows.length > 0 ? from : undefined;
}

const KINDS = `a.act IN ('submit', 'consult')`;
const GROUPS = `SELECT e.service, a.act, a.outcome, COUNT(*) AS count, COUNT(a.ms) AS timed, COALESCE(SUM(a.ms), 0) AS ms,
  ${SUBMIT_BUCKETS.map((bound, n) => `COUNT(*) FILTER (WHERE a.ms <= ${bound * 1000}) AS b${n}`).join(', ')}
  FROM attempt a JOIN entry e ON e.id = a.entry WHERE a.outcome IS NOT NULL AND ${KINDS} AND `;
const BY = ' GROUP BY e.service, a.act, a.outcome';
const KEY = `a.entry || ' ' || a.act || ' ' || a.n`;
const OPEN = `SELECT ${KEY} AS key FROM attempt a WHERE a.outcome IS NULL AND ${KINDS}`;
/** Attempts of these entries that have these keys. */
const PENDING = `a.entry IN (SELECT json_array_elements_text(CAST(? AS json)))
  AND ${KEY} IN (SELECT json_array_elements_text(CAST(? AS json)))`;

async function addAttempts(
  sql: Statements,
  sums: LedgerSums,
  { from, now }: { readonly from: TransactionMark | undefined; readonly now: TransactionMark },
): Promise<void> {
  const pending = sums.attempts.pending ?? [];
  const entries = pending.map((key) => key.split(' ')[0] ?? '');
  const of = [JSON.stringify(entries), JSON.stringify(pending)] as const;
  const [where, values] = from ? [IS_NEW, newSince(from)] : ['TRUE', []];
  const ended = pending.length > 0 ? await sql.all(`${GROUPS}${PENDING}${BY}`, ...of) : [];
  for (const row of [...ended, ...(await sql.all(`${GROUPS}${where}${BY}`, ...values))]) addOutcome(sums, row);
  const still = pending.length > 0 ? await sql.all(`${OPEN} AND ${PENDING}`, ...of) : [];
  const open = [...still, ...(await sql.all(`${OPEN} AND ${where} ORDER BY a.at`, ...values))].map(({ key }) =>
    String(key),
  );
  const [event] = await sql.all('SELECT id FROM event ORDER BY tx DESC NULLS LAST LIMIT 1');
  sums.attempts = {
    row: 0,
    mark: String(event?.id ?? ''),
    open: [],
    place: markText(now),
    pending: open.slice(-MOST_OPEN),
  };
}

const STATES = `${OPEN_BY_STATE}
  UNION ALL SELECT service, state, 0, COUNT(*), NULL FROM entry WHERE state = 'authorized' GROUP BY 1, 2`;
