/**
 * Makes this process a worker of a ledger on which several work: it registers, renews its lease, takes roles and leaves. The
 * time of the database decides; if the lease may have ended, the worker begins nothing more (`ledger/lease-lost`), nor with a
 * clock that was set wrong meanwhile.
 */

import type { Driver, Statements } from '../../database/database-driver.ts';
import { createTurns } from '../../files/turns.ts';
import { leaseLost } from '../contract/lease-lost.ts';
import { appendEvent, type LedgerContext } from '../contract/ledger-context.ts';
import type { NewWorker, OwnWorker, RoleName, WorkerStore } from '../contract/worker-store.ts';
import { dropFile, finishStagedFile } from '../records/finish-staging.ts';
import { makeDueAgain } from '../records/receipt-chain.ts';
import { touchSummary } from '../records/touch-summary.ts';
import { createLeaseClock, type Instant } from './lease-clock.ts';
import {
  endWorker,
  firstLapse,
  forgetWorkers,
  hasRole,
  holdLiving,
  insertWorker,
  type LeaseTerms,
  markGone,
  ofNoLivingWorker,
  renewLease,
  rolesOf,
  selectWorkers,
  takeRole,
} from './worker-rows.ts';

/** A worker renews its lease every third of it. */
const PARTS = 3;

export type JoinOptions = LeaseTerms & {
  /** Part of the transaction that registers the worker. */
  readonly alongside?: (sql: Statements) => Promise<void>;
  readonly now: () => Date;
  /** The clocks of this machine, in place of `now`. */
  readonly instant?: (() => Instant) | undefined;
  /** Throws where this worker may not go on. Called at each renewal, with the clocks of the database and of this machine in ms since 1970. */
  readonly expectToWork?: ((there: number, here: number) => void) | undefined;
};

/** This process among the workers, until it leaves. */
export type Membership = {
  readonly own: OwnWorker;
  /** The store, once the ledger has its context. */
  readonly storeOf: (context: LedgerContext) => WorkerStore;
  /** False where the ledger cannot record it: others count it among those that live until its lease ends. */
  readonly leave: () => Promise<boolean>;
};

/** Registers the worker, next to all others: only watches join, under a lock that they share (postgres-lock.ts). */
export async function joinLedger(driver: Driver, worker: NewWorker, options: JoinOptions): Promise<Membership> {
  const { now } = options;
  const instant = options.instant ?? (() => ({ monotonic: performance.now(), wall: now().getTime() }));
  const { id } = worker;
  const { nowMs, leaseMs } = options;
  const sentAt = instant();
  await driver.write(async (sql) => {
    await options.alongside?.(sql);
    await markGone(sql, id, options);
    await forgetWorkers(sql, nowMs);
    await insertWorker(sql, worker, options);
  });
  const lease = createLeaseClock(leaseMs, sentAt);
  const lost = new AbortController();
  const fences = new Map<RoleName, number>();
  let hasLeft = false;
  const lose = (why: unknown = leaseLost()) => {
    fences.clear();
    if (!lost.signal.aborted && !hasLeft) lost.abort(why);
  };
  const expectLease = () => {
    if (!lost.signal.aborted && !lease.holds(instant())) lose();
    lost.signal.throwIfAborted();
  };
  // Taking, giving back and renewing one after the other: what is known here is then what the ledger has.
  const inTurn = createTurns();
  const renew = async () => {
    if (hasLeft || lost.signal.aborted) return;
    const sentAt = instant();
    const renewed = await driver.write(async (sql) => {
      const there = await renewLease(sql, id, options);
      return there === undefined ? undefined : { there, held: await rolesOf(sql, id) };
    }, 'first');
    if (!renewed || [...fences].some(([role, fence]) => renewed.held.get(role) !== fence)) return lose();
    lease.renewed(sentAt);
    const here = instant();
    // A machine that slept meanwhile has lost its lease; its clock is right.
    if (!lease.holds(here)) return lose();
    try {
      options.expectToWork?.(renewed.there, here.wall);
    } catch (error) {
      lose(error);
    }
  };
  const timer = setInterval(() => {
    // A database that does not answer is asked again, as long as the lease lasts.
    void inTurn(renew).catch(() => undefined);
    if (!lease.holds(instant())) lose();
  }, leaseMs / PARTS);
  timer.unref();

  const own: OwnWorker = {
    id,
    nowMs,
    fenceOf: (role) => fences.get(role),
    expectLease,
    expectLiving: async (sql) => {
      if (!(await holdLiving(sql, id, options))) throw leaseLost();
    },
    expectRole: async (sql, role) => {
      const fence = fences.get(role);
      if (fence !== undefined && (await isHeld(sql, nowMs, [role, id, fence]))) return;
      throw leaseLost();
    },
  };
  const takeRoles = (roles: readonly RoleName[]) =>
    inTurn(async () => {
      expectLease();
      const free = roles.filter((role) => !fences.has(role));
      const taken = free.length === 0 ? [] : await driver.write((sql) => takeEach(sql, id, free, options));
      for (const [role, fence] of taken) fences.set(role, fence);
      return [...fences.keys()];
    });
  const storeOf = (context: LedgerContext): WorkerStore => ({
    id,
    leaseMs,
    lost: lost.signal,
    takeRoles,
    holds: (role) => {
      if (!lease.holds(instant())) lose();
      return fences.has(role);
    },
    giveUpWrites: (what) => driver.write((sql) => makeDueAgain(sql, what)),
    sweep: async () => {
      const gone = await driver.write((sql) => markGone(sql, id, options));
      if (gone.length === 0) return [];
      return (await driver.read((sql) => selectWorkers(sql, nowMs))).filter((one) => gone.includes(one.id));
    },
    untilLapse: () => driver.read((sql) => firstLapse(sql, id, nowMs)),
    adoptFiles: () => adoptFiles(context, id),
  });
  const leave = async () => {
    clearInterval(timer);
    hasLeft = true;
    fences.clear();
    return await inTurn(() => driver.write((sql) => endWorker(sql, id, options), 'ends')).then(
      () => true,
      () => false,
    );
  };
  return { own, storeOf, leave };
}

