/**
 * Cells that a person corrects, and the second readings of files because of them. Both belong to the file that was read
 * first, and have its row numbers; after a crash, a reading that was begun is a file that is `loading`.
 */

import type { Statements } from '../../database/database-driver.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { CORRECTED_CELL, type Correction, type Evidence, isSetAside } from '../../model/ledger-entry.ts';
import { isOfCell } from '../../model/set-aside-rows.ts';
import type { State } from '../../model/state.ts';
import { appendEvent, type LedgerContext, optional, text } from '../contract/ledger-context.ts';
import type { ReprocessRequest, ReprocessStore } from '../contract/reprocess-store.ts';
import { fileById, openFile } from '../records/source-files.ts';

export function createCorrectionRecords(context: LedgerContext) {
  const { read, write } = context;
  return {
    recordCorrections: (fileId, corrections) =>
      write(
        async (sql) => void (await insertCorrections(sql, context, await findFirstReading(sql, fileId), corrections)),
      ),
    openReprocess: (fileId, request) => write((sql) => openReprocess(sql, context, fileId, request)),
    entriesToReprocess: (fileId) =>
      read(async (sql) =>
        (await sql.all('SELECT entry FROM reread WHERE file = ? ORDER BY entry', fileId)).map((row) =>
          text(row, 'entry'),
        ),
      ),
    recordEvent: (event) => write((sql) => appendEvent(sql, context, event)),
  } satisfies Partial<ReprocessStore>;
}

export async function findFirstReading(sql: Statements, fileId: string): Promise<string> {
  const [row] = await sql.all('SELECT COALESCE(rereads, id) AS first FROM source_file WHERE id = ?', fileId);
  if (!row) throw new Error(`no source file ${fileId} in the ledger`);
  return text(row, 'first');
}

/** Resolves to the number of the last correction of the file. */
export async function insertCorrections(
  sql: Statements,
  context: Parameters<typeof appendEvent>[1],
  file: string,
  corrections: readonly Correction[],
): Promise<number> {
  const [last] = await sql.all('SELECT MAX(n) AS n FROM correction WHERE file = ?', file);
  let n = (last?.n as number | null) ?? 0;
  for (const { row, column, from, to, by, at, reason } of corrections) {
    // Readers refuse NUL, so that no cell can look like a number that is still to be assigned.
    if (to.includes('\0')) throw new Error(`a cell cannot hold NUL (row ${row}, ${column})`);
    n++;
    await sql.run(
      `INSERT INTO correction (file, n, source_row, source_column, former, value, person, at, reason)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[file, n, row, column, from, to, by, at, reason],
    );
    await appendEvent(sql, context, {
      what: CORRECTED_CELL,
      file,
      at,
      person: by,
      detail: { row, column, from, to, reason },
    });
  }
  return n;
}

/** `first`: the reading before `file` that has the row numbers; `rows`: of the document, which has no other corrections than these. */
type CorrectedReading = {
  readonly file: string;
  readonly first: string;
  readonly rows: readonly number[];
  readonly corrections: readonly Correction[];
};

/**
 * The cells of a document as people have corrected them. The ledger may know more corrections of its rows, which the ledger that has read
 * them did not know: the reading ends before them.
 */
export async function importCorrections(
  sql: Statements,
  { file, first, rows, corrections }: CorrectedReading,
  context: Parameters<typeof insertCorrections>[1],
): Promise<void> {
  const find = 'SELECT n, source_row, source_column, at, value FROM correction WHERE file = ? ORDER BY n';
  const recorded = (await sql.all(find, first)).map((row) => ({
    n: Number(row.n),
    row: Number(row.source_row),
    column: text(row, 'source_column'),
    key: `${row.source_row} ${row.source_column} ${row.at} ${row.value}`,
  }));
  const shown = new Set(corrections.map(({ row, column, at, to }) => `${row} ${column} ${at} ${to}`));
  const known = recorded.filter(({ key }) => shown.has(key));
  const keys = new Set(known.map(({ key }) => key));
  const missing = corrections.filter(({ row, column, at, to }) => !keys.has(`${row} ${column} ${at} ${to}`));
  const last = await insertCorrections(sql, context, first, missing);
  const from = missing.length > 0 ? last : (known.at(-1)?.n ?? 0);
  const own = new Set(rows);
  const other = recorded.find((one) => one.n > from && isOfCell(one) && own.has(one.row));
  const until = other ? other.n - 1 : last;
  const readWith = `CASE WHEN corrections < ? THEN ? WHEN corrections < ? THEN corrections ELSE ? END`;
  await sql.run(
    `UPDATE source_file SET corrections = ${readWith} WHERE id = ? AND rereads = ?`,
    ...[from, from, until, until, file, first],
  );
}

async function openReprocess(sql: Statements, context: LedgerContext, fileId: string, request: ReprocessRequest) {
  const { entries, corrections, by, reason, claimedAt, day, run } = request;
  const first = await fileById(sql, await findFirstReading(sql, fileId));
  const { name, sha256, size, modifiedAt, path } = first;
  const last = await insertCorrections(sql, context, first.id, corrections);
  const { id } = await openFile(sql, context, { name, sha256, size, modifiedAt, claimedAt, day, run, path });
  await sql.run('UPDATE source_file SET rereads = ?, corrections = ? WHERE id = ?', first.id, last, id);
  for (const entry of entries) {
    await sql.run('INSERT INTO reread (file, entry) VALUES (?, ?)', id, entry);
    const [before] = await sql.all('SELECT state, evidence FROM entry WHERE id = ?', entry);
    const from = before?.state as State | undefined;
    const evidence = optional('evidence', before?.evidence ?? null, (json) => JSON.parse(json) as Evidence);
    // Not what undo has taken out of the queue for this reading.
    const isAside =
      from !== undefined && isSetAside({ state: from, ...evidence }) && evidence.evidence?.at !== claimedAt;
    const detail = definedOnly({ reason, from, aside: isAside || undefined });
    await appendEvent(sql, context, {
      what: 'read-again',
      entry,
      file: id,
      run,
      at: claimedAt,
      person: by,
      detail,
    });
  }
  return await fileById(sql, id);
}
