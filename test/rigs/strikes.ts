/** What befalls workers and their database: killed, stopped past the lease, cut off, a whole machine at once, the server itself. */
import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresSession } from '../../src/database/postgres/postgres-session.ts';
import type { TestServer } from '../database/postgres/server.ts';
import type { Random } from './random.ts';
import { senderOf, type TakeOver, timeTakeOver } from './take-overs.ts';
import type { Wire } from './wire.ts';
import type { Worker } from './worker-crew.ts';

export type Struck = {
  kills: number;
  /** Kills while a document was on the wire. */
  underWay: number;
  /** SIGSTOP past the lease, then SIGCONT. */
  pauses: number;
  partitions: number;
  /** The database and all its processes killed, and started again. */
  crashes: number;
  readonly takeOvers: TakeOver[];
};

type Scenery = {
  readonly crew: readonly Worker[];
  readonly server: TestServer;
  readonly wire: Wire;
  readonly leaseMs: number;
  /** Nothing but kills of the sender, one after the other. */
  readonly timed: boolean;
  readonly random: Random;
  readonly connect: () => Promise<PostgresSession>;
};

/** Leases until a take-over is given up, as one that no figure shows: next to other strikes there may be nothing left to send. */
const MOST_LEASES = { timed: 15, mixed: 3 };
/** One of so many strikes hits the database, so that a short night has one too. */
const CRASH_EACH = 12;
/** The kinds of the others, by chance. */
const [TIMED, ALL] = [3, 39];

export type Strikes = {
  /** A connection of the rig, after a crash another one. */
  readonly session: () => PostgresSession;
  /** One more, chosen at random. What it breaks is whole again by itself, later. */
  readonly strike: () => Promise<void>;
  /** kill -9 of a worker that has roles, or of one that has none. */
  readonly killOne: (who: 'with-roles' | 'without') => Promise<void>;
  /** Everything is whole again. */
  readonly repaired: () => Promise<unknown>;
};

const LIVING = `SELECT w.pid, EXISTS (SELECT 1 FROM role r WHERE r.worker = w.id) AS holds FROM worker w
  WHERE w.gone IS NULL`;

/** Adds to `total` what it does. */
export async function openStrikes(scenery: Scenery, total: Struck): Promise<Strikes> {
  const { crew, server, wire, leaseMs, timed, random, connect } = scenery;
  const repairs: Promise<void>[] = [];
  let session = await connect();
  let struck = 0;
  const kill = (...workers: readonly Worker[]) => {
    if (wire.isBusy()) total.underWay += workers.length;
    for (const worker of workers) worker.kill();
    total.kills += workers.length;
  };
  /** Half of the time the one that sends. */
  const killAny = async () => {
    const pid = random.isOneIn(2) ? (await senderOf(session))?.pid : undefined;
    kill(crew.find((one) => one.pid() === pid) ?? random.one(crew));
  };
  const killTimed = async () => {
    const pid = (await senderOf(session))?.pid;
    const one = crew.find((worker) => worker.pid() === pid);
    if (!one || !crew.every((worker) => worker.isWell())) return kill(one ?? random.one(crew));
    const took = await timeTakeOver(pid as number, {
      ...{
        session,
        kill: () => kill(one),
        lastSentAt: wire.lastSentAt,
        mostMs: MOST_LEASES[timed ? 'timed' : 'mixed'] * leaseMs,
      },
    });
    if (took) total.takeOvers.push(took);
  };
  const crash = async () => {
    await server.stop('kill');
    await wait(random.below(leaseMs));
    await server.start();
    session.cut();
    session = await connect();
    total.crashes++;
  };
  const pause = () => {
    repairs.push(random.one(crew).pause(leaseMs + random.below(leaseMs)));
    total.pauses++;
  };
  const breakLink = () => {
    repairs.push(random.one(crew).breakLink(random.one(['silent', 'late', 'cut']), random.below(2 * leaseMs)));
    total.partitions++;
  };
  return {
    session: () => session,
    killOne: async (who) => {
      const { rows } = await session.ask(LIVING);
      const pids = rows.flatMap(({ pid, holds }) => ((holds === 1) === (who === 'with-roles') ? [pid] : []));
      kill(crew.find((one) => pids.includes(one.pid() ?? 0)) ?? random.one(crew));
    },
    repaired: () => Promise.all(repairs),
    strike: async () => {
      const what = timed ? TIMED : random.below(ALL);
      if (!timed && ++struck % CRASH_EACH === CRASH_EACH / 2) return await crash();
      // A machine with all its workers.
      if (what < TIMED) kill(...crew);
      else if (what < 7) await killTimed();
      else if (what < 30) await killAny();
      else if (what < 34) pause();
      else breakLink();
    },
  };
}
