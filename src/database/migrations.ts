/**
 * The tables, as numbered migrations in the SQL that SQLite and PostgreSQL both speak: TEXT, and BIGINT for counts and
 * epoch milliseconds. A migration that has shipped is never changed; a new one is added after it.
 *
 * Rows of `staged` mark what a crash may leave half done: an entry or revision named there does not count yet.
 */
import { FIRST } from './first-tables.ts';
import { SHARED_ROWS } from './shared-rows-columns.ts';

/**
 * The chain of receipts and summaries. Earlier receipts and summaries are due a second time, so that they get a link.
 */
const CHAIN = `
CREATE TABLE receipt_link (
  n BIGINT PRIMARY KEY, what TEXT NOT NULL, id TEXT NOT NULL, revision BIGINT NOT NULL, state TEXT NOT NULL,
  attempts BIGINT NOT NULL, sha256 TEXT NOT NULL, payload_sha256 TEXT, run TEXT NOT NULL, at TEXT NOT NULL,
  previous TEXT);
CREATE INDEX receipt_link_id ON receipt_link (id, n);
ALTER TABLE entry ADD COLUMN receipt_link BIGINT;
ALTER TABLE summary ADD COLUMN link BIGINT;
UPDATE entry SET receipt_due = 1
  WHERE receipt_due = 0 AND receipt_folder IS NOT NULL AND state NOT IN ('staged', 'sending');
UPDATE summary SET changes = changes + 1 WHERE folder IS NOT NULL;
`;

/** The corrections of people, and files that are reprocessed for some of their documents. */
const CORRECTIONS = `
ALTER TABLE source_file ADD COLUMN rereads TEXT REFERENCES source_file (id);
ALTER TABLE source_file ADD COLUMN corrections BIGINT;

CREATE TABLE reread (
  file TEXT NOT NULL REFERENCES source_file (id), entry TEXT NOT NULL REFERENCES entry (id),
  PRIMARY KEY (file, entry));

CREATE TABLE correction (
  file TEXT NOT NULL REFERENCES source_file (id), n BIGINT NOT NULL, source_row BIGINT NOT NULL,
  source_column TEXT NOT NULL, former TEXT NOT NULL, value TEXT NOT NULL, person TEXT NOT NULL, at TEXT NOT NULL,
  reason TEXT NOT NULL, PRIMARY KEY (file, n));
`;

/** The attachments of the documents of an export, with their hash: it identifies the file in the archive. */
const ATTACHMENTS = `
CREATE TABLE attachment (
  file TEXT NOT NULL REFERENCES source_file (id), name TEXT NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (file, name));
`;

/**
 * Why an entry is held, the digest of the content that a person has released, and its receiver: a receiver is known
 * once a document for it was authorized.
 */
const HOLDS = `
ALTER TABLE staged ADD COLUMN hold TEXT;
ALTER TABLE entry ADD COLUMN hold TEXT;
ALTER TABLE entry ADD COLUMN released TEXT;
ALTER TABLE entry ADD COLUMN receiver TEXT;
CREATE INDEX entry_receiver ON entry (service, receiver) WHERE state = 'authorized';
`;

/** Who dropped a file. */
const OWNERS = `
ALTER TABLE source_file ADD COLUMN owner TEXT;
`;

/** Identities, which receipts report, and what was purged: who, when and why. */
const RETENTION = `
ALTER TABLE revision ADD COLUMN keys TEXT;
ALTER TABLE entry ADD COLUMN purged TEXT;
ALTER TABLE source_file ADD COLUMN purged TEXT;
`;

/** The identities of a document, for reprocessing and for proofs. */
const IDENTITIES = `
CREATE INDEX identity_entry ON identity (entry);
`;

/** Receipts report the numbers of sequences from now on, so that a lost ledger can be rebuilt: earlier ones are due again. */
const NUMBERS = `
UPDATE entry SET receipt_due = 1
  WHERE receipt_due = 0 AND receipt_folder IS NOT NULL AND purged IS NULL AND state NOT IN ('staged', 'sending')
  AND id IN (SELECT i.entry FROM identity i JOIN numbering n ON n.key = i.key);
`;

/**
 * Only the entry records a submission that is under way, so that its attempt is one row, written once with the answer;
 * and an attempt that records its own end needs no event for it.
 */
