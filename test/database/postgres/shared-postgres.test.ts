/** Connections that several users of a process share: the last one that closes its use closes them for good. */
import { expect, test } from 'vitest';
import { sharePostgres } from '../../../src/database/postgres/shared-postgres.ts';
import { openDriver, temporarySchema } from './schema.ts';

test('a question after the end of its use opens no connection', async () => {
  const place = await temporarySchema();
  const driver = await openDriver(place);
  // Those of this test alone: each connection has the schema among its options.
  const count = async () => {
    const open = `SELECT COUNT(*) AS open FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid WHERE l.locktype = 'advisory' AND l.objid = 4711`;
    return (await driver.read(async (sql) => await sql.all(open)))[0]?.open;
  };
  const shared = sharePostgres(place);
  const mark = () => shared.read(async (sql) => await sql.all('SELECT pg_advisory_lock_shared(4711)'));
  await mark();
  expect(await count()).toBe(1);
  await shared.close();
  await expect(mark()).rejects.toThrow('has ended');
  expect(await count()).toBe(0);
});
