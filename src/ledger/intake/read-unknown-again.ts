/** Exports that are read again, because a ledger that replaces another one does not account for all of their rows and documents. */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { foldNumber, numbersInKey } from '../../database/folded-key.ts';
import { selectKeys } from '../../database/identity-index.ts';
import type { DocumentFacts } from '../../model/document.ts';
import { text } from '../contract/ledger-context.ts';
import { readShownNumbers } from './seen-index.ts';

const OPEN = `UPDATE source_file SET state = 'loading', archived_at = NULL WHERE id = ?`;

type ShownDocument = { readonly id: string; readonly number?: string | undefined };

const ACCOUNTED = `SELECT state, row_count, left_out, COALESCE(rereads, id) AS first FROM source_file WHERE id = ?`;
const FACTS = 'SELECT facts FROM revision WHERE entry = ?';
const ROWS = 'SELECT source_rows FROM revision WHERE file = ?';
const FEWER = 'UPDATE source_file SET row_count = ? WHERE id = ?';

/** Exports that nothing can read again, and numbers of documents that no record accounts for: whether their export is read again. */
type Unaccounted = { readonly lost: ReadonlySet<string>; readonly numbers: ReadonlyMap<string, boolean> };

type Found = {
  /** Files, with the documents that their summaries name. */
  readonly shown: ReadonlyMap<string, readonly ShownDocument[]>;
  /** What earlier replacements have found. */
  readonly before: ReadonlyMap<string, boolean>;
};

/**
 * What a summary shows has to be in the ledger, by rows of its own and by whole receipts: each document, and each row of an export. An
 * export of which one is not is under way, unless its bytes are gone. A document that the ledger knows under another number may have been
 * sent under the one that is shown.
 */
export async function readUnaccountedAgain(
  sql: Statements,
  { shown, before }: Found,
  isThere: (path: string) => boolean,
): Promise<Unaccounted> {
  // A backup may be of a ledger that has taken the place of another one before.
  const [lost, numbers] = [new Set<string>(), new Map([...(await readShownNumbers(sql)), ...before])];
  const add = (documents: readonly ShownDocument[], isAgain: boolean) => {
    for (const { number } of documents) if (number) numbers.set(foldNumber(number), isAgain);
  };
  for (const [file, documents] of shown) {
    const [found] = await sql.all(ACCOUNTED, file);
    if (!found) continue;
    const { unknown, renamed } = await unaccountedOf(sql, documents);
    add(renamed, true);
    const isOpen = found.state !== 'admitted';
    const first = text(found, 'first');
    const isWhole = isOpen || ((await accountsForRows(sql, file, found)) && unknown.length === 0);
    const isAgain = isWhole || (await isReadAgain(sql, first, isThere));
    if (!isAgain) lost.add(first);
    add(unknown, isAgain);
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

/** Documents that the ledger does not have, and those that it has under other numbers alone. */
async function unaccountedOf(sql: Statements, documents: readonly ShownDocument[]) {
  const [unknown, renamed]: [ShownDocument[], ShownDocument[]] = [[], []];
  for (const one of documents) {
    const [entry] = await sql.all('SELECT identifier FROM entry WHERE id = ?', one.id);
    if (!entry) unknown.push(one);
    else if (one.number && one.number !== entry.identifier && !(await hasNumber(sql, one.id, one.number)))
      renamed.push(one);
  }
  return { unknown, renamed };
}

async function hasNumber(sql: Statements, entry: string, number: string): Promise<boolean> {
  const folded = foldNumber(number);
  const facts = (await sql.all(FACTS, entry)).map((row) => JSON.parse(text(row, 'facts')) as DocumentFacts);
  if (facts.some(({ identifier }) => foldNumber(identifier) === folded)) return true;
  return (await selectKeys(sql, entry)).some((key) => numbersInKey(key).some((part) => foldNumber(part) === folded));
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
