/** A schema with the tables `t` and `counter`, for what a driver does with transactions: what is stored, and who resolved. */
import { onTestFinished } from 'vitest';
import type { Driver } from '../../../src/database/database-driver.ts';
import { connectPostgres } from '../../../src/database/postgres/postgres-session.ts';
import { temporarySchema } from './schema.ts';

export async function driverScene() {
  const place = await temporarySchema('empty');
  const session = await connectPostgres(place);
  onTestFinished(() => session.end());
  await session.ask('CREATE TABLE t (a TEXT PRIMARY KEY)');
  await session.ask('CREATE TABLE counter (n BIGINT NOT NULL)');
  await session.ask('INSERT INTO counter VALUES (0)');
  const stored = async () => (await session.ask('SELECT a FROM t ORDER BY a')).rows.map(({ a }) => a as string);
  /** A server may still work on what it got from a connection that is lost. */
  const settled = async () => {
    for (const text of ['BEGIN', 'LOCK TABLE t IN SHARE MODE', 'COMMIT']) await session.ask(text);
  };
  return { place, stored, settled, clear: () => session.ask('DELETE FROM t'), ask: session.ask };
}

export const insert = (driver: Driver, a: string) =>
  driver.write(async (sql) => await sql.run('INSERT INTO t VALUES (?)', a));

/** Names of works that resolved, and the codes of those that did not. */
export async function outcome(works: { readonly [name: string]: Promise<unknown> }) {
  const names = Object.keys(works);
  const settled = await Promise.allSettled(Object.values(works));
  const done = names.filter((_, n) => settled[n]!.status === 'fulfilled');
  const failed = settled.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code?: string }).code] : []));
  return { done, failed };
}
