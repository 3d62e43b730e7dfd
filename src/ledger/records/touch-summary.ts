/** Marks the summary of a file as outdated. */
import type { Statements } from '../../database/database-driver.ts';

/** One parameter: the id of the file. */
export const TOUCH_SUMMARY = 'UPDATE summary SET changes = changes + 1 WHERE file = ?';

const TOUCH_SUMMARY_OF_ENTRY = `UPDATE summary SET changes = changes + 1 WHERE file = (SELECT r.file FROM revision r
  JOIN entry e ON e.id = r.entry AND e.revision = r.revision WHERE e.id = ?)`;

/** Counts once in each commit, however often it is called. */
export function touchSummary(sql: Statements, file: string): void {
  sql.atEnd(TOUCH_SUMMARY, file);
}

/** The summary of the file that the present revision of the entry came from. */
export async function touchSummaryOfEntry(sql: Statements, entry: string): Promise<void> {
  await sql.run(TOUCH_SUMMARY_OF_ENTRY, entry);
}
