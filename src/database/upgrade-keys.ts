/**
 * Input: the rows of an older ledger. Output: the steps that give long keys their stored form (stored-key.ts), and every key the
 * folded form of today (folded-key.ts), within the transaction of the upgrade. A row that is not as it was written keeps its key, so
 * that the check of the identities finds it.
 */
import type { DatabaseRow, DatabaseValue } from './database-driver.ts';
import { foldedColumn, identityChecksum } from './identity-index.ts';
import { MOST_KEY_BYTES, storedKey } from './stored-key.ts';

/** A statement with its values, whose rows come back. */
type KeyStep = readonly [sql: string, ...values: DatabaseValue[]];
type KeySteps = Generator<KeyStep, void, readonly DatabaseRow[]>;

/** Rows of one statement: a server answers each on its own. */
const PAGE = 1000;

export function* upgradeKeys(): KeySteps {
  yield* shortenLongKeys();
  yield* foldKeys();
}

/** The migration has emptied the column where the folded form has changed. */
function* foldKeys(): KeySteps {
  const next = `SELECT key, whole FROM identity WHERE folded IS NULL AND key > ? ORDER BY key LIMIT ${PAGE}`;
  for (let last = '', length = PAGE; length === PAGE; ) {
    const page = yield [next, last];
    const folded = page.flatMap(({ key, whole }) => {
      const form = foldedColumn(String(whole ?? key));
      return form === null ? [] : [String(key), form];
    });
    if (folded.length > 0) {
      const values = '(?, ?), '.repeat(folded.length / 2).slice(0, -2);
      const set = `UPDATE identity SET folded = v.column2 FROM (VALUES ${values}) AS v WHERE identity.key = v.column1`;
      yield [set, ...folded];
    }
    length = page.length;
    last = String(page.at(-1)?.key ?? last);
  }
}

function* shortenLongKeys(): KeySteps {
  const isLong = (column: string) => `octet_length(${column}) > ${MOST_KEY_BYTES}`;
  for (const row of yield [`SELECT key, entry, file, proof FROM identity WHERE ${isLong('key')}`]) {
    const { key, entry, file, proof } = row as { key: string; entry: string; file: string; proof: number | null };
    if (identityChecksum({ key, entry, file }) !== proof) continue;
    const stored = storedKey(key);
    const set = 'UPDATE identity SET key = ?, whole = ?, proof = ? WHERE key = ?';
    yield [set, stored, key, identityChecksum({ key: stored, entry, file }), key];
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
