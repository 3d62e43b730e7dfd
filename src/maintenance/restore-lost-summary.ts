/**
 * Where the receipts of an export are there and its summary is lost: its file, and the reading that has each document, with the
 * facts of the receipts. Within a transaction of the caller.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Statements } from '../database/database-driver.ts';
import { INTAKE } from '../i18n/messages/pipeline-messages.ts';
import { noteRefusedAgain } from '../ledger/contract/refused-again.ts';
import {
  areOfAnother,
  type ImportedFile,
  importFile,
  importPartner,
  importReading,
} from '../ledger/records/import-outputs.ts';
import { isOfReceipts, OF_RECEIPTS } from '../model/ledger-entry.ts';
import { missing } from '../pipeline/admission/missing-source.ts';
import { archivedAttachment } from '../pipeline/sources/archived-attachment.ts';
import { archivedNames } from '../receipts/archive-source.ts';
import { parseRowRanges, type StoredReceipt, type StoredSummary } from '../receipts/read-receipts.ts';
import { sha256Hex } from '../text/sha256.ts';
import type { copyFinder } from './unread-exports.ts';

const KNOWN = `SELECT f.id, COALESCE(f.rereads, f.id) AS first FROM revision r JOIN source_file f ON f.id = r.file
  WHERE r.entry = ? AND r.revision = ?`;

/** Length of the month in a day. */
const MONTH = 7;

type Recovery = {
  readonly folder: string;
  readonly sql: Statements;
  readonly copyOf: ReturnType<typeof copyFinder>;
  /** Summaries of later readings, by the id of the file; each names the first one. */
  readonly readings: ReadonlyMap<string, StoredSummary>;
  /** Mappings that share files: each has a record of its own of a file. */
  readonly sharing: ReadonlySet<string>;
};

/** `first`: the file that was read first; `file`: the reading that has the document. */
type WithoutSummary = { readonly first: string; readonly file: string };

/**
 * A document that a person has corrected is of a reading of its own, so that its content can be made again. So is one that a ledger of
 * before has made once more, of rows of which this one has it under another id: each row is in one place of the file.
 */
export async function withoutSummary(recovery: Recovery, found: StoredReceipt): Promise<WithoutSummary> {
  const { sql } = recovery;
  const [known] = await sql.all(KNOWN, found.receipt.id, found.receipt.revision);
  if (known) return { first: String(known.first), file: String(known.id) };
  const first = await firstWithoutSummary(recovery, found);
  const { id, source, corrections, mapping, attempts, since } = found.receipt;
  const isSecond = await areOfAnother(sql, { id, file: first, rows: rowsOf(source) });
  const last = corrections.at(-1) ?? (isSecond ? { at: since } : undefined);
  if (!last) return { first, file: first };
  const { file: name, sha256, encoding } = source;
  const rows = rowsOf(source);
  const file = `${OF_RECEIPTS}${sha256Hex([first, id].join('\n')).slice(0, 12)}`;
  await importFile(sql, {
    ...{ id: file, name, sha256, day: found.day, mapping, encoding, size: 0, modifiedAt: last.at, claimedAt: last.at },
    ...{ path: '', run: attempts[0]?.run ?? '', state: 'admitted', rows: rows.length, leftOut: [], faults: [] },
  });
  await importReading(sql, file, first);
  return { first, file };
}

/** The other file of a pair, recorded with what the summary of the first one says of it where its own is lost: it is read again. */
export async function recoverPartner(
  { folder: root, sql, copyOf }: Recovery,
  { file, day, mapping }: StoredSummary,
): Promise<void> {
  const { id, partner, encoding, modifiedAt, claimedAt, run } = file;
  if (!partner) return;
  const known = await sql.all('SELECT 1 FROM source_file WHERE id = ?', partner.id);
  if (known.length === 0) {
    const kept = archived(root, day, partner);
    const path = existsSync(kept) ? kept : ((await copyOf(partner)) ?? kept);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    await importFile(sql, {
      ...{ ...partner, size: size ?? 0, modifiedAt, claimedAt, day, run, path, mapping, encoding },
      ...{ state: size === undefined ? 'admitted' : 'loading', rows: 0, leftOut: [] },
      faults: size === undefined ? [missing(partner, INTAKE.documentsStay())] : [],
    });
  }
  await importPartner(sql, id, partner.id);
  await importPartner(sql, partner.id, id);
}

