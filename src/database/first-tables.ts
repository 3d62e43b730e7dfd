/** The tables of the first version, which migrations.ts changes since. Never changed here. */

export const FIRST = `
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
