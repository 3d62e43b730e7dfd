/**
 * The tables of a ledger on PostgreSQL: the migrations of every engine (migrations.ts), in one transaction with the note that
 * they ran, so that a stop leaves the schema as it was.
 */
import type { Statements } from '../database-driver.ts';
import { MIGRATIONS } from '../migrations.ts';
import { upgradeKeys } from '../upgrade-keys.ts';
import { POSTGRES_PARTS } from './postgres-parts.ts';

const NOTE = `INSERT INTO meta (key, value) VALUES ('schema', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

/** Within a transaction of the caller; `from` is the version that is there, 0 for an empty schema. */
export async function migratePostgres(sql: Statements, from: number): Promise<void> {
  if (from >= MIGRATIONS.length) return;
  // Sent at once, answered in order: a new ledger is one wait for the server, not one for each table.
  await Promise.all([
    ...MIGRATIONS.slice(from)
      .flat()
      .map((statement) => sql.run(statement)),
    ...POSTGRES_PARTS.map((statement) => sql.run(statement)),
    sql.run(NOTE, String(MIGRATIONS.length)),
  ]);
  if (from > 0) await upgradeAllKeys(sql);
}

async function upgradeAllKeys(sql: Statements): Promise<void> {
  const steps = upgradeKeys();
  for (let step = steps.next(); !step.done; ) step = steps.next(await sql.all(...step.value));
}

/** Makes the schema itself, empty; false if it is there. The name is a plain one (postgres-place.ts). */
export async function createPostgresSchema(sql: Statements, schema: string): Promise<boolean> {
  const there = await sql.all('SELECT 1 FROM pg_namespace WHERE nspname = ?', schema);
  if (there.length === 0) await sql.run(`CREATE SCHEMA "${schema}"`);
  return there.length === 0;
}
