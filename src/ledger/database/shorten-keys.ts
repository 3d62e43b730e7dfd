/**
 * Input: the rows of a ledger from before keys had a stored form (stored-key.ts). Output: the steps that give their long keys one,
 * within the transaction of the upgrade. A row that is not as it was written stays, so that the check of the identities finds it.
 */
import type { DatabaseRow, DatabaseValue } from './database-driver.ts';
import { identityChecksum } from './identity-index.ts';
import { MOST_KEY_BYTES, storedKey } from './stored-key.ts';

/** A statement with its values, whose rows come back. */
type KeyStep = readonly [sql: string, ...values: DatabaseValue[]];

export function* shortenLongKeys(): Generator<KeyStep, void, readonly DatabaseRow[]> {
  const isLong = (column: string) => `octet_length(${column}) > ${MOST_KEY_BYTES}`;
  for (const row of yield [`SELECT key, entry, file, proof FROM identity WHERE ${isLong('key')}`]) {
    const { key, entry, file, proof } = row as { key: string; entry: string; file: string; proof: number | null };
    if (identityChecksum({ key, entry, file }) !== proof) continue;
    const stored = storedKey(key);
    const set = 'UPDATE identity SET key = ?, whole = ?, proof = ? WHERE key = ?';
    yield [set, stored, key, identityChecksum({ key: stored, entry, file }), key];
  }
  for (const { folded } of yield [`SELECT folded FROM identity WHERE ${isLong('folded')}`]) {
    yield ['UPDATE identity SET folded = ? WHERE folded = ?', storedKey(String(folded)), String(folded)];
  }
  for (const { name, scope } of yield [`SELECT name, scope FROM sequence WHERE ${isLong('scope')}`]) {
    const set = 'UPDATE sequence SET scope = ?, whole = ? WHERE name = ? AND scope = ?';
    yield [set, storedKey(String(scope)), String(scope), String(name), String(scope)];
  }
  const numbers = `SELECT DISTINCT key, scope FROM numbering WHERE ${isLong('key')} OR ${isLong('scope')}`;
  for (const row of yield [numbers]) {
    const [key, scope] = [String(row.key), String(row.scope)];
    const set = 'UPDATE numbering SET key = ?, scope = ? WHERE key = ? AND scope = ?';
    yield [set, storedKey(key), storedKey(scope), key, scope];
  }
}
