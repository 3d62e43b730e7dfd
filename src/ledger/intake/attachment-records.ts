/**
 * Which attachments the documents of a file carry, and which of them have still to move from the inbox to the archive: due
 * work from the commit of their file on, like a receipt, so that a stop does not leave them to the next export.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import type { Attachment, KnownAttachment, SourceFile } from '../../model/ledger-entry.ts';
import type { Admission } from '../contract/close-file.ts';
import type { IntakeStore } from '../contract/intake-store.ts';
import { type LedgerContext, selectByIds, text } from '../contract/ledger-context.ts';
import type { QueryStore } from '../contract/query-store.ts';
import { selectFiles } from '../records/source-files.ts';
import { ofNoLivingWorker } from '../workers/worker-rows.ts';

const INSERT = 'INSERT INTO attachment (file, name, sha256, due) VALUES (?, ?, ?, ?) ON CONFLICT (file, name)';
const DUE = { due: 1, archive: 0, waiting: -1 } as const;

/** Within the commit that admits the file. */
export async function recordAttachments(
  sql: Statements,
  file: string,
  attachments: NonNullable<Admission['attachments']>,
): Promise<void> {
  for (const { name, sha256, place } of attachments) {
    // Known from its summary, where a restored ledger reads the export again: the bytes are those of before.
    const insert = `${INSERT} DO UPDATE SET due = excluded.due`;
    await sql.run(insert, file, name, sha256, DUE[place]);
  }
}

/** What the summary of a file says; what the ledger has already stays as it is. */
export async function importAttachments(
  sql: Statements,
  file: string,
  attachments: readonly (Attachment & { readonly waiting?: boolean | undefined })[],
): Promise<void> {
  for (const { name, sha256, waiting } of attachments) {
    await sql.run(`${INSERT} DO NOTHING`, file, name, sha256, waiting ? DUE.waiting : DUE.archive);
  }
}

export function createAttachmentRecords(context: LedgerContext) {
  const selectAll = selectFiles(context);
  const { worker } = context;
  // A living worker moves those of its files itself.
  const own = worker ? ` AND (f.worker = ? OR ${ofNoLivingWorker('f.worker')})` : '';
  const values = worker ? [worker.id] : [];
  return {
    attachmentsToMove: async () => {
      const due = 'SELECT file FROM attachment WHERE due > 0';
      const files = await selectAll(`WHERE f.id IN (${due})${own} ORDER BY f.id`, ...values);
      const found: { readonly file: SourceFile; readonly attachments: readonly Attachment[] }[] = [];
      for (const file of files) {
        found.push({ file, attachments: await select(context, 'f.id = ? AND a.due > 0 ORDER BY a.name', file.id) });
      }
      return found;
    },
    recordMoved: (file) =>
      context.write(async (sql) => {
        await sql.run('UPDATE attachment SET due = 0 WHERE file = ? AND due > 0', file);
      }),
  } satisfies Partial<IntakeStore>;
}

export function createAttachmentQueries(context: LedgerContext) {
  return {
    attachmentsOf: (file) => select(context, 'f.id = ? ORDER BY a.name', file),
    attachmentsOfReadings: (file) =>
      select(context, 'f.id = ? OR f.rereads = ? ORDER BY f.claimed_at, f.id, a.name', file, file),
    attachmentsByFile: (files) =>
      context.read(async (sql) => {
        const all = (places: string) =>
          `SELECT file, name, sha256, due FROM attachment WHERE file IN (${places}) ORDER BY file, name`;
        const byFile = Map.groupBy(await selectByIds(sql, files, all), (row) => text(row, 'file'));
        return new Map([...byFile].map(([file, rows]) => [file, rows.map(toAttachment)]));
      }),
    filesWithAttachment: ({ name, sha256 }) =>
      context.read(async (sql) => {
        const rows = await sql.all('SELECT file FROM attachment WHERE name = ? AND sha256 = ?', name, sha256);
        return rows.map((row) => text(row, 'file'));
      }),
  } satisfies Partial<QueryStore>;
}

function select(
  { read }: LedgerContext,
  where: string,
  ...ids: readonly string[]
): Promise<readonly KnownAttachment[]> {
  return read(async (sql) => {
    const all = `SELECT a.name, a.sha256, a.due FROM attachment a JOIN source_file f ON f.id = a.file WHERE ${where}`;
    return (await sql.all(all, ...ids)).map(toAttachment);
  });
}

function toAttachment(row: DatabaseRow): KnownAttachment {
  return { name: text(row, 'name'), sha256: text(row, 'sha256'), isWaiting: Number(row.due) === DUE.waiting };
}
