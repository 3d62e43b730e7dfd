/**
 * Brings the search index up to the ledger, a page in each commit, so that neither is locked for long. It follows the two
 * tables to which every change of an entry adds a row, `event` and `attempt`, by their row numbers; entries on their way
 * are read each time. Marks that do not fit the ledger, or a purge since, clear the index: then all entries are read.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { definedItems } from '../../model/defined-only.ts';
import type { DocumentFacts } from '../../model/document.ts';
import { NOT_PASSED, sourceNumberOf } from '../../model/ledger-entry.ts';
import type { State } from '../../model/state.ts';
import { TERM_COLUMNS, termsOf, wholeTerm } from './search-terms.ts';

const PAGE = 1000;

/** Documents in the index, and all of the ledger. */
export type FillProgress = (done: number, all: number) => void;

/** The last row that was followed, and something that only this row has. */
type RowMark = { readonly row: number; readonly id: string };
type Marks = { readonly installation: string; readonly event: RowMark; readonly attempt: RowMark };
type FeedTable = 'event' | 'attempt';

const LAST = {
  event: 'SELECT rowid AS row, id FROM event ORDER BY rowid DESC LIMIT 1',
  attempt: `SELECT rowid AS row, entry || ' ' || act || ' ' || n AS id FROM attempt ORDER BY rowid DESC LIMIT 1`,
} as const;
const AT = {
  event: 'SELECT id FROM event WHERE rowid = ?',
  attempt: `SELECT entry || ' ' || act || ' ' || n AS id FROM attempt WHERE rowid = ?`,
} as const;
const AFTER = {
  event: `SELECT rowid AS row, id, entry, what FROM event WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
  attempt: `SELECT rowid AS row, entry || ' ' || act || ' ' || n AS id, entry, '' AS what FROM attempt WHERE rowid > ?
    ORDER BY rowid LIMIT ${PAGE}`,
} as const;

/** The tracking id of an attempt is in its answer; the facts of a purged document have only its number. */
const ENTRY = `SELECT e.id, e.state, e.since, e.service, e.identifier, e.name, e.request_id, e.begun_run, r.facts, r.keys,
  e.answer ->> '$.trackingId' AS tracking, r.faults LIKE '%"level":"warning"%' AS warnings,
  f.id AS file_id, f.name AS file_name, f.mapping_id, f.run, f.day,
  (SELECT json_group_array(json_array(a.request_id, a.run, a.answer ->> '$.trackingId')) FROM attempt a WHERE a.entry = e.id) AS attempts
  FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision JOIN source_file f ON f.id = r.file
  WHERE e.state <> 'staged' AND`;

type EntryRow = {
  readonly [column in
    | 'id'
    | 'state'
    | 'service'
    | 'identifier'
    | 'name'
    | 'facts'
    | 'file_id'
    | 'file_name'
    | 'run'
    | 'day'
    | 'attempts']: string;
} & { readonly [column in 'request_id' | 'begun_run' | 'keys' | 'tracking' | 'mapping_id']: string | null } & {
  readonly since: number;
  readonly warnings: number;
};

/** Resolves once the index has all that the ledger had when it was called. */
export async function fillSearchIndex(index: DatabaseSync, ledger: DatabaseSync, tell: FillProgress): Promise<void> {
  if (!fits(readMarks(index), ledger)) inOneCommit(index, () => startAnew(index, ledger));
  await addAllEntries(index, ledger, tell);
  for (const table of ['event', 'attempt'] as const) {
    while (followFeed(index, ledger, table)) await turn();
  }
  const sending = ledger.prepare(`SELECT id FROM entry WHERE state = 'sending'`).all();
  if (sending.length > 0)
    inOneCommit(index, () =>
      putEntries(
        index,
        ledger,
        sending.map(({ id }) => String(id)),
      ),
    );
}

/** Whether the rows of the marks are still in the ledger: another ledger, or an earlier copy of it, has others. */
function fits(marks: Marks | undefined, ledger: DatabaseSync): boolean {
  if (marks?.installation !== installationOf(ledger)) return false;
  const isThere = (table: FeedTable) => {
    const { row, id } = marks[table];
    return row === 0 || ledger.prepare(AT[table]).get(row)?.id === id;
  };
  if (!isThere('event') || !isThere('attempt')) return false;
  const cleared = `SELECT 1 FROM event WHERE rowid > ? AND ((what = 'purged' AND entry IS NOT NULL) OR what LIKE 'ledger-%') LIMIT 1`;
  return ledger.prepare(cleared).get(marks.event.row) === undefined;
}

function installationOf(ledger: DatabaseSync): string {
  return String(ledger.prepare(`SELECT value FROM meta WHERE key = 'installation'`).get()?.value);
}

/** The marks come first: what changes while all entries are read is then followed. */
function startAnew(index: DatabaseSync, ledger: DatabaseSync): void {
  index.exec('PRAGMA secure_delete = ON');
  for (const table of ['mark', 'file', 'document']) index.exec(`DELETE FROM ${table}`);
  index.exec(`INSERT INTO term (term) VALUES ('delete-all')`);
  const last = (table: FeedTable) => (ledger.prepare(LAST[table]).get() ?? { row: 0, id: '' }) as RowMark;
  writeMark(index, 'ledger', { installation: installationOf(ledger), event: last('event'), attempt: last('attempt') });
  writeMark(index, 'read', '');
}

/** Entries in the order of their ids after the last one read; the mark is removed once all are. */
async function addAllEntries(index: DatabaseSync, ledger: DatabaseSync, tell: FillProgress): Promise<void> {
  const page = ledger.prepare(`${ENTRY} e.id > ? ORDER BY e.id LIMIT ${PAGE}`);
  let all: number | undefined;
  for (;;) {
    const isLast = inOneCommit(index, () => {
      const after = readMark<string>(index, 'read');
      if (after === undefined) return true;
      const rows = page.all(after) as unknown as readonly EntryRow[];
      putRows(index, rows);
      const last = rows.at(-1);
      if (last && rows.length === PAGE) writeMark(index, 'read', last.id);
      else index.exec(`DELETE FROM mark WHERE name = 'read'`);
      return rows.length < PAGE;
    });
    if (isLast) return;
    all ??= countOf(ledger, 'entry');
    tell(countOf(index, 'document'), all);
    await turn();
  }
}

function countOf(db: DatabaseSync, table: 'entry' | 'document'): number {
  return Number(db.prepare(`SELECT COUNT(*) AS count FROM ${table}`).get()?.count);
}

/** Reads the entries of the next rows of the table once more; false when there are none. */
function followFeed(index: DatabaseSync, ledger: DatabaseSync, table: FeedTable): boolean {
  const after = ledger.prepare(AFTER[table]);
  const isBehind = (marks: Marks) => after.get(marks[table].row) !== undefined;
  if (!isBehind(marksOf(index))) return false;
  return inOneCommit(index, () => {
    // Another process may have followed them meanwhile.
    const marks = marksOf(index);
    const rows = after.all(marks[table].row) as unknown as readonly (RowMark & { readonly entry: string | null })[];
    putEntries(index, ledger, definedItems(rows.map(({ entry }) => entry ?? undefined)));
    const last = rows.at(-1);
    if (last) writeMark(index, 'ledger', { ...marks, [table]: { row: last.row, id: last.id } });
    return rows.length === PAGE;
  });
}

function putEntries(index: DatabaseSync, ledger: DatabaseSync, ids: readonly string[]): void {
  const some = ledger.prepare(`${ENTRY} e.id IN (SELECT value FROM json_each(?)) ORDER BY e.id`);
  putRows(index, some.all(JSON.stringify([...new Set(ids)])) as unknown as readonly EntryRow[]);
}

/** Within one commit: in another one the numbers of files may be others. */
function putRows(index: DatabaseSync, rows: readonly EntryRow[]): void {
  const fileNumber = fileNumbers(index);
  const known = index.prepare('SELECT n, terms FROM document WHERE id = ?');
  const insert = index.prepare(`INSERT INTO document (state, service, file, since, warnings, numbers, terms, id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const update =
    index.prepare(`UPDATE document SET state = ?, service = ?, file = ?, since = ?, warnings = ?, numbers = ?,
    terms = ? WHERE id = ?`);
  const places = ['?', ...TERM_COLUMNS.map(() => '?')].join(', ');
  const terms = index.prepare(`INSERT OR REPLACE INTO term (rowid, ${TERM_COLUMNS.join(', ')}) VALUES (${places})`);
  for (const row of rows) {
    const searched = searchedTerms(row);
    const checksum = crc32(searched.join('\n'));
    const warnings = row.warnings === 1 && !NOT_PASSED.includes(row.state as State) ? 1 : 0;
    const values = [
      row.state,
      row.service,
      fileNumber(row),
      row.since,
      warnings,
      searched[0],
      checksum,
      row.id,
    ] as const;
    const former = known.get(row.id);
    const n = former ? Number(former.n) : Number(insert.run(...values).lastInsertRowid);
    if (former) update.run(...values);
    if (former?.terms !== checksum) terms.run(n, ...searched);
  }
}

/** One text for each of TERM_COLUMNS. */
function searchedTerms(row: EntryRow): readonly [string, ...string[]] {
  const facts = JSON.parse(row.facts) as DocumentFacts;
  const attempts = JSON.parse(row.attempts) as readonly (readonly [string, string, string | null])[];
  const keys = JSON.parse(row.keys ?? '[]') as readonly string[];
  const terms = termsOf({
    numbers: definedItems([row.identifier, sourceNumberOf(keys, row.identifier), row.name]),
    counterparty: definedItems([facts.counterparty, facts.receiver]),
    trackingIds: definedItems([row.tracking, ...attempts.map(([, , id]) => id)].map((id) => id ?? undefined)),
    requestIds: definedItems([row.request_id, ...attempts.map(([id]) => id)].map((id) => id ?? undefined)),
    file: row.file_name,
    amount: facts.amount,
    runs: definedItems([row.run, row.begun_run, ...attempts.map(([, run]) => run)].map((run) => run ?? undefined)),
  });
  const [first, ...others] = TERM_COLUMNS;
  return [terms[first], ...others.map((column) => terms[column])];
}

/** From a row to the `n` of its file. */
function fileNumbers(index: DatabaseSync): (row: EntryRow) => number {
  const put: StatementSync = index.prepare(`INSERT INTO file (id, folded, mapping, run, day) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET mapping = excluded.mapping RETURNING n`);
  let latest: { readonly id: string; readonly n: number } | undefined;
  return ({ file_id: id, file_name: name, mapping_id: mapping, run, day }) => {
    if (latest?.id !== id) latest = { id, n: Number(put.get(id, wholeTerm(name), mapping, run, day)?.n) };
    return latest.n;
  };
}

function inOneCommit<T>(index: DatabaseSync, work: () => T): T {
  index.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    index.exec('COMMIT');
    return result;
  } catch (error) {
    if (index.isTransaction) index.exec('ROLLBACK');
    throw error;
  }
}

function readMarks(index: DatabaseSync): Marks | undefined {
  return readMark<Marks>(index, 'ledger');
}

/** After `startAnew` there are some. */
function marksOf(index: DatabaseSync): Marks {
  const marks = readMarks(index);
  if (!marks) throw new Error('the search index has lost its marks');
  return marks;
}

function readMark<T>(index: DatabaseSync, name: 'ledger' | 'read'): T | undefined {
  const row = index.prepare('SELECT value FROM mark WHERE name = ?').get(name);
  return row && (JSON.parse(String(row.value)) as T);
}

function writeMark(index: DatabaseSync, name: 'ledger' | 'read', value: object | string): void {
  index.prepare('INSERT OR REPLACE INTO mark (name, value) VALUES (?, ?)').run(name, JSON.stringify(value));
}
