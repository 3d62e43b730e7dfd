/**
 * Consultations in a row that answered "does not exist" (code 18). They are counted from the attempts since the last submission of
 * the present revision: what was asked before proves nothing about it, and any other trusted answer ends the row.
 */
import type { NotFound } from '../../model/ledger-entry.ts';
import { selectByIds, text } from '../contract/ledger-context.ts';
import type { DatabaseRow, Statements } from '../database/database-driver.ts';

/** The consultations `a` of an entry that began after its last submission ended. */
export const AFTER_LAST_SUBMISSION = `a.act = 'consult' AND a.ordinal > COALESCE(
  (SELECT MAX(s.ordinal) FROM attempt s WHERE s.entry = a.entry AND s.act = 'submit'), -1)`;

/** "Does not exist"; the codes of services are in model/answer.ts. */
const DOES_NOT_EXIST = 18;

/** A consultation without an exchange is known only from a receipt, which may be older than the last submission. */
const TOLD = (places: string) => `SELECT a.entry, a.at, a.code FROM attempt a
  JOIN entry e ON e.id = a.entry AND e.revision = a.revision AND e.state <> 'sending'
  WHERE a.entry IN (${places}) AND a.code IS NOT NULL AND a.exchange IS NOT NULL AND ${AFTER_LAST_SUBMISSION}
  ORDER BY a.entry, a.ordinal`;

/** Those of these entries that have any. */
export async function selectNotFound(
  sql: Statements,
  entries: readonly string[],
): Promise<ReadonlyMap<string, NotFound>> {
  const rows = await selectByIds(sql, entries, TOLD);
  const found = new Map<string, NotFound>();
  for (const [entry, told] of Map.groupBy(rows, (row) => text(row, 'entry'))) {
    const inRow = told.slice(told.findLastIndex(({ code }) => code !== DOES_NOT_EXIST) + 1);
    const [first, last] = [inRow[0], inRow.at(-1)];
    if (first && last) found.set(entry, { times: inRow.length, firstAt: timeOf(first), lastAt: timeOf(last) });
  }
  return found;
}

function timeOf(row: DatabaseRow): string {
  return new Date(text(row, 'at')).toISOString();
}