const UNDER_WAY = `
ALTER TABLE entry ADD COLUMN begun_at TEXT;
ALTER TABLE entry ADD COLUMN begun_run TEXT;
ALTER TABLE attempt ADD COLUMN ended_at TEXT;
UPDATE entry SET
  begun_at = (SELECT a.at FROM attempt a
    WHERE a.entry = entry.id AND a.act = 'submit' AND a.n = entry.submits AND a.exchange IS NULL),
  begun_run = (SELECT a.run FROM attempt a
    WHERE a.entry = entry.id AND a.act = 'submit' AND a.n = entry.submits AND a.exchange IS NULL)
  WHERE state = 'sending';
DELETE FROM attempt WHERE act = 'submit'
  AND (entry, n) IN (SELECT id, submits FROM entry WHERE state = 'sending' AND begun_at IS NOT NULL);
`;

/**
 * Receivers of entries in every state: an index of authorized ones alone would write a page for each answer, this one
 * writes a few for all entries that are admitted together.
 */
const RECEIVERS = `
DROP INDEX entry_receiver;
CREATE INDEX entry_receiver ON entry (service, receiver) WHERE receiver IS NOT NULL;
`;

/** Files that a person may have to look at, and whether a later one of their name replaced them: few, even after years. */
const LOOKS = `
CREATE INDEX source_file_name ON source_file (name, id);
CREATE INDEX source_file_look ON source_file (id)
  WHERE state = 'refused' OR (mapping IS NULL AND faults <> '[]') OR instr(faults, '"intake/source-missing"') > 0;
`;

/** Without them SQLite scans all entries for each entry that is dropped: hours for a large file. */
const TAKING_BACK = `
CREATE INDEX entry_first ON entry (first) WHERE first IS NOT NULL;
CREATE INDEX reread_entry ON reread (entry);
`;

/** The checksum of each identity (identity-index.ts); the upgrade adds it to earlier ones. */
const PROOFS = `
ALTER TABLE identity ADD COLUMN proof BIGINT;
`;

/** The folded spelling of a number (folded-key.ts), if it is not the key itself; the upgrade adds it to earlier ones. */
const SPELLINGS = `
ALTER TABLE identity ADD COLUMN folded TEXT;
CREATE INDEX identity_folded ON identity (folded) WHERE folded IS NOT NULL;
`;

/** The message of a reason, as ids and values: each reader has it in the language of today. */
const REASONS = `
ALTER TABLE attempt ADD COLUMN phrases TEXT;
`;

/** A record of each run, also of one that had nothing to do. */
const RUNS = `
CREATE TABLE run (
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, started_at TEXT NOT NULL, version TEXT NOT NULL, host TEXT NOT NULL,
  pid BIGINT NOT NULL, outcome TEXT, ended_at TEXT, exit_code BIGINT, error TEXT, totals TEXT);
CREATE INDEX run_started ON run (started_at, id);
`;

/**
 * Events get numbers, and links in the chain: a seal covers the events since the one before it. Those that are there
 * already are covered by the first seal, without a line for each.
 */
const EVENT_SEALS = `
ALTER TABLE event ADD COLUMN n BIGINT;
ALTER TABLE event ADD COLUMN detail_sha256 TEXT;
UPDATE event SET n = ranked.n
  FROM (SELECT id AS ranked_id, ROW_NUMBER() OVER (ORDER BY at, id) AS n FROM event) ranked WHERE ranked.ranked_id = event.id;
CREATE INDEX event_n ON event (n);
CREATE INDEX event_correction ON event (file) WHERE what = 'cell-corrected';
INSERT INTO meta (key, value) SELECT 'events', CAST(COUNT(*) AS TEXT) FROM event;
CREATE TABLE event_seal (link BIGINT PRIMARY KEY, first_event BIGINT NOT NULL, last_event BIGINT NOT NULL, lines TEXT);
INSERT INTO event_seal (link, first_event, last_event) SELECT 0, 1, COUNT(*) FROM event HAVING COUNT(*) > 0;
`;

/** Entries that need no action in their state, by a decision of a person; `closed_since` is the `since` of that state. */
const CLOSED = `
ALTER TABLE entry ADD COLUMN closed TEXT;
ALTER TABLE entry ADD COLUMN closed_since BIGINT;
CREATE INDEX entry_closed ON entry (id) WHERE closed IS NOT NULL;
`;

