/**
 * Counts what a ledger holds for metrics, next to the process that writes it. Sums that only rise (documents, answers)
 * are carried from count to count, so that only new rows are read; what waits is counted each time from its indexes.
 * Errors of SQLite are thrown as it gives them.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import type { DatabaseRow } from '../database/database-driver.ts';
import { openDatabase } from '../database/open-database.ts';
import type { LedgerSite } from '../ledger/contract/ledger-site.ts';
import { stateFolder } from '../ledger/installation/state-folder.ts';
import { appendAll } from '../text/long-lists.ts';
import {
  addOutcome,
  type LedgerSums,
  type LedgerTally,
  MOST_OPEN,
  NO_SUMS,
  OPEN_BY_STATE,
  type StateTally,
  SUBMIT_BUCKETS,
  stateTally,
} from './ledger-sums.ts';

/** Rows that are read in one step, some milliseconds. */
const STEP = 10_000;

/** `before`: the sums of an earlier count, from which this one goes on. */
export async function tallyLedger(
  { folder, postgres }: LedgerSite,
  before: LedgerSums = NO_SUMS,
): Promise<LedgerTally> {
  if (postgres) return await (await import('./postgres-tally.ts')).tallyPostgres(await postgres(), before);
  const db = openDatabase(stateFolder(folder).ledger, { readOnly: true, checked: true });
  try {
    const sums = structuredClone(isOfThisLedger(db, before) ? before : NO_SUMS);
    await addEntries(db, sums);
    await addAttempts(db, sums);
    return { sums, states: statesOf(db, sums) };
  } finally {
    db.close();
  }
}

const ENTRY_MARK = 'SELECT id AS mark FROM entry WHERE rowid = ?';
const ATTEMPT_MARK = `SELECT entry || ' ' || act || ' ' || n AS mark FROM attempt WHERE rowid = ?`;

function isOfThisLedger(db: DatabaseSync, { entries, attempts }: LedgerSums): boolean {
  const has = (sql: string, { row, mark }: { readonly row: number; readonly mark: string }) =>
    row === 0 || db.prepare(sql).get(row)?.mark === mark;
  return has(ENTRY_MARK, entries) && has(ATTEMPT_MARK, attempts);
}

/** An entry that is staged may be dropped, and its row used again: the count ends before the first of them. */
const LAST_ENTRY = `SELECT COALESCE(
  (SELECT MIN(e.rowid) - 1 FROM staged s CROSS JOIN entry e ON e.id = s.entry WHERE e.state = 'staged'),
  (SELECT MAX(rowid) FROM entry), 0) AS row`;
const NEW_ENTRIES = 'SELECT service, COUNT(*) AS count FROM entry WHERE rowid > ? AND rowid <= ? GROUP BY service';

async function addEntries(db: DatabaseSync, sums: LedgerSums): Promise<void> {
  const last = Number(db.prepare(LAST_ENTRY).get()?.row);
  const select = db.prepare(NEW_ENTRIES);
  for await (const { from, to } of steps(sums.entries.row, last)) {
    for (const row of select.all(from, to)) {
      const service = String(row.service);
      sums.documents[service] = (sums.documents[service] ?? 0) + Number(row.count);
    }
  }
  if (last > sums.entries.row) sums.entries = { row: last, mark: String(db.prepare(ENTRY_MARK).get(last)?.mark) };
}

const COLUMNS = `e.service, a.act, a.outcome, COUNT(*) AS count,
  COUNT(a.ms) AS timed, TOTAL(a.ms) AS ms, ${SUBMIT_BUCKETS.map((bound, n) => `TOTAL(a.ms <= ${bound * 1000}) AS b${n}`).join(', ')}
  FROM attempt a CROSS JOIN entry e ON e.id = a.entry`;
const NEW_ATTEMPTS = `SELECT ${COLUMNS} WHERE a.rowid > ? AND a.rowid <= ? AND a.act IN ('submit', 'consult')
  GROUP BY e.service, a.act, a.outcome`;
const ONE_ATTEMPT = `SELECT ${COLUMNS} WHERE a.rowid = ? AND a.act IN ('submit', 'consult') GROUP BY e.service, a.act, a.outcome`;
const OPEN_ATTEMPTS = `SELECT rowid AS row FROM attempt
  WHERE rowid > ? AND rowid <= ? AND act IN ('submit', 'consult') AND outcome IS NULL`;

async function addAttempts(db: DatabaseSync, sums: LedgerSums): Promise<void> {
  const { attempts } = sums;
  const one = db.prepare(ONE_ATTEMPT);
  const open = attempts.open.filter((row) => {
    const rows = one.all(row).filter(({ outcome }) => outcome !== null);
    for (const found of rows) addOutcome(sums, found);
    return rows.length === 0;
  });
  const last = Number(db.prepare('SELECT MAX(rowid) AS row FROM attempt').get()?.row ?? 0);
  const select = db.prepare(NEW_ATTEMPTS);
  for await (const { from, to } of steps(attempts.row, last)) {
    const rows = select.all(from, to);
    for (const row of rows) if (row.outcome !== null) addOutcome(sums, row);
    if (rows.some(({ outcome }) => outcome === null))
      appendAll(
        open,
        db
          .prepare(OPEN_ATTEMPTS)
          .all(from, to)
          .map(({ row }) => Number(row)),
      );
  }
  const isNew = last > attempts.row;
  const mark = isNew ? String(db.prepare(ATTEMPT_MARK).get(last)?.mark) : attempts.mark;
  sums.attempts = { row: isNew ? last : attempts.row, mark, open: open.slice(-MOST_OPEN) };
}

/** Ranges of rows, with a turn of the event loop between two of them. */
async function* steps(after: number, last: number): AsyncIterable<{ readonly from: number; readonly to: number }> {
  for (let from = after; from < last; from += STEP) {
    if (from > after) await turn();
    yield { from, to: Math.min(from + STEP, last) };
  }
}

/** Entries after those in the sums: few, but for a large file that is staged. */
const LATER_ENTRIES = `SELECT service, COUNT(*) AS count FROM entry WHERE rowid > ? AND state <> 'staged' GROUP BY service`;

/** Documents that are authorized are all others: counting them would read every row. As of one instant. */
function statesOf(db: DatabaseSync, { documents, entries }: LedgerSums): readonly StateTally[] {
  db.exec('BEGIN');
  const later = db.prepare(LATER_ENTRIES).all(entries.row);
  const others = db
    .prepare(OPEN_BY_STATE)
    .all()
    .map((row) => stateTally(row as DatabaseRow));
  db.exec('COMMIT');
  const rest = new Map(Object.entries(documents));
  for (const { service, count: more } of later) add(rest, String(service), Number(more));
  for (const { service, count: apart } of others) add(rest, service, -apart);
  const authorized = [...rest].map(([service, left]): StateTally => {
    return { service, state: 'authorized', closed: false, count: Math.max(0, left) };
  });
  return [...others, ...authorized];
}

function add(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}
