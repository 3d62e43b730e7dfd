/**
 * Source files in the ledger, from `loading` to archived, and whether their summaries are up to date.
 *
 * A summary is due while `changes` is greater than it was for the last written one.
 */

import type { DatabaseRow, DatabaseValue, Statements } from '../../database/database-driver.ts';
import { definedItems } from '../../model/defined-only.ts';
import { type Fault, isError, readStoredFaults, storedFaults } from '../../model/fault.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import type { Folder } from '../../model/state.ts';
import { pagesAfter } from '../../text/long-lists.ts';
import { asTheyCame } from '../contract/as-they-came.ts';
import type { Admission, FileRefusal } from '../contract/close-file.ts';
import type { IntakeStore, NewFile } from '../contract/intake-store.ts';
import { leaseLost } from '../contract/lease-lost.ts';
import { appendEvent, type LedgerContext, optional, selectByIds, text } from '../contract/ledger-context.ts';
import { isOwnFile } from '../contract/own-files.ts';
import type { QueryStore } from '../contract/query-store.ts';
import type { ReceiptStore } from '../contract/receipt-store.ts';
import { noteRefusal } from '../contract/refused-again.ts';
import { dropFile, dropStaged, dropStep, STEP } from './finish-staging.ts';
import { extendChain } from './receipt-chain.ts';
import { READ_IN_NIGHT } from './selector.ts';
import { touchSummary } from './touch-summary.ts';

const SELECT = `SELECT f.id, f.name, f.sha256, f.size, f.modified_at, f.claimed_at, f.owner, f.day, f.run, f.path, f.state,
  f.mapping, f.encoding, f.row_count, f.left_out, f.faults, f.archived_at, f.rereads, f.report, f.partner, f.purged, f.first, o.name AS first_name,
  o.state = 'admitted' AND o.mapping IS NULL AND o.rereads IS NULL AS first_corrects,
  o.claimed_at AS first_claimed_at, p.name AS partner_name, p.sha256 AS partner_sha256, s.changes, s.written, s.folder, s.day AS summary_day, s.link
  FROM source_file f JOIN summary s ON s.file = f.id LEFT JOIN source_file o ON o.id = f.first
  LEFT JOIN source_file p ON p.id = f.partner`;

/** A file that is reprocessed for some of its documents does not count as the whole file. */
const WHOLE = `f.rereads IS NULL AND f.state IN ('admitted', 'refused')`;

/** The condition of the index `source_file_look`, word for word, so that SQLite uses it. */
const TO_LOOK_AT = `f.state = 'refused' OR (f.mapping IS NULL AND f.faults <> '[]') OR instr(f.faults, '"intake/source-missing"') > 0`;
/** Not a correction file that was refused in part. */
const TAKEN = `state = 'admitted' AND rereads IS NULL AND (mapping IS NOT NULL OR faults NOT LIKE '%"level":"error"%')`;
const LATER = {
  name: `SELECT 1 FROM source_file WHERE name = ? AND id > ? AND ${TAKEN} LIMIT 1`,
  bytes: `SELECT 1 FROM source_file WHERE sha256 = ? AND id > ? AND ${TAKEN} LIMIT 1`,
  archived: `SELECT 1 FROM source_file
    WHERE sha256 = ? AND id > ? AND state = 'duplicate' AND archived_at IS NOT NULL AND faults = '[]' LIMIT 1`,
};

/** A summary would be wrong for an admitted file whose entries do not all count yet, because of a stop. */
const WHOLLY_SETTLED = 'NOT EXISTS (SELECT 1 FROM staged t WHERE t.file = s.file)';
const BEING_STAGED = `SELECT 1 FROM staged t JOIN source_file f ON f.id = t.file
  WHERE t.file = ? AND f.state <> 'admitted' LIMIT 1`;
const PAGE = 100;
const MOST_CALLED = 20;
/** Length of the minute in 20261120-2200-a1b2. */
const MINUTE_LENGTH = 13;

