/** A watch of one worker in a process of its own: `node watch-child.ts ROOT PLACE ID LEASE_MS`. Prints its events. */
import { hostname } from 'node:os';
import { readInstance } from '../../../src/instance/instance.ts';
import { openPostgres } from '../../../src/ledger/postgres/open-postgres.ts';
import { postgresDriver } from '../../../src/ledger/postgres/postgres-driver.ts';
import { createSqlLedger } from '../../../src/ledger/sql-ledger.ts';
import { joinLedger } from '../../../src/ledger/workers/join-ledger.ts';
import { must } from '../../../src/model/must.ts';
import { openWork, systemClock } from '../../../src/pipeline/open-run.ts';
import { watch } from '../../../src/pipeline/watch.ts';

const [root = '', place = '', id = '', leaseMs = ''] = process.argv.slice(2);
const instance = readInstance(root, { variables: process.env as Record<string, string> });
const driver = postgresDriver(await openPostgres(JSON.parse(place)));
// A clock that is a day off: nothing between workers is decided by it.
const offMs = Number(process.env.OFF_MS ?? 0);
const now = () => new Date(Date.now() + offMs);
const worker = {
  ...({ id, host: hostname(), pid: process.pid, work: 'watch', version: '0.0.0' } as const),
  ...{ settingsSha256: 'ab', startedAt: now().toISOString() },
};
const { nowMs } = must(driver.dialect, 'the dialect of PostgreSQL');
const membership = await joinLedger(driver, worker, { nowMs, leaseMs: Number(leaseMs), now });
await using ledger = await createSqlLedger({ driver, guard: { send: true }, now, membership });
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
const print = (happening: object) => process.stdout.write(`${JSON.stringify(happening)}\n`);
await using work = await openWork(instance, ledger, {
  ...{ stop: stop.signal, onEvent: print },
  clock: { ...systemClock, now },
});
try {
  await watch(work);
} catch (error) {
  print({ what: 'ended', code: (error as { code?: string }).code ?? String(error) });
}
