/**
 * Brings the search index up to the ledger, a step in each commit, so that neither is locked for long. It follows the two
 * tables to which every change of an entry adds a row, `event` and `attempt`; entries on their way are read each time.
 * Marks that do not fit the ledger, or a purge since, clear the index: then everything is read. Several processes may do
 * this at the same time: what was read under marks that another one has moved meanwhile is dropped, and read again.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { definedItems } from '../model/defined-only.ts';
import type { DocumentFacts } from '../model/document.ts';
import { NOT_PASSED, sourceNumberOf } from '../model/ledger-entry.ts';
import type { State } from '../model/state.ts';
import { inOneCommit, type ReadMark, readMarks, startOver, writeMark } from './index-marks.ts';
import type { EntryRow, FileRow, LedgerMark, LedgerReader, LedgerSource } from './ledger-source.ts';
import { type DocumentTerms, digitsTerm, termsOf, wholeTerm } from './search-terms.ts';

/** Documents in the index, and all of the ledger. */
export type FillProgress = (done: number, all: number) => void;

/** `reading` everything, or `following` changes, until the index has all that the ledger had at the last step. */
export type FillStep = 'reading' | 'following' | 'done';

/** Rows of the ledger for one commit of the index, and the mark that they move. */
type Batch =
  | { readonly as: 'first'; readonly mark: LedgerMark }
  | { readonly as: 'files'; readonly files: readonly FileRow[]; readonly read: ReadMark }
  | { readonly as: 'entries'; readonly entries: readonly EntryRow[]; readonly read: ReadMark | undefined }
  | {
      readonly as: 'changes';
      readonly files: readonly FileRow[];
      readonly entries: readonly EntryRow[];
      readonly mark: LedgerMark;
    }
  | { readonly as: 'sending'; readonly entries: readonly EntryRow[] };

const STEP_OF = {
  first: 'reading',
  files: 'reading',
  entries: 'reading',
  changes: 'following',
  sending: 'done',
} as const;

/** One commit with at most `most` files or entries, or as many changes; entries on their way come last. */
export async function fillStep(index: DatabaseSync, ledger: LedgerReader, most: number): Promise<FillStep> {
  const marks = readMarks(index, 'ledger', 'read');
  const batch = await ledger.read((source) => nextBatch(source, marks, most));
  if (!batch) return 'done';
  return inOneCommit(index, () => {
    if (readMarks(index, 'ledger', 'read').text !== marks.text) return 'following';
    putBatch(index, batch);
    return STEP_OF[batch.as];
  });
}

/** Undefined if the index has everything. */
async function nextBatch(
  source: LedgerSource,
  { ledger, read }: Pick<ReturnType<typeof readMarks<'ledger' | 'read'>>, 'ledger' | 'read'>,
  most: number,
): Promise<Batch | undefined> {
  // The mark comes first: what changes while all entries are read is then followed.
  if (!ledger || !(await source.fits(ledger))) return { as: 'first', mark: await source.mark() };
  if (read) return await nextToRead(source, read, most);
  const changes = await source.changesAfter(ledger, most);
  if (changes) {
    const { mark } = changes;
    const files = changes.files.length > 0 ? await source.filesById(changes.files) : [];
    const entries = changes.entries.length > 0 ? await source.entriesById(changes.entries) : [];
    return { as: 'changes', files, entries, mark };
  }
  const sending = await source.sending();
  return sending.length > 0 ? { as: 'sending', entries: await source.entriesById(sending) } : undefined;
}

/** Files and then entries, in the order of their ids after the last one read. */
async function nextToRead(source: LedgerSource, { what, after }: ReadMark, most: number): Promise<Batch> {
  if (what === 'file') {
    const files = await source.files(after, most);
    const last = files.length === most ? files.at(-1) : undefined;
    return { as: 'files', files, read: last ? { what: 'file', after: last.id } : { what: 'entry', after: '' } };
  }
  const entries = await source.entries(after, most);
  const last = entries.length === most ? entries.at(-1) : undefined;
  return { as: 'entries', entries, read: last && { what: 'entry', after: last.id } };
}

/** Whether everything was read once, so that questions can be answered; changes may still have to be followed. */
export async function isFilledOnce(index: DatabaseSync, source: LedgerSource): Promise<boolean> {
  const { ledger, read } = readMarks(index, 'ledger', 'read');
  return ledger !== undefined && read === undefined && (await source.fits(ledger));
}

/** Whether everything is being read for the first time, by any process. */
export function isReading(index: DatabaseSync): boolean {
  return readMarks(index, 'read').read !== undefined;
}

/** Documents read so far, nearly, and all. */
export async function fillProgress(index: DatabaseSync, source: LedgerSource): Promise<Parameters<FillProgress>> {
  const [done] = Object.values(index.prepare('SELECT MAX(n) FROM document').get() ?? {});
  return [Number(done ?? 0), await source.countEntries()];
}

function putBatch(index: DatabaseSync, batch: Batch): void {
  if (batch.as === 'first') {
    startOver(index, batch.mark);
    return;
  }
  if (batch.as === 'files' || batch.as === 'changes') putFiles(index, batch.files);
  if (batch.as !== 'files') putRows(index, batch.entries);
  if (batch.as === 'changes') writeMark(index, 'ledger', batch.mark);
  if (batch.as === 'files' || batch.as === 'entries') writeMark(index, 'read', batch.read);
}

function putFiles(index: DatabaseSync, rows: readonly FileRow[]): void {
  const put = index.prepare(PUT_FILE);
  for (const { id, name, mapping_id: mapping, run, day, state, rereads } of rows) {
    put.get(id, wholeTerm(name), mapping, run, day, state, rereads);
  }
}

/** Within one commit: in another one the numbers of files may be others. */
function putRows(index: DatabaseSync, rows: readonly EntryRow[]): void {
  const fileNumber = fileNumbers(index);
  const known = index.prepare('SELECT n, terms, numbers FROM document WHERE id = ?');
  const insert = index.prepare(`INSERT INTO document (state, service, file, since, warnings, numbers, terms, id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const update =
    index.prepare(`UPDATE document SET state = ?, service = ?, file = ?, since = ?, warnings = ?, numbers = ?,
    terms = ? WHERE id = ?`);
  const putTerms = index.prepare('INSERT OR REPLACE INTO term (rowid, terms) VALUES (?, ?)');
  const numbers = numberRows(index);
  const putWord = wordRows(index);
  for (const row of rows) {
    const { whole, terms, words } = searchedTerms(row);
    const checksum = crc32(`${whole}\n${terms}`);
    const warnings = row.warnings === 1 && !NOT_PASSED.includes(row.state as State) ? 1 : 0;
    const { state, service, since, id } = row;
    const file = fileNumber(row);
    const values = [state, service, file, since, warnings, whole, checksum, id] as const;
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
