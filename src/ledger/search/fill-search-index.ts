/**
 * Brings the search index up to the ledger, a step in each commit, so that neither is locked for long. It follows the two
 * tables to which every change of an entry adds a row, `event` and `attempt`, by their row numbers; entries on their way
 * are read each time. Marks that do not fit the ledger, or a purge since, clear the index: then everything is read. Several
 * processes may do this at the same time: each step begins with the marks as they are within its own commit.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { workOf } from '../../model/cause.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import type { DocumentFacts } from '../../model/document.ts';
import { readStoredFaults } from '../../model/fault.ts';
import { type Closing, type Evidence, NOT_PASSED, sourceNumberOf } from '../../model/ledger-entry.ts';
import { readStoredHold } from '../../model/recorded-words.ts';
import { type State, WAITING_STATES } from '../../model/state.ts';
import { type DocumentTerms, digitsTerm, termsOf, wholeTerm } from './search-terms.ts';

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
  event: 'SELECT rowid AS row, id, entry, file FROM event WHERE rowid > ? ORDER BY rowid LIMIT ?',
  attempt: `SELECT rowid AS row, entry || ' ' || act || ' ' || n AS id, entry, NULL AS file FROM attempt WHERE rowid > ?
    ORDER BY rowid LIMIT ?`,
} as const;

const FILE = `SELECT id, name, state, mapping_id, run, day, rereads IS NOT NULL AS rereads FROM source_file WHERE`;
const WAITS = WAITING_STATES.map((state) => `'${state}'`).join(', ');

/** The tracking id of an attempt is in its answer; the facts of a purged document have only its number. */
const ENTRY = `SELECT e.id, e.state, e.since, e.service, e.identifier, e.name, e.request_id, e.begun_run, r.revision, r.class, r.facts, r.keys,
  e.answer ->> '$.trackingId' AS tracking, instr(r.faults, '"level":"warning"') > 0 AS warnings,
  e.answer ->> '$.code' AS code, CASE WHEN e.state IN (${WAITS}) THEN r.faults END AS faults, e.hold, e.evidence,
  CASE WHEN e.closed_since = e.since THEN e.closed END AS closed,
  f.id AS file_id, f.name AS file_name, f.mapping_id, f.run, f.day, f.state AS file_state, f.rereads,
  (SELECT json_group_array(json_array(a.request_id, a.run, a.answer ->> '$.trackingId')) FROM attempt a WHERE a.entry = e.id) AS attempts
  FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision JOIN source_file f ON f.id = r.file
  WHERE e.state <> 'staged' AND`;

type EntryRow = {
  readonly [column in
    | 'id'
    | 'state'
    | 'service'
    | 'class'
    | 'identifier'
    | 'name'
    | 'facts'
    | 'file_id'
    | 'file_name'
    | 'file_state'
    | 'run'
    | 'day'
    | 'attempts']: string;
} & {
  readonly [column in
    | 'request_id'
    | 'begun_run'
    | 'keys'
    | 'tracking'
    | 'mapping_id'
    | 'faults'
    | 'hold'
    | 'evidence'
    | 'closed'
    | 'rereads']: string | null;
} & { readonly revision: number; readonly since: number; readonly warnings: number; readonly code: number | null };

type FileRow = {
  readonly [column in 'id' | 'name' | 'state' | 'run' | 'day']: string;
} & { readonly mapping_id: string | null; readonly rereads: number };

/** What of the ledger is read first, in this order; the mark is removed once all is. */
type ReadMark = { readonly what: 'file' | 'entry'; readonly after: string };

/** `reading` everything, or `following` changes, until the index has all that the ledger had at the last step. */
export type FillStep = 'reading' | 'following' | 'done';

