/** A schema of its own for one test, on the server of the project, with the tables of a ledger; removed after the test. */
import { inject, onTestFinished } from 'vitest';
import type { Driver } from '../../../src/ledger/database/database-driver.ts';
import { openPostgres } from '../../../src/ledger/postgres/open-postgres.ts';
import { type PostgresDriverOptions, postgresDriver } from '../../../src/ledger/postgres/postgres-driver.ts';
import type { PostgresPlace } from '../../../src/ledger/postgres/postgres-place.ts';
import { createPostgresSchema, migratePostgres } from '../../../src/ledger/postgres/postgres-schema.ts';
import { placeOf } from './server.ts';

let schemas = 0;

/** An empty schema; `tables`: with those of a new ledger. */
export async function temporarySchema(tables: 'tables' | 'empty' = 'tables'): Promise<PostgresPlace> {
  schemas++;
  const place = placeOf(inject('postgres'), `test_${process.pid}_${Date.now().toString(36)}_${schemas}`);
  const driver = await openDriver(place);
  await driver.write(async (sql) => {
    await createPostgresSchema(sql, place.schema);
    if (tables === 'tables') await migratePostgres(sql, 0);
  });
  onTestFinished(() => removeSchema(place));
  return place;
}

/** A driver of its own, with two connections, closed after the test. */
export async function openDriver(place: PostgresPlace, options: PostgresDriverOptions = {}): Promise<Driver> {
  const driver = postgresDriver(await openPostgres(place), options);
  onTestFinished(() => driver.close());
  return driver;
}

/** A server that was made for the tests ends with them; dropping forty tables takes as long as a test. */
async function removeSchema(place: PostgresPlace): Promise<void> {
  if (process.env.NIGHTPOST_TEST_POSTGRES === undefined) return;
  const driver = postgresDriver(await openPostgres(place));
  await driver.write(async (sql) => await sql.run(`DROP SCHEMA "${place.schema}" CASCADE`));
  await driver.close();
}
