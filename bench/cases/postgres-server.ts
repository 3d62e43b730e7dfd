/** A PostgreSQL server for one run: a new one on loopback whose commits are flushed, or that of NIGHTPOST_TEST_POSTGRES. */
import { readdirSync, readFileSync } from 'node:fs';
import { connectPostgres, type PostgresSession } from '../../src/database/postgres/postgres-session.ts';
import { placeOf, TestServer } from '../../test/database/postgres/server.ts';

/** The tests do without it; a ledger does not. */
const DURABLE = { fsync: 'on', full_page_writes: 'on' };

/**
 * Gives `work` the settings `ledger.postgres` for a schema that is not there yet, and removes it afterwards; and the processor time
 * of the server so far, in seconds.
 */
export async function onPostgres<T>(work: (settings: object, serverSeconds: () => number) => Promise<T>): Promise<T> {
  const given = process.env.NIGHTPOST_TEST_POSTGRES;
  const server = given === undefined ? await TestServer.create(DURABLE) : undefined;
  const own = placeOf(server?.url ?? given!, `bench_${process.pid}_${Date.now().toString(36)}`);
  const { leaseMs: _, password, ...place } = own;
  const look = await connectPostgres({ ...own, schema: 'public' });
  const postmaster = await parentOf(look);
  await look.end();
  try {
    const settings = { ...place, ...(password !== undefined && { password: { command: ['echo', password] } }) };
    return await work(settings, () => secondsOf(postmaster));
  } finally {
    if (server) await server.remove();
    else {
      const session = await connectPostgres({ ...own, schema: 'public' });
      await session.ask(`DROP SCHEMA IF EXISTS "${own.schema}" CASCADE`);
      await session.end();
    }
  }
}

/** The process of the server that makes a process for each connection; undefined where it is on another machine. */
async function parentOf(session: PostgresSession): Promise<string | undefined> {
  const [row] = (await session.ask('SELECT pg_backend_pid() AS pid')).rows;
  return statOf(String(row!.pid))?.[PARENT];
}

// Fields of /proc/PID/stat after the name of the program, in hundredths of a second: its own time, and that of its ended children.
const PARENT = 1;
const TIMES = [11, 12, 13, 14] as const;

function statOf(pid: string): readonly string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  } catch {
    return undefined;
  }
}

/** Of the server with all its processes; 0 where they are not to be seen. */
function secondsOf(postmaster: string | undefined): number {
  if (postmaster === undefined) return 0;
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = statOf(pid);
      return stat && (pid === postmaster || stat[PARENT] === postmaster) ? [stat] : [];
    });
  return stats.reduce((sum, stat) => sum + TIMES.reduce((all, at) => all + Number(stat[at]), 0), 0) / 100;
}