export function createFileIntake(context: LedgerContext) {
  const { read, write } = context;
  const select = selectFiles(context);
  const own = isOwnFile(context, 'f.worker');
  return {
    filesBySha256: (hashes) =>
      read(async (sql) => {
        const found: SourceFile[] = [];
        for (const sha256 of new Set(hashes)) {
          const [row] = await sql.all(`${SELECT} WHERE f.sha256 = ? AND ${WHOLE} ORDER BY f.id DESC LIMIT 1`, sha256);
          if (row) found.push(toSourceFile(row));
        }
        return found;
      }),
    fileBySha256: async (sha256, mappingId) => {
      const under = 'AND (CAST(? AS TEXT) IS NULL OR f.mapping_id = ?)';
      const latest = `WHERE f.sha256 = ? AND ${WHOLE} ${under} ORDER BY f.id DESC LIMIT 1`;
      return (await select(latest, sha256, mappingId ?? null, mappingId ?? null))[0];
    },
    openFile: (file) => write((sql) => openFile(sql, context, file), undefined, { name: file.path }),
    duplicateFile: async (id, firstId) => {
      await dropFile(context, id);
      await write((sql) => markDuplicate(sql, context, id, firstId));
    },
    refuseFile: async (id, refusal) => {
      await read((sql) => expectLoading(sql, context, id));
      await dropFile(context, id);
      await write((sql) => refuseFile(sql, context, id, refusal));
    },
    restartFile: async (id, stop) => {
      const step = async (sql: Statements) => {
        await expectLoading(sql, context, id);
        const dropped = await dropStep(sql, id);
        if (dropped < STEP) await appendEvent(sql, context, { what: 'file-restarted', file: id });
        return dropped;
      };
      while (!stop?.aborted && (await write(step)) === STEP);
    },
    moveFile: (id, path) =>
      write(async (sql) => void (await sql.run('UPDATE source_file SET path = ? WHERE id = ?', path, id))),
    archiveFile: (id, path, at) => {
      const work = async (sql: Statements) => {
        await sql.run('UPDATE source_file SET path = ?, archived_at = ? WHERE id = ?', path, at, id);
        await appendEvent(sql, context, { what: 'file-archived', file: id, at });
      };
      return write(work, undefined, { name: id });
    },
    recordMissing: (id, fault, at) => write((sql) => recordMissing(sql, context, { id, fault, at })),
    openFiles: () => select('WHERE f.archived_at IS NULL ORDER BY f.id'),
    loadingFiles: async () =>
      asTheyCame(
        await select(`WHERE f.archived_at IS NULL AND f.state = 'loading'${own.sql} ORDER BY f.id`, ...own.values),
      ),
    isBeingStaged: (id) => read(async (sql) => (await sql.all(BEING_STAGED, id)).length > 0),
    loadingPaths: () =>
      read(async (sql) => {
        const paths = `SELECT path FROM source_file WHERE archived_at IS NULL AND state = 'loading'`;
        return new Set((await sql.all(paths)).map((row) => text(row, 'path')));
      }),
    openFilesAt: (path) => select('WHERE f.archived_at IS NULL AND f.path = ? ORDER BY f.id', path),
    openFilesAfter: (id, most) => select('WHERE f.archived_at IS NULL AND f.id > ? ORDER BY f.id LIMIT ?', id, most),
  } satisfies Partial<IntakeStore>;
}

export function createFileQueries(context: LedgerContext) {
  const { read } = context;
  const select = selectFiles(context);
  return {
    allFiles: async function* () {
      const next = `WHERE f.id > ? ORDER BY f.id LIMIT ${PAGE}`;
      for await (const page of pagesAfter(PAGE, (last?: SourceFile) => select(next, last?.id ?? ''))) yield* page;
    },
    sourceFile: async (id) => (await select('WHERE f.id = ?', id))[0],
    files: ({ run, since, after, whole, limit = 1000 }) => {
      const where = definedItems([
        run === undefined ? undefined : 'f.run = ?',
        since === undefined ? undefined : 'f.claimed_at >= ?',
        after === undefined ? undefined : 'f.id < ?',
        whole && 'f.rereads IS NULL',
      ]);
      const only = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
      const values = [run, since, after].filter((value) => value !== undefined);
      return select(`${only} ORDER BY f.id DESC LIMIT ?`, ...values, limit);
    },
    filesCalled: (name) =>
      select(
        `WHERE f.id IN (SELECT id FROM source_file WHERE id = ? UNION SELECT id FROM source_file WHERE name = ?)
         AND f.rereads IS NULL ORDER BY f.id DESC LIMIT ${MOST_CALLED}`,
        name,
        name,
      ),
    filesOfNight: (run) => select(`WHERE f.id IN (${READ_IN_NIGHT}) ORDER BY f.id DESC`, run, run, run, run),
    filesById: async (ids) => {
      const found = await Promise.all(ids.map(async (id) => await select('WHERE f.id = ?', id)));
      return found.flat();
    },
    filesWithFaults: () => select(`WHERE ${TO_LOOK_AT} ORDER BY f.id DESC`),
    laterIntake: ({ id, name, sha256 }) =>
      read(async (sql) => ({
        byName: (await sql.all(LATER.name, name, id)).length > 0,
        byBytes: (await sql.all(LATER.bytes, sha256, id)).length > 0,
        archived: (await sql.all(LATER.archived, sha256, id)).length > 0,
      })),
    latestRun: () => read(findLatestRun),
  } satisfies Partial<QueryStore>;
}

