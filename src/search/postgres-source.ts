/**
 * A ledger on PostgreSQL as the search index and followers of changes read it (transaction-mark.ts). Each look is one
 * snapshot. Errors of the connection are LedgerUnavailable, others as the server gives them.
 */

import type { DatabaseRow, Statements } from '../database/database-driver.ts';
import type { PostgresPlace } from '../database/postgres/postgres-place.ts';
import { type SharedPostgres, sharePostgres } from '../database/postgres/shared-postgres.ts';
import {
  IS_NEW,
  markOfSnapshot,
  markText,
  markUpTo,
  newSince,
  readMark,
  SNAPSHOT,
  type TransactionMark,
} from '../database/postgres/transaction-mark.ts';
import { definedItems } from '../model/defined-only.ts';
import { must } from '../model/must.ts';
import {
  CLEARS,
  type EntryRow,
  type FileRow,
  type LedgerMark,
  type LedgerReader,
  type LedgerSource,
  type OpenRow,
  SELECT_FILE,
  SELECT_OPEN,
  selectEntry,
} from './ledger-source.ts';

/** `place`: a mark as text; `event`: the id of an event before it, which an earlier copy of the ledger may lack. */
type ServerMark = LedgerMark & { readonly place?: unknown; readonly event?: unknown };

/** The answer as it is: a text in it may be one that the server's own JSON functions refuse. */
const ENTRY = selectEntry({
  answer: 'e.answer',
  attempts: `(SELECT COALESCE(CAST(json_agg(json_build_array(a.request_id, a.run, a.answer)) AS TEXT), '[]')
    FROM attempt a WHERE a.entry = e.id)`,
});
const BY_ID = 'id IN (SELECT json_array_elements_text(CAST(? AS json))) ORDER BY';

export function openPostgresReader(place: PostgresPlace): LedgerReader {
  const shared: SharedPostgres = sharePostgres(place);
  return { read: (look) => shared.read((sql) => look(postgresSource(sql))), close: shared.close };
}

/** What the tables of documents take at the server, with their indexes. */
export async function postgresBytes(place: PostgresPlace): Promise<number> {
  const { read, close } = sharePostgres(place);
  try {
    const size = `SELECT pg_total_relation_size('entry') + pg_total_relation_size('revision') AS bytes`;
    return Number((await read(async (sql) => await sql.all(size)))[0]?.bytes);
  } finally {
    await close();
  }
}

function postgresSource(sql: Statements): LedgerSource {
  const files = async (where: string, ...values: (string | number)[]) =>
    (await sql.all(`${SELECT_FILE} ${where}`, ...values)) as unknown as readonly FileRow[];
  const entries = async (where: string, ...values: (string | number)[]) =>
    (await sql.all(`${ENTRY} ${where}`, ...values)).map(entryRow);
  const open = async (where: string, ...values: (string | number)[]) =>
    (await sql.all(`${SELECT_OPEN} ${where}`, ...values)) as unknown as readonly OpenRow[];
  return {
    mark: async () => await markOf(sql, markText(await lastMark(sql))),
    fits: async (mark) => await fits(sql, mark),
    changesAfter: async (mark, most) => {
      const from = must(placeOf(mark), 'a mark that fits');
      const { rows, place } = await changesSince(sql, from, most);
      if (rows.length === 0) return undefined;
      const ids = (column: 'entry' | 'file') => [...new Set(definedItems(rows.map((row) => row[column] ?? undefined)))];
      return { entries: ids('entry'), files: ids('file'), mark: await markOf(sql, markText(place)) };
    },
    files: async (after, most) => await files('id > ? ORDER BY id LIMIT ?', after, most),
    filesById: async (ids) => await files(`${BY_ID} id`, JSON.stringify(ids)),
    entries: async (after, most) => await entries('e.id > ? ORDER BY e.id LIMIT ?', after, most),
    entriesById: async (ids) => await entries(`e.${BY_ID} e.id`, JSON.stringify(ids)),
    open: async (after, most) => await open('e.id > ? ORDER BY e.id LIMIT ?', after, most),
    openById: async (ids) => await open(`e.${BY_ID} e.id`, JSON.stringify(ids)),
    sending: async () => (await sql.all(`SELECT id FROM entry WHERE state = 'sending'`)).map(({ id }) => String(id)),
    countEntries: async () => Number((await sql.all('SELECT COUNT(*) AS entries FROM entry'))[0]?.entries),
  };
}

