/** When a worker looks for roles that are free, and what it does not wait for. On SQLite: the statements are those of PostgreSQL. */
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { groupCommit } from '../../../src/ledger/database/group-commit.ts';
import { createDatabase, openDatabase } from '../../../src/ledger/database/open-database.ts';
import type { RunContext } from '../../../src/pipeline/context/run-context.ts';
import { keepRoles, nextLookMs } from '../../../src/pipeline/take-over.ts';
import { expire, joined } from '../../contracts/ledger-workers.ts';
import { temporaryFolder } from '../folder.ts';

async function twoWorkers() {
  const file = join(temporaryFolder(), 'ledger.sqlite');
  createDatabase(file).close();
  const open = () => {
    const db = openDatabase(file, { checked: true });
    onTestFinished(() => db.close());
    return groupCommit(db, { seal: () => 0, committed: () => {}, makeRoom: () => false });
  };
  return [await joined(open()), await joined(open())] as const;
}

test('it looks every third of a lease, and once the lease of another worker ends', async () => {
  const [own, other] = await twoWorkers();
  const roles = own.ledger.roles!;
  expect(await nextLookMs(roles)).toBe(roles.leaseMs / 3);
  const ends = `UPDATE worker SET until = CAST(unixepoch('subsec') * 1000 AS INTEGER) + 9000 WHERE id = ?`;
  await other.driver.write(async (sql) => void (await sql.run(ends, other.id)));
  const ms = await nextLookMs(roles);
  expect(ms).toBeLessThanOrEqual(9005);
  expect(ms).toBeGreaterThan(0);
  await expire(other.driver, other.id);
  expect(await nextLookMs(roles)).toBeLessThan(10);
  await roles.sweep();
  expect(await nextLookMs(roles)).toBe(roles.leaseMs / 3);
});

test('a large file that keeps the turn at the documents does not keep a role from being taken over', async () => {
  const [own, other] = await twoWorkers();
  await own.ledger.roles!.takeRoles(['receipts']);
  await other.ledger.roles!.takeRoles(['send fr']);
  const [stop, asked, large] = [new AbortController(), Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  const work = {
    ...{ ledger: own.ledger, lines: new Map([['fr', {}]]), stop: stop.signal, emit: () => {} },
    clock: { sleep: () => new Promise((resolve) => setImmediate(resolve)) },
  } as unknown as RunContext;
  const turn = () => {
    asked.resolve();
    return large.promise;
  };
  const failures: unknown[] = [];
  let takings = 0;
  const taken = () => void takings++;
  const kept = keepRoles(work, { turn, taken, failed: (error) => void failures.push(error) });
  await asked.promise;
  await expire(other.driver, other.id);
  await vi.waitFor(() => expect(own.ledger.roles!.holds('send fr')).toBe(true), 5000);
  await vi.waitFor(() => expect(takings).toBe(2), 5000);
  stop.abort();
  large.reject(new Error('the file cannot be read'));
  await kept;
  expect(failures).toEqual([new Error('the file cannot be read')]);
});