export function createSummaryRecords(context: LedgerContext) {
  const { write } = context;
  const select = selectFiles(context);
  return {
    summariesDue: (limit) => select(`WHERE s.written < s.changes AND ${WHOLLY_SETTLED} ORDER BY s.file LIMIT ?`, limit),
    // By f.id, not s.file: SQLite then checks row_count first, and never scans the entries of a large file.
    settledSummariesDue: (limit, mostRows) =>
      select(
        `WHERE s.written < s.changes AND ${WHOLLY_SETTLED} AND f.row_count <= ? AND NOT EXISTS (SELECT 1 FROM revision r
         JOIN entry e ON e.id = r.entry AND e.revision = r.revision
         WHERE r.file = f.id AND (e.state = 'sending' OR e.receipt_due > 0)) ORDER BY s.file LIMIT ?`,
        mostRows,
        limit,
      ),
    recordSummaries: (written) =>
      write(async (sql) => {
        const links = written.map(({ link }) => link);
        await extendChain(sql, context, links);
        const set = 'UPDATE summary SET written = ?, folder = ?, day = ?, link = ? WHERE file = ? AND written <= ?';
        for (const { id, changes, folder, day, link } of written) {
          await sql.run(set, changes, folder, day, link.n, id, changes);
        }
      }),
  } satisfies Partial<ReceiptStore>;
}

export function selectFiles({ read }: LedgerContext) {
  return (rest: string, ...values: DatabaseValue[]): Promise<readonly SourceFile[]> =>
    read(async (sql) => (await sql.all(`${SELECT} ${rest}`, ...values)).map(toSourceFile));
}

/** A run that has read an export or tried a document. */
const AT_WORK = `EXISTS (SELECT 1 FROM attempt a WHERE a.run = r.id)
  OR EXISTS (SELECT 1 FROM source_file f WHERE f.run = r.id AND f.rereads IS NULL)
  OR EXISTS (SELECT 1 FROM entry e WHERE e.state = 'sending' AND e.begun_run = r.id)`;

/** Work without a record of its run counts by its name. */
async function findLatestRun(sql: Statements): Promise<string | undefined> {
  const named = await findLatestByName(sql);
  if (named === undefined) return undefined;
  const [recorded] = await sql.all(`SELECT 1 FROM run WHERE id = ?`, named);
  if (!recorded) return named;
  const [latest] = await sql.all(
    `SELECT r.id FROM run r WHERE ${AT_WORK} ORDER BY r.started_at DESC, r.id DESC LIMIT 1`,
  );
  return latest && text(latest, 'id');
}

/**
 * Names of runs begin with their local minute, which comes twice when the clock is set back, and are indexed: only runs of the last
 * minute are compared by time.
 */
async function findLatestByName(sql: Statements): Promise<string | undefined> {
  const own = 'rereads IS NULL';
  const [last] = await sql.all(
    `SELECT MAX(run) AS run FROM (SELECT MAX(run) AS run FROM attempt UNION ALL
     SELECT MAX(begun_run) FROM entry WHERE state = 'sending' UNION ALL SELECT MAX(run) FROM source_file WHERE ${own}) AS of_each`,
  );
  if (typeof last?.run !== 'string') return undefined;
  const from = last.run.slice(0, MINUTE_LENGTH);
  const [latest] = await sql.all(
    `SELECT run FROM (SELECT run, at FROM attempt WHERE run >= ? UNION ALL
     SELECT begun_run, begun_at FROM entry WHERE state = 'sending' AND begun_run >= ? UNION ALL SELECT run, claimed_at FROM source_file WHERE run >= ? AND ${own}) AS of_minute ORDER BY at DESC LIMIT 1`,
    from,
    from,
    from,
  );
  return latest && text(latest, 'run');
}

