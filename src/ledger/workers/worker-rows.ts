/**
 * The statements on workers and roles. All leases are on the clock of the database: `nowMs` is the SQL text of its time in
 * epoch milliseconds. Each function works within a transaction of its caller.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { ownCountKey } from '../contract/ledger-context.ts';
import type { NewWorker, RecordedWorker, RoleName, WorkerFile, WorkerSetup } from '../contract/worker-store.ts';

export type LeaseTerms = { readonly nowMs: string; readonly leaseMs: number };

/** The condition that a row belongs to no living worker; a row of before workers, or of a forgotten one, counts too. */
export function ofNoLivingWorker(column: string): string {
  return `NOT EXISTS (SELECT 1 FROM worker w WHERE w.id = ${column} AND w.gone IS NULL)`;
}

export async function insertWorker(sql: Statements, worker: NewWorker, { nowMs, leaseMs }: LeaseTerms): Promise<void> {
  const { id, host, pid, work, version, settingsSha256, startedAt, setup } = worker;
  await sql.run(
    `INSERT INTO worker (id, host, pid, work, version, settings_sha256, started_at, until)
     VALUES (?, ?, ?, ?, ?, ?, ?, ${nowMs} + ?)`,
    ...[id, host, pid, work, version, settingsSha256, startedAt, leaseMs],
  );
  await sql.run(`INSERT INTO meta (key, value) VALUES (?, '0')`, ownCountKey(id));
  if (setup) await sql.run('INSERT INTO meta (key, value) VALUES (?, ?)', setupKey(id), JSON.stringify(setup));
}

function setupKey(worker: string): string {
  return `setup ${worker}`;
}

/** Resolves to the time of the database; undefined if the lease has ended: a worker that is late never gets it back. */
export async function renewLease(
  sql: Statements,
  id: string,
  { nowMs, leaseMs }: LeaseTerms,
): Promise<number | undefined> {
  const renew = `UPDATE worker SET until = ${nowMs} + ? WHERE id = ? AND gone IS NULL AND until > ${nowMs} RETURNING until`;
  const [row] = await sql.all(renew, leaseMs, id);
  if (!row) return undefined;
  await sql.run('UPDATE role SET until = (SELECT w.until FROM worker w WHERE w.id = ?) WHERE worker = ?', id, id);
  return (row.until as number) - leaseMs;
}

/** False if its lease has ended. A worker that would mark it as gone waits for the end of this transaction. */
export async function holdLiving(sql: Statements, id: string, { nowMs }: Pick<LeaseTerms, 'nowMs'>): Promise<boolean> {
  const hold = `UPDATE worker SET until = until WHERE id = ? AND gone IS NULL AND until > ${nowMs}`;
  return (await sql.run(hold, id)) === 1;
}

/** The worker is gone from now on, and others may have its roles. */
export async function endWorker(sql: Statements, id: string, { nowMs }: LeaseTerms): Promise<void> {
  await sql.run(`UPDATE worker SET gone = ${nowMs} WHERE id = ? AND gone IS NULL`, id);
  await sql.run('UPDATE role SET worker = NULL WHERE worker = ?', id);
}

/** Marks workers whose lease has ended, but for `own`, and frees the roles of all that are gone. */
export async function markGone(sql: Statements, own: string, { nowMs }: LeaseTerms): Promise<readonly string[]> {
  const gone = `UPDATE worker SET gone = ${nowMs} WHERE gone IS NULL AND until <= ${nowMs} AND id <> ? RETURNING id`;
  const rows = await sql.all(gone, own);
  await sql.run(`UPDATE role SET worker = NULL WHERE worker IS NOT NULL AND ${ofNoLivingWorker('role.worker')}`);
  return rows.map(({ id }) => id as string);
}

/** Milliseconds until the first lease of a worker other than `own` ends; Infinity if none lives. */
export async function firstLapse(sql: Statements, own: string, nowMs: string): Promise<number> {
  const first = `SELECT MIN(until) - ${nowMs} AS left_ms FROM worker WHERE gone IS NULL AND id <> ?`;
  const [row] = await sql.all(first, own);
  return (row?.left_ms as number | null | undefined) ?? Number.POSITIVE_INFINITY;
}