/** The rows that people have corrected, as their export has them: a copy of them is a duplicate of the corrected document. */
const CORRECTED_ROWS = `
CREATE TABLE corrected_rows (sha256 TEXT NOT NULL, entry TEXT NOT NULL, file TEXT NOT NULL, source_row BIGINT NOT NULL,
  PRIMARY KEY (sha256, entry));
CREATE INDEX corrected_rows_entry ON corrected_rows (entry);
`;

/**
 * Entries that are not done nor queued, revisions with warnings, decisions about files and expected exports: few of all,
 * so that nothing that looks reads the others. None is written on the way of a document that is sent and authorized
 * without a warning.
 */
const LOOKED_FOR = `
CREATE INDEX entry_open ON entry (id, state) WHERE state NOT IN ('authorized', 'ready', 'sending', 'staged');
CREATE INDEX revision_warned ON revision (file, entry, revision) WHERE instr(faults, '"level":"warning"') > 0;
CREATE INDEX event_decision ON event (at, id)
  WHERE what IN ('file-set-aside', 'file-set-aside-undone', 'export-waived', 'export-waiver-undone');
`;

/** What the request of a person has done already, in the commit that did it: a request that is cut off never does it twice. */
const ACT_STEPS = `
CREATE TABLE act_step (
  request TEXT NOT NULL, step TEXT NOT NULL, at TEXT NOT NULL, result TEXT NOT NULL, PRIMARY KEY (request, step));
`;

/** The settings that runs began with, once for all runs of the same settings. */
const RUN_SETTINGS = `
CREATE TABLE run_settings (sha256 TEXT PRIMARY KEY, settings TEXT NOT NULL);
ALTER TABLE run ADD COLUMN settings TEXT;
`;

/** Morning reports that were written, with their link in the chain, and what control files of the ERP state. */
const REPORTS = `
CREATE TABLE report (
  id TEXT PRIMARY KEY, run TEXT NOT NULL, day TEXT NOT NULL, at TEXT NOT NULL, since TEXT NOT NULL, link BIGINT NOT NULL,
  sha256 TEXT NOT NULL, page_sha256 TEXT NOT NULL, events BIGINT NOT NULL, purged TEXT);
CREATE INDEX report_at ON report (at, id);
CREATE INDEX report_link ON report (link);
CREATE TABLE control_file (
  expect TEXT NOT NULL, name TEXT NOT NULL, sha256 TEXT NOT NULL, modified_at TEXT NOT NULL, at TEXT NOT NULL,
  run TEXT NOT NULL, documents BIGINT, amount TEXT, problem TEXT, PRIMARY KEY (expect, name, sha256, modified_at));
CREATE INDEX control_file_at ON control_file (at);
`;

/** Invalid documents that a person set aside: few, and every look counts them. */
const SET_ASIDE = `
CREATE INDEX entry_aside ON entry (id) WHERE state = 'invalid' AND evidence IS NOT NULL;
`;

/**
 * Answers to the ERP: what is due, the files with their numbers and hashes, what each reported of which document, and the
 * folders. A document of a mapping without `answers` has no row in any of them.
 */
const ANSWERS = `
CREATE TABLE answer_due (
  answers TEXT NOT NULL, file TEXT NOT NULL, first_row BIGINT NOT NULL, entry TEXT NOT NULL, changes BIGINT NOT NULL,
  again BIGINT NOT NULL, PRIMARY KEY (answers, file, first_row, entry));
CREATE TABLE answer_file (
  id BIGINT PRIMARY KEY, answers TEXT NOT NULL, n BIGINT NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL,
  folder TEXT NOT NULL, path TEXT, marker TEXT, state TEXT NOT NULL, sha256 TEXT NOT NULL, documents BIGINT NOT NULL,
  documents_sha256 TEXT, file TEXT, run TEXT NOT NULL, at TEXT NOT NULL, written_at TEXT, link BIGINT, removed_at TEXT);
CREATE UNIQUE INDEX answer_file_number ON answer_file (answers, n);
CREATE UNIQUE INDEX answer_file_name ON answer_file (folder, name_key);
CREATE INDEX answer_file_source ON answer_file (file) WHERE file IS NOT NULL;
CREATE INDEX answer_file_open ON answer_file (id, state) WHERE state IN ('composing', 'chosen', 'placed');
CREATE INDEX answer_file_unlinked ON answer_file (id, state) WHERE link IS NULL;
CREATE INDEX source_file_rereads ON source_file (rereads) WHERE rereads IS NOT NULL;
CREATE TABLE answered (
  entry TEXT NOT NULL, answer_file BIGINT NOT NULL, state TEXT NOT NULL, code BIGINT, digest TEXT NOT NULL,
  changes BIGINT NOT NULL, PRIMARY KEY (entry, answer_file));
CREATE INDEX answered_file ON answered (answer_file, entry);
CREATE TABLE answer_folder (
  name TEXT PRIMARY KEY, path TEXT NOT NULL, used BIGINT NOT NULL, since TEXT, at TEXT, tries BIGINT NOT NULL, code TEXT,
  says TEXT);
`;

