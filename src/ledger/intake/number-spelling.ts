/**
 * The identities of a document come in; out come the documents that have one of them in another spelling (fv-26-0002
 * beside FV-26-0002). To the ledger and to the service these are two numbers, and both would be valid tax documents: the
 * later one waits for a person.
 */
import { format } from '../../i18n/message.ts';
import { LEDGER_HOLD } from '../../i18n/messages/ledger-messages.ts';
import type { Hold } from '../../model/document.ts';
import { type LedgerContext, text } from '../contract/ledger-context.ts';
import type { Statements } from '../database/database-driver.ts';
import { foldKey, numberInKey } from '../database/folded-key.ts';

export type OtherSpelling = {
  readonly entry: string;
  readonly key: string;
  readonly name: string;
  readonly state: string;
  /** It would go out, and is staged by this file, which does not count yet. */
  readonly isStaged: boolean;
};

/** Of what is not out, and will not go out by itself, the number is free; read again, it is asked about itself. */
const FREE: ReadonlySet<string> = new Set(['invalid', 'duplicate', 'conflict', 'rejected']);

/** What is spelled as it is folded has nothing under `folded`. Asked of each document, so that it joins nothing. */
const FOLDED = 'SELECT key FROM identity WHERE folded = ?';
const FIND = `SELECT e.id, e.name, s.file, coalesce(t.outcome, e.state) AS state FROM identity i
  JOIN entry e ON e.id = i.entry LEFT JOIN staged s ON s.entry = e.id
  LEFT JOIN revision t ON t.entry = s.entry AND t.revision = s.revision WHERE i.key = ?`;

const NONE: readonly OtherSpelling[] = [];

/** `own`: entries that are this document. */
export async function findOtherSpellings(
  { sql, file }: { readonly sql: Statements; readonly file: string },
  keys: readonly string[],
  own: readonly string[],
): Promise<readonly OtherSpelling[]> {
  let found = NONE;
  for (const key of keys) {
    const folded = foldKey(key);
    const rows = await sql.all(FOLDED, folded);
    if (rows.length === 0 && folded === key) continue;
    const others = new Set([folded, ...rows.map((row) => text(row, 'key'))]);
    others.delete(key);
    for (const other of others) found = [...found, ...(await findOwner(sql, file, other, own))];
  }
  return found;
}

async function findOwner(
  sql: Statements,
  file: string,
  key: string,
  own: readonly string[],
): Promise<readonly OtherSpelling[]> {
  const [row] = await sql.all(FIND, key);
  if (!row) return NONE;
  const [entry, state] = [text(row, 'id'), text(row, 'state')];
  if (own.includes(entry) || FREE.has(state)) return NONE;
  const isStaged = row.file === file && (state === 'ready' || state === 'held');
  return [{ entry, key, name: text(row, 'name'), state, isStaged }];
}

/** Undefined where no other spelling is known. */
export function spellingHold(
  { language }: Pick<LedgerContext, 'language'>,
  [first]: readonly Pick<OtherSpelling, 'key' | 'name' | 'state'>[],
): Hold | undefined {
  if (!first) return undefined;
  const { key, name, state } = first;
  const says = LEDGER_HOLD.numberSpelling({ number: numberInKey(key), name, state });
  return { rule: 'number-spelling', says: format(says, language) };
}