/** One commit that reads at most `most` files or entries, or follows as many changes; entries on their way come last. */
export function fillStep(index: DatabaseSync, ledger: DatabaseSync, most: number): FillStep {
  return inOneCommit(index, () => {
    const marks = readMarks(index);
    if (!fits(marks, ledger)) {
      startAnew(index, ledger);
      return 'reading';
    }
    const read = readMark<ReadMark>(index, 'read');
    if (read) {
      readOn(index, ledger, read, most);
      return 'reading';
    }
    if (followFeeds(index, ledger, marks, most)) return 'following';
    const sending = ledger.prepare(`SELECT id FROM entry WHERE state = 'sending'`).all();
    putEntries(
      index,
      ledger,
      sending.map(({ id }) => String(id)),
    );
    return 'done';
  });
}

/** Whether there is anything for `fillStep` to do, found without a lock. */
export function isBehind(index: DatabaseSync, ledger: DatabaseSync): boolean {
  const marks = readMarks(index);
  if (!fits(marks, ledger) || readMark(index, 'read') !== undefined) return true;
  const has = (table: FeedTable) => ledger.prepare(AFTER[table]).get(marks[table].row, 1) !== undefined;
  if (has('event') || has('attempt')) return true;
  return ledger.prepare(`SELECT 1 FROM entry WHERE state = 'sending' LIMIT 1`).get() !== undefined;
}

/** Whether everything was read once, so that questions can be answered; changes may still have to be followed. */
export function isFilledOnce(index: DatabaseSync, ledger: DatabaseSync): boolean {
  return fits(readMarks(index), ledger) && !isReading(index);
}

/** Whether everything is being read for the first time, by any process. */
export function isReading(index: DatabaseSync): boolean {
  return readMark(index, 'read') !== undefined;
}

/** Documents read so far, nearly, and all. */
export function fillProgress(index: DatabaseSync, ledger: DatabaseSync): Parameters<FillProgress> {
  const [done] = Object.values(index.prepare('SELECT MAX(n) FROM document').get() ?? {});
  const [all] = Object.values(ledger.prepare('SELECT COUNT(*) FROM entry').get() ?? {});
  return [Number(done ?? 0), Number(all)];
}

/** Whether the rows of the marks are still in the ledger: another ledger, or an earlier copy of it, has others. */
function fits(marks: Marks | undefined, ledger: DatabaseSync): marks is Marks {
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
  for (const table of ['mark', 'file', 'document', 'number', 'word']) index.exec(`DELETE FROM ${table}`);
  index.exec(`INSERT INTO term (term) VALUES ('delete-all')`);
  const last = (table: FeedTable) => (ledger.prepare(LAST[table]).get() ?? { row: 0, id: '' }) as RowMark;
  writeMark(index, 'ledger', { installation: installationOf(ledger), event: last('event'), attempt: last('attempt') });
  writeMark(index, 'epoch', { id: randomUUID() });
  writeMark(index, 'read', { what: 'file', after: '' } satisfies ReadMark);
}

/** Files and then entries, in the order of their ids after the last one read. */
function readOn(index: DatabaseSync, ledger: DatabaseSync, { what, after }: ReadMark, most: number): void {
  const select = what === 'file' ? `${FILE} id > ? ORDER BY id LIMIT ?` : `${ENTRY} e.id > ? ORDER BY e.id LIMIT ?`;
  const rows = ledger.prepare(select).all(after, most);
  if (what === 'file') putFiles(index, rows as unknown as readonly FileRow[]);
  else putRows(index, rows as unknown as readonly EntryRow[], 0);
  const last = rows.at(-1);
  if (last && rows.length === most) writeMark(index, 'read', { what, after: String(last.id) } satisfies ReadMark);
  else if (what === 'file') writeMark(index, 'read', { what: 'entry', after: '' } satisfies ReadMark);
  else index.exec(`DELETE FROM mark WHERE name = 'read'`);
}

type FeedRow = RowMark & { readonly [column in 'entry' | 'file']: string | null };

/**
 * Reads the entries and files of the next rows of both tables once more: most entries are in both, and are read once.
 * False when there are none.
 */