async function takeEach(
  sql: Statements,
  id: string,
  roles: readonly RoleName[],
  terms: LeaseTerms,
): Promise<readonly (readonly [RoleName, number])[]> {
  const taken: (readonly [RoleName, number])[] = [];
  for (const role of roles) {
    const fence = await takeRole(sql, id, role, terms);
    if (fence !== undefined) taken.push([role, fence]);
  }
  return taken;
}

async function isHeld(sql: Statements, nowMs: string, values: readonly [string, string, number]): Promise<boolean> {
  return (await sql.all(`SELECT 1 AS held WHERE ${hasRole(nowMs)}`, ...values)).length > 0;
}

/**
 * Takes over the files of all workers that are gone, not only of those that went now: one that was claimed shortly before the
 * lease ended may appear after the look at it. What was staged of a file that was being read is dropped.
 */
async function adoptFiles(context: LedgerContext, id: string): Promise<readonly (string | undefined)[]> {
  const left = `FROM source_file WHERE archived_at IS NULL AND ${ofNoLivingWorker('source_file.worker')}`;
  // A transaction that may write would meet every claim of the others, at each look.
  if ((await context.read(async (sql) => await sql.all(`SELECT id ${left} LIMIT 1`))).length === 0) return [];
  const adopted = await context.write(async (sql) => {
    const rows = (await sql.all(
      `SELECT id, state, worker, ${HAS_STAGED} AS staged ${left}`,
    )) as unknown as readonly LeftFile[];
    const adopt = `UPDATE source_file SET worker = ? WHERE id IN (SELECT id ${left})`;
    if (rows.length > 0) await sql.run(adopt, id);
    return rows;
  });
  // There may be hundreds: one commit for each would keep the intake of this worker waiting for a minute.
  await Promise.all(adopted.map((one) => startOver(context, one)));
  return adopted.map(({ worker }) => worker ?? undefined);
}

const HAS_STAGED = 'EXISTS (SELECT 1 FROM staged t WHERE t.file = source_file.id)';

type LeftFile = {
  readonly id: string;
  readonly state: string;
  readonly worker: string | null;
  /** 1 where something of it does not count yet. */
  readonly staged: number;
};

async function startOver(context: LedgerContext, { id: file, state, staged }: LeftFile): Promise<void> {
  if (state === 'loading') {
    if (staged) await dropFile(context, file);
    await context.write((sql) => appendEvent(sql, context, { what: 'file-restarted', file }), undefined, {
      name: file,
    });
  } else if (staged) {
    await context.write(async (sql) => touchSummary(sql, file), undefined, { name: file });
    await finishStagedFile(context, file);
  }
}
