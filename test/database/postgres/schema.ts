/** A schema of its own for one test, on the server of the project: with the tables of a new ledger, or empty. */
import { inject, onTestFinished } from 'vitest';
import type { DatabaseRow, Driver } from '../../../src/database/database-driver.ts';
import { openPostgres } from '../../../src/database/postgres/open-postgres.ts';
import type { CommitOptions } from '../../../src/database/postgres/postgres-commit.ts';
import { postgresDriver } from '../../../src/database/postgres/postgres-driver.ts';
import type { PostgresPlace } from '../../../src/database/postgres/postgres-place.ts';
import { createPostgresSchema, migratePostgres } from '../../../src/database/postgres/postgres-schema.ts';
import { connectPostgres, type PostgresSession } from '../../../src/database/postgres/postgres-session.ts';
import { placeOf } from './server.ts';

let schemas = 0;
/** Schemas with the tables of a new ledger that no test uses now: to make their tables takes longer than most tests. */
const free: PostgresPlace[] = [];
let session: Promise<PostgresSession> | undefined;

/** An empty schema; `tables`: with those of a new ledger. */
export async function temporarySchema(tables: 'tables' | 'empty' = 'tables'): Promise<PostgresPlace> {
  const used = tables === 'tables' ? free.pop() : undefined;
  const place = used ?? (await makeSchema(tables));
  onTestFinished(async () => {
    if (tables === 'empty') return await dropSchema(place);
    await asNew(place);
    free.push(place);
  });
  return place;
}

/** A driver of its own, with two connections, closed after the test. */
export async function openDriver(place: PostgresPlace, options: CommitOptions = {}): Promise<Driver> {
  const driver = postgresDriver(await openPostgres(place), options);
  onTestFinished(() => driver.close());
  return driver;
}

/** A schema that is not there yet. */
export function removedAfterTest(): PostgresPlace {
  const place = nextPlace();
  onTestFinished(() => dropSchema(place));
  return place;
}

function nextPlace(): PostgresPlace {
  schemas++;
  return placeOf(inject('postgres'), `test_${process.pid}_${Date.now().toString(36)}_${schemas}`);
}

async function makeSchema(tables: 'tables' | 'empty'): Promise<PostgresPlace> {
  const place = nextPlace();
  const driver = postgresDriver(await openPostgres(place));
  await driver.write(async (sql) => {
    await createPostgresSchema(sql, place.schema);
    if (tables === 'tables') await migratePostgres(sql, 0);
  });
  await driver.close();
  return place;
}

/** As migratePostgres leaves them: the last tables first, so that no row is deleted before those that refer to it. */
async function asNew({ schema }: PostgresPlace): Promise<void> {
  session ??= connectPostgres(placeOf(inject('postgres'), 'public'));
  const { ask } = await session;
  const { rows } = await ask(
    'SELECT relname FROM pg_class WHERE relnamespace = ?::regnamespace AND relkind = ? ORDER BY oid DESC',
    schema,
    'r',
  );
  const tables = rows.map(({ relname }: DatabaseRow) => `DELETE FROM "${schema}"."${relname}"`);
  const [version = {}] = (await ask(`SELECT value FROM "${schema}".meta WHERE key = 'schema'`)).rows;
  await Promise.all([
    ...tables.map((statement) => ask(statement)),
    ask(`INSERT INTO "${schema}".meta (key, value) VALUES ('events', '0'), ('schema', ?)`, version.value ?? null),
  ]);
}

async function dropSchema({ schema }: PostgresPlace): Promise<void> {
  session ??= connectPostgres(placeOf(inject('postgres'), 'public'));
  await (await session).ask(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
}
