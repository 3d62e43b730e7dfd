/**
 * Holds the queued documents of a ledger that may not be the latest: they may have been sent since. Also holds what was
 * staged of an admitted file when the copy was made; nothing of a file that was still being read counts.
 */
import type { DatabaseSync } from 'node:sqlite';
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
export function holdQueued(db: DatabaseSync, nowMs: number, hold: Hold): number {
  for (const statement of DROP) db.exec(statement);
  const text = storedHold(hold);
  const staged = `(entry, revision) IN (SELECT entry, revision FROM staged)`;
  db.prepare(`UPDATE staged SET hold = ? WHERE hold IS NULL`).run(text);
  const put = db.prepare(`UPDATE revision SET outcome = 'held' WHERE outcome = 'ready' AND ${staged}`).run();
  const set = `UPDATE entry SET state = 'held', since = ?, due_at = NULL, receipt_due = 1, hold = ? WHERE state = 'ready'`;
  return Number(put.changes) + Number(db.prepare(set).run(nowMs, text).changes);
}
