/**
 * The tables of a ledger and their first migrations, up to the checksums of identities, in their order: texts of statements. None of
 * them is ever changed (migrations.ts).
 */

const FIRST = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE source_file (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, size BIGINT NOT NULL,
  modified_at TEXT NOT NULL, claimed_at TEXT NOT NULL, day TEXT NOT NULL, run TEXT NOT NULL, path TEXT NOT NULL,
  state TEXT NOT NULL, mapping_id TEXT, mapping TEXT, encoding TEXT, row_count BIGINT NOT NULL,
  left_out TEXT NOT NULL, faults TEXT NOT NULL, first TEXT REFERENCES source_file (id), archived_at TEXT);
CREATE INDEX source_file_sha256 ON source_file (sha256);
CREATE INDEX source_file_run ON source_file (run);
CREATE INDEX source_file_open ON source_file (id) WHERE archived_at IS NULL;

CREATE TABLE summary (
  file TEXT PRIMARY KEY REFERENCES source_file (id), changes BIGINT NOT NULL, written BIGINT NOT NULL,
  folder TEXT, day TEXT);
CREATE INDEX summary_due ON summary (file) WHERE written < changes;

CREATE TABLE entry (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, revision BIGINT NOT NULL,
  service TEXT NOT NULL, class TEXT NOT NULL, identifier TEXT NOT NULL, state TEXT NOT NULL, since BIGINT NOT NULL,
  first TEXT REFERENCES entry (id), due_at BIGINT, consult_at BIGINT, request_id TEXT, sent_digest TEXT,
  tries BIGINT NOT NULL, submits BIGINT NOT NULL, consults BIGINT NOT NULL, resolves BIGINT NOT NULL,
  code BIGINT, answer TEXT, not_found BIGINT NOT NULL, not_found_first BIGINT, not_found_last BIGINT, evidence TEXT,
  receipt_due BIGINT NOT NULL, receipt_folder TEXT, receipt_day TEXT);
CREATE INDEX entry_identifier ON entry (identifier);
CREATE INDEX entry_ready ON entry (service, due_at, id) WHERE state = 'ready';
CREATE INDEX entry_consult ON entry (service, consult_at, id) WHERE consult_at IS NOT NULL;
CREATE INDEX entry_sending ON entry (id) WHERE state = 'sending';
CREATE INDEX entry_receipt ON entry (receipt_due, id) WHERE receipt_due > 0;

CREATE TABLE revision (
  entry TEXT NOT NULL REFERENCES entry (id), revision BIGINT NOT NULL, file TEXT NOT NULL REFERENCES source_file (id),
  first_row BIGINT NOT NULL, source_rows TEXT NOT NULL, kind TEXT NOT NULL, class TEXT NOT NULL,
  outcome TEXT NOT NULL, first TEXT, digest TEXT NOT NULL, content_sha256 TEXT, facts TEXT NOT NULL,
  faults TEXT NOT NULL, content TEXT, PRIMARY KEY (entry, revision));
CREATE INDEX revision_file ON revision (file, first_row, entry);

CREATE TABLE staged (
  entry TEXT PRIMARY KEY, revision BIGINT NOT NULL, file TEXT NOT NULL);
CREATE INDEX staged_file ON staged (file, entry);

CREATE TABLE identity (
  key TEXT PRIMARY KEY, entry TEXT NOT NULL REFERENCES entry (id), file TEXT NOT NULL REFERENCES source_file (id));
CREATE INDEX identity_file ON identity (file);

CREATE TABLE sequence (name TEXT NOT NULL, scope TEXT NOT NULL, next BIGINT NOT NULL, PRIMARY KEY (name, scope));
CREATE TABLE numbering (
  key TEXT NOT NULL, sequence TEXT NOT NULL, scope TEXT NOT NULL, number BIGINT NOT NULL,
  PRIMARY KEY (key, sequence, scope));

CREATE TABLE attempt (
  entry TEXT NOT NULL REFERENCES entry (id), act TEXT NOT NULL, n BIGINT NOT NULL, revision BIGINT NOT NULL,
  run TEXT NOT NULL, request_id TEXT NOT NULL, at TEXT NOT NULL, ordinal BIGINT NOT NULL, ms BIGINT, http BIGINT, code BIGINT,
  outcome TEXT, reason TEXT, answer TEXT, exchange TEXT, PRIMARY KEY (entry, act, n));
CREATE INDEX attempt_run ON attempt (run);

CREATE TABLE event (
  id TEXT PRIMARY KEY, at TEXT NOT NULL, what TEXT NOT NULL, entry TEXT, file TEXT, run TEXT, person TEXT,
  detail TEXT);
CREATE INDEX event_entry ON event (entry) WHERE entry IS NOT NULL;
`;

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

export const FIRST_MIGRATIONS: readonly string[] = [
  FIRST,
  CHAIN,
  CORRECTIONS,
  ATTACHMENTS,
  HOLDS,
  OWNERS,
  RETENTION,
  IDENTITIES,
  NUMBERS,
  UNDER_WAY,
  RECEIVERS,
  LOOKS,
  TAKING_BACK,
  PROOFS,
];
