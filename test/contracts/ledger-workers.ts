/** What every ledger does for several workers: leases, roles with fences, and what is left of a worker that is gone. */
import { describe, expect, test } from 'vitest';
import { type Driver, SQLITE } from '../../src/database/database-driver.ts';
import { BusyIdentityError } from '../../src/ledger/contract/busy-identity.ts';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import type { NewWorker } from '../../src/ledger/contract/worker-store.ts';
import { createSqlLedger } from '../../src/ledger/sql-ledger.ts';
import { type JoinOptions, joinLedger } from '../../src/ledger/workers/join-ledger.ts';
import { renewLease } from '../../src/ledger/workers/worker-rows.ts';
import { AT, admit, all, INTENT, reach, send } from '../ledger/acts.ts';
import { ADMITTED, answer, clock, newFile, nextLink, receiptOf, recordReceipt, valid } from '../ledger/make.ts';

/** Gives a function that opens the same new database once more, each time with a connection of its own. */
export type SharedDatabase = () => Promise<() => Promise<Driver>>;

const LEASE_MS = 60_000;
const IN_DOUBT = { state: 'in-doubt', reason: 'the worker is gone', consultAt: 1 } as const;
let workers = 0;

function newWorker(changes: Partial<NewWorker> = {}): NewWorker {
  workers++;
  const of = { host: `host-${workers}`, pid: workers, work: 'watch', version: '1.0.0', settingsSha256: 'ab' } as const;
  return { id: `worker-${workers}`, ...of, startedAt: AT, ...changes };
}

export type Joined = { readonly id: string; readonly ledger: Ledger; readonly driver: Driver };

/** A ledger of one more worker on the database. */
export async function joined(
  driver: Driver,
  changes: Partial<NewWorker> = {},
  options: Partial<JoinOptions> = {},
): Promise<Joined> {
  const worker = newWorker(changes);
  const { nowMs } = driver.dialect ?? SQLITE;
  const membership = await joinLedger(driver, worker, { nowMs, leaseMs: LEASE_MS, now: () => new Date(), ...options });
  const ledger = await createSqlLedger({ driver, guard: { send: true }, now: clock().now, membership });
  return { id: worker.id, ledger, driver };
}

/** As if the lease had ended: nothing waits for time. */
export async function expire(driver: Driver, id: string): Promise<void> {
  await driver.write(async (sql) => {
    await sql.run('UPDATE worker SET until = 1 WHERE id = ?', id);
    await sql.run('UPDATE role SET until = 1 WHERE worker = ?', id);
  });
}

const LOST = { code: 'ledger/lease-lost' };
const roles = ({ ledger }: Joined) => ledger.roles!;
const due = async ({ ledger }: Joined) => (await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10))[0]!;

