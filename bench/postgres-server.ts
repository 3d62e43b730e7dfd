/** A PostgreSQL server for one run: a new one on loopback whose commits are flushed, or that of NIGHTPOST_TEST_POSTGRES. */
import { connectPostgres } from '../src/ledger/postgres/postgres-session.ts';
import { placeOf, TestServer } from '../test/ledger/postgres/server.ts';

/** The tests do without it; a ledger does not. */
const DURABLE = { fsync: 'on', full_page_writes: 'on' };

/** Gives `work` the settings `ledger.postgres` for a schema that is not there yet, and removes it afterwards. */
export async function onPostgres<T>(work: (settings: object) => Promise<T>): Promise<T> {
  const given = process.env.NIGHTPOST_TEST_POSTGRES;
  const server = given === undefined ? await TestServer.create(DURABLE) : undefined;
  const own = placeOf(server?.url ?? given!, `bench_${process.pid}_${Date.now().toString(36)}`);
  const { leaseMs: _, password, ...place } = own;
  try {
    return await work({ ...place, ...(password !== undefined && { password: { command: ['echo', password] } }) });
  } finally {
    if (server) await server.remove();
    else {
      const session = await connectPostgres({ ...own, schema: 'public' });
      await session.ask(`DROP SCHEMA IF EXISTS "${own.schema}" CASCADE`);
      await session.end();
    }
  }
}
