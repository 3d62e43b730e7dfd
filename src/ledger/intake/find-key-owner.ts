/** The document that has an identity, as it would count: a staged revision goes before the entry it revises. */
import { text } from '../contract/ledger-context.ts';
import type { Statements } from '../database/database-driver.ts';
import { storedKey } from '../database/stored-key.ts';

export type KeyOwner = {
  readonly entry: string;
  readonly name: string;
  readonly class: string;
  readonly state: string;
  /** The file that stages it and does not count yet. */
  readonly stagedBy: string | null;
};

const FIND_OWNER = `SELECT e.id, e.name, e.class, s.file, coalesce(t.outcome, e.state) AS state FROM identity i
  JOIN entry e ON e.id = i.entry LEFT JOIN staged s ON s.entry = e.id
  LEFT JOIN revision t ON t.entry = s.entry AND t.revision = s.revision WHERE i.key = ?`;

/** A document that was never sent, and is not sent without a person, leaves its number free. */
export const NUMBER_IS_FREE: ReadonlySet<string> = new Set(['invalid', 'duplicate', 'conflict']);

/** The number and the year in an identity of a kind whose numbers restart every year. */
export const YEAR_IN_KEY = /^(?!nt\|)(.*)\|(\d{4})$/s;

export async function findKeyOwner(sql: Statements, key: string): Promise<KeyOwner | undefined> {
  const [row] = await sql.all(FIND_OWNER, storedKey(key));
  if (!row) return undefined;
  const [entry, name, state] = [text(row, 'id'), text(row, 'name'), text(row, 'state')];
  return { entry, name, class: text(row, 'class'), state, stagedBy: row.file as string | null };
}
