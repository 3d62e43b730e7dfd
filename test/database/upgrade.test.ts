/** A program that is killed while it brings an older ledger up to date: the old one is whole, and the next start does it. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { findIdentityDamage, identityChecksum } from '../../src/database/identity-index.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../../src/database/migrations.ts';
import { migrate } from '../../src/database/open-database.ts';
import { storedKey } from '../../src/database/stored-key.ts';
import { LEDGER_HOLD } from '../../src/i18n/messages/ledger-messages.ts';
import { holdOf, storedHold } from '../../src/model/recorded-words.ts';
import { temporaryFolder } from '../ledger/folder.ts';

const DATABASE = JSON.stringify(new URL('../../src/database/open-database.ts', import.meta.url).href);

/** The program dies of SIGKILL in front of a statement of the upgrade. */
const DIES = `
  const { DatabaseSync } = await import('node:sqlite');
  const { migrate } = await import(${DATABASE});
  const [file, from, at] = process.argv.slice(1);
  const db = new DatabaseSync(file);
  const exec = db.exec.bind(db);
  let count = 0;
  db.exec = (sql) => {
    if (++count > Number(at)) process.kill(process.pid, 'SIGKILL');
    exec(sql);
  };
  migrate(db, Number(from));
`;

function ledgerSiteOf(version: number, file: string): void {
  using db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL');
  for (const statement of MIGRATIONS.slice(0, version).flat()) db.exec(statement);
  db.prepare("INSERT INTO meta (key, value) VALUES ('schema', ?), ('installation', 'kept')").run(String(version));
  const event = 'INSERT INTO event (id, at, what, person, detail) VALUES (?, ?, ?, ?, ?)';
  for (let n = 0; n < 50; n++) db.prepare(event).run(`e${n}`, '2026-11-20T22:00:00Z', 'resolved', 'anna', '{}');
}

/** Everything in it: what the tables are, and each row of two of them. */
function contentOf(file: string): unknown {
  using db = new DatabaseSync(file);
  const read = (sql: string) => db.prepare(sql).all();
  return {
    integrity: read('PRAGMA integrity_check'),
    schema: read('SELECT type, name, sql FROM sqlite_schema ORDER BY name'),
    meta: read('SELECT key, value FROM meta ORDER BY key'),
    events: read('SELECT id, at, what, person, detail FROM event ORDER BY id'),
  };
}

test('requests that were under way in an older ledger are so in the new one, with or without an answer', () => {
  const file = join(temporaryFolder(), 'old.sqlite');
  ledgerSiteOf(9, file);
  using db = new DatabaseSync(file);
  db.exec('PRAGMA foreign_keys = OFF');
  const entry = db.prepare(
    `INSERT INTO entry (id, name, name_key, revision, service, class, identifier, state, since, request_id, tries, submits,
     consults, resolves, not_found, receipt_due) VALUES (?, ?, ?, 1, 'fr', 'invoice', 'F', ?, 5, ?, 0, ?, 0, 0, 0, 0)`,
  );
  const attempt = db.prepare(
    `INSERT INTO attempt (entry, act, n, revision, run, request_id, at, ordinal, exchange, outcome)
     VALUES (?, 'submit', ?, 1, ?, ?, ?, ?, ?, ?)`,
  );
  for (const [id, state, submits] of [
    ['unanswered', 'sending', 2],
    ['answered', 'sending', 1],
    ['ended', 'in-doubt', 1],
  ] as const) {
    entry.run(id, id, id, state, `r-${id}`, submits);
  }
  attempt.run('unanswered', 1, 'run-1', 'r-first', 'at-1', 0, '{}', 'ready');
  attempt.run('unanswered', 2, 'run-2', 'r-unanswered', 'at-2', 1, null, null);
  attempt.run('answered', 1, 'run-2', 'r-answered', 'at-3', 0, '{}', null);
  attempt.run('ended', 1, 'run-2', 'r-ended', 'at-4', 0, null, 'in-doubt');
  migrate(db, 9);
  expect(db.prepare('SELECT entry, n FROM attempt ORDER BY at').all()).toEqual([
    { entry: 'unanswered', n: 1 },
    { entry: 'answered', n: 1 },
    { entry: 'ended', n: 1 },
  ]);
  expect(db.prepare('SELECT id, begun_at, begun_run FROM entry ORDER BY id').all()).toEqual([
    { id: 'answered', begun_at: null, begun_run: null },
    { id: 'ended', begun_at: null, begun_run: null },
    { id: 'unanswered', begun_at: 'at-2', begun_run: 'run-2' },
  ]);
});

