/** An export that is read again, because a restored ledger knows of a document of it by a summary alone. */
import { text } from '../contract/ledger-context.ts';
import type { Statements } from '../database/database-driver.ts';

/** `file`: the reading that has it, with so many rows; `first`: the reading of before. */
type UnknownDocument = { readonly id: string; readonly file: string; readonly first: string; readonly rows: number };

/**
 * A summary names a document of which there is no receipt: unless the ledger knows it, its export is under way. False if the bytes are
 * gone: nothing can read it again.
 */
export async function readUnknownAgain(
  sql: Statements,
  { id, file, first, rows }: UnknownDocument,
  isThere: (path: string) => boolean,
): Promise<boolean> {
  if ((await sql.all('SELECT 1 FROM entry WHERE id = ?', id)).length > 0) return true;
  const open = `SELECT path, state FROM source_file WHERE id = ? AND state IN ('admitted', 'loading')`;
  const [found] = await sql.all(open, first);
  if (!found) return true;
  if (found.state === 'admitted' && !isThere(text(found, 'path'))) return false;
  await sql.run(`UPDATE source_file SET state = 'loading', archived_at = NULL WHERE id = ?`, first);
  // The rows of a later reading are those of the export, which has them again.
  const without = 'UPDATE source_file SET row_count = row_count - ? WHERE id = ? AND id <> ? AND row_count >= ?';
  await sql.run(without, rows, file, first, rows);
  return true;
}