export function workersContract(name: string, share: SharedDatabase): void {
  const two = async () => {
    const open = await share();
    return { one: await joined(await open()), other: await joined(await open()), open };
  };

  describe(`${name}: workers`, () => {
    test('watches live next to each other, with what they are and have', async () => {
      const { one, other } = await two();
      await roles(one).takeRoles(['receipts', 'send fr']);
      const file = await other.ledger.intake.openFile(newFile());
      // Both began at the same moment: then their order is that of their ids, as texts.
      const found = (await one.ledger.workers.list()).toSorted(
        (a, b) => Number(b.id === one.id) - Number(a.id === one.id),
      );
      expect(found.map(({ id, roles, files }) => ({ id, roles, files }))).toEqual([
        { id: one.id, roles: ['receipts', 'send fr'], files: 0 },
        { id: other.id, roles: [], files: 1 },
      ]);
      expect(found[0]).toMatchObject({ work: 'watch', version: '1.0.0', startedAt: AT });
      expect(found[0]?.leftMs).toBeGreaterThan(LEASE_MS / 2);
      expect(await one.ledger.intake.loadingFiles()).toEqual([]);
      expect((await other.ledger.intake.loadingFiles()).map(({ id }) => id)).toEqual([file.id]);
    });

    test('a role has one worker; its fence counts up each time it is taken', async () => {
      const { one, other } = await two();
      expect(await roles(one).takeRoles(['send fr', 'receipts'])).toEqual(['send fr', 'receipts']);
      expect(await roles(other).takeRoles(['send fr', 'send sv'])).toEqual(['send sv']);
      await other.ledger[Symbol.asyncDispose]();
      expect(await roles(one).takeRoles(['send sv'])).toEqual(['send fr', 'receipts', 'send sv']);
      const rows = await one.driver.read(
        async (sql) => await sql.all('SELECT name, fence, worker FROM role ORDER BY name'),
      );
      expect(rows).toEqual([
        { name: 'receipts', fence: 1, worker: one.id },
        { name: 'send fr', fence: 1, worker: one.id },
        { name: 'send sv', fence: 2, worker: one.id },
      ]);
    });

    test('only the sender of a service begins, and only under its fence', async () => {
      const { one, other } = await two();
      await roles(one).takeRoles(['send fr']);
      await admit(other.ledger, [valid(), valid({ number: 'F-2' })]);
      const document = await due(one);
      await expect(other.ledger.submissions.begin(document, INTENT)).rejects.toMatchObject(LOST);
      expect(await one.ledger.submissions.begin(document, INTENT)).toMatchObject({ n: 1 });
      const [row] = await one.driver.read(
        async (sql) => await sql.all('SELECT begun_by FROM entry WHERE id = ?', document.id),
      );
      expect(row).toEqual({ begun_by: one.id });
      // Its lease ends while it stands still: it still believes in it.
      await expire(one.driver, one.id);
      const next = await due(one);
      await expect(one.ledger.submissions.begin(next, INTENT)).rejects.toMatchObject(LOST);
      expect((await roles(other).sweep()).map(({ id }) => id)).toEqual([one.id]);
      expect(await roles(other).takeRoles(['send fr'])).toEqual(['send fr']);
      await expect(one.ledger.submissions.begin(next, INTENT)).rejects.toMatchObject(LOST);
      expect(await other.ledger.queries.counts()).toEqual({ ready: 1, sending: 1 });
      expect(await other.ledger.submissions.begin(next, INTENT)).toMatchObject({ n: 1 });
    });

    test('only of workers that are gone submissions are interrupted, whenever they went', async () => {
      const { one, other, open } = await two();
      await roles(one).takeRoles(['send fr']);
      await admit(one.ledger, [valid(), valid({ number: 'F-2' })]);
      const first = (await one.ledger.submissions.begin(await due(one), INTENT))!;
      expect(await other.ledger.submissions.interruptedSubmissions()).toEqual([]);
      const second = await due(one);
      await expire(one.driver, one.id);
      await roles(other).sweep();
      expect((await other.ledger.submissions.interruptedSubmissions()).map(({ due: { id } }) => id)).toEqual([
        first.due.id,
      ]);
      await other.ledger.submissions.finish(first, IN_DOUBT, AT);
      // A claim that was committed after the sweep: the next one finds it, although no worker goes with it.
      await one.driver.write(
        async (sql) =>
          await sql.run(
            `UPDATE entry SET state = 'sending', submits = 1, request_id = 'late', begun_at = ?, begun_run = 'run-1',
          begun_by = ? WHERE id = ?`,
            AT,
            one.id,
            second.id,
          ),
      );
      const later = await joined(await open());
      expect(await roles(later).sweep()).toEqual([]);
      expect((await later.ledger.submissions.interruptedSubmissions()).map(({ due: { id } }) => id)).toEqual([
        second.id,
      ]);
    });

    test('an answer that comes late counts for its attempt, from in doubt', async () => {
      const { one, other } = await two();
      await roles(one).takeRoles(['send fr']);
      await admit(one.ledger, [valid()]);
      const sending = (await one.ledger.submissions.begin(await due(one), INTENT))!;
      await expire(one.driver, one.id);
      await roles(other).sweep();
      await other.ledger.submissions.finish(sending, IN_DOUBT, AT);
      expect(await other.ledger.queries.counts()).toEqual({ 'in-doubt': 1 });
      const { exchange, verdict } = answer(2, 'authorized');
      await one.ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, verdict, AT);
      expect(await other.ledger.queries.counts()).toEqual({ authorized: 1 });
    });

    test('files of workers that are gone start over elsewhere; a worker that comes back writes nothing of them', async () => {
      const { one, other } = await two();
      const read = await one.ledger.intake.openFile(newFile());
      await one.ledger.intake.stage(read.id, [valid()]);
      const done = await one.ledger.intake.openFile(newFile());
      await one.ledger.intake.stage(done.id, [valid({ number: 'F-2' })]);
      await one.ledger.intake.admit(done.id, ADMITTED, AbortSignal.abort());
      expect(await roles(other).adoptFiles()).toEqual([]);
      await expire(one.driver, one.id);
      await roles(other).sweep();
      expect(await roles(other).adoptFiles()).toEqual([one.id, one.id]);
      expect(await roles(other).adoptFiles()).toEqual([]);
      expect(await other.ledger.queries.counts()).toEqual({ ready: 1 });
      expect((await other.ledger.intake.loadingFiles()).map(({ id }) => id)).toEqual([read.id]);
      await expect(one.ledger.intake.stage(read.id, [valid()])).rejects.toMatchObject(LOST);
      await expect(one.ledger.intake.admit(read.id, ADMITTED)).rejects.toMatchObject(LOST);
      await expect(one.ledger.intake.restartFile(read.id)).rejects.toMatchObject(LOST);
      await expect(one.ledger.intake.refuseFile(read.id, { rows: 0, leftOut: [], faults: [] })).rejects.toMatchObject(
        LOST,
      );
      await other.ledger.intake.stage(read.id, [valid()]);
      await expect(one.ledger.intake.duplicateFile(read.id, done.id)).rejects.toMatchObject(LOST);
      await expect(one.ledger.intake.closeFiles([{ id: read.id, duplicateOf: done.id }])).rejects.toMatchObject(LOST);
      await other.ledger.intake.admit(read.id, ADMITTED);
      expect(await other.ledger.queries.counts()).toEqual({ ready: 2 });
    });

    test('a decision that arrives after its worker was found dead is not made a second time', async () => {
      const { one, other } = await two();
      await roles(one).takeRoles(['acts', 'send fr']);
      await reach(one.ledger, 'failed');
      const [entry] = await all(one.ledger.queries.find({}));
      const { id } = entry!;
      await expire(one.driver, one.id);
      await roles(other).sweep();
      await roles(other).takeRoles(['acts', 'send fr']);
      const resend = { as: 'ready', by: 'anna', at: AT, reason: 'the service is repaired' } as const;
      expect(await other.ledger.steps.stepsOf('request').submissions.resolve(id, resend)).toBe(true);
      await other.ledger.steps.finishRequest('request', '{}');
      await send(other.ledger, answer(4, 'failed'));
      await expect(one.ledger.steps.stepsOf('request').submissions.resolve(id, resend)).rejects.toMatchObject(LOST);
      await expect(one.ledger.submissions.resolve(id, resend)).rejects.toMatchObject(LOST);
      expect(await other.ledger.queries.counts()).toEqual({ failed: 1 });
    });

    test('an answer file of a worker that was found dead adds nothing to that of the next one', async () => {
      const { one, other } = await two();
      const file = { answers: 'm answers', folder: 'answers', run: 'run-1', at: AT, nameOf: (n: number) => `${n}.csv` };
      const slow = await one.ledger.answers.beginAnswerFile(file);
      await expire(one.driver, one.id);
      await roles(other).sweep();
      await other.ledger.answers.discardComposing();
      expect((await other.ledger.answers.beginAnswerFile(file)).id).toBe(slow.id);
      const documents = [{ entry: 'e', state: 'authorized', code: undefined, digest: 'd', changes: 1 }] as const;
      await expect(one.ledger.answers.addAnswered(slow.id, documents)).rejects.toMatchObject(LOST);
      expect(await all(other.ledger.answers.answeredLines(slow.id))).toEqual([]);
    });

    test('the files of a worker that is gone are taken over together, not one after the other', async () => {
      const open = await share();
      const one = await joined(await open());
      const driver = await open();
      let [atOnce, most] = [0, 0];
      const counted: Driver = {
        ...driver,
        write: async (work, order, apart) => {
          most = Math.max(most, ++atOnce);
          return await driver.write(work, order, apart).finally(() => atOnce--);
        },
      };
      const other = await joined(counted);
      const files: string[] = [];
      for (let n = 0; n < 5; n++) files.push((await one.ledger.intake.openFile(newFile())).id);
      await one.ledger.intake.stage(files[0]!, [valid()]);
      await expire(one.driver, one.id);
      await roles(other).sweep();
      most = 0;
      expect(await roles(other).adoptFiles()).toHaveLength(files.length);
      // A renewal of the lease may be one of them, on a busy machine.
      expect(most).toBeGreaterThanOrEqual(files.length - 1);
      expect((await other.ledger.intake.loadingFiles()).map(({ id }) => id)).toEqual(files);
      expect(await other.ledger.intake.isBeingStaged(files[0]!)).toBe(false);
    });

    test('of two files with the same document one waits for the other', async () => {
      const { one, other } = await two();
      const [mine, theirs] = [
        await one.ledger.intake.openFile(newFile()),
        await other.ledger.intake.openFile(newFile()),
      ];
      await one.ledger.intake.stage(mine.id, [valid()]);
      const waits = await other.ledger.intake
        .stage(theirs.id, [valid({ number: 'F-2' }), valid()])
        .catch((error) => error);
      expect(waits).toBeInstanceOf(BusyIdentityError);
      expect(waits.file).toBe(mine.id);
      expect(await other.ledger.intake.isBeingStaged(mine.id)).toBe(true);
      expect(await other.ledger.intake.isBeingStaged(theirs.id)).toBe(false);
      await one.ledger.intake.admit(mine.id, ADMITTED);
      expect(await other.ledger.intake.isBeingStaged(mine.id)).toBe(false);
      await other.ledger.intake.stage(theirs.id, [valid({ number: 'F-2' }), valid()]);
      await other.ledger.intake.admit(theirs.id, ADMITTED);
      expect(await other.ledger.queries.counts()).toEqual({ ready: 2, duplicate: 1 });
    });

    test('one worker writes the chain; the events of all get numbers without gaps', async () => {
      const { one, other } = await two();
      await roles(one).takeRoles(['receipts']);
      await admit(one.ledger, [valid()]);
      await admit(other.ledger, [valid({ number: 'F-2' })]);
      expect(await one.ledger.receipts.eventCount()).toBe(0);
      expect(await one.ledger.receipts.strayEvents()).toEqual([]);
      await other.ledger.receipts.sealEvents();
      expect(await one.ledger.receipts.eventCount()).toBe(0);
      const [entry] = await all(other.ledger.queries.find({}));
      const link = await nextLink(other.ledger, entry!.id);
      const receipt = { ...receiptOf(entry!), link };
      await expect(other.ledger.receipts.recordReceipts([receipt])).rejects.toMatchObject(LOST);
      await one.ledger.receipts.sealEvents();
      const count = await one.ledger.receipts.eventCount();
      expect((await one.ledger.receipts.eventsBetween(1, count)).map(({ n }) => n)).toEqual(
        Array.from({ length: count }, (_, n) => n + 1),
      );
      expect(count).toBeGreaterThan(4);
      expect((await all(one.ledger.receipts.eventSeals())).at(-1)).toMatchObject({ first: 1, last: count });
      await other.ledger.intake.openFile(newFile());
      await one.ledger.receipts.sealEvents();
      expect(await one.ledger.receipts.eventCount()).toBe(count + 1);
      // By another program, with the name of a worker: it is no event of ours.
      await one.driver.write(
        async (sql) =>
          await sql.run(
            `INSERT INTO event (id, at, what, worker, worker_n) VALUES ('x', ?, 'ready', ?, 99)`,
            AT,
            other.id,
          ),
      );
      await one.ledger.receipts.sealEvents();
      expect((await one.ledger.receipts.strayEvents()).map(({ id }) => id)).toEqual(['x']);
    });

    test('the latest links are those of the last two writers, each of its own last time', async () => {
      const { one, other } = await two();
      await roles(one).takeRoles(['receipts']);
      await admit(one.ledger, [valid()]);
      const [entry] = await all(one.ledger.queries.find({}));
      const { id } = entry!;
      const record = async ({ ledger }: Joined, run: string, minute: number) => {
        const link = { ...(await nextLink(ledger, id)), run, at: `2026-11-20T22:0${minute}:00.000Z` };
        await ledger.receipts.recordReceipts([{ ...receiptOf(entry!), link }]);
      };
      expect(await one.ledger.receipts.latestLinks(LEASE_MS)).toEqual([]);
      for (const minute of [1, 2]) await record(one, 'first', minute);
      expect((await other.ledger.receipts.latestLinks(LEASE_MS)).map(({ n }) => n)).toEqual([1, 2]);
      for (const minute of [1, 3, 4]) await record(one, 'second', minute);
      // Its clock is behind by minutes.
      for (const minute of [0, 2, 3]) await record(one, 'third', minute);
      expect((await other.ledger.receipts.latestLinks(LEASE_MS)).map(({ n }) => n)).toEqual([4, 5, 7, 8]);
    });

    test('files that a lost worker wrote last become due once more, its lease or not', async () => {
      const { one, other } = await two();
      await roles(one).takeRoles(['receipts']);
      await admit(one.ledger, [valid()]);
      const [entry] = await all(one.ledger.queries.find({}));
      const { id, file } = entry!;
      await recordReceipt(one.ledger, entry!);
      expect(await other.ledger.receipts.receiptsDue(1, { waiting: true })).toEqual([]);
      await expire(one.driver, one.id);
      await roles(other).sweep();
      await roles(one).giveUpWrites({ entries: [id, 'unknown'], files: [file.id] });
      expect((await other.ledger.receipts.receiptsDue(1)).map((due) => due.entry.id)).toEqual([id]);
      expect((await other.ledger.workers.list()).map(({ lapsed }) => lapsed)).toEqual([true, undefined]);
    });

    test('a worker that cannot renew its lease begins nothing more, by either clock', async () => {
      const open = await share();
      for (const which of ['monotonic', 'wall'] as const) {
        const at = { monotonic: 0, wall: 0 };
        const one = await joined(await open(), {}, { instant: () => ({ ...at }) });
        await roles(one).takeRoles(['send fr']);
        at[which] = LEASE_MS;
        // It has stood still: no timer has found out before.
        expect(roles(one).holds('send fr')).toBe(false);
        await expect(one.ledger.intake.openFile(newFile())).rejects.toMatchObject(LOST);
        expect(roles(one).lost.reason).toMatchObject(LOST);
        await one.ledger[Symbol.asyncDispose]();
      }
    });

    test('a lease that has ended is not renewed, although no other worker has noticed yet', async () => {
      const { one } = await two();
      const { nowMs } = one.driver.dialect ?? SQLITE;
      const renew = () => one.driver.write((sql) => renewLease(sql, one.id, { nowMs, leaseMs: LEASE_MS }));
      expect(await renew()).toBeGreaterThan(0);
      await expire(one.driver, one.id);
      expect(await renew()).toBeUndefined();
    });

    test('a worker that was gone for others is gone, although its own clock stood still', async () => {
      const { one, other } = await two();
      await expire(one.driver, one.id);
      await roles(other).sweep();
      await expect(roles(one).takeRoles(['receipts'])).resolves.toEqual([]);
      expect((await other.ledger.workers.list()).find(({ id }) => id === one.id)?.goneMs).toBeGreaterThan(0);
    });
  });
}