/** The file with this id; throws an Error where the ledger has none. */
export async function fileById(sql: Statements, id: string): Promise<SourceFile> {
  const [row] = await sql.all(`${SELECT} WHERE f.id = ?`, id);
  if (!row) throw new Error(`no source file ${id} in the ledger`);
  return toSourceFile(row);
}

/** The files of the column `file`, each read once: the documents of a page are of few. */
export async function filesOfRows(
  sql: Statements,
  rows: readonly DatabaseRow[],
): Promise<ReadonlyMap<string, SourceFile>> {
  const ids = new Set(rows.flatMap(({ file }) => (typeof file === 'string' ? [file] : [])));
  const found = await selectByIds(sql, [...ids], (places) => `${SELECT} WHERE f.id IN (${places})`);
  return new Map(found.map((row) => [text(row, 'id'), toSourceFile(row)]));
}

/** The row of a file that is `loading`; throws an Error for any other file. */
export async function expectLoading(
  sql: Statements,
  { worker }: Pick<LedgerContext, 'worker'>,
  id: string,
): Promise<DatabaseRow> {
  const [row] = await sql.all(
    'SELECT id, name, sha256, run, state, worker, claimed_at, rereads FROM source_file WHERE id = ?',
    id,
  );
  if (!row) throw new Error(`no source file ${id} in the ledger`);
  if (worker && row.worker !== worker.id) throw leaseLost();
  if (row.state !== 'loading') throw new Error(`source file ${id} is ${row.state}, not loading`);
  return row;
}

/** Records a claimed file as `loading`, with its event and a summary to be written. */
export async function openFile(sql: Statements, context: LedgerContext, file: NewFile): Promise<SourceFile> {
  // Who took over its folder has opened the copies that were not in the ledger.
  await context.worker?.expectLiving(sql);
  const id = context.newId();
  const { name, sha256, size, modifiedAt, claimedAt, owner = null, day, run, path } = file;
  await sql.run(
    `INSERT INTO source_file (id, name, sha256, size, modified_at, claimed_at, owner, day, run, path, state, row_count,
     left_out, faults, worker) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'loading', 0, '[]', '[]', ?)`,
    ...[id, name, sha256, size, modifiedAt, claimedAt, owner, day, run, path, context.worker?.id ?? null],
  );
  await sql.run('INSERT INTO summary (file, changes, written) VALUES (?, 0, 0)', id);
  await appendEvent(sql, context, { what: 'file-claimed', file: id, run, at: claimedAt });
  return await fileById(sql, id);
}

/** Closes the file as a duplicate of `firstId` and drops what was staged of it. */
export async function markDuplicate(
  sql: Statements,
  context: LedgerContext,
  id: string,
  firstId: string,
): Promise<void> {
  await expectLoading(sql, context, id);
  await dropStaged(sql, id);
  await sql.run(`UPDATE source_file SET state = 'duplicate', first = ? WHERE id = ?`, firstId, id);
  // It may have come with its attachments, which would go into the next document that names them.
  const readings = 'SELECT id FROM source_file WHERE id = ? OR rereads = ?';
  await sql.run(`UPDATE attachment SET due = 1 WHERE file IN (${readings})`, firstId, firstId);
  await recordClosing(sql, context, id, 'duplicate');
}

/** Closes a `loading` file as refused, with its faults, and drops what was staged of it. */
export async function refuseFile(
  sql: Statements,
  context: LedgerContext,
  id: string,
  refusal: FileRefusal,
): Promise<void> {
  const file = await expectLoading(sql, context, id);
  await dropStaged(sql, id);
  await closeFile(sql, context, id, { ...refusal, state: 'refused' });
  await noteRefusal(sql, file);
  await recordClosing(sql, context, id, 'refused');
}

