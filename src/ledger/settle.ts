/**
 * What was staged begins to count, or is dropped as if it had never been.
 *
 * Whether it counts is decided by one value, the state of its source file; the entries follow in steps, and a crash
 * between two steps is made good when the ledger is opened. Until its step an entry is invisible.
 */
import type { DocumentFacts } from '../model/document.ts';
import type { State } from '../model/state.ts';
import { STATES } from '../model/state.ts';
import { type Desk, note, text } from './desk.ts';
import type { Row, Statements } from './driver.ts';

/** About 20 ms of work; between two steps the event loop turns. */
export const STEP = 1000;

const STAGED = `SELECT s.entry, s.revision, s.file, s.hold, r.outcome, r.first, r.class, r.facts, f.run
  FROM staged s JOIN revision r ON r.entry = s.entry AND r.revision = s.revision JOIN source_file f ON f.id = s.file`;

/** Finishes an admitted file, in steps. */
export async function settleFile(desk: Desk, file: string): Promise<void> {
  for (let settled = STEP; settled === STEP; ) settled = await desk.write((sql) => settleStep(sql, desk, file));
}

/** The next entries of an admitted file begin to count; how many. Fewer than STEP: that was all of them. */
export async function settleStep(sql: Statements, desk: Desk, file: string): Promise<number> {
  const rows = await sql.all(`${STAGED} WHERE s.file = ? ORDER BY s.entry LIMIT ${STEP}`, file);
  for (const row of rows) await settleRow(sql, desk, row);
  const last = rows.at(-1);
  if (last) await sql.run('DELETE FROM staged WHERE file = ? AND entry <= ?', file, text(last, 'entry'));
  return rows.length;
}

/** One entry of an admitted file, ahead of its turn, because another file asks for it. */
export async function settleEntry(sql: Statements, desk: Desk, entry: string): Promise<void> {
  for (const row of await sql.all(`${STAGED} WHERE s.entry = ?`, entry)) await settleRow(sql, desk, row);
  await sql.run('DELETE FROM staged WHERE entry = ?', entry);
}

/** After a stop: admitted files are finished, those that were being read start over with nothing staged. */
export async function recoverStaged(desk: Desk): Promise<void> {
  const unsettled = 'SELECT id, state FROM source_file WHERE id IN (SELECT file FROM staged)';
  const files = await desk.read(async (sql) => await sql.all(unsettled));
  for (const file of files) {
    const id = text(file, 'id');
    if (file.state === 'admitted') await settleFile(desk, id);
    else await desk.write((sql) => dropStaged(sql, id));
  }
}

/** Takes back all that was staged of a file: entries, revisions and identities. Numbers stay with their identities. */
export async function dropStaged(sql: Statements, file: string): Promise<void> {
  await sql.run(
    'DELETE FROM identity WHERE file = ? AND entry IN (SELECT entry FROM staged WHERE file = ?)',
    file,
    file,
  );
  await sql.run(
    'DELETE FROM revision WHERE file = ? AND entry IN (SELECT entry FROM staged WHERE file = ?)',
    file,
    file,
  );
  await sql.run(`DELETE FROM entry WHERE state = 'staged' AND id IN (SELECT entry FROM staged WHERE file = ?)`, file);
  await sql.run('DELETE FROM staged WHERE file = ?', file);
}

/** 0: none, 1: due, 2: due once somebody asks for waiting ones too. */
export function receiptDue(state: State): 0 | 1 | 2 {
  if (state === 'ready') return 2;
  return 'folder' in STATES[state] ? 1 : 0;
}

async function settleRow(sql: Statements, desk: Desk, row: Row): Promise<void> {
  const entry = text(row, 'entry');
  const state = text(row, 'outcome') as State;
  const nowMs = desk.now().getTime();
  if (row.revision !== 1) await replace(sql, row);
  await sql.run(
    `UPDATE entry SET revision = ?, state = ?, since = ?, due_at = ?, first = ?, receipt_due = ?, hold = ?, receiver = ?
     WHERE id = ?`,
    // Due at once whatever the clock says later, hence 0.
    ...[row.revision!, state, nowMs, state === 'ready' ? 0 : null, row.first!, receiptDue(state), row.hold!],
    ...[(JSON.parse(text(row, 'facts')) as DocumentFacts).receiver ?? null, entry],
  );
  const detail = row.hold === null ? {} : { detail: JSON.parse(text(row, 'hold')) };
  await note(sql, desk, { what: state, entry, file: text(row, 'file'), run: text(row, 'run'), ...detail });
}

/** A correction: what was said of the former revision no longer holds; its attempts stay. */
async function replace(sql: Statements, row: Row): Promise<void> {
  const entry = text(row, 'entry');
  const former =
    'SELECT r.file FROM revision r JOIN entry e ON e.id = r.entry AND e.revision = r.revision WHERE e.id = ?';
  await sql.run(`UPDATE summary SET changes = changes + 1 WHERE file = (${former})`, entry);
  await sql.run(
    `UPDATE entry SET class = ?, identifier = ?, consult_at = NULL, request_id = NULL, tries = 0, code = NULL,
     answer = NULL, not_found = 0, not_found_first = NULL, not_found_last = NULL, evidence = NULL WHERE id = ?`,
    ...[text(row, 'class'), JSON.parse(text(row, 'facts')).identifier as string, entry],
  );
}
