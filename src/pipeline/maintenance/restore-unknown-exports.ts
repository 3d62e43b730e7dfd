/**
 * Exports and correction files in the archive that a replaced ledger does not know, because their summaries and receipts are lost.
 * They were read once, and their documents may have been sent: the next run reads them again.
 */
import { statSync } from 'node:fs';
import { sha256OfFile } from '../../files/sha256-of-file.ts';
import type { Instance } from '../../instance/instance.ts';
import { ago } from '../../instance/retention-age.ts';
import type { Statements } from '../../ledger/database/database-driver.ts';
import { importFile } from '../../ledger/records/import-outputs.ts';
import { OF_RECEIPTS } from '../../model/ledger-entry.ts';
import { isCorrectionFile } from '../../readers/correction-file/recognize-correction-file.ts';
import { sha256Hex } from '../../text/sha256.ts';
import { kindOfName } from '../intake/inbox-names.ts';
import { archivedFiles } from './restore-attachments.ts';

const KNOWN = 'SELECT sha256 FROM source_file UNION SELECT sha256 FROM attachment';

/** Yields after each file that it reads; `unreadable` gets the path of one with other bytes than its name says. Within a transaction of the caller, after everything that names a file is in the ledger. */
export async function* recoverUnknownExports(
  instance: Instance,
  sql: Statements,
  { now, unreadable }: { readonly now: Date; readonly unreadable: (path: string) => void },
): AsyncGenerator<void> {
  const known = new Set((await sql.all(KNOWN)).flatMap(({ sha256 }) => [String(sha256), String(sha256).slice(0, 16)]));
  const { receipts } = instance.settings.keep;
  const sinceMs = receipts === undefined ? 0 : ago(receipts, now);
  const since = new Date(sinceMs).toISOString().slice(0, 7);
  // An ERP may export a file with an old time: of those of a later month it says nothing.
  const isPurged = (month: string, mtimeMs: number) => month < since || (month === since && mtimeMs < sinceMs);
  for (const { path, month, hash, name } of archivedFiles(instance.paths.archive)) {
    const { mtimeMs, size } = statSync(path);
    // A purge has removed the receipts of what is older.
    if (known.has(hash) || isPurged(month, mtimeMs) || kindOfName(instance, name) !== 'export') continue;
    yield;
    const sha256 = await sha256OfFile(path);
    if (!sha256.startsWith(hash)) unreadable(path);
    if (!sha256.startsWith(hash)) continue;
    known.add(hash);
    const modifiedAt = new Date(mtimeMs).toISOString();
    const day = modifiedAt.startsWith(month) ? modifiedAt.slice(0, 10) : `${month}-01`;
    const digits = sha256Hex([name, sha256, day, ''].join('\n')).slice(0, 12);
    // Files are read in the order of their ids: a correction file after the exports that it corrects.
    const id = OF_RECEIPTS + ((await isCorrectionFile(path, name)) ? `ffff${digits.slice(4)}` : digits);
    await importFile(sql, {
      ...{ id, name, sha256, size, modifiedAt, claimedAt: `${day}T00:00:00.000Z`, day, run: '', path },
      ...{ state: 'loading', mapping: null, encoding: null, rows: 0, leftOut: [], faults: [] },
    });
  }
}
