/** Exports that are read again, because a ledger that replaces another one does not account for all of their rows and documents. */
import { text } from '../contract/ledger-context.ts';
import type { DatabaseRow, Statements } from '../database/database-driver.ts';
import { foldNumber } from '../database/folded-key.ts';
import { readShownNumbers } from './seen-index.ts';

const OPEN = `UPDATE source_file SET state = 'loading', archived_at = NULL WHERE id = ?`;

type ShownDocument = { readonly id: string; readonly number?: string | undefined };

const ACCOUNTED = `SELECT row_count, left_out, COALESCE(rereads, id) AS first FROM source_file WHERE id = ? AND state = 'admitted'`;
const ROWS = 'SELECT source_rows FROM revision WHERE file = ?';
const FEWER = 'UPDATE source_file SET row_count = ? WHERE id = ?';

/** Exports that nothing can read again, and numbers of documents that no record accounts for: whether their export is read again. */
type Unaccounted = { readonly lost: ReadonlySet<string>; readonly numbers: ReadonlyMap<string, boolean> };

/**
 * What a summary shows has to be in the ledger, by rows of its own and by whole receipts: each document, and each row of an export. An
 * export of which one is not is under way, unless its bytes are gone. `shown`: files, with the documents that their summaries name.
 */
export async function readUnaccountedAgain(
  sql: Statements,
  shown: ReadonlyMap<string, readonly ShownDocument[]>,
  isThere: (path: string) => boolean,
): Promise<Unaccounted> {
  // A backup may be of a ledger that has taken the place of another one before.
  const [lost, numbers] = [new Set<string>(), new Map(await readShownNumbers(sql))];
  for (const [file, documents] of shown) {
    const [found] = await sql.all(ACCOUNTED, file);
    if (!found) continue;
    const first = text(found, 'first');
    const unknown = await unknownOf(sql, documents);
    const isWhole = (await accountsForRows(sql, file, found)) && unknown.length === 0;
    const isAgain = isWhole || (await isReadAgain(sql, first, isThere));
    if (!isAgain) lost.add(first);
    for (const { number } of unknown) if (number) numbers.set(foldNumber(number), isAgain);
  }
  return { lost, numbers };
}

/** The rows of a later reading are those of the export, which has them again. */
async function accountsForRows(sql: Statements, file: string, found: DatabaseRow): Promise<boolean> {
  const rows = await rowsOf(sql, file, found);
  if (rows >= Number(found.row_count)) return true;
  if (found.first === file) return false;
  await sql.run(FEWER, rows, file);
  return true;
}

async function rowsOf(sql: Statements, file: string, found: DatabaseRow): Promise<number> {
  const left = (JSON.parse(text(found, 'left_out')) as readonly { readonly row: number }[]).map(({ row }) => row);
  const made = (await sql.all(ROWS, file)).flatMap((row) => JSON.parse(text(row, 'source_rows')) as number[]);
  return new Set([...left, ...made]).size;
}

async function unknownOf(sql: Statements, documents: readonly ShownDocument[]): Promise<readonly ShownDocument[]> {
  const unknown: ShownDocument[] = [];
  for (const one of documents)
    if ((await sql.all('SELECT 1 FROM entry WHERE id = ?', one.id)).length === 0) unknown.push(one);
  return unknown;
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
