/** A program that is killed while it brings an older ledger up to date: the old one is whole, and the next start does it. */
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { migrate } from '../../src/ledger/database.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../../src/ledger/schema.ts';
import { temporaryFolder } from './folder.ts';

const DATABASE = JSON.stringify(new URL('../../src/ledger/database.ts', import.meta.url).href);

/** Each statement of an upgrade is reached in turn, and the program dies of SIGKILL in front of it. */
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

function ledgerOf(version: number, file: string): void {
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

test('killed at every statement of the upgrade from the first version: nothing changed, and it can be done again', () => {
  const folder = temporaryFolder();
  const old = join(folder, 'old.sqlite');
  ledgerOf(1, old);
  const before = contentOf(old);
  const upgraded = join(folder, 'upgraded.sqlite');
  copyFileSync(old, upgraded);
  {
    using db = new DatabaseSync(upgraded);
    migrate(db, 1);
  }
  const after = contentOf(upgraded);
  expect(after).toMatchObject({ meta: [{ value: 'kept' }, { value: String(SCHEMA_VERSION) }] });
  // BEGIN, each statement, COMMIT.
  const statements = MIGRATIONS.slice(1).flat().length + 2;
  for (let at = 0; at < statements; at++) {
    const file = join(folder, `${at}.sqlite`);
    copyFileSync(old, file);
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', DIES, file, '1', String(at)]);
    expect(signal).toBe('SIGKILL');
    expect(contentOf(file)).toEqual(before);
    using db = new DatabaseSync(file);
    migrate(db, 1);
    expect(contentOf(file)).toEqual(after);
  }
});
