/**
 * Finds the documents that have an identity of this one in another spelling (fv-26-0002, FV-26-0002), or with the year before
 * where only the day of reading gave it a year. For the ledger and the service these are two numbers, and both would be valid
 * tax documents: the later one waits for a person.
 */

import type { Statements } from '../../database/database-driver.ts';
import { foldKey, numberInKey } from '../../database/folded-key.ts';
import { wholeKey } from '../../database/identity-index.ts';
import { storedKey } from '../../database/stored-key.ts';
import { LEDGER_HOLD } from '../../i18n/messages/ledger-messages.ts';
import type { DocumentFacts, Hold } from '../../model/document.ts';
import { holdOf } from '../../model/recorded-words.ts';
import { appendAll } from '../../text/long-lists.ts';
import { type LedgerContext, text } from '../contract/ledger-context.ts';
import { findKeyOwner, type KeyOwner, YEAR_IN_KEY } from './find-key-owner.ts';

export type OtherSpelling = {
  readonly entry: string;
  readonly key: string;
  readonly name: string;
  readonly state: string;
  /** It would be sent, and the file being read stages it, which does not count yet. */
  readonly isStaged: boolean;
  /** Its number has the year before. */
  readonly isOfYearBefore?: boolean;
};

/** `datedByReading`: its number is the export's, and the year in its identity that of the day of reading. */
type Numbered = {
  readonly keys: readonly string[];
  readonly facts: DocumentFacts;
  readonly datedByReading?: boolean | undefined;
};

/** A rejected document was not issued, so its number is free too; reprocessing checks it. */
const isFree = (owner: KeyOwner) => owner.state === 'rejected' || owner.isFree;

/** The column is NULL if the key has the folded form. This runs for each document: two look-ups of an index, and no join. */
const FOLDED =
  'SELECT key, whole FROM identity WHERE folded = ? UNION ALL SELECT key, whole FROM identity WHERE key = ?';
const NONE: readonly OtherSpelling[] = [];

/** `own`: entries that are this document itself. */
export async function findOtherSpellings(
  { sql, file }: { readonly sql: Statements; readonly file: string },
  { keys, facts, datedByReading }: Numbered,
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
  if (datedByReading) appendAll(found, await findInYearBefore({ sql, file }, { keys, facts }, own));
  return found;
}

async function findOwner(
  sql: Statements,
  file: string,
  key: string,
  own: readonly string[],
): Promise<readonly OtherSpelling[]> {
  const owner = await findKeyOwner(sql, key);
  if (!owner || own.includes(owner.entry) || isFree(owner)) return NONE;
  const { entry, name, state, stagedBy } = owner;
  return [{ entry, key, name, state, isStaged: stagedBy === file && (state === 'ready' || state === 'held') }];
}

const FACTS = 'SELECT facts FROM revision WHERE entry = ? ORDER BY revision DESC LIMIT 1';
/** What the rows give, whatever the day. */
const OF_ROWS = ['receiver', 'currency', 'amount'] as const;

/** The document of the same number, receiver and amount in the year before. */
async function findInYearBefore(
  { sql, file }: { readonly sql: Statements; readonly file: string },
  { keys: [key = ''], facts }: Numbered,
  own: readonly string[],
): Promise<readonly OtherSpelling[]> {
  const [, number, year] = YEAR_IN_KEY.exec(key) ?? [];
  if (year === undefined) return NONE;
  const found = await findOwner(sql, file, `${number}|${Number(year) - 1}`, own);
  const [row] = found[0] ? await sql.all(FACTS, found[0].entry) : [];
  if (!row) return NONE;
  const before = JSON.parse(text(row, 'facts')) as DocumentFacts;
  if (OF_ROWS.some((fact) => before[fact] !== facts[fact])) return NONE;
  return found.map((one) => ({ ...one, isOfYearBefore: true }));
}

/** Undefined if no other spelling is known. */
export function spellingHold(
  { language }: Pick<LedgerContext, 'language'>,
  [first]: readonly Pick<OtherSpelling, 'key' | 'name' | 'state' | 'isOfYearBefore'>[],
): Hold | undefined {
  if (!first) return undefined;
  const { key, name, state, isOfYearBefore } = first;
  const words = isOfYearBefore ? LEDGER_HOLD.yearBefore : LEDGER_HOLD.numberSpelling;
  const says = words({ number: numberInKey(key), name, state });
  return holdOf('number-spelling', says, language);
}
