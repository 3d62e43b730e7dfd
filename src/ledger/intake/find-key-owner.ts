/** The document that has an identity, as it would count: a staged revision goes before the entry it revises. */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { storedKey } from '../../database/stored-key.ts';
import type { Hold } from '../../model/document.ts';
import { mayBeOut } from '../../model/state.ts';
import { text } from '../contract/ledger-context.ts';

export type KeyOwner = {
  readonly entry: string;
  readonly name: string;
  readonly class: string;
  readonly state: string;
  /** It was never sent, and is not sent without a person, so that its number is free. */
  readonly isFree: boolean;
  /** The file that stages it and does not count yet. */
  readonly stagedBy: string | null;
};

const FIND_OWNER = `SELECT e.id, e.name, e.class, e.hold, s.file, coalesce(t.outcome, e.state) AS state FROM identity i
  JOIN entry e ON e.id = i.entry LEFT JOIN staged s ON s.entry = e.id
  LEFT JOIN revision t ON t.entry = s.entry AND t.revision = s.revision WHERE i.key = ?`;

const NEVER_SENT: ReadonlySet<string> = new Set(['invalid', 'duplicate', 'conflict']);

/** The number and the year in an identity of a kind whose numbers restart every year. */
export const YEAR_IN_KEY = /^(?!nt\|)(.*)\|(\d{4})$/s;

export async function findKeyOwner(sql: Statements, key: string): Promise<KeyOwner | undefined> {
  const [row] = await sql.all(FIND_OWNER, storedKey(key));
  if (!row) return undefined;
  const [entry, name, state] = [text(row, 'id'), text(row, 'name'), text(row, 'state')];
  const isFree = NEVER_SENT.has(state) && !isMarked(row);
  return { entry, name, class: text(row, 'class'), state, isFree, stagedBy: row.file as string | null };
}

/** It was set aside while it may have been sent, or an outcome came late. */
function isMarked({ hold }: DatabaseRow): boolean {
  return hold !== null && mayBeOut((JSON.parse(hold as string) as Hold).rule);
}
