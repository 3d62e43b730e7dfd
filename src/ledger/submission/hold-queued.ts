/**
 * Holds the queued documents of a ledger that may not be the latest: they may have been sent since. Also holds what was
 * staged of an admitted file when the copy was made; nothing of a file that was still being read counts.
 */

import type { Statements } from '../../database/database-driver.ts';
import type { Hold } from '../../model/document.ts';
import { storedHold } from '../../model/recorded-words.ts';

const LOADING = `SELECT s.entry FROM staged s JOIN source_file f ON f.id = s.file WHERE f.state <> 'admitted'`;
/** The staged rows of admitted files, as finish-staging.ts selects them for one file. */
const DROP = [
  `DELETE FROM identity WHERE entry IN (${LOADING}) AND file IN (SELECT file FROM staged)`,
  `DELETE FROM revision WHERE entry IN (${LOADING}) AND (entry, revision) IN (SELECT entry, revision FROM staged)`,
  `DELETE FROM entry WHERE state = 'staged' AND id IN (${LOADING})`,
  `DELETE FROM staged WHERE entry IN (${LOADING})`,
];

/** Returns how many were queued. Within a transaction of the caller, before any import. */
export async function holdQueued(sql: Statements, nowMs: number, hold: Hold): Promise<number> {
  for (const statement of DROP) await sql.run(statement);
  const text = storedHold(hold);
  const staged = `(entry, revision) IN (SELECT entry, revision FROM staged)`;
  await sql.run(`UPDATE staged SET hold = ? WHERE hold IS NULL`, text);
  const put = await sql.run(`UPDATE revision SET outcome = 'held' WHERE outcome = 'ready' AND ${staged}`);
  const set = `UPDATE entry SET state = 'held', since = ?, due_at = NULL, receipt_due = 1, hold = ? WHERE state = 'ready'`;
  return put + (await sql.run(set, nowMs, text));
}
