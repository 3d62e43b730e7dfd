/** When a worker looks for roles that are free, and what it does not wait for. On SQLite: the statements are those of PostgreSQL. */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recoveredWords } from '../../../src/cli/output/progress.ts';
import { groupCommit } from '../../../src/database/group-commit.ts';
import { createDatabase, openDatabase } from '../../../src/database/open-database.ts';
import type { TakeTurn } from '../../../src/files/turns.ts';
import { format } from '../../../src/i18n/message.ts';
import type { Ledger } from '../../../src/ledger/contract/ledger.ts';
import type { PipelineEvent, RunContext } from '../../../src/pipeline/context/run-context.ts';
import { keepRoles, nextLookMs } from '../../../src/runs/take-over.ts';
import { expire, joined } from '../../contracts/ledger-workers.ts';
import { endWithTest } from '../../end-with-test.ts';
import { admit, INTENT } from '../acts.ts';
import { temporaryFolder } from '../folder.ts';
import { valid } from '../make.ts';

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

/** What keepRoles uses of a run: a folder, a clock that a test sets, and no wait between two looks. */
function workOf(ledger: Ledger, stop: AbortSignal, { now = () => new Date(), slept = () => {} } = {}): RunContext {
  const folder = temporaryFolder();
  const paths = { processing: join(folder, 'processing'), inbox: join(folder, 'inbox') };
  for (const path of Object.values(paths)) mkdirSync(path);
  const sleep = () => {
    slept();
    return new Promise((resolve) => setImmediate(resolve));
  };
  const clock = { now, sleep };
  const services = new Map([['fr', {}]]);
  return { ledger, services, stop, clock, emit: () => {}, instance: { folder, paths } } as unknown as RunContext;
}

test('a large file that keeps the turn at the documents does not keep a role from being taken over', async () => {
  const [own, other] = await twoWorkers();
  await own.ledger.roles!.takeRoles(['receipts']);
  await other.ledger.roles!.takeRoles(['send fr']);
  const [stop, asked, large] = [new AbortController(), Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  let looks = 0;
  const work = workOf(own.ledger, stop.signal, { slept: () => void looks++ });
  const turn = () => {
    asked.resolve();
    return large.promise;
  };
  const failures: unknown[] = [];
  let takings = 0;
  const taken = () => void takings++;
  const kept = keepRoles(work, { turn, taken, failed: (error) => void failures.push(error) });
  endWithTest(stop, [kept]);
  await asked.promise;
  const before = looks;
  await expect.poll(() => looks).toBeGreaterThan(before + 2);
  await expire(other.driver, other.id);
  await expect.poll(() => own.ledger.roles!.holds('send fr')).toBe(true);
  await expect.poll(() => takings).toBe(2);
  stop.abort();
  large.reject(new Error('the file cannot be read'));
  await kept;
  expect(failures).toEqual([new Error('the file cannot be read')]);
});

test.each([-1, 1])(
  'what it writes itself is no leftover, however late the look is, and with a clock that is %i day off',
  async (days) => {
    const [own, other] = await twoWorkers();
    await other.ledger.roles!.takeRoles(['send fr']);
    const stop = new AbortController();
    const now = () => new Date(Date.now() + days * 86_400_000);
    const work = workOf(own.ledger, stop.signal, { now });
    const { folder } = work.instance;
    mkdirSync(join(folder, 'outbox'));
    const fileAt = (name: string, ms: number) => {
      const path = join(folder, 'outbox', name);
      writeFileSync(path, '');
      utimesSync(path, ms / 1000, ms / 1000);
      return path;
    };
    const left = fileAt('left.json.tmp-np', Date.now() - 10_000);
    let fresh = '';
    // The documents are taken by turns, and a large file may have this one for longer than a lease.
    const turn: TakeTurn = async (act) => {
      fresh ||= fileAt('fresh.json.tmp-np', Date.now() + 10);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return await act();
    };
    const failed = (error: unknown) => expect.unreachable(String(error));
    const kept = keepRoles(work, { turn, taken: () => {}, failed });
    endWithTest(stop, [kept]);
    await expect.poll(() => existsSync(left)).toBe(false);
    stop.abort();
    await kept;
    expect(readdirSync(join(folder, 'outbox'))).toEqual([basename(fresh)]);
  },
);

test('what it takes over is reported with the name of the worker that left it, and its words name that worker', async () => {
  const [own, other] = await twoWorkers();
  await other.ledger.roles!.takeRoles(['send fr', 'receipts']);
  await admit(other.ledger, [valid()]);
  await other.ledger.submissions.begin(
    (await other.ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10))[0]!,
    INTENT,
  );
  await expire(other.driver, other.id);
  const stop = new AbortController();
  const told: PipelineEvent[] = [];
  const work = { ...workOf(own.ledger, stop.signal), emit: (happening: PipelineEvent) => void told.push(happening) };
  const failed = (error: unknown) => expect.unreachable(String(error));
  const kept = keepRoles(work, { turn: (act) => act(), taken: () => {}, failed });
  endWithTest(stop, [kept]);
  const found = () => told.filter((one) => one.what === 'recovered');
  await expect.poll(found).toHaveLength(2);
  stop.abort();
  await kept;
  const { host, pid } = (await own.ledger.workers.list()).find(({ id }) => id === other.id)!;
  expect(found()).toEqual([
    { what: 'recovered', files: 0, inDoubt: 1, worker: { host, pid } },
    { what: 'recovered', files: 1, inDoubt: 0, worker: { host, pid } },
  ]);
  expect(format(recoveredWords(found()[0]!), 'en')).toBe(
    `Watch ${pid} on ${host} is no longer active, and this one goes on with its work. Files resumed: 0, documents in doubt: 1`,
  );
  expect(format(recoveredWords({ files: 1, inDoubt: 0 }), 'en')).toMatch(/^An earlier run was interrupted/);
});
