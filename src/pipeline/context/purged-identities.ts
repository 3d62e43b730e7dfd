/**
 * The identities of documents whose receipts a purge has removed, as salted hashes: a ledger that replaces the one of then
 * learns from this file that such a document may have been sent. Names, numbers and amounts cannot be read from it. Of a
 * damaged file the lines that are whole count, of a link or a folder in its place none. A refusal of the disk throws its OperatorError.
 */
import { join } from 'node:path';
import { foldKey } from '../../database/folded-key.ts';
import { syncFolder } from '../../files/fsync-directory.ts';
import { bytesUnlessAbsent } from '../../files/read-plain.ts';
import { diskTrouble, ensureFolder, writeDurable } from '../../files/write-durable.ts';
import { sha256Hex } from '../../text/sha256.ts';

/** Below the instance, in the folder that is copied with the exports and is not restored with the ledger. */
export const PURGED_IDENTITIES = 'archive/.purged-identities';

const HEAD = /^nightpost purged identities 1 (?<salt>[0-9a-f]{32})$/;
/** Bytes of thirty million identities. */
const MOST = 2 ** 30;
const LINE = /^[0-9a-f]{32}$/;

export type PurgedIdentities = {
  readonly has: (key: string) => boolean;
  readonly isDamaged: boolean;
};

type Content = { readonly salt: string | undefined; readonly lines: readonly string[]; readonly isDamaged: boolean };

/** `root`: the folder of the instance. Undefined where no purge has removed a receipt. */
export function readPurgedIdentities(root: string): PurgedIdentities | undefined {
  const { salt, lines, isDamaged } = contentOf(root) ?? {};
  if (lines === undefined) return undefined;
  // The first half of a hash, in 8 bytes: a ledger may have forgotten millions of documents.
  const all = BigUint64Array.from(lines, halfOf).sort();
  const has = (key: string) =>
    salt !== undefined && formsOf(key).some((form) => isAmong(all, halfOf(hashOf(salt, form))));
  return { has, isDamaged: isDamaged === true };
}

/** Whether a key is among them; the file is read with the first question. */
export function purgedIdentitiesOf(root: string): (key: string) => boolean {
  let known: { readonly found: PurgedIdentities | undefined } | undefined;
  return (key) => {
    known ??= { found: readPurgedIdentities(root) };
    return known.found?.has(key) ?? false;
  };
}

/** Adds identities that are not in it, durable when the promise resolves; `newSalt`: 32 hex digits for a file that is new. */
export async function addPurgedIdentities(root: string, keys: Iterable<string>, newSalt: string): Promise<void> {
  const before = contentOf(root);
  const salt = before?.salt ?? newSalt;
  const lines = new Set(before?.salt === undefined ? [] : before.lines);
  const known = lines.size;
  for (const key of keys) for (const form of formsOf(key)) lines.add(hashOf(salt, form));
  if (lines.size === known) return;
  const path = join(root, PURGED_IDENTITIES);
  await ensureFolder(join(root, 'archive'));
  await writeDurable(path, `nightpost purged identities 1 ${salt}\n${[...lines].sort().join('\n')}\n`);
  await syncFolder(join(root, 'archive')).catch((error: unknown) => {
    throw diskTrouble(error, path);
  });
}

function contentOf(root: string): Content | undefined {
  const path = join(root, PURGED_IDENTITIES);
  const bytes = bytesUnlessAbsent(path, MOST);
  if (bytes === undefined) return undefined;
  const [head = '', ...lines] = bytes.toString('utf8').split('\n');
  const last = lines.pop();
  const whole = lines.filter((line) => LINE.test(line));
  const salt = HEAD.exec(head)?.groups?.salt;
  return { salt, lines: whole, isDamaged: salt === undefined || last !== '' || whole.length < lines.length };
}

/** Another spelling of the same number is the same document. */
function formsOf(key: string): readonly string[] {
  return [...new Set([key, foldKey(key)])];
}

function hashOf(salt: string, key: string): string {
  return sha256Hex(`${salt}\n${key}`).slice(0, 32);
}

function halfOf(line: string): bigint {
  return BigInt(`0x${line.slice(0, 16)}`);
}

function isAmong(sorted: BigUint64Array, value: bigint): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const found = sorted[middle] ?? 0n;
    if (found === value) return true;
    if (found < value) from = middle + 1;
    else to = middle;
  }
  return false;
}