test('killed at every statement of the upgrade from the first version: nothing changed, and it can be done again', () => {
  const folder = temporaryFolder();
  const old = join(folder, 'old.sqlite');
  ledgerSiteOf(1, old);
  const before = contentOf(old);
  const upgraded = join(folder, 'upgraded.sqlite');
  copyFileSync(old, upgraded);
  {
    using db = new DatabaseSync(upgraded);
    migrate(db, 1);
  }
  const after = contentOf(upgraded);
  expect(after).toMatchObject({ meta: [{ value: '50' }, { value: 'kept' }, { value: String(SCHEMA_VERSION) }] });
  const expectAsBefore = (file: string) => {
    expect(contentOf(file)).toEqual(before);
    using db = new DatabaseSync(file);
    migrate(db, 1);
    expect(contentOf(file)).toEqual(after);
  };
  // BEGIN, each statement, COMMIT.
  const statements = MIGRATIONS.slice(1).flat().length + 2;
  for (const at of [1, Math.floor(statements / 2), statements - 1]) {
    const file = join(folder, `killed-${at}.sqlite`);
    copyFileSync(old, file);
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', DIES, file, '1', String(at)]);
    expect(signal).toBe('SIGKILL');
    expectAsBefore(file);
  }
  // What a killed process leaves is its files as they are at that instant, without its locks.
  const left: string[] = [];
  {
    const file = join(folder, 'going-on.sqlite');
    copyFileSync(old, file);
    using db = new DatabaseSync(file);
    const exec = db.exec.bind(db);
    db.exec = (sql) => {
      const copy = join(folder, `${left.length}.sqlite`);
      copyFileSync(file, copy);
      if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
      left.push(copy);
      exec(sql);
    };
    migrate(db, 1);
  }
  expect(left).toHaveLength(statements);
  for (const file of left) expectAsBefore(file);
});