/** A row of `event` or `attempt`. */
export type ChangeRow = { readonly entry: string | null; readonly file: string | null; readonly tx: number };

/** The same text as long as nothing is added. */
export async function lastMark(sql: Statements): Promise<TransactionMark> {
  const now = await currentMark(sql);
  const [row] = await sql.all('SELECT GREATEST((SELECT MAX(tx) FROM event), (SELECT MAX(tx) FROM attempt)) AS last');
  return markUpTo(now, Number(row?.last ?? 0));
}

export async function currentMark(sql: Statements): Promise<TransactionMark> {
  const [row] = await sql.all(`SELECT ${SNAPSHOT} AS snapshot`);
  return markOfSnapshot(String(row?.snapshot));
}

/**
 * The rows that are new since a mark, and the mark after them. About `most`: the rows of one transaction are never parted,
 * and one that was over before may come a second time next to one that was late.
 */
export async function changesSince(
  sql: Statements,
  mark: TransactionMark,
  most: number,
): Promise<{ readonly rows: readonly ChangeRow[]; readonly place: TransactionMark; readonly more: boolean }> {
  const now = await currentMark(sql);
  const values = [...newSince(mark), ...newSince(mark)];
  const [bound] = await sql.all(`SELECT c.tx FROM (${NEW_ROWS}) c ORDER BY c.tx LIMIT 1 OFFSET ?`, ...values, most);
  if (!bound) {
    const rows = (await sql.all(`${NEW_ROWS} ORDER BY tx`, ...values)) as unknown as readonly ChangeRow[];
    const last = Number(rows.at(-1)?.tx ?? 0);
    return { rows, place: rows.length === 0 ? mark : markUpTo(now, Math.max(last, mark.end - 1)), more: false };
  }
  const last = Number(bound.tx);
  const rows = await sql.all(`SELECT c.* FROM (${NEW_ROWS}) c WHERE c.tx <= ? ORDER BY c.tx`, ...values, last);
  return { rows: rows as unknown as readonly ChangeRow[], place: markUpTo(now, last), more: true };
}

const NEW_ROWS = `SELECT entry, file, tx FROM event WHERE ${IS_NEW}
  UNION ALL SELECT entry, NULL AS file, tx FROM attempt WHERE ${IS_NEW}`;

async function markOf(sql: Statements, place: string): Promise<LedgerMark> {
  const [row] = await sql.all(
    `SELECT (SELECT value FROM meta WHERE key = 'installation') AS installation,
     (SELECT id FROM event WHERE tx = (SELECT MAX(tx) FROM event) LIMIT 1) AS event`,
  );
  return { installation: String(row?.installation), place, event: row?.event ?? null } satisfies ServerMark;
}

async function fits(sql: Statements, mark: ServerMark): Promise<boolean> {
  const place = placeOf(mark);
  if (!place || mark.installation !== (await markOf(sql, '')).installation) return false;
  // A server that was restored counts on from an earlier number.
  if (place.end > (await currentMark(sql)).end) return false;
  if (typeof mark.event === 'string') {
    const rows = await sql.all('SELECT 1 AS one FROM event WHERE id = ?', mark.event);
    if (rows.length === 0) return false;
  }
  const cleared = await sql.all(`SELECT 1 AS one FROM event WHERE ${IS_NEW} AND ${CLEARS} LIMIT 1`, ...newSince(place));
  return cleared.length === 0;
}

function placeOf({ place }: ServerMark): TransactionMark | undefined {
  return typeof place === 'string' ? readMark(place) : undefined;
}

type StoredAnswer = { readonly trackingId?: unknown };

/** Tracking ids as SQLite selects them. */
function entryRow({ answer, attempts, ...row }: DatabaseRow): EntryRow {
  const read = (text: unknown): StoredAnswer => (typeof text === 'string' ? (JSON.parse(text) as StoredAnswer) : {});
  const of = JSON.parse(String(attempts)) as readonly (readonly [string, string, string | null])[];
  const numbered = of.map(([request, run, text]) => [request, run, textOf(read(text).trackingId)]);
  const tracking = textOf(read(answer).trackingId);
  return { ...row, tracking, attempts: JSON.stringify(numbered) } as unknown as EntryRow;
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}
