/**
 * A ledger imports what an earlier state of it wrote: documents and files that it does not know, because it is a backup or
 * a new one, are entered with their identities, and outcomes from after the backup replace those of the backup.
 *
 * The purpose is that nothing can be issued twice. A document that was queued may have been sent since: it is held.
 */

import type { DatabaseRow, DatabaseValue, Statements } from '../../database/database-driver.ts';
import { takeIdentity } from '../../database/identity-index.ts';
import { storedKey } from '../../database/stored-key.ts';
import type { Language } from '../../i18n/message.ts';
import type { Hold } from '../../model/document.ts';
import type { GivenNumber, SourceFile } from '../../model/ledger-entry.ts';
import { readStoredHold, storedHold } from '../../model/recorded-words.ts';
import { allows, mayBeOut, type State } from '../../model/state.ts';
import { receiptNameKey } from '../../text/receipt-file-name.ts';
import { optional, text, valueIn } from '../contract/ledger-context.ts';
import { combineHolds } from './combine-holds.ts';
import { attemptsOfLatest, type ImportedAttempt, importAttempts, isAnswerKnown } from './import-attempts.ts';
import { keepNumbers } from './number-sequences.ts';
import { UNKNOWN_CONTENT } from './sent-contents.ts';
import { TOUCH_SUMMARY } from './touch-summary.ts';

export type ImportedFile = Pick<
  SourceFile,
  'id' | 'name' | 'sha256' | 'size' | 'modifiedAt' | 'claimedAt' | 'day' | 'run' | 'path'
> & {
  /** loading: known from receipts alone, so it is read again. */
  readonly state: 'admitted' | 'refused' | 'duplicate' | 'loading';
  readonly mapping: { readonly id: string } | null;
  readonly encoding: string | null;
  readonly rows: number;
  readonly leftOut: readonly object[];
  readonly faults: readonly object[];
  /** Its bytes are still in processing/: the next run archives it. */
  readonly isUnderWay?: boolean | undefined;
};

/** A document as its receipt describes it. */
export type ImportedEntry = {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  readonly file: string;
  readonly service: string;
  readonly kind: string;
  readonly class: string;
  readonly state: string;
  readonly since: string;
  readonly rows: readonly number[];
  readonly keys: readonly string[];
  /** Of earlier contents; absent in receipts of older versions. */
  readonly former?: readonly string[] | undefined;
  readonly digest: string;
  readonly numbers: readonly GivenNumber[];
  readonly facts: { readonly identifier: string };
  readonly receiver: string | null;
  readonly faults: readonly object[];
  readonly attempts: readonly ImportedAttempt[];
  readonly answer: object | null;
  readonly evidence: object | null;
  /** The decision of a person that it needs no action in its state. */
  readonly closed: object | null;
  /** Another document was there first. */
  readonly isRepeated: boolean;
  readonly hold: { readonly rule: string; readonly says: string } | null;
  readonly payload: { readonly text: string | null; readonly sha256: string | null };
  /** Hash of the link before that of the receipt; null in the first. */
  readonly previous: string | null;
  /** The place of the receipt. */
  readonly folder: string;
  readonly day: string;
};

