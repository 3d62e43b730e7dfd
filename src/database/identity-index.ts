/**
 * Each row of an identity has a checksum over all of it: a row in which a single bit has changed on the disk is no longer
 * found, and its document would be sent a second time.
 *
 * A lookup checks the row that it finds. A document whose identity is not found is new only if no other document of its number
 * has it. The whole index is read once a week (whole-check.ts), and with each backup.
 */
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { Message } from '../i18n/message.ts';
import { LEDGER_FILE } from '../i18n/messages/ledger-messages.ts';
import { damagedLedger } from './damaged-ledger.ts';
import type { DatabaseRow, Statements } from './database-driver.ts';
import { foldKey } from './folded-key.ts';
import { storedKey } from './stored-key.ts';

const PAGE = 5000;
const TAKE =
  'INSERT INTO identity (key, entry, file, proof, folded) VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING';
const SET_WHOLE = 'UPDATE identity SET whole = ? WHERE key = ?';

type Identity = { readonly key: string; readonly entry: string; readonly file: string };

/** CRC-32: it finds each change of up to 32 bits in a row, and all but one of four thousand million others. */
export function identityChecksum({ key, entry, file }: Identity): number {
  return crc32(`${key}\n${entry}\n${file}`);
}

/**
 * An identity belongs to the first entry that takes it, for good: a revision of this entry takes it again, for any other one
 * `taken` makes the error of its owner, or none where the two are one document. True if the ledger did not have it.
 */
export async function takeIdentity(
  sql: Statements,
  { key: whole, entry, file }: Identity,
  taken?: (owner: { readonly entry: string; readonly file: string }) => Promise<Error | undefined>,
): Promise<boolean> {
  const key = storedKey(whole);
  const proof = identityChecksum({ key, entry, file });
  if ((await sql.run(TAKE, key, entry, file, proof, foldedColumn(whole))) === 1) {
    if (key !== whole) await sql.run(SET_WHOLE, whole, key);
    return true;
  }
  if (!taken) return false;
  const [owner] = await sql.all('SELECT entry, file FROM identity WHERE key = ?', key);
  if (owner?.entry === entry) return false;
  const error = await taken({ entry: String(owner?.entry ?? ''), file: String(owner?.file ?? '') });
  if (error) throw error;
  return false;
}

/** By other indexes than the one that finds an identity. */
const OF_NUMBER = `SELECT i.key FROM entry e JOIN identity i ON i.entry = e.id WHERE e.identifier = ? AND e.id <> ?`;

/** Throws OperatorError `ledger/damaged` where another document of this number has one of the identities that was not found. */
export async function proveNew(
  sql: Statements,
  { entry, identifier }: { readonly entry: string; readonly identifier: string },
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0 || identifier === '') return;
  const found = new Set((await sql.all(OF_NUMBER, identifier, entry)).map(({ key }) => key));
  if (keys.some((key) => found.has(storedKey(key)))) throw damagedLedger(undefined, LEDGER_FILE.indexDiffers());
}

/** The identities that an entry has, in their order, each as a whole. */
export async function selectKeys(sql: Statements, entry: string): Promise<readonly string[]> {
  const rows = await sql.all('SELECT key, whole FROM identity WHERE entry = ? ORDER BY key', entry);
  return rows.map(wholeKey);
}

/** The key of a row, with its stored form proven. */
export function wholeKey({ key, whole }: DatabaseRow): string {
  if (whole === null || whole === undefined) return key as string;
  if (storedKey(whole as string) !== key)
    throw damagedLedger(undefined, LEDGER_FILE.identityChanged({ key: String(key) }));
  return whole as string;
}

/** The value of `folded`: null if the key already has the folded form, so that the index has it once alone. */
export function foldedColumn(key: string): string | null {
  const folded = foldKey(key);
  return folded === key ? null : storedKey(folded);
}

/** Checks a row found by its key as it is stored: it is as it was written, and its entry exists. */
export function checkIdentity(key: string, row: DatabaseRow): void {
  const { owner, of_file: file, proof, entry } = row;
  if (entry !== null && identityChecksum({ key, entry: owner as string, file: file as string }) === proof) return;
  throw damagedLedger(undefined, LEDGER_FILE.identityChanged({ key }));
}

/** Adds the checksums to rows of an older ledger; within the transaction of the upgrade. */
export function addMissingChecksums(db: DatabaseSync): void {
  const set = db.prepare('UPDATE identity SET proof = ? WHERE key = ?');
  const rows = db.prepare('SELECT key, entry, file FROM identity WHERE proof IS NULL').all() as unknown as Identity[];
  for (const row of rows) set.run(identityChecksum(row), row.key);
}

/**
 * Checks that every row is as it was written, and that the index by which rows are found has the same keys as the rows.
 * Returns the damage, or undefined. 300,000 documents with two identities each: about 0.6 s of one core.
 */
export function findIdentityDamage(db: DatabaseSync): Message | undefined {
  const rows = db.prepare(
    `SELECT key || char(10) || entry || char(10) || file, proof, key, rowid FROM identity NOT INDEXED
     WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
  );
  rows.setReturnArrays(true);
  const [inRows, inIndex] = [createKeyTally(), createKeyTally()];
  for (let last = 0, length = PAGE; length === PAGE; ) {
    const page = rows.all(last) as unknown as readonly (readonly [string, number, string, number])[];
    for (const [text, proof, key] of page) {
      if (typeof text !== 'string' || crc32(text) !== proof) return LEDGER_FILE.identityChanged({ key });
      inRows.add(key);
    }
    length = page.length;
    last = page.at(-1)?.[3] ?? last;
  }
  const keys = db.prepare(
    `SELECT key FROM identity INDEXED BY sqlite_autoindex_identity_1 WHERE key > ? ORDER BY key LIMIT ${PAGE}`,
  );
  keys.setReturnArrays(true);
  for (let last = '', length = PAGE; length === PAGE; ) {
    const page = keys.all(last) as unknown as readonly (readonly [string])[];
    for (const [key] of page) inIndex.add(key);
    length = page.length;
    last = page.at(-1)?.[0] ?? last;
  }
  return inRows.total() === inIndex.total() ? undefined : LEDGER_FILE.indexDiffers();
}

/** The same for the rows alone, on an engine that checks its own indexes. */
export async function findIdentityRowDamage(sql: Statements): Promise<Message | undefined> {
  const next = `SELECT key, entry, file, proof FROM identity WHERE key > ? ORDER BY key LIMIT ${PAGE}`;
  for (let last = '', length = PAGE; length === PAGE; ) {
    const page = await sql.all(next, last);
    const changed = page.find((row) => identityChecksum(row as Identity) !== row.proof);
    if (changed) return LEDGER_FILE.identityChanged({ key: String(changed.key) });
    length = page.length;
    last = String(page.at(-1)?.key ?? last);
  }
  return undefined;
}

/** The same value for two lists of the same texts, in any order. */
function createKeyTally() {
  let [count, sum] = [0, 0];
  return {
    add: (text: string) => {
      count++;
      sum = (sum + crc32(text)) % Number.MAX_SAFE_INTEGER;
    },
    total: () => `${count} ${sum}`,
  };
}