/** Records how the reading of a file ended; 0 if it is not `loading`. */
export async function closeFile(
  sql: Statements,
  context: Pick<LedgerContext, 'language' | 'worker'>,
  id: string,
  { state, ...facts }: (FileRefusal | Admission) & { readonly state: 'admitted' | 'refused' },
): Promise<number> {
  const { mapping, encoding = null, rows, leftOut, faults } = facts;
  const partner = 'partner' in facts ? (facts.partner ?? null) : null;
  const own = isOwnFile(context);
  return await sql.run(
    `UPDATE source_file SET state = ?, mapping_id = ?, mapping = ?, encoding = ?, row_count = ?, left_out = ?,
     faults = ?, partner = ? WHERE id = ? AND state = 'loading'${own.sql}`,
    ...[state, mapping?.id ?? null, mapping ? JSON.stringify(mapping) : null, encoding, rows],
    ...[JSON.stringify(leftOut), storedFaults(faults, context.language), partner, id, ...own.values],
  );
}

type MissingFile = { readonly id: string; readonly fault: Fault; readonly at: string };

async function recordMissing(sql: Statements, context: LedgerContext, { id, fault, at }: MissingFile): Promise<void> {
  const { faults } = await fileById(sql, id);
  const isNew = faults.every(({ code }) => code !== fault.code);
  const all = storedFaults(isNew ? [...faults, fault] : faults, context.language);
  const set = `UPDATE source_file SET faults = ?, archived_at = ? WHERE id = ? AND archived_at IS NULL AND state <> 'loading'`;
  if ((await sql.run(set, all, at, id)) === 0) return;
  if (isNew) touchSummary(sql, id);
  await appendEvent(sql, context, { what: 'file-missing', file: id, at });
}

async function recordClosing(sql: Statements, context: LedgerContext, id: string, state: string): Promise<void> {
  touchSummary(sql, id);
  await appendEvent(sql, context, { what: `file-${state}`, file: id });
}

function toSourceFile(row: DatabaseRow): SourceFile {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    sha256: text(row, 'sha256'),
    size: row.size as number,
    modifiedAt: text(row, 'modified_at'),
    claimedAt: text(row, 'claimed_at'),
    ...optional('owner', row.owner, String),
    day: text(row, 'day'),
    run: text(row, 'run'),
    path: text(row, 'path'),
    state: text(row, 'state') as SourceFile['state'],
    ...optional('mapping', row.mapping, JSON.parse),
    ...optional('encoding', row.encoding, String),
    rows: row.row_count as number,
    leftOut: JSON.parse(text(row, 'left_out')),
    faults: readStoredFaults(text(row, 'faults')),
    ...optional('first', row.first, (id) => ({
      id,
      name: text(row, 'first_name'),
      claimedAt: text(row, 'first_claimed_at'),
    })),
    ...optional('archivedAt', row.archived_at, String),
    ...optional('purged', row.purged, JSON.parse),
    ...optional('rereads', row.rereads, String),
    ...optional('report', row.report, String),
    ...(corrects(row) && { corrects: true }),
    ...optional('partner', row.partner, String),
    ...optional('partnerFile', row.partner_name, (name) => ({ name, sha256: text(row, 'partner_sha256') })),
    changes: row.changes as number,
    ...optional('summary', row.folder, (folder) => toSummary(row, folder as Folder)),
  };
}

/** A correction file is admitted without a mapping, and refused for faults of corrections alone. */
function corrects({ state, mapping, rereads, faults, first_corrects: ofFirst }: DatabaseRow): boolean {
  if (rereads !== null || mapping !== null) return false;
  if (state === 'duplicate') return Boolean(ofFirst);
  if (state === 'admitted') return true;
  const errors = readStoredFaults(faults as string).filter(isError);
  return state === 'refused' && errors.length > 0 && errors.every(({ code }) => code.startsWith('correction/'));
}

/** The link, only if the summary has all that the ledger knows. */
function toSummary(row: DatabaseRow, folder: Folder): NonNullable<SourceFile['summary']> {
  const isLatest = (row.written as number) >= (row.changes as number);
  return { folder, day: text(row, 'summary_day'), ...(isLatest && { link: (row.link as number | null) ?? 0 }) };
}
