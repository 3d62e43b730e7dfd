/**
 * Finds the documents that have an identity of this one in another spelling (fv-26-0002, FV-26-0002). For the ledger and
 * the service these are two numbers, and both would be valid tax documents: the later one waits for a person.
 */
import { LEDGER_HOLD } from '../../i18n/messages/ledger-messages.ts';
import type { Hold } from '../../model/document.ts';
import { holdOf } from '../../model/recorded-words.ts';
import { appendAll } from '../../text/long-lists.ts';
import type { LedgerContext } from '../contract/ledger-context.ts';
import type { Statements } from '../database/database-driver.ts';
import { foldKey, numberInKey } from '../database/folded-key.ts';
import { wholeKey } from '../database/identity-index.ts';
import { storedKey } from '../database/stored-key.ts';
import { findKeyOwner, NUMBER_IS_FREE } from './find-key-owner.ts';

export type OtherSpelling = {
  readonly entry: string;
  readonly key: string;
  readonly name: string;
  readonly state: string;
  /** It would be sent, and the file being read stages it, which does not count yet. */
  readonly isStaged: boolean;
};

/** A rejected document was not issued, so its number is free too; reprocessing checks it. */
const isFree = (state: string) => state === 'rejected' || NUMBER_IS_FREE.has(state);

/** The column is NULL if the key has the folded form. This runs for each document: two look-ups of an index, and no join. */
const FOLDED =
  'SELECT key, whole FROM identity WHERE folded = ? UNION ALL SELECT key, whole FROM identity WHERE key = ?';
const NONE: readonly OtherSpelling[] = [];

/** `own`: entries that are this document itself. */
export async function findOtherSpellings(
  { sql, file }: { readonly sql: Statements; readonly file: string },
  keys: readonly string[],
  own: readonly string[],
): Promise<readonly OtherSpelling[]> {
  const found: OtherSpelling[] = [];
  for (const key of keys) {
    const folded = foldKey(key);
    const stored = storedKey(folded);
    const others = new Set((await sql.all(FOLDED, stored, stored)).map(wholeKey));
    others.delete(key);
    for (const other of others) appendAll(found, await findOwner(sql, file, other, own));
  }
  return found;
}

async function findOwner(
  sql: Statements,
  file: string,
  key: string,
  own: readonly string[],
): Promise<readonly OtherSpelling[]> {
  const owner = await findKeyOwner(sql, key);
  if (!owner || own.includes(owner.entry) || isFree(owner.state)) return NONE;
  const { entry, name, state, stagedBy } = owner;
  return [{ entry, key, name, state, isStaged: stagedBy === file && (state === 'ready' || state === 'held') }];
}

/** Undefined if no other spelling is known. */
export function spellingHold(
  { language }: Pick<LedgerContext, 'language'>,
  [first]: readonly Pick<OtherSpelling, 'key' | 'name' | 'state'>[],
): Hold | undefined {
  if (!first) return undefined;
  const { key, name, state } = first;
  const says = LEDGER_HOLD.numberSpelling({ number: numberInKey(key), name, state });
  return holdOf('number-spelling', says, language);
}