/**
 * The outbox of notices, which topics a channel has reported, and how far a channel has followed the history. A notice that
 * waits is one row of a small index; nothing here is written on the way of a document.
 */
const NOTICES = `
CREATE TABLE notice (
  id TEXT PRIMARY KEY, channel TEXT NOT NULL, kind TEXT NOT NULL, run TEXT, at TEXT NOT NULL, due_at BIGINT NOT NULL,
  state TEXT NOT NULL, tries BIGINT NOT NULL, ended_at TEXT, problem TEXT, content TEXT);
CREATE INDEX notice_due ON notice (due_at, id) WHERE state = 'waiting';
CREATE INDEX notice_failed ON notice (id) WHERE state = 'failed';
CREATE INDEX notice_at ON notice (at, id);
CREATE TABLE notice_topic (
  channel TEXT NOT NULL, topic TEXT NOT NULL, kind TEXT NOT NULL, documents BIGINT NOT NULL, first_at TEXT NOT NULL,
  reported_at TEXT NOT NULL, words TEXT NOT NULL, PRIMARY KEY (channel, topic));
CREATE TABLE notice_channel (channel TEXT PRIMARY KEY, followed TEXT, off_since TEXT);
`;

/** Fields of an answer file that are empty, or lack a character, against the mapping: their number, and by name as JSON. */
const ANSWER_FIELDS = `
ALTER TABLE answer_file ADD COLUMN problems BIGINT NOT NULL DEFAULT 0;
ALTER TABLE answer_file ADD COLUMN fields TEXT;
CREATE INDEX answer_file_problems ON answer_file (id, problems) WHERE problems > 0;
`;

/**
 * Programs that work on one ledger at the same time (PostgreSQL), what only one of them does at a time, and what each has under
 * way. An event of a worker gets its number `n` later, from the writer of the chain, so that workers do not wait for one count;
 * until then it has a number among those of its worker. All of it stays empty where one program works alone (SQLite).
 */
const WORKERS = `
CREATE TABLE worker (
  id TEXT PRIMARY KEY, host TEXT NOT NULL, pid BIGINT NOT NULL, work TEXT NOT NULL, version TEXT NOT NULL,
  settings_sha256 TEXT NOT NULL, started_at TEXT NOT NULL, until BIGINT NOT NULL, gone BIGINT);
CREATE TABLE role (
  name TEXT PRIMARY KEY, worker TEXT, fence BIGINT NOT NULL, until BIGINT NOT NULL, generation BIGINT NOT NULL);
ALTER TABLE source_file ADD COLUMN worker TEXT;
ALTER TABLE entry ADD COLUMN begun_by TEXT;
ALTER TABLE event ADD COLUMN worker TEXT;
ALTER TABLE event ADD COLUMN worker_n BIGINT;
CREATE INDEX event_unnumbered ON event (worker, worker_n) WHERE n IS NULL;
`;

/** The whole of a key that is stored by its hash (stored-key.ts); the upgrade gives earlier long keys their stored form. */
const WHOLE_KEYS = `
ALTER TABLE identity ADD COLUMN whole TEXT;
ALTER TABLE sequence ADD COLUMN whole TEXT;
`;

/** Attachments that have still to move from the inbox to the archive, and the other file of a pair. */
const MADE_OF = `
ALTER TABLE attachment ADD COLUMN due BIGINT NOT NULL DEFAULT 0;
CREATE INDEX attachment_due ON attachment (file) WHERE due > 0;
ALTER TABLE source_file ADD COLUMN partner TEXT;
`;

