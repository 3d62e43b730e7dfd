/** Exports that are read again, because a ledger that replaces another one does not account for all of their rows and documents. */
import { text } from '../contract/ledger-context.ts';
import type { Statements } from '../database/database-driver.ts';

const OPEN = `UPDATE source_file SET state = 'loading', archived_at = NULL WHERE id = ?`;

const ACCOUNTED = `SELECT row_count, left_out, COALESCE(rereads, id) AS first FROM source_file WHERE id = ? AND state = 'admitted'`;
const ROWS = 'SELECT source_rows FROM revision WHERE file = ?';
const FEWER = 'UPDATE source_file SET row_count = ? WHERE id = ?';

/**
 * What a summary shows has to be in the ledger, by rows of its own and by whole receipts: each document, and each row of an export. An
 * export of which one is not is under way. Returns those whose bytes are gone: nothing can read them again. `shown`: files, with the
 * documents that their summaries name.
 */
export async function readUnaccountedAgain(
  sql: Statements,
  shown: ReadonlyMap<string, readonly string[]>,
  isThere: (path: string) => boolean,
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  for (const [file, documents] of shown) {
    const [found] = await sql.all(ACCOUNTED, file);
    if (!found) continue;
    const first = text(found, 'first');
    const left = (JSON.parse(text(found, 'left_out')) as readonly { readonly row: number }[]).map(({ row }) => row);
    const made = (await sql.all(ROWS, file)).flatMap((row) => JSON.parse(text(row, 'source_rows')) as number[]);
    const rows = new Set([...left, ...made]);
    const isShort = rows.size < Number(found.row_count);
    // The rows of a later reading are those of the export, which has them again.
    if (isShort && first !== file) await sql.run(FEWER, rows.size, file);
    const isWhole = !(isShort && first === file) && (await areKnown(sql, documents));
    if (!isWhole && !(await isReadAgain(sql, first, isThere))) lost.add(first);
  }
  return lost;
}

async function areKnown(sql: Statements, documents: readonly string[]): Promise<boolean> {
  for (const id of documents) if ((await sql.all('SELECT 1 FROM entry WHERE id = ?', id)).length === 0) return false;
  return true;
}

async function isReadAgain(sql: Statements, first: string, isThere: (path: string) => boolean): Promise<boolean> {
  const open = `SELECT path, state FROM source_file WHERE id = ? AND state IN ('admitted', 'loading')`;
  const [found] = await sql.all(open, first);
  if (!found) return true;
  if (found.state === 'admitted' && !isThere(text(found, 'path'))) return false;
  await sql.run(OPEN, first);
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
