/**
 * The instance of walks over the program: its folders in memory, a service that the walk answers for, and a watch, or two of them
 * on PostgreSQL. One walk after the other works in it, each with documents of its own.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../../../src/ledger/contract/ledger.ts';
import { must } from '../../../src/model/must.ts';
import { openLedgerOf, openRun, systemClock } from '../../../src/runs/open-run.ts';
import { watch } from '../../../src/runs/watch.ts';
import { placeOf, type TestServer } from '../../database/postgres/server.ts';
import { openScene, type Scene } from '../../night.ts';
import { type Answering, openHeldService } from './held-service.ts';
import { inTime } from './task.ts';
import type { WalkClock } from './walk.ts';
import { MEMORY } from './walk-instance.ts';

/** What a walk does for the program: it answers requests, hears of a watch that ended with an error, and cuts what is on the wire. */
type Surroundings = {
  readonly answer: Answering;
  readonly failed: (error: Error) => void;
  readonly over: () => Promise<void>;
};

export type ProgramInstance = AsyncDisposable & {
  readonly scene: Scene;
  readonly clock: WalkClock;
  /** A file that proves what a person says. */
  readonly proof: string;
  readonly ledger: () => Ledger;
  /** The watches begin; what they do is for this walk. The one before is over, if a fault did not let it end. */
  readonly begin: (walk: Surroundings) => Promise<void>;
  /** The watch that began first ends: what is on the wire has to be answered. */
  readonly endFirst: () => Promise<void>;
  readonly beginOne: () => Promise<void>;
  readonly end: () => Promise<void>;
};

type Watching = { readonly ledger: Ledger; readonly stop: AbortController; readonly ended: Promise<void> };

/** From this amount on a person has to release a document. */
const LIMIT = '1000';
/** Longer than any walk keeps a request: what it answers is what the program gets. */
const KEPT = '30m';
const CONNECTION = { 'headers-timeout': KEPT, 'body-timeout': KEPT, 'total-timeout': KEPT };
/** Between two looks of a watch. Two of them that ask a server all the time leave the walk little of a core. */
const LOOK_MS = { sqlite: 50, postgres: 150 };
/** Longer waits than a second, as those for the roles of other workers. */
const LONG_MS = 500;

/** Waits of the program are short, and its clock is moved by the walk. */
function quickClock(lookMs: number): WalkClock {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    monotonic: () => 1000 * performance.now(),
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, ms > 1000 ? LONG_MS : lookMs), signal),
    pass: (ms) => {
      aheadMs += ms;
    },
  };
}

/** `server`: the ledger is on it, in a schema of its own. */
export async function openProgramInstance(server?: TestServer): Promise<ProgramInstance> {
  const lookMs = LOOK_MS[server ? 'postgres' : 'sqlite'];
  const clock = quickClock(lookMs);
  let walk: Surroundings | undefined;
  const service = await openHeldService((request) => must(walk, 'a walk').answer(request));
  const { leaseMs: _, ...postgres } = server
    ? placeOf(server.url, `program_${randomUUID().slice(0, 8)}`)
    : { leaseMs: 0 };
  const scene = await openScene({
    ...(existsSync(MEMORY) && { within: MEMORY }),
    settings: {
      inbox: { settle: '1ms', scan: `${lookMs}ms` },
      run: { canary: 0, 'same-cause': 0, 'max-errors': 1000, 'consult-per-minute': 60, hold: { over: { EUR: LIMIT } } },
      ...(server && { ledger: { postgres } }),
    },
    services: {
      fr: {
        ...{ 'base-url': `${service.url}/issuing`, 'identity-url': `${service.url}/identity`, concurrency: 4 },
        connection: CONNECTION,
      },
    },
  });
  const proof = join(scene.root, 'proof.txt');
  writeFileSync(proof, 'seen in the portal');
  let watches: readonly Watching[] = [];
  const beginOne = async () => {
    const instance = scene.instance();
    const ledger = await openLedgerOf(instance, 'watch');
    const stop = new AbortController();
    const work = await openRun(instance, ledger, { stop: stop.signal, clock, onEvent: () => {} });
    const ended = watch(work)
      .catch((error: Error) => walk?.failed(error))
      .finally(async () => {
        await work[Symbol.asyncDispose]();
        await ledger[Symbol.asyncDispose]();
      });
    watches = [...watches, { ledger, stop, ended }];
  };
  const endFirst = async () => {
    const [first, ...others] = watches;
    first?.stop.abort();
    if (first) await inTime('the end of a watch', first.ended);
    watches = others;
  };
  const end = async () => {
    await walk?.over();
    while (watches.length > 0) await endFirst();
  };
  return {
    ...{ scene, clock, proof, endFirst, beginOne, end },
    ledger: () => must(watches[0], 'a watch').ledger,
    begin: async (next) => {
      await end();
      walk = next;
      for (let count = server ? 2 : 1; count > 0; count--) await beginOne();
    },
    [Symbol.asyncDispose]: async () => {
      await end();
      await service[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
    },
  };
}