/** A ledger of before had read it again, and refused it: no other one refuses an export that has documents, or whose summary was lost. */
export async function recoverRefusal(sql: Statements, { file, table }: StoredSummary): Promise<void> {
  if (file.state === 'refused' && (isOfReceipts(file) || table.length > 0)) await noteRefusedAgain(sql, file.sha256);
}

/** The file that a later reading names as its first, where the summary of that is lost; undefined where the ledger has it. */
export async function firstOfReading(
  recovery: Recovery,
  { first, reading }: { readonly first: string; readonly reading: StoredSummary },
): Promise<string | undefined> {
  if ((await recovery.sql.all('SELECT 1 FROM source_file WHERE id = ?', first)).length > 0) return undefined;
  const { file, day, mapping } = reading;
  const { name, sha256, encoding, claimedAt, run } = file;
  return await importLost(recovery, { name, sha256, encoding, day, mapping, since: claimedAt, run, isCorrected: true });
}

async function firstWithoutSummary(recovery: Recovery, { day, receipt }: StoredReceipt): Promise<string> {
  const { source, mapping, since, attempts, corrections } = receipt;
  const { file: name, sha256, encoding } = source;
  const [isCorrected, run] = [corrections.length > 0, attempts[0]?.run ?? ''];
  return await importLost(recovery, { name, sha256, encoding, day, mapping, since, run, isCorrected });
}

type LostFile = Pick<ImportedFile, 'name' | 'sha256' | 'encoding' | 'day' | 'mapping' | 'run'> & {
  readonly since: string;
  /** The day is that of a correction. */
  readonly isCorrected: boolean;
};

/**
 * The id of a file without a readable summary, recorded with the facts that the receipt of one of its documents has. It was under
 * way: a run reads it again for its other documents, if its bytes are there.
 */
async function importLost(
  { folder: root, sql, copyOf, readings, sharing }: Recovery,
  { name, sha256, encoding, day, mapping, since, run, isCorrected }: LostFile,
): Promise<string> {
  const anyDay = isCorrected ? 'admitted' : '';
  const isLoading = sharing.has(mapping?.id ?? '') ? 'FALSE' : `state = 'loading'`;
  const all = await sql.all(
    `SELECT id FROM source_file WHERE name = ? AND sha256 = ? AND rereads IS NULL
     AND (${isLoading} OR ((day = ? OR state = ?) AND mapping_id IS NOT DISTINCT FROM ?)) ORDER BY state DESC`,
    ...[name, sha256, day, anyDay, mapping?.id ?? null],
  );
  const known = all.map(({ id }) => String(id)).find((id) => !readings.has(id));
  if (known !== undefined) return known;
  const digits = sha256Hex([name, sha256, day, mapping?.id ?? ''].join('\n'));
  const id = `${OF_RECEIPTS}${digits.slice(0, 12)}`;
  const kept = archived(root, day, { name, sha256 });
  const path = (await copyOf({ name, sha256 })) ?? kept;
  const { size, mtime } = statSync(path, { throwIfNoEntry: false }) ?? {};
  // Exports are read again in the order in which they came. The state of a document may be of long after.
  const written = mtime?.toISOString() ?? since;
  const modifiedAt = written < since && written.startsWith(day.slice(0, MONTH)) ? written : since;
  await importFile(sql, {
    ...{ id, name, sha256, day, mapping, encoding, size: size ?? 0, modifiedAt, claimedAt: since, path },
    ...{ run, state: size === undefined ? 'admitted' : 'loading' },
    ...{ rows: 0, leftOut: [], faults: size === undefined ? [missing({ name }, INTAKE.documentsStay())] : [] },
  });
  return id;
}

/** Where an export is in the archive, or would be. */
export function archived(root: string, day: string, file: { readonly name: string; readonly sha256: string }): string {
  const archive = join(root, 'archive');
  const [short, long] = archivedNames(file).map((name) => join(archive, day.slice(0, 7), name)) as [string, string];
  if (existsSync(long) || existsSync(short)) return existsSync(long) ? long : short;
  // The receipt of a document that was corrected in a later month.
  return archivedAttachment({ paths: { archive } }, file) ?? short;
}

export function rowsOf({ rows, allRows }: StoredReceipt['receipt']['source']): readonly number[] {
  return allRows === undefined ? rows : parseRowRanges(allRows);
}