function followFeeds(index: DatabaseSync, ledger: DatabaseSync, marks: Marks, most: number): boolean {
  const next = (table: FeedTable) =>
    ledger.prepare(AFTER[table]).all(marks[table].row, most) as unknown as readonly FeedRow[];
  const [events, attempts] = [next('event'), next('attempt')];
  const rows = [...events, ...attempts];
  if (rows.length === 0) return false;
  const files = new Set(definedItems(rows.map(({ file }) => file ?? undefined)));
  const some = ledger.prepare(`${FILE} id IN (SELECT value FROM json_each(?)) ORDER BY id`);
  if (files.size > 0) putFiles(index, some.all(JSON.stringify([...files])) as unknown as readonly FileRow[]);
  putEntries(index, ledger, definedItems(rows.map(({ entry }) => entry ?? undefined)));
  const markOf = (last: FeedRow | undefined, before: RowMark) => (last ? { row: last.row, id: last.id } : before);
  const event = markOf(events.at(-1), marks.event);
  writeMark(index, 'ledger', { ...marks, event, attempt: markOf(attempts.at(-1), marks.attempt) });
  return true;
}

function putEntries(index: DatabaseSync, ledger: DatabaseSync, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const some = ledger.prepare(`${ENTRY} e.id IN (SELECT value FROM json_each(?)) ORDER BY e.id`);
  const [turn] = Object.values(index.prepare('SELECT MAX(turn) FROM document WHERE turn > 0').get() ?? {});
  putRows(index, some.all(JSON.stringify([...new Set(ids)])) as unknown as readonly EntryRow[], Number(turn ?? 0) + 1);
}

function putFiles(index: DatabaseSync, rows: readonly FileRow[]): void {
  const put = index.prepare(PUT_FILE);
  for (const { id, name, mapping_id: mapping, run, day, state, rereads } of rows) {
    put.get(id, wholeTerm(name), mapping, run, day, state, rereads);
  }
}

