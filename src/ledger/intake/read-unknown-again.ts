/** Exports that are read again, because a restored ledger knows of a document of theirs by a summary alone. */
import { text } from '../contract/ledger-context.ts';
import type { Statements } from '../database/database-driver.ts';

const OPEN = `UPDATE source_file SET state = 'loading', archived_at = NULL WHERE id = ?`;

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
  await sql.run(OPEN, first);
  // The rows of a later reading are those of the export, which has them again.
  const without = 'UPDATE source_file SET row_count = row_count - ? WHERE id = ? AND id <> ? AND row_count >= ?';
  await sql.run(without, rows, file, first, rows);
  return true;
}

/** The files of a pair are read together: where one is read again, so is the other one. */
export async function readPairsAgain(sql: Statements, isThere: (path: string) => boolean): Promise<void> {
  const others = await sql.all(
    `SELECT o.id, o.path FROM source_file f JOIN source_file o ON o.id = f.partner
     WHERE f.state = 'loading' AND f.rereads IS NULL AND o.state = 'admitted'`,
  );
  for (const other of others) if (isThere(text(other, 'path'))) await sql.run(OPEN, text(other, 'id'));
}

/** After a clock went back: what is read again was claimed before the ledger was replaced, whatever its time says. */
export async function claimedBefore(sql: Statements, now: Date): Promise<void> {
  const set = `UPDATE source_file SET claimed_at = ? WHERE state = 'loading' AND claimed_at > ?`;
  await sql.run(set, now.toISOString(), now.toISOString());
}
