/**
 * The embedded ledger as the search index reads it: the last rows of `event` and `attempt` that were followed are the mark,
 * because the one writer adds rows in the order of their numbers. Errors of SQLite are thrown as it gives them.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { openDatabase } from '../database/open-database.ts';
import { definedItems } from '../model/defined-only.ts';
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

/** The last row that was followed, and something that only this row has. */
type RowMark = { readonly row: number; readonly id: string };
type Feed = 'event' | 'attempt';
type RowMarks = LedgerMark & { readonly [feed in Feed]: RowMark };
type FeedRow = RowMark & { readonly [column in 'entry' | 'file']: string | null };

const LAST = {
  event: 'SELECT rowid AS row, id FROM event ORDER BY rowid DESC LIMIT 1',
  attempt: `SELECT rowid AS row, entry || ' ' || act || ' ' || n AS id FROM attempt ORDER BY rowid DESC LIMIT 1`,
} as const;
const AT = {
  event: 'SELECT id FROM event WHERE rowid = ?',
  attempt: `SELECT entry || ' ' || act || ' ' || n AS id FROM attempt WHERE rowid = ?`,
} as const;
const AFTER = {
  event: 'SELECT rowid AS row, id, entry, file FROM event WHERE rowid > ? ORDER BY rowid LIMIT ?',
  attempt: `SELECT rowid AS row, entry || ' ' || act || ' ' || n AS id, entry, NULL AS file FROM attempt WHERE rowid > ?
    ORDER BY rowid LIMIT ?`,
} as const;
const ENTRY = selectEntry({
  answer: `e.answer ->> '$.trackingId' AS tracking`,
  attempts: `(SELECT json_group_array(json_array(a.request_id, a.run, a.answer ->> '$.trackingId'))
    FROM attempt a WHERE a.entry = e.id)`,
});
const BY_ID = 'id IN (SELECT value FROM json_each(?)) ORDER BY';

export function openSqliteReader(file: string): LedgerReader {
  const db = openDatabase(file, { readOnly: true, checked: true });
  const source = sqliteSource(db);
  return { read: (look) => look(source), close: async () => db.close() };
}

function sqliteSource(db: DatabaseSync): LedgerSource {
  const installation = () => String(db.prepare(`SELECT value FROM meta WHERE key = 'installation'`).get()?.value);
  const last = (feed: Feed) => (db.prepare(LAST[feed]).get() ?? { row: 0, id: '' }) as RowMark;
  const isThere = (feed: Feed, mark: RowMark | undefined) =>
    mark !== undefined && (mark.row === 0 || db.prepare(AT[feed]).get(mark.row)?.id === mark.id);
  const rows = <Row>(sql: string, ...values: readonly SQLInputValue[]) =>
    db.prepare(sql).all(...values) as unknown as readonly Row[];
  const next = (feed: Feed, { row }: RowMark, most: number) => rows<FeedRow>(AFTER[feed], row, most);
  const ids = (column: 'entry' | 'file', found: readonly FeedRow[]) => [
    ...new Set(definedItems(found.map((row) => row[column] ?? undefined))),
  ];
  return {
    mark: () => ({ installation: installation(), event: last('event'), attempt: last('attempt') }),
    fits: (mark) => {
      const { event, attempt } = mark as Partial<RowMarks>;
      if (mark.installation !== installation() || !event) return false;
      if (!isThere('event', event) || !isThere('attempt', attempt)) return false;
      return db.prepare(`SELECT 1 FROM event WHERE rowid > ? AND ${CLEARS} LIMIT 1`).get(event.row) === undefined;
    },
    changesAfter: (mark, most) => {
      const marks = mark as RowMarks;
      const [events, attempts] = [next('event', marks.event, most), next('attempt', marks.attempt, most)];
      const found = [...events, ...attempts];
      if (found.length === 0) return undefined;
      const after = (some: readonly FeedRow[], before: RowMark) => {
        const end = some.at(-1);
        return end ? { row: end.row, id: end.id } : before;
      };
      const moved = { event: after(events, marks.event), attempt: after(attempts, marks.attempt) };
      return { entries: ids('entry', found), files: ids('file', found), mark: { ...marks, ...moved } };
    },
    files: (after, most) => rows<FileRow>(`${SELECT_FILE} id > ? ORDER BY id LIMIT ?`, after, most),
    filesById: (some) => rows<FileRow>(`${SELECT_FILE} ${BY_ID} id`, JSON.stringify(some)),
    entries: (after, most) => rows<EntryRow>(`${ENTRY} e.id > ? ORDER BY e.id LIMIT ?`, after, most),
    entriesById: (some) => rows<EntryRow>(`${ENTRY} e.${BY_ID} e.id`, JSON.stringify(some)),
    open: (after, most) => rows<OpenRow>(`${SELECT_OPEN} e.id > ? ORDER BY e.id LIMIT ?`, after, most),
    openById: (some) => rows<OpenRow>(`${SELECT_OPEN} e.${BY_ID} e.id`, JSON.stringify(some)),
    sending: () =>
      db
        .prepare(`SELECT id FROM entry WHERE state = 'sending'`)
        .all()
        .map(({ id }) => String(id)),
    countEntries: () => Number(db.prepare('SELECT COUNT(*) AS entries FROM entry').get()?.entries),
  };
}
