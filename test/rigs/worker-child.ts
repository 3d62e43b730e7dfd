/**
 * A watch among several workers, loaded ahead of its turn: it does nothing until a message brings its instance, the place of its
 * ledger, its id and its lease. Prints its events; an error that ends it is the last one.
 */
import { flushCompileCache } from 'node:module';
import { hostname } from 'node:os';
import { readInstance } from '../../src/instance/instance.ts';
import { openPostgres } from '../../src/ledger/postgres/open-postgres.ts';
import { postgresDriver } from '../../src/ledger/postgres/postgres-driver.ts';
import type { PostgresPlace } from '../../src/ledger/postgres/postgres-place.ts';
import { createSqlLedger } from '../../src/ledger/sql-ledger.ts';
import { joinLedger } from '../../src/ledger/workers/join-ledger.ts';
import { must } from '../../src/model/must.ts';
import { openWork } from '../../src/pipeline/open-run.ts';
import { watch } from '../../src/pipeline/watch.ts';

export type WorkerStart = { readonly root: string; readonly place: PostgresPlace; readonly id: string };

const print = (happening: object) => process.stdout.write(`${JSON.stringify(happening)}\n`);

async function work({ root, place, id }: WorkerStart): Promise<void> {
  const instance = readInstance(root, { variables: process.env as Record<string, string> });
  const driver = postgresDriver(await openPostgres(place));
  const now = () => new Date();
  const worker = {
    ...({ id, host: hostname(), pid: process.pid, work: 'watch', version: '0.0.0' } as const),
    ...{ settingsSha256: 'ab', startedAt: now().toISOString() },
  };
  const { nowMs } = must(driver.dialect, 'the dialect of PostgreSQL');
  const membership = await joinLedger(driver, worker, { nowMs, leaseMs: place.leaseMs, now });
  await using ledger = await createSqlLedger({ driver, guard: { send: true }, now, membership });
  const stop = new AbortController();
  process.on('SIGTERM', () => stop.abort());
  await using open = await openWork(instance, ledger, { stop: stop.signal, onEvent: print });
  print({ what: 'working' });
  await watch(open);
}

process.once('message', (start: WorkerStart) => {
  process.disconnect();
  work(start).catch((error: Error & { code?: string }) => {
    print({ what: 'ended', code: error.code, says: error.message, stack: error.stack });
    process.exitCode = 1;
  });
});
// A process that is killed never writes its cache.
flushCompileCache();
process.send?.(process.pid);
