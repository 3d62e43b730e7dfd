/** The summary of a file has something new to say: counted once in each commit. */
import type { Statements } from '../database/database-driver.ts';

export function touchSummary(sql: Statements, file: string): void {
  sql.atEnd('UPDATE summary SET changes = changes + 1 WHERE file = ?', file);
}
