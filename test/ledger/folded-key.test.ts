/** Spellings of one number fold to one key, numbers that differ do not. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { foldKey, numberInKey } from '../../src/ledger/database/folded-key.ts';
import { MIGRATIONS } from '../../src/ledger/database/migrations.ts';
import { migrate } from '../../src/ledger/database/open-database.ts';
import { temporaryFolder } from './folder.ts';

const KEY = 'fr|siren:732829320|invoice|V|FV-26-0002|2026';

test.each([
  'fv-26-0002',
  ' FV-26-0002',
  'FV - 26 - 0002',
  'FV\u201326\u22120002',
  'F\u200bV-26-0002',
  '\uff26V-26-0002',
])('one number: %j', (number) => {
  expect(foldKey(`fr|siren:732829320|invoice|v|${number}|2026`)).toBe(KEY);
});

test('what is spelled so already is the same text; an accent in one or two characters is one', () => {
  expect(foldKey(KEY)).toBe(KEY);
  expect(foldKey('nt|sv-remission-note|e\u0301-1')).toBe('nt|sv-remission-note|\u00c9-1');
});

test.each([
  'fr|siren:732829320|invoice|V|FV-26-002|2026',
  'fr|siren:732829320|invoice|V|FV-260002|2026',
  'fr|siren:732829320|invoice||VFV-26-0002|2026',
  'fr|siren:732829320|credit-note|V|FV-26-0002|2026',
  'fr|SIREN:732829320|invoice|V|FV-26-0002|2026',
])('another number: %s', (key) => {
  expect(foldKey(key)).not.toBe(KEY);
});

test('a bar inside of an issuer or a number parts nothing', () => {
  expect(foldKey('fr|a\\|b|invoice||f\\|1|2026')).toBe('fr|a\\|b|invoice||F\\|1|2026');
  expect(numberInKey('fr|a\\|b|invoice||f\\|1|2026')).toBe('f|1, 2026');
  expect(numberInKey('nt|sv-remission-note|nr-5')).toBe('nr-5');
});

test('a ledger from before knows the spellings of its numbers after the upgrade', () => {
  const file = join(temporaryFolder(), 'old.sqlite');
  const before = MIGRATIONS.findIndex((statements) => statements.some((one) => one.includes('folded')));
  using db = new DatabaseSync(file);
  db.exec('PRAGMA foreign_keys = OFF');
  db.exec('PRAGMA synchronous = OFF');
  for (const statement of MIGRATIONS.slice(0, before).flat()) db.exec(statement);
  const insert = db.prepare('INSERT INTO identity (key, entry, file, proof) VALUES (?, ?, ?, 1)');
  const keys = Array.from({ length: 6000 }, (_, n) => `fr|a|invoice||${n % 2 ? 'fa' : 'FA'}-${n}|2026`);
  db.exec('BEGIN');
  for (const key of keys) insert.run(key, 'e', 'f');
  db.exec('COMMIT');
  migrate(db, before);
  const rows = db.prepare('SELECT key, folded FROM identity WHERE folded IS NOT NULL').all();
  expect(rows).toHaveLength(3000);
  expect(rows.every(({ key, folded }) => folded === (key as string).replace('fa', 'FA'))).toBe(true);
  const plan = db.prepare('EXPLAIN QUERY PLAN SELECT key FROM identity WHERE folded = ?').all('x');
  expect(JSON.stringify(plan)).toContain('identity_folded');
});
