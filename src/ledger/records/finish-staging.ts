/**
 * What was staged begins to count, or is dropped as if it had never been.
 *
 * Whether it counts is decided by one value, the state of its source file; the entries follow in steps, and a crash
 * between two steps is made good when the ledger is opened. Until its step an entry is invisible.
 */
import type { DocumentFacts } from '../../model/document.ts';
import type { State } from '../../model/state.ts';
import { STATES } from '../../model/state.ts';
import { appendEvent, type LedgerContext, text } from '../contract/ledger-context.ts';
import type { DatabaseRow, Statements } from '../database/database-driver.ts';
import { touchSummary, touchSummaryOfEntry } from './touch-summary.ts';

/** About 20 ms of work; between two steps the event loop turns. */
export const STEP = 1000;

const STAGED = `SELECT s.entry, s.revision, s.file, s.hold, r.outcome, r.first, r.class, r.facts, f.run
  FROM staged s JOIN revision r ON r.entry = s.entry AND r.revision = s.revision JOIN source_file f ON f.id = s.file`;

/** Finishes an admitted file, in steps; what a stop leaves is finished when the ledger is opened the next time. */
export async function finishStagedFile(context: LedgerContext, file: string, stop?: AbortSignal): Promise<void> {
  let steps = 0;
  const step = async (sql: Statements) => {
    const settled = await finishStagedStep(sql, context, file);
    // Its summary may have been written in between.
    if (steps++ > 0 && settled < STEP) touchSummary(sql, file);
    return settled;
  };
  while (!stop?.aborted && (await context.write(step)) === STEP);
}

/** The next entries of an admitted file begin to count; how many. Fewer than STEP: that was all of them. */
export async function finishStagedStep(sql: Statements, context: LedgerContext, file: string): Promise<number> {
  const rows = await sql.all(`${STAGED} WHERE s.file = ? ORDER BY s.entry LIMIT ${STEP}`, file);
  for (const row of rows) await finishRow(sql, context, row);
  const last = rows.at(-1);
  if (last) await sql.run('DELETE FROM staged WHERE file = ? AND entry <= ?', file, text(last, 'entry'));
  return rows.length;
}

/** One entry of an admitted file, ahead of its turn, because another file asks for it. */
export async function finishStagedEntry(sql: Statements, context: LedgerContext, entry: string): Promise<void> {
  for (const row of await sql.all(`${STAGED} WHERE s.entry = ?`, entry)) await finishRow(sql, context, row);
  await sql.run('DELETE FROM staged WHERE entry = ?', entry);
}

/** After a stop: admitted files are finished, those that were being read start over with nothing staged. */
export async function recoverStaged(context: LedgerContext): Promise<void> {
  const unsettled = 'SELECT id, state FROM source_file WHERE id IN (SELECT file FROM staged)';
  const files = await context.read(async (sql) => await sql.all(unsettled));
  for (const file of files) {
    const id = text(file, 'id');
    if (file.state !== 'admitted') await dropFile(context, id);
    else {
      await context.write(async (sql) => touchSummary(sql, id));
      await finishStagedFile(context, id);
    }
  }
}

/**
 * Takes back all that was staged of a file, in steps: in one commit the log would grow as large as all of it. A stop
 * leaves the rest for the next start, and nothing of it counts in between.
 */
export async function dropFile(context: Pick<LedgerContext, 'write'>, file: string, stop?: AbortSignal): Promise<void> {
  while (!stop?.aborted && (await context.write((sql) => dropStep(sql, file))) === STEP);
}

/** The same at once, for files of which hardly anything is staged. */
export async function dropStaged(sql: Statements, file: string): Promise<void> {
  while ((await dropStep(sql, file)) === STEP);
}

/**
 * Entries, revisions and identities of the next of them; how many. Numbers stay with their identities. The plus keeps
 * SQLite from looking through all rows of the file in each step.
 */
export async function dropStep(sql: Statements, file: string): Promise<number> {
  const rows = await sql.all(`SELECT entry FROM staged WHERE file = ? ORDER BY entry LIMIT ${STEP}`, file);
  const last = rows.at(-1);
  if (!last) return 0;
  const these = [file, text(last, 'entry')] as const;
  const some = '(SELECT entry FROM staged WHERE file = ? AND entry <= ?)';
  await sql.run(`DELETE FROM identity WHERE entry IN ${some} AND +file = ?`, ...these, file);
  await sql.run(`DELETE FROM revision WHERE entry IN ${some} AND +file = ?`, ...these, file);
  await sql.run(`DELETE FROM entry WHERE id IN ${some} AND +state = 'staged'`, ...these);
  await sql.run('DELETE FROM staged WHERE file = ? AND entry <= ?', ...these);
  return rows.length;
}

/** 0: none, 1: due, 2: due once somebody asks for waiting ones too. */
export function receiptDue(state: State): 0 | 1 | 2 {
  if (state === 'ready') return 2;
  return 'folder' in STATES[state] ? 1 : 0;
}

async function finishRow(sql: Statements, context: LedgerContext, row: DatabaseRow): Promise<void> {
  const entry = text(row, 'entry');
  const state = text(row, 'outcome') as State;
  const nowMs = context.now().getTime();
  if (row.revision !== 1) await resetFormerRevision(sql, row);
  await sql.run(
    `UPDATE entry SET revision = ?, state = ?, since = ?, due_at = ?, first = ?, receipt_due = ?, hold = ?, receiver = ?
     WHERE id = ?`,
    // Due at once whatever the clock says later, hence 0.
    ...[row.revision!, state, nowMs, state === 'ready' ? 0 : null, row.first!, receiptDue(state), row.hold!],
    ...[(JSON.parse(text(row, 'facts')) as DocumentFacts).receiver ?? null, entry],
  );
  const detail = row.hold === null ? {} : { detail: JSON.parse(text(row, 'hold')) };
  await appendEvent(sql, context, { what: state, entry, file: text(row, 'file'), run: text(row, 'run'), ...detail });
}

/** A correction: what was said of the former revision no longer holds; its attempts stay. */
async function resetFormerRevision(sql: Statements, row: DatabaseRow): Promise<void> {
  const entry = text(row, 'entry');
  await touchSummaryOfEntry(sql, entry);
  await sql.run(
    `UPDATE entry SET class = ?, identifier = ?, consult_at = NULL, request_id = NULL, tries = 0, code = NULL,
     answer = NULL, not_found = 0, not_found_first = NULL, not_found_last = NULL, evidence = NULL WHERE id = ?`,
    ...[text(row, 'class'), JSON.parse(text(row, 'facts')).identifier as string, entry],
  );
}
