/**
 * What no loss of power may take, read off the tree that is left, before any program has worked on it: every export
 * whole, every request that had begun to leave noted, every receipt whole and where the ledger says.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Dropped } from './checker.ts';
import type { Tree } from './disk.ts';

export type Expected = {
  readonly dropped: readonly Dropped[];
  /** Request-ids of which a byte had left. */
  readonly sent: ReadonlySet<string>;
};

const RECEIPTS = /^(outbox|pending|error)\/.*\.(receipt|payload|summary)\.json$/;
const EXPORTS = /^(inbox|processing|archive)\//;

/** What is wrong, one line each. */
export function missingIn(root: string, tree: Tree, { dropped, sent }: Expected): readonly string[] {
  const files = new Map([...tree.files].map(([path, { bytes }]) => [path.slice(root.length + 1), bytes]));
  const exports = new Set([...files].flatMap(([path, bytes]) => (EXPORTS.test(path) ? [hashOf(bytes)] : [])));
  const faults = dropped
    .filter(({ content }) => !exports.has(sha256(content)))
    .map(({ name }) => `${name} is nowhere whole`);
  for (const [path, bytes] of files) if (RECEIPTS.test(path) && !isWhole(bytes)) faults.push(`${path} is not whole`);
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-kept-'));
  try {
    for (const name of ['ledger.sqlite', 'ledger.sqlite-wal']) {
      const bytes = files.get(`state/${name}`);
      if (bytes) writeFileSync(join(folder, name), bytes);
    }
    using db = new DatabaseSync(join(folder, 'ledger.sqlite'));
    faults.push(...faultsOfLedger(db, { root, files, exports, sent }));
  } catch (error) {
    faults.push(`the ledger: ${(error as Error).message}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return faults;
}

type Found = {
  readonly root: string;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly exports: ReadonlySet<string>;
  readonly sent: ReadonlySet<string>;
};

function faultsOfLedger(db: DatabaseSync, { root, files, exports, sent }: Found): readonly string[] {
  const all = (sql: string) => db.prepare(sql).all() as { readonly [column: string]: string | null }[];
  const faults: string[] = [];
  const [checked] = all('PRAGMA quick_check(1)');
  if (checked?.quick_check !== 'ok') faults.push(`the ledger is damaged: ${checked?.quick_check}`);
  const requests = `SELECT request_id FROM attempt WHERE act = 'submit' UNION ALL
    SELECT request_id FROM entry WHERE begun_at IS NOT NULL`;
  const known = new Set(all(requests).map((row) => row.request_id));
  for (const id of sent) if (!known.has(id)) faults.push(`request ${id} has left, and the ledger does not know it`);
  const [generation] = all(`SELECT value FROM meta WHERE key = 'generation'`);
  for (const path of ['state/installation.json', 'archive/.ledger-witness.json']) {
    if (path.startsWith('archive/') && !files.has(path)) continue;
    const witness = /"generation":"(\d+)"/.exec(String(files.get(path)))?.[1];
    if (!(Number(witness) <= Number(generation?.value)))
      faults.push(`the witness ${path} says ${witness}, the ledger ${generation?.value}`);
  }
  const [stamp] = all(`SELECT value FROM meta WHERE key = 'stamp'`);
  const stamped = files.get('state/ledger.sqlite')?.readUInt32BE(60);
  if (!(Number(stamp?.value ?? 0) <= Number(stamped)))
    faults.push(`the stamp is ${stamped}, the ledger says ${stamp?.value}`);
  const written = all(`SELECT e.name, e.receipt_folder, e.receipt_day, k.sha256 FROM entry e
    JOIN receipt_link k ON k.n = e.receipt_link WHERE e.receipt_due = 0`);
  for (const { name, receipt_folder, receipt_day, sha256: expected } of written) {
    const path = `${receipt_folder}/${receipt_day}/${name}.receipt.json`;
    const bytes = files.get(path);
    if (!bytes || hashOf(bytes) !== expected) faults.push(`${path} is ${bytes ? 'not what was written' : 'not there'}`);
  }
  for (const { name, path, sha256: expected, archived_at } of all('SELECT * FROM source_file')) {
    const place = path?.startsWith('/') ? path.slice(root.length + 1) : path;
    const there = files.get(place ?? '') !== undefined;
    if (archived_at === null ? !there && !exports.has(expected ?? '') : !there)
      faults.push(`${name} is not at ${basename(place ?? '')}`);
  }
  return faults;
}

const hashes = new WeakMap<Buffer, string>();
const whole = new WeakMap<Buffer, boolean>();

/** Of most files the same bytes are looked at again and again. */
function hashOf(bytes: Buffer): string {
  const hash = hashes.get(bytes) ?? sha256(bytes);
  hashes.set(bytes, hash);
  return hash;
}

function isWhole(bytes: Buffer): boolean {
  const known = whole.get(bytes) ?? isJson(String(bytes));
  whole.set(bytes, known);
  return known;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