/** Within one commit: in another one the numbers of files may be others. */
function putRows(index: DatabaseSync, rows: readonly EntryRow[], turn: number): void {
  const fileNumber = fileNumbers(index);
  const known = index.prepare('SELECT n, terms, numbers FROM document WHERE id = ?');
  const insert =
    index.prepare(`INSERT INTO document (state, service, file, since, warnings, numbers, terms, work, turn, id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const update =
    index.prepare(`UPDATE document SET state = ?, service = ?, file = ?, since = ?, warnings = ?, numbers = ?,
    terms = ?, work = ?, turn = ? WHERE id = ?`);
  const putTerms = index.prepare('INSERT OR REPLACE INTO term (rowid, terms) VALUES (?, ?)');
  const numbers = numberRows(index);
  const putWord = wordRows(index);
  for (const row of rows) {
    const { whole, terms, words } = searchedTerms(row);
    const checksum = crc32(`${whole}\n${terms}`);
    const warnings = row.warnings === 1 && !NOT_PASSED.includes(row.state as State) ? 1 : 0;
    const { state, service, since, id } = row;
    const file = fileNumber(row);
    const values = [state, service, file, since, warnings, whole, checksum, workText(row), turn, id] as const;
    const former = known.get(id);
    const n = former ? Number(former.n) : Number(insert.run(...values).lastInsertRowid);
    if (former) update.run(...values);
    if (former?.terms === checksum) continue;
    if (former) numbers.remove(String(former.numbers), n);
    numbers.put(whole, n);
    for (const word of words.split(' ')) putWord(word);
    putTerms.run(n, terms);
  }
}

/** The numbers of a document, and their digits alone. */
function numberRows(index: DatabaseSync) {
  const insert = index.prepare('INSERT OR IGNORE INTO number (term, n, whole) VALUES (?, ?, ?)');
  const remove = index.prepare('DELETE FROM number WHERE term = ? AND n = ?');
  const termsIn = (numbers: string) => {
    const whole = numbers.split(' ').filter((term) => term !== '');
    return { whole, digits: definedItems(whole.map(digitsTerm)) };
  };
  return {
    put: (numbers: string, n: number) => {
      const { whole, digits } = termsIn(numbers);
      for (const term of whole) insert.run(term, n, 1);
      for (const term of digits) insert.run(term, n, 0);
    },
    remove: (numbers: string, n: number) => {
      const { whole, digits } = termsIn(numbers);
      for (const term of [...whole, ...digits]) remove.run(term, n);
    },
  };
}

function wordRows(index: DatabaseSync): (word: string) => void {
  const insert = index.prepare('INSERT OR IGNORE INTO word (term) VALUES (?)');
  const done = new Set<string>(['']);
  return (word) => {
    if (done.has(word)) return;
    done.add(word);
    insert.run(word);
  };
}

/** Null for a document that does not wait for a person. */
function workText(row: EntryRow): string | null {
  if (row.faults === null) return null;
  const { id, service, code, hold, evidence, closed, file_id, file_name, rereads, mapping_id } = row;
  return JSON.stringify(
    workOf({
      id,
      revision: row.revision,
      class: row.class,
      service,
      state: row.state as State,
      faults: readStoredFaults(row.faults),
      facts: JSON.parse(row.facts) as DocumentFacts,
      file: definedOnly({
        id: file_id,
        name: file_name,
        rereads: rereads ?? undefined,
        mapping: mapping_id === null ? undefined : { id: mapping_id },
      }),
      ...(code !== null && { answer: { code } }),
      ...(hold !== null && { hold: readStoredHold(hold) }),
      ...(evidence !== null && { evidence: JSON.parse(evidence) as Evidence }),
      ...(closed !== null && { closed: JSON.parse(closed) as Closing }),
    }),
  );
}

function searchedTerms(row: EntryRow): DocumentTerms {
  const facts = JSON.parse(row.facts) as DocumentFacts;
  const attempts = JSON.parse(row.attempts) as readonly (readonly [string, string, string | null])[];
  const keys = JSON.parse(row.keys ?? '[]') as readonly string[];
  return termsOf({
    numbers: definedItems([row.identifier, sourceNumberOf(keys, row.identifier), row.name]),
    counterparty: definedItems([facts.counterparty, facts.receiver]),
    trackingIds: definedItems([row.tracking, ...attempts.map(([, , id]) => id)].map((id) => id ?? undefined)),
    requestIds: definedItems([row.request_id, ...attempts.map(([id]) => id)].map((id) => id ?? undefined)),
    file: row.file_name,
    amount: facts.amount,
    runs: definedItems([row.run, row.begun_run, ...attempts.map(([, run]) => run)].map((run) => run ?? undefined)),
  });
}

const PUT_FILE = `INSERT INTO file (id, folded, mapping, run, day, state, rereads) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET mapping = excluded.mapping, state = excluded.state RETURNING n`;

/** From a row to the `n` of its file. */
function fileNumbers(index: DatabaseSync): (row: EntryRow) => number {
  const put: StatementSync = index.prepare(PUT_FILE);
  let latest: { readonly id: string; readonly n: number } | undefined;
  return ({ file_id: id, file_name: name, mapping_id: mapping, run, day, file_state: state, rereads }) => {
    if (latest?.id !== id) {
      const row = put.get(id, wholeTerm(name), mapping, run, day, state, rereads === null ? 0 : 1);
      latest = { id, n: Number(row?.n) };
    }
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

function readMark<T>(index: DatabaseSync, name: 'ledger' | 'read'): T | undefined {
  const row = index.prepare('SELECT value FROM mark WHERE name = ?').get(name);
  return row && (JSON.parse(String(row.value)) as T);
}

function writeMark(index: DatabaseSync, name: 'ledger' | 'read' | 'epoch', value: object): void {
  index.prepare('INSERT OR REPLACE INTO mark (name, value) VALUES (?, ?)').run(name, JSON.stringify(value));
}
