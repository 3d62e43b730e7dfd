/**
 * Exports and correction files in the archive that a replaced ledger does not know, because their summaries and receipts are lost.
 * They were read once, and their documents may have been sent: the next run reads them again.
 */
import { existsSync, statSync } from 'node:fs';
import type { DatabaseRow, Statements } from '../database/database-driver.ts';
import { sha256OfFile } from '../files/sha256-of-file.ts';
import type { Instance } from '../instance/instance.ts';
import { ago } from '../instance/retention-age.ts';
import { text } from '../ledger/contract/ledger-context.ts';
import { importFile } from '../ledger/records/import-outputs.ts';
import { LAST_OF_RECEIPTS, OF_RECEIPTS } from '../model/ledger-entry.ts';
import { kindOfName } from '../pipeline/intake/inbox-names.ts';
import { isCorrectionFile } from '../readers/correction-file/recognize-correction-file.ts';
import { safeName } from '../text/safe-file-name.ts';
import { sha256Hex } from '../text/sha256.ts';
import { archivedFiles } from './restore-attachments.ts';
import { archived } from './restore-lost-summary.ts';

const KNOWN = `SELECT sha256, name, state FROM source_file UNION SELECT sha256, name, '' FROM attachment`;

/** Of a hash, in the name of an archived file. */
const HALF = 16;

/** Yields after each file that it reads; `unreadable` gets the path of one with other bytes than its name says. Within a transaction of the caller, after everything that names a file is in the ledger. */
export async function* recoverUnknownExports(
  instance: Instance,
  sql: Statements,
  { now, unreadable }: { readonly now: Date; readonly unreadable: (path: string) => void },
): AsyncGenerator<void> {
  await readFromArchive(instance, sql);
  const { isKnown, add } = knownFiles(await sql.all(KNOWN));
  const { receipts } = instance.settings.keep;
  const sinceMs = receipts === undefined ? 0 : ago(receipts, now);
  const since = new Date(sinceMs).toISOString().slice(0, 7);
  // An ERP may export a file with an old time: of those of a later month it says nothing.
  const isPurged = (month: string, mtimeMs: number) => month < since || (month === since && mtimeMs < sinceMs);
  for (const { path, month, hash, safe, name } of archivedFiles(instance.paths.archive)) {
    const { mtimeMs, size } = statSync(path);
    // A purge has removed the receipts of what is older.
    if (isKnown(hash, safe) || isPurged(month, mtimeMs) || kindOfName(instance, name) !== 'export') continue;
    yield;
    const sha256 = await sha256OfFile(path);
    if (!sha256.startsWith(hash)) unreadable(path);
    if (!sha256.startsWith(hash)) continue;
    add(hash, safe);
    const modifiedAt = new Date(mtimeMs).toISOString();
    const day = modifiedAt.startsWith(month) ? modifiedAt.slice(0, 10) : `${month}-01`;
    const digits = sha256Hex([name, sha256, day, ''].join('\n')).slice(0, 12);
    const id = (await isCorrectionFile(path, name)) ? LAST_OF_RECEIPTS + digits.slice(4) : OF_RECEIPTS + digits;
    await importFile(sql, {
      ...{ id, name, sha256, size, modifiedAt, claimedAt: `${day}T00:00:00.000Z`, day, run: '', path },
      ...{ state: 'loading', mapping: null, encoding: null, rows: 0, leftOut: [], faults: [] },
    });
  }
}

/** The backup was made while they were read: their private copies are in the archive since. */
async function readFromArchive({ folder }: Pick<Instance, 'folder'>, sql: Statements): Promise<void> {
  const loading = `SELECT id, name, sha256, day, path FROM source_file WHERE state = 'loading' AND rereads IS NULL`;
  for (const file of await sql.all(loading)) {
    const [name, sha256] = [text(file, 'name'), text(file, 'sha256')];
    if (existsSync(text(file, 'path'))) continue;
    const kept = archived(folder, text(file, 'day'), { name, sha256 });
    if (existsSync(kept)) await sql.run('UPDATE source_file SET path = ? WHERE id = ?', kept, text(file, 'id'));
  }
}

/** By hash and name: the same bytes under another name were an export of their own. Of one that repeats an earlier one, that one may be lost. */
function knownFiles(records: readonly DatabaseRow[]) {
  const [bytes, files, repeats] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const keyOf = (hash: string, safe: string) => `${hash.slice(0, HALF)}-${safe}`;
  const add = (hash: string, safe: string) => {
    bytes.add(hash.slice(0, HALF));
    files.add(keyOf(hash, safe));
  };
  for (const record of records) {
    const [sha256, safe] = [text(record, 'sha256'), safeName(text(record, 'name'), 150)];
    if (record.state === 'duplicate') repeats.add(keyOf(sha256, safe));
    else add(sha256, safe);
  }
  const isKnown = (hash: string, safe: string) =>
    files.has(keyOf(hash, safe)) || (repeats.has(keyOf(hash, safe)) && bytes.has(hash.slice(0, HALF)));
  return { isKnown, add };
}
