/**
 * Exports of before that a replaced ledger has read again, and refused: the ledger before may have sent their documents, also where the
 * same bytes are taken once more. Statements within a transaction of the caller.
 */
import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { writeMetaValues } from '../../database/meta-values.ts';
import { readMetaValue, text } from './ledger-context.ts';

/** Of a file that is refused now. */
export async function noteRefusal(sql: Statements, file: DatabaseRow): Promise<void> {
  const learned = await readMetaValue(sql, 'learned');
  if (learned !== undefined && Date.parse(text(file, 'claimed_at')) <= Number(learned))
    await noteRefusedAgain(sql, text(file, 'sha256'));
}

export async function noteRefusedAgain(sql: Statements, sha256: string): Promise<void> {
  await writeMetaValues(sql, { [keyOf(sha256)]: '1' });
}

/** One row if these bytes were refused, else none. */
export async function isRefusedAgain(sql: Statements, sha256: string): Promise<readonly DatabaseRow[]> {
  return await sql.all('SELECT 1 FROM meta WHERE key = ?', keyOf(sha256));
}

function keyOf(sha256: string): string {
  return `refused ${sha256}`;
}