/** A ledger of before a migration that has this text, with entries by their name. */
function ledgerBefore(text: string) {
  const version = MIGRATIONS.findIndex((statements) => statements.some((one) => one.includes(text)));
  const db = new DatabaseSync(join(temporaryFolder(), 'old.sqlite'));
  db.exec('PRAGMA foreign_keys = OFF');
  for (const statement of MIGRATIONS.slice(0, version).flat()) db.exec(statement);
  const insert = (table: string, row: object) => {
    const columns = Object.keys(row);
    const places = columns.map(() => '?').join(', ');
    db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`).run(...Object.values(row));
  };
  const entry = (id: string, row: object) =>
    insert('entry', {
      ...{ id, name: id, name_key: id, revision: 1, service: 'fr', class: 'invoice', identifier: id, since: 5 },
      ...{ tries: 0, submits: 1, consults: 1, resolves: 0, not_found: 0, receipt_due: 0, receipt_folder: 'error' },
      ...row,
    });
  return { db, insert, entry, upgrade: () => migrate(db, version) };
}

test('the receipts of documents that a consultation did not find are due again, also if a later answer has set the count back', () => {
  const { db, insert, entry, upgrade } = ledgerBefore('a.code = 18');
  using _ = db;
  const cases = {
    counted: [{ state: 'in-doubt', not_found: 1 }],
    'set back': [{ state: 'in-doubt' }, { act: 'consult', code: 18 }],
    purged: [
      { state: 'in-doubt', purged: '{}' },
      { act: 'consult', code: 18 },
    ],
    'without a receipt': [
      { state: 'in-doubt', receipt_folder: null },
      { act: 'consult', code: 18 },
    ],
    'under way': [{ state: 'sending' }, { act: 'consult', code: 18 }],
    found: [{ state: 'in-doubt' }, { act: 'consult', code: 8 }],
    'a submission': [{ state: 'in-doubt' }, { act: 'submit', code: 18 }],
  } as const;
  for (const [id, [row, attempt]] of Object.entries<readonly object[]>(cases)) {
    entry(id, row!);
    const common = { entry: id, n: 1, revision: 1, run: 'r', request_id: 'q', at: 'a', ordinal: 1, exchange: '{}' };
    if (attempt) insert('attempt', { ...common, outcome: 'in-doubt', ...attempt });
  }
  upgrade();
  const due = db.prepare('SELECT id FROM entry WHERE receipt_due = 1 ORDER BY id').all();
  expect(due.map(({ id }) => id)).toEqual(['counted', 'set back']);
});

test('what was set aside while it may have been out is marked, so that other content with its number is held', () => {
  const { db, insert, entry, upgrade } = ledgerBefore('ledger-hold.accepted');
  using _ = db;
  const aside = { state: 'invalid', evidence: '{"as":"invalid","by":"ana"}' };
  const cases = {
    'may be out': { ...aside, sent_digest: 'd' },
    'may be out, purged': { ...aside, sent_digest: 'd', purged: '{}' },
    'never sent': aside,
    'rejected before': { ...aside, sent_digest: 'other' },
    'not set aside': { state: 'invalid', sent_digest: 'd' },
    sent: { state: 'authorized', sent_digest: 'd' },
  };
  for (const [id, row] of Object.entries(cases)) {
    entry(id, row);
    const revision = {
      entry: id,
      revision: 1,
      file: 'f',
      first_row: 1,
      source_rows: '[1]',
      kind: 'k',
      class: 'invoice',
    };
    insert('revision', { ...revision, outcome: 'ready', digest: 'd', facts: '{}', faults: '[]' });
  }
  upgrade();
  const held = db.prepare('SELECT id, hold, receipt_due FROM entry WHERE hold IS NOT NULL ORDER BY id').all();
  const hold = storedHold(holdOf('ledger-accepted', LEDGER_HOLD.accepted(), 'en'));
  expect(held).toEqual([
    { id: 'may be out', hold, receipt_due: 1 },
    { id: 'may be out, purged', hold, receipt_due: 0 },
  ]);
});

test('long keys of an older ledger get the form by which they are found, and stay as a whole', () => {
  const file = join(temporaryFolder(), 'old.sqlite');
  const before = MIGRATIONS.findIndex((statements) => statements.some((one) => one.includes('whole')));
  using db = new DatabaseSync(file);
  db.exec('PRAGMA foreign_keys = OFF');
  for (const statement of MIGRATIONS.slice(0, before).flat()) db.exec(statement);
  const [short, long, broken] = ['fr|a|invoice||1|2026', `nt|k|${'é'.repeat(5000)}`, `nt|k|${'x'.repeat(5000)}`];
  const insert = db.prepare('INSERT INTO identity (key, entry, file, proof, folded) VALUES (?, ?, ?, ?, ?)');
  for (const key of [short, long]) insert.run(key, 'e', 'f', identityChecksum({ key, entry: 'e', file: 'f' }), null);
  insert.run(broken, 'e', 'f', 1, `${broken}X`);
  const scope = JSON.stringify(['s'.repeat(3000)]);
  db.prepare('INSERT INTO sequence (name, scope, next) VALUES (?, ?, 8)').run('note', scope);
  db.prepare('INSERT INTO numbering (key, sequence, scope, number) VALUES (?, ?, ?, 7)').run(long, 'note', scope);
  migrate(db, before);
  const rows = db.prepare('SELECT key, whole FROM identity ORDER BY key').all();
  expect(rows).toEqual([
    { key: short, whole: null },
    // Its checksum was wrong before: the check of the identities finds it.
    { key: broken, whole: null },
    { key: storedKey(long), whole: long },
  ]);
  expect(findIdentityDamage(db)?.id).toBe('ledger-file.identityChanged');
  expect(storedKey(long)).toHaveLength(5 + 447 + ' sha256:'.length + 64);
  expect(db.prepare('SELECT scope, whole, next FROM sequence').all()).toEqual([
    { scope: storedKey(scope), whole: scope, next: 8 },
  ]);
  expect(db.prepare('SELECT key, scope, number FROM numbering').all()).toEqual([
    { key: storedKey(long), scope: storedKey(scope), number: 7 },
  ]);
});