/** The folded form has no leading zeros any more (folded-key.ts): the upgrade gives it to all identities again. */
const SPELLINGS_AGAIN = `
UPDATE identity SET folded = NULL WHERE folded IS NOT NULL;
`;

/** Consultations that found nothing are counted from the attempts: receipts that have another count are due again. */
const COUNTED_ATTEMPTS = `
UPDATE entry SET receipt_due = 1
  WHERE (not_found > 0 OR EXISTS (SELECT 1 FROM attempt a WHERE a.entry = entry.id AND a.act = 'consult' AND a.code = 18))
  AND receipt_due = 0 AND receipt_folder IS NOT NULL AND purged IS NULL AND state NOT IN ('staged', 'sending');
`;

/** The service is asked about a contingency that a person has recorded, for which no time was noted. Two days are after every schedule. */
const ASKED_CONTINGENCY = `
UPDATE entry SET consult_at = since + 172800000 WHERE state = 'contingency' AND consult_at IS NULL;
`;

/**
 * Documents that a person set aside while they may have been out: what would take their place is held, as since this version, and
 * their receipts show it.
 */
const ASIDE_AND_OUT = `
UPDATE entry SET hold = '{"rule":"ledger-accepted","says":"a person accepted this ledger, and another installation may have sent the document","phrases":"{\\"message\\":{\\"id\\":\\"ledger-hold.accepted\\",\\"values\\":{}}}"}',
  receipt_due = CASE WHEN receipt_folder IS NOT NULL AND purged IS NULL THEN 1 ELSE receipt_due END
  WHERE state = 'invalid' AND hold IS NULL AND evidence LIKE '%"as":"invalid"%' AND sent_digest =
  (SELECT r.digest FROM revision r WHERE r.entry = entry.id AND r.revision = entry.revision);
`;

/** Receipts of corrected documents name their former identities, and what each attempt was about. */
const FORMER_KEYS = `
UPDATE entry SET receipt_due = 1 WHERE revision > 1 AND receipt_due = 0 AND receipt_folder IS NOT NULL AND purged IS NULL
  AND state NOT IN ('staged', 'sending');
`;

/** Summaries name the attachments of their documents. */
const NAMED_ATTACHMENTS = `
UPDATE summary SET changes = changes + 1 WHERE folder IS NOT NULL AND file IN (SELECT file FROM attachment);
`;

/** Which report has the sums of an export: its night. Without one yet, or of before this version, the run that took it in says it. */
const NIGHTS = `
ALTER TABLE source_file ADD COLUMN report TEXT;
CREATE INDEX source_file_report ON source_file (report) WHERE report IS NOT NULL;
`;

/** The nights of many runs are looked for, each by the reports of its run. */
const REPORTS_OF_RUNS = `CREATE INDEX report_run ON report (run);`;

/** Each is run once, in order, in one transaction together with the note that it ran. */
export const MIGRATIONS: readonly (readonly string[])[] = [
  statements(FIRST),
  statements(CHAIN),
  statements(CORRECTIONS),
  statements(ATTACHMENTS),
  statements(HOLDS),
  statements(OWNERS),
  statements(RETENTION),
  statements(IDENTITIES),
  statements(NUMBERS),
  statements(UNDER_WAY),
  statements(RECEIVERS),
  statements(LOOKS),
  statements(TAKING_BACK),
  statements(PROOFS),
  statements(SPELLINGS),
  statements(REASONS),
  statements(RUNS),
  statements(EVENT_SEALS),
  statements(CLOSED),
  statements(CORRECTED_ROWS),
  statements(LOOKED_FOR),
  statements(ACT_STEPS),
  statements(RUN_SETTINGS),
  statements(REPORTS),
  statements(SET_ASIDE),
  statements(ANSWERS),
  statements(NOTICES),
  statements(ANSWER_FIELDS),
  statements(WORKERS),
  statements(WHOLE_KEYS),
  statements(MADE_OF),
  statements(SPELLINGS_AGAIN),
  statements(COUNTED_ATTEMPTS),
  statements(ASKED_CONTINGENCY),
  statements(ASIDE_AND_OUT),
  statements(FORMER_KEYS),
  statements(NAMED_ATTACHMENTS),
  statements(NIGHTS),
  statements(SHARED_ROWS),
  statements(REPORTS_OF_RUNS),
];

export const SCHEMA_VERSION = MIGRATIONS.length;

function statements(text: string): readonly string[] {
  return text
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