const insert = (table: string, columns: readonly string[], rest = '') =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ${rest}`;

const FILE = insert(
  'source_file',
  [
    ...['id', 'name', 'sha256', 'size', 'modified_at', 'claimed_at', 'day', 'run', 'path', 'state'],
    ...['mapping_id', 'mapping', 'encoding', 'row_count', 'left_out', 'faults', 'archived_at'],
  ],
  // Replaces only a file that was being read when the copy was made.
  `ON CONFLICT (id) DO UPDATE SET path = excluded.path, state = excluded.state, mapping_id = excluded.mapping_id,
    mapping = excluded.mapping, encoding = excluded.encoding, row_count = excluded.row_count,
    left_out = excluded.left_out, faults = excluded.faults, archived_at = excluded.archived_at
    WHERE source_file.state = 'loading'`,
);
const ENTRY = insert(
  'entry',
  [
    ...['id', 'name', 'name_key', 'revision', 'service', 'class', 'identifier', 'state', 'since', 'code', 'answer'],
    ...['evidence', 'hold', 'receiver', 'submits', 'consults', 'resolves', 'sent_digest', 'closed'],
    ...['closed_since', 'receipt_folder', 'receipt_day', 'tries', 'not_found', 'receipt_due'],
  ],
  'ON CONFLICT DO NOTHING',
);
/** Of what was read again, rows may be in other documents too. The last parameter is the file once more. */
const REVISION = `INSERT INTO revision (entry, revision, file, first_row, source_rows, kind, class, outcome, digest,
  content_sha256, facts, faults, content, keys, moved)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT rereads FROM source_file WHERE id = ?)) ON CONFLICT DO NOTHING`;
const UPDATE = `UPDATE entry SET revision = ?, class = ?, identifier = ?, state = ?, since = ?, code = ?, answer = ?,
  evidence = ?, hold = ?, receiver = ?, submits = ?, consults = ?, resolves = ?, sent_digest = ?, closed = ?,
  closed_since = ?, receipt_folder = ?, receipt_day = ?, due_at = NULL, consult_at = NULL,
  request_id = NULL, begun_at = NULL, begun_run = NULL, receipt_due = 1 WHERE id = ?`;
/** Of a ledger that knows attempts which the receipt does not show: each of them has a number of its own. */
const COUNTS = `UPDATE entry SET submits = ${countOf('submit')}, consults = ${countOf('consult')}, resolves = ${countOf('resolve')}
  WHERE id = ?`;
/** Another entry has its number. */
const OWNER = `SELECT e.id, e.state, e.hold FROM identity i JOIN entry e ON e.id = i.entry WHERE i.key = ? AND e.id <> ?
  AND ((e.hold IS NULL AND e.state IN ('invalid', 'rejected', 'conflict')) OR e.state = 'held')`;

/** This one may have been sent under the number of another entry, as by a rebuilt ledger: that one waits, or what takes its place. */
async function holdOwner(
  sql: Statements,
  { id, key }: { readonly id: string; readonly key: string },
  { hold, language }: Pick<Importing, 'hold' | 'language'>,
): Promise<void> {
  for (const owner of await sql.all(OWNER, storedKey(key), id)) {
    const { other } = optional('other', owner.hold, readStoredHold);
    if (owner.state === 'held' && mayBeOut(other?.rule)) continue;
    const held = storedHold(combineHolds({ language }, hold, other));
    await sql.run('UPDATE entry SET hold = ?, receipt_due = 1 WHERE id = ?', held, text(owner, 'id'));
  }
}

/** Files first, then the entries that were made of them. Within a transaction of the caller. */
export async function importFile(sql: Statements, file: ImportedFile): Promise<void> {
  const { mapping } = file;
  const isArchived = file.state !== 'loading' && !file.isUnderWay;
  const changes = await sql.run(
    FILE,
    ...[file.id, file.name, file.sha256, file.size, file.modifiedAt, file.claimedAt, file.day, file.run, file.path],
    ...[file.state, mapping?.id ?? null, mapping ? JSON.stringify(mapping) : null, file.encoding, file.rows],
    ...[JSON.stringify(file.leftOut), JSON.stringify(file.faults), isArchived ? file.claimedAt : null],
  );
  if (changes > 0)
    await sql.run('INSERT INTO summary (file, changes, written) VALUES (?, 1, 0) ON CONFLICT DO NOTHING', file.id);
}

/** `hold`: of what may have been sent since; `language`: in which its reason is recorded. */
export type Importing = { readonly hold: Hold; readonly nextDay: string; readonly language: Language };

/**
 * True if the ledger did not know the entry, or knew less about it. Consultations of it are due from `nextDay` (ISO 8601)
 * on.
 */
export async function importEntry(
  sql: Statements,
  entry: ImportedEntry,
  { hold, nextDay, language }: Importing,
): Promise<boolean> {
  const known = 'SELECT revision, state, since, submits, sent_digest, answer FROM entry WHERE id = ?';
  const [recorded] = await sql.all(known, entry.id);
  const sinceMs = Date.parse(entry.since);
  if (recorded && !(await hasNews(sql, recorded, entry))) return false;
  const queued = entry.state === 'ready' || entry.state === 'sending';
  const state = queued ? 'held' : entry.state;
  const count = (act: string) => entry.attempts.filter((one) => one.act === act).length;
  const isOfLatest = await attemptsOfLatest(sql, entry);
  const held = queued ? heldWith(hold, entry, language) : json(entry.hold);
  const code = (entry.answer as { readonly code?: number } | null)?.code ?? null;
  const common: DatabaseValue[] = [
    state,
    sinceMs,
    code,
    (await isAnswerKnown(sql, entry, recorded)) ? (recorded?.answer ?? null) : json(entry.answer),
    json(entry.evidence),
    held,
    entry.receiver,
  ];
  const closed = [json(entry.closed), entry.closed === null ? null : sinceMs];
  const counts = [
    count('submit'),
    count('consult'),
    count('resolve'),
    sentDigest(entry, recorded, isOfLatest),
    ...closed,
  ];
  const { identifier } = entry.facts;
  // The staged revision of the copy is this one, or one before it.
  await sql.run('DELETE FROM staged WHERE entry = ? AND revision <= ?', entry.id, entry.revision);
  if (recorded) {
    const { revision, folder, day, id } = entry;
    await sql.run(UPDATE, revision, entry.class, identifier, ...common, ...counts, folder, day, id);
  } else if (!(await insertEntry(sql, entry, [identifier, ...common, ...counts]))) return false;
  await sql.run(
    REVISION,
    ...[entry.id, entry.revision, entry.file, entry.rows[0] ?? 0, JSON.stringify(entry.rows), entry.kind, entry.class],
    ...[
      outcomeOf(entry, state),
      entry.digest,
      entry.payload.sha256,
      JSON.stringify(entry.facts),
      JSON.stringify(entry.faults),
    ],
    ...[entry.payload.text, JSON.stringify(entry.keys), entry.file],
  );
  const keys = [...entry.keys, ...(entry.former ?? [])];
  for (const key of keys) {
    await takeIdentity(sql, { key, entry: entry.id, file: entry.file });
    await holdOwner(sql, { id: entry.id, key }, { hold, language });
  }
  await keepNumbers(sql, { keys, numbers: entry.numbers });
  await importAttempts(sql, entry, isOfLatest);
  await sql.run(COUNTS, entry.id);
  const ask = `UPDATE entry SET consult_at = ? WHERE id = ? AND state IN ('contingency', 'in-doubt', 'returned')`;
  await sql.run(ask, Date.parse(nextDay), entry.id);
  await sql.run(TOUCH_SUMMARY, entry.file);
  return true;
}

/** What its rows made: a document with a content is `invalid` because a person has set it aside. */
function outcomeOf({ payload, isRepeated }: ImportedEntry, state: string): string {
  if (state !== 'invalid' || payload.sha256 === null) return state;
  return isRepeated ? 'conflict' : 'held';
}

/** A file was read again, for some of its documents. It goes to the archive with the first reading. */
export async function importReading(sql: Statements, file: string, first: string): Promise<void> {
  const ofFirst = 'SELECT 1 FROM source_file o WHERE o.id = ?';
  await sql.run(
    `UPDATE source_file SET rereads = ?, path = (SELECT o.path FROM source_file o WHERE o.id = ?),
     archived_at = CASE WHEN EXISTS (${ofFirst} AND o.archived_at IS NULL) THEN NULL ELSE archived_at END
     WHERE id = ? AND rereads IS NULL AND EXISTS (${ofFirst})`,
    ...[first, first, first, file, first],
  );
  await sql.run(`UPDATE revision SET moved = ? WHERE file = ? AND moved IS NULL AND source_rows <> '[]'`, first, file);
}

/** Two files were read together. */
export async function importPartner(sql: Statements, file: string, partner: string): Promise<void> {
  await sql.run('UPDATE source_file SET partner = ? WHERE id = ? AND partner IS NULL', partner, file);
}

/** A file has the same bytes as an earlier one. */
export async function importFirst(sql: Statements, file: string, first: string): Promise<void> {
  const set = `UPDATE source_file SET first = ? WHERE id = ? AND first IS NULL
    AND EXISTS (SELECT 1 FROM source_file o WHERE o.id = ?)`;
  await sql.run(set, first, file, first);
}

/** Whether another document was made of these rows of the file: of one ledger, no two are. Any number have given all their rows to one. */
export async function areOfAnother(
  sql: Statements,
  { id, file, rows }: { readonly id: string; readonly file: string; readonly rows: readonly number[] },
): Promise<boolean> {
  if (rows.length === 0) return false;
  const other = 'SELECT 1 FROM revision WHERE file = ? AND first_row = ? AND source_rows = ? AND entry <> ? LIMIT 1';
  return (await sql.all(other, file, rows[0] ?? 0, JSON.stringify(rows), id)).length > 0;
}

/** The rows of a document in a file that a later one has corrected; the content that they made is in no receipt. */
export type FormerRevision = {
  readonly file: string;
  readonly number: string;
  readonly rows: readonly number[];
  readonly rules: string | null;
};

/** `formers`: the oldest first, and of one file each that it may be. Those that the ledger has already stay as they are. */
export async function importFormers(
  sql: Statements,
  { id, formers }: { readonly id: string; readonly formers: readonly FormerRevision[] },
): Promise<void> {
  const [entry] = await sql.all(
    'SELECT r.revision, r.kind, r.class FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision WHERE e.id = ?',
    id,
  );
  if (!entry) return;
  const known = await sql.all('SELECT revision, file FROM revision WHERE entry = ?', id);
  const [taken, files] = [new Set(known.map(({ revision }) => revision)), new Set(known.map(({ file }) => file))];
  let revision = entry.revision as number;
  for (const { file, number, rows, rules } of formers.toReversed()) {
    if (files.has(file) || (await areOfAnother(sql, { id, file, rows }))) continue;
    // After a clock went back, the order of the files is not that of the revisions.
    while (taken.has(revision)) revision--;
    if (revision < 1) return;
    taken.add(revision);
    files.add(file);
    const facts = JSON.stringify({ identifier: number, ...(rules !== null && { rules }) });
    await sql.run(
      REVISION,
      ...[id, revision, file, rows[0] ?? 0, JSON.stringify(rows), text(entry, 'kind'), text(entry, 'class')],
      ...['invalid', UNKNOWN_CONTENT, null, facts, '[]', null, null, file],
    );
  }
}

/** What takes the place of these would be sent, and may be what was sent before. */
const REPLACED = new Set(['invalid', 'rejected', 'conflict', 'held']);

/** Digest of the content that was last sent. */
function sentDigest(
  { digest, state, attempts }: ImportedEntry,
  recorded: DatabaseRow | undefined,
  isOfLatest: (one: ImportedAttempt) => boolean,
): DatabaseValue {
  const sent = attempts.filter(({ act }) => act === 'submit');
  if (recorded && Number(recorded.submits) === sent.length) return valueIn(recorded, 'sent_digest');
  const last = sent.at(-1);
  if (!last) return null;
  return isOfLatest(last) || !REPLACED.has(state) ? digest : UNKNOWN_CONTENT;
}

function heldWith(hold: Hold, { hold: other }: ImportedEntry, language: Language): string {
  return storedHold(combineHolds({ language }, hold, other === null ? undefined : (other as Hold)));
}

/** A document that one of them is done with is sent as it is. */
export const ACTS_THAT_QUEUE = ['release', 'retry'] as const;

/**
 * An outcome in the receipt replaces a state in the ledger that waits or is in doubt; otherwise the later one counts.
 */
function isNewer(recorded: DatabaseRow, { state, since, attempts }: ImportedEntry): boolean {
  if (attempts.filter(({ act }) => act === 'submit').length > Number(recorded.submits)) return true;
  const ended = state !== 'ready' && state !== 'sending' && state !== 'held' && state !== 'in-doubt';
  const open = recorded.state === 'held' || recorded.state === 'in-doubt' || recorded.state === 'sending';
  // A person has put it into the queue, and it may have left it since.
  const isQueued = state === 'ready' && ACTS_THAT_QUEUE.some((act) => allows(recorded.state as State, act));
  const counts = ended || isQueued || state === 'in-doubt';
  return (ended && open) || (counts && Date.parse(since) > Number(recorded.since));
}

/**
 * Whether the receipt of a known document says more than the copy: of one in the same state, attempts that the copy does not know.
 * Otherwise one that was written since the copy was made is due once more, so that it says what this ledger has, and gets a link in
 * its chain.
 */
async function hasNews(sql: Statements, recorded: DatabaseRow, entry: ImportedEntry): Promise<boolean> {
  const ahead = Number(recorded.revision) - entry.revision;
  const known = await sql.all('SELECT act, n, at, outcome FROM attempt WHERE entry = ?', entry.id);
  if (ahead < 0) return true;
  if (ahead === 0 && isNewer(recorded, entry) && !isOfBefore(recorded, known, entry)) return true;
  if (!(await isWrittenSince(sql, entry.id, entry.previous))) return false;
  const key = ({ act, n, at }: { readonly [name: string]: unknown }) => `${act} ${n} ${at}`;
  const shown = new Set(entry.attempts.map(key));
  const isSame = recorded.state === entry.state && recorded.revision === entry.revision;
  if (isSame && known.every((one) => shown.has(key(one))) && shown.size > known.length) return true;
  // From where it is: the next one may be written elsewhere.
  const place = 'UPDATE entry SET receipt_due = 1, receipt_folder = ?, receipt_day = ? WHERE id = ?';
  await sql.run(place, entry.folder, entry.day, entry.id);
  await sql.run(TOUCH_SUMMARY, entry.file);
  return false;
}

/** The receipt of a ledger that an earlier copy had replaced: this one knows all of its attempts, and what came after them. */
function isOfBefore(recorded: DatabaseRow, known: readonly DatabaseRow[], { since, attempts }: ImportedEntry): boolean {
  if (attempts.length >= known.length || Date.parse(since) > Number(recorded.since)) return false;
  const key = ({ act, n, at, outcome }: { readonly [name: string]: unknown }) => `${act} ${n} ${at} ${outcome}`;
  const all = new Set(known.map(key));
  return attempts.every((one) => all.has(key(one)));
}

/** The summary of a known file that was written since the copy was made is due once more. */
export async function touchNewerSummary(sql: Statements, file: string, previous: string | null): Promise<void> {
  if (await isWrittenSince(sql, file, previous)) await sql.run(TOUCH_SUMMARY, file);
}

/**
 * A receipt names the hash of the link before its own. One that was edited since names that of a link which this ledger
 * has for it; one that is newer than this ledger follows a link that it does not have, or the last one that it has.
 */
async function isWrittenSince(sql: Statements, id: string, previous: string | null): Promise<boolean> {
  const links = await sql.all('SELECT previous FROM receipt_link WHERE id = ?', id);
  return links.length > 0 && links.every((link) => link.previous !== previous);
}

/** Under a name of its own if another document has the name meanwhile. */
async function insertEntry(sql: Statements, entry: ImportedEntry, rest: readonly DatabaseValue[]): Promise<boolean> {
  for (const name of [entry.name, `${entry.name}~${entry.id.slice(-8)}`, `${entry.name}~${entry.id}`]) {
    const changes = await sql.run(
      ENTRY,
      ...[entry.id, name, receiptNameKey(name), entry.revision, entry.service, entry.class, ...rest],
      ...[entry.folder, entry.day, 0, 0, 1],
    );
    if (changes > 0) return true;
  }
  return false;
}

function countOf(act: 'submit' | 'consult' | 'resolve'): string {
  return `(SELECT COUNT(*) FROM attempt a WHERE a.entry = entry.id AND a.act = '${act}')`;
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
