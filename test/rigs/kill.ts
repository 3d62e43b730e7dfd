/**
 * The program under load, killed with SIGKILL at random instants and started again, until it is done; then the checker.
 *
 * The sandbox lives in the process of the rig, so the services go on while the program dies. Several lanes work side by
 * side; each takes a new instance after a few kills, so that a fault is found close to the kill that caused it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chooseEngine } from '../../src/ledger/choose-engine.ts';
import { ledgerPlaceOf } from '../../src/runs/open-run.ts';
import { placeOf, TestServer } from '../database/postgres/server.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { check, type Dropped, faultsOf, readAcceptances } from './checker.ts';
import type { TimeLimit } from './limit.ts';
import { COMPILED, finish, load, start } from './lives.ts';
import { type Random, randomFrom } from './random.ts';

export type KillFigures = {
  kills: number;
  /** Runs that were done before their kill came. */
  ended: number;
  documents: number;
  accepted: number;
  recovered: number;
  unreached: number;
  readonly faults: string[];
};

export type KillPlan = {
  readonly kills: number;
  readonly seed: number;
  readonly lanes: number;
  readonly engine?: 'sqlite' | 'postgres';
  /** No kill is begun once it is over. */
  readonly limit: TimeLimit;
  readonly report?: (figures: KillFigures) => void;
};

const KILLS_PER_INSTANCE = 25;
/** A run waits for that of a watch that was killed. */
const LEASE = '10s';

export async function killAgainAndAgain({ kills, seed, lanes, engine, limit, report }: KillPlan): Promise<KillFigures> {
  const total: KillFigures = { kills: 0, ended: 0, documents: 0, accepted: 0, recovered: 0, unreached: 0, faults: [] };
  let begun = 0;
  const server = engine === 'postgres' ? await TestServer.create() : undefined;
  const lane = async () => {
    while (begun < kills && total.faults.length === 0 && !limit.isOver(total.kills)) {
      const share = Math.min(KILLS_PER_INSTANCE, kills - begun);
      const own = seed * 100_003 + begun;
      begun += share;
      await oneInstance({ kills: share, seed: own, limit, server }, total);
      report?.(total);
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } finally {
    rmSync(COMPILED, { recursive: true, force: true });
    await server?.remove();
  }
  return total;
}

type Instance = Omit<KillPlan, 'lanes' | 'engine'> & { readonly server: TestServer | undefined };

/** One instance with its own sandbox: killed `kills` times, then left to finish, then judged. */
async function oneInstance({ kills, seed, limit, server }: Instance, total: KillFigures): Promise<void> {
  const random = randomFrom(seed);
  const logs = mkdtempSync(join(tmpdir(), 'nightpost-rig-'));
  const acceptanceLog = join(logs, 'accepted.jsonl');
  let onRequest = () => {};
  await using scene = await openScene({
    sandbox: {
      acceptanceLog,
      latencyMs: 4 + random.below(25),
      log: ({ event, act }) => event === 'received' && act === 'submit' && onRequest(),
    },
    services: { fr: { concurrency: 1 + random.below(6) } },
    ...(server && { settings: { ledger: { postgres: postgresOf(server, seed) } } }),
  });
  const dropped: Dropped[] = [];
  let next = load(scene);
  try {
    for (let done = 0; done < kills && !limit.isOver(total.kills); ) {
      dropSome(scene, dropped, random);
      const life = next;
      next = load(scene);
      await start(life, scene, random.isOneIn(4) ? 'watch' : 'run');
      await theInstant(random, life.gone, (listener) => (onRequest = listener));
      if (life.child.exitCode === null && life.child.kill('SIGKILL')) {
        done++;
        total.kills++;
      } else total.ended++;
      await life.gone;
    }
    onRequest = () => {};
    await finish(scene, next, dropped);
  } finally {
    next.child.kill('SIGKILL');
  }
  const requests = scene.sandbox.acceptances();
  const ledger = join(server ? logs : join(scene.root, 'state'), 'ledger.sqlite');
  if (server) await (await chooseEngine(ledgerPlaceOf(scene.instance()))).copyInto(ledger);
  const report = check({ root: scene.root, ledger, dropped, accepted: readAcceptances(acceptanceLog), requests });
  rmSync(logs, { recursive: true });
  total.documents += report.documents;
  total.accepted += report.accepted;
  total.recovered += report.recovered.length;
  total.unreached += report.unreached.length;
  total.faults.push(...faultsOf(report).map((fault) => `seed ${seed}: ${fault}`));
}

function postgresOf({ url }: TestServer, seed: number) {
  const { leaseMs: _, ...place } = placeOf(url, `kill_${seed}`);
  return { ...place, lease: LEASE };
}

/** Half of the kills aim at requests under way, the others at any moment: intake, admission, receipts, archive, the end. */
async function theInstant(
  random: Random,
  gone: Promise<unknown>,
  listen: (listener: () => void) => void,
): Promise<void> {
  const underWay = random.isOneIn(2);
  const ms = random.below(underWay ? 150 : 400);
  let left = 1 + random.below(8);
  if (underWay) {
    const reached = new Promise<void>((resolve) => listen(() => --left <= 0 && resolve()));
    await Promise.race([reached, gone, wait(600)]);
  }
  await Promise.race([wait(ms), gone]);
}

let serial = 0;

/** Up to three exports; every fourth is one that was dropped before, under another name. And now and then many of one document. */
function dropSome(scene: Scene, dropped: Dropped[], random: Random): void {
  if (random.isOneIn(4)) dropMany(scene, dropped, random);
  for (let n = random.below(4); n > 0; n--) {
    const name = `ventes-${++serial}.csv`;
    const before = dropped[random.below(dropped.length)];
    const content = before && random.isOneIn(4) ? before.content : sales(numbers(random));
    scene.drop(name, content);
    dropped.push({ name, content });
  }
}

function dropMany(scene: Scene, dropped: Dropped[], random: Random): void {
  for (let n = 20 + random.below(60); n > 0; n--) {
    const name = `ventes-${++serial}.csv`;
    const content = sales(numbers(random).slice(0, 1));
    scene.drop(name, content);
    dropped.push({ name, content });
  }
}

function numbers(random: Random): readonly string[] {
  return Array.from({ length: 3 + random.below(20) }, (_, n) => {
    const mark = random.isOneIn(12) ? '-X6' : random.isOneIn(12) ? '-X8' : random.isOneIn(60) ? '-XLOST' : '';
    return `F${serial}-${n}${mark}`;
  });
}