/** The new fence, or undefined if another worker lives that has the role, or the lease of this one has ended. */
export async function takeRole(
  sql: Statements,
  id: string,
  role: RoleName,
  { nowMs }: LeaseTerms,
): Promise<number | undefined> {
  await sql.run(
    'INSERT INTO role (name, fence, until, generation) VALUES (?, 0, 0, 0) ON CONFLICT (name) DO NOTHING',
    role,
  );
  const take = `UPDATE role SET worker = ?, fence = fence + 1, until = (SELECT w.until FROM worker w WHERE w.id = ?)
    WHERE name = ? AND (worker IS NULL OR until <= ${nowMs})
    AND EXISTS (SELECT 1 FROM worker w WHERE w.id = ? AND w.gone IS NULL AND w.until > ${nowMs}) RETURNING fence`;
  const [row] = await sql.all(take, id, id, role, id);
  return row?.fence as number | undefined;
}

/** The roles that a worker has by the ledger, with their fences. */
export async function rolesOf(sql: Statements, id: string): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.all('SELECT name, fence FROM role WHERE worker = ?', id);
  return new Map(rows.map(({ name, fence }) => [name as string, fence as number]));
}

/** The condition that a worker has a role under a fence. Parameters: role, worker, fence. */
export function hasRole(nowMs: string): string {
  return `EXISTS (SELECT 1 FROM role o WHERE o.name = ? AND o.worker = ? AND o.fence = ? AND o.until > ${nowMs})`;
}

/** Gone for longer than this, and without anything left, a worker is of no interest. */
const SHOWN_MS = 24 * 60 * 60_000;
const FORGOTTEN_MS = 30 * SHOWN_MS;

const FILES = `SELECT f.worker, COUNT(*) AS files FROM source_file f WHERE f.archived_at IS NULL AND f.worker IS NOT NULL
  GROUP BY f.worker`;
const SENDING = `SELECT 1 FROM entry e WHERE e.state = 'sending' AND e.begun_by = w.id`;

/** Those that live, and those that are gone and left something or went within the last day. */
export async function selectWorkers(sql: Statements, nowMs: string): Promise<readonly RecordedWorker[]> {
  const rows = await sql.all(
    `SELECT w.*, w.until - ${nowMs} AS left_ms, COALESCE(open.files, 0) AS files,
     (SELECT m.value FROM meta m WHERE m.key = 'setup ' || w.id) AS setup FROM worker w
     LEFT JOIN (${FILES}) AS open ON open.worker = w.id
     WHERE w.gone IS NULL OR w.gone > ${nowMs} - ${SHOWN_MS} OR open.files > 0 OR EXISTS (${SENDING})
     ORDER BY w.started_at, w.id`,
  );
  const roles = await sql.all('SELECT name, worker FROM role WHERE worker IS NOT NULL ORDER BY name');
  return rows.map((row) => {
    const own = roles.filter(({ worker }) => worker === row.id).map(({ name }) => name as string);
    return toWorker(row, own);
  });
}

export async function selectWorkerFiles(sql: Statements, most: number): Promise<readonly WorkerFile[]> {
  const rows = await sql.all(
    `SELECT id, name, worker FROM source_file WHERE archived_at IS NULL AND worker IS NOT NULL
     ORDER BY claimed_at, id LIMIT ?`,
    most,
  );
  return rows as unknown as readonly WorkerFile[];
}

function toWorker(row: DatabaseRow, roles: readonly string[]): RecordedWorker {
  const words = (column: string) => row[column] as string;
  return {
    id: words('id'),
    host: words('host'),
    pid: row.pid as number,
    work: words('work') as RecordedWorker['work'],
    version: words('version'),
    settingsSha256: words('settings_sha256'),
    startedAt: words('started_at'),
    leftMs: row.left_ms as number,
    ...(row.gone === null ? {} : { goneMs: row.gone as number }),
    ...(row.gone !== null && (row.gone as number) >= (row.until as number) && { lapsed: true as const }),
    ...(row.setup !== null && { setup: JSON.parse(words('setup')) as WorkerSetup }),
    roles,
    files: row.files as number,
  };
}

/** Removes rows of workers that went long ago and left nothing: each act of a person is one. */
export async function forgetWorkers(sql: Statements, nowMs: string): Promise<void> {
  const count = (of: string) => `COALESCE((SELECT m.value FROM meta m WHERE m.key = '${of} ' || w.id), '0')`;
  const old = `SELECT w.id FROM worker w WHERE w.gone < ${nowMs} - ${FORGOTTEN_MS} AND w.id NOT IN (SELECT open.worker FROM (${FILES}) AS open)
    AND NOT EXISTS (${SENDING}) AND ${count('events')} = ${count('numbered')}`;
  for (const { id } of await sql.all(old)) {
    await sql.run('DELETE FROM worker WHERE id = ?', id ?? null);
    const keys = [`numbered ${id}`, ownCountKey(id as string), setupKey(id as string)];
    await sql.run('DELETE FROM meta WHERE key IN (?, ?, ?)', ...keys);
  }
}
