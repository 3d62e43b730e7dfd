/**
 * Several workers on one inbox and one PostgreSQL: killed, stopped past their lease, cut off from the database, which is killed
 * too. Each that ends is started again. In the end the services, the ledger and the folders have to say the same.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chooseEngine } from '../../src/ledger/choose-engine.ts';
import { connectPostgres, type PostgresSession } from '../../src/ledger/postgres/postgres-session.ts';
import { ledgerPlaceOf, systemClock } from '../../src/pipeline/open-run.ts';
import { verify } from '../../src/pipeline/verify/verify-instance.ts';
import buildProgram from '../built-program.ts';
import { placeOf, TestServer } from '../ledger/postgres/server.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { check, type Dropped, faultsOf, readAcceptances } from './checker.ts';
import type { TimeLimit } from './limit.ts';
import { type Random, randomFrom } from './random.ts';
import { openStrikes, type Struck } from './strikes.ts';
import { shownTakeOvers } from './take-overs.ts';
import { watchWire } from './wire.ts';
import { hire } from './worker-crew.ts';

export type WorkerFigures = Struck & {
  documents: number;
  accepted: number;
  /** In doubt at the end: the service has them, or not. */
  recovered: number;
  unreached: number;
  /** By limit: the most submissions under way at the same time. */
  readonly mostAtOnce: { [limit: string]: number };
  /** How workers ended by themselves, by code. */
  readonly ends: { [code: string]: number };
  readonly faults: string[];
};

export type WorkerPlan = {
  readonly workers: number;
  readonly kills: number;
  readonly seed: number;
  readonly leaseMs: number;
  /** Nothing but kills of the sender, one after the other, to measure take-overs. */
  readonly timed: boolean;
  /** No night is begun once it is over. */
  readonly limit: TimeLimit;
  readonly report?: (figures: { readonly faults: readonly string[] }) => void;
};

const KILLS_PER_NIGHT = 50;
/** A server that is away, and a lease that was lost; everything else is a bug. */
const MAY_END = new Set(['2', '5']);
/** Until everything is settled, once nothing breaks any more; generous, for a machine that does other work. */
const SETTLE_MS = 600_000;
/** The longest wait for a document on the wire before the next strikes, in leases. */
const SENT_LEASES = 4;

type CommandLine = typeof import('../program.ts')['commandLineOf'];

export async function killWorkers(plan: WorkerPlan): Promise<WorkerFigures> {
  const { kills, seed, limit, report } = plan;
  const total: WorkerFigures = {
    ...{ kills: 0, underWay: 0, pauses: 0, partitions: 0, crashes: 0 },
    ...{ documents: 0, accepted: 0, recovered: 0, unreached: 0 },
    ...{ mostAtOnce: {}, takeOvers: [], ends: {}, faults: [] },
  };
  await buildProgram();
  // It looks for the built program as it is loaded.
  const { commandLineOf } = await import('../program.ts');
  // After a crash the server would flush a thousand files one by one.
  const quicker = process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {};
  const server = await TestServer.create({ fsync: 'on', full_page_writes: 'on', ...quicker });
  try {
    while (total.kills < kills && total.faults.length === 0 && !limit.isOver(total.kills)) {
      const share = Math.min(KILLS_PER_NIGHT, kills - total.kills);
      await oneNight({ ...plan, commandLineOf, server, kills: share, seed: seed * 100_003 + total.kills }, total);
      report?.(shown(total));
    }
  } finally {
    await server.remove();
  }
  return total;
}

/** With the distribution in place of each take-over. */
export function shown({ takeOvers, ...figures }: WorkerFigures) {
  return { ...figures, takeOverMs: shownTakeOvers(takeOvers) };
}

type Night = WorkerPlan & { readonly commandLineOf: CommandLine; readonly server: TestServer };

async function oneNight(night: Night, total: WorkerFigures): Promise<void> {
  const { server, workers, seed, leaseMs, timed, commandLineOf } = night;
  const random = randomFrom(seed);
  const logs = mkdtempSync(join(tmpdir(), 'nightpost-rig-'));
  const acceptanceLog = join(logs, 'accepted.jsonl');
  const concurrency = 2 + random.below(7);
  const { leaseMs: _, ...place } = placeOf(server.url, `rig_${seed}`);
  const latencyMs = 20 + random.below(130);
  const wire = watchWire(latencyMs, leaseMs);
  await using scene = await openScene({
    sandbox: { acceptanceLog, latencyMs, log: wire.log },
    services: { fr: { concurrency } },
    settings: { ledger: { postgres: { ...place, lease: `${leaseMs}ms` } }, inbox: { settle: '1ms', scan: '1s' } },
  });
  const log = join(logs, 'workers.log');
  const onEnd = (code: string) => {
    total.ends[code] = (total.ends[code] ?? 0) + 1;
    if (!MAY_END.has(code)) total.faults.push(`seed ${seed}: a worker ended with ${code}`);
  };
  const employer = { scene, place: { ...place, leaseMs }, commandLineOf, log, onEnd };
  const crew = await Promise.all(Array.from({ length: workers }, () => hire(employer)));
  const dropped: Dropped[] = [];
  const connect = () => connectPostgres({ ...place, leaseMs });
  const strikes = await openStrikes({ crew, server, wire, leaseMs, timed, random, connect }, total);
  const before = total.kills;
  try {
    while (total.kills - before < night.kills && !night.limit.isOver(total.kills)) {
      dropSome(scene, dropped, random);
      // A document is on the wire then; what follows strikes at random instants, also while nothing is sent.
      await Promise.race([wire.nextSent(), wait(SENT_LEASES * leaseMs)]);
      for (let n = 1 + random.below(4); n > 0; n--) {
        await wait(random.below(random.isOneIn(2) ? latencyMs : 600));
        await strikes.strike();
      }
    }
    await strikes.repaired();
    await untilSettled(strikes.session(), dropped.length);
  } catch (error) {
    total.faults.push(`seed ${seed}: ${(error as Error).message}`);
  } finally {
    await strikes.repaired();
    await Promise.all(crew.map((one) => one.dismiss()));
    await strikes.session().end();
  }
  total.mostAtOnce[concurrency] = Math.max(wire.most(), total.mostAtOnce[concurrency] ?? 0);
  if (wire.most() > concurrency) total.faults.push(`seed ${seed}: ${wire.most()} at once, limit ${concurrency}`);
  const found = await judge(scene, { ledger: join(logs, 'ledger.sqlite'), dropped, acceptanceLog }, total);
  total.faults.push(...found.map((fault) => `seed ${seed}: ${fault}`));
  if (total.faults.length > 0) total.faults.push(`the workers printed: ${log}`);
  else rmSync(logs, { recursive: true });
}

type Books = { readonly ledger: string; readonly dropped: readonly Dropped[]; readonly acceptanceLog: string };

/** What the services have, what the ledger says and what is in the folders; adds to the figures. */
async function judge(
  scene: Scene,
  { ledger, dropped, acceptanceLog }: Books,
  total: WorkerFigures,
): Promise<readonly string[]> {
  await (await chooseEngine(ledgerPlaceOf(scene.instance()))).copyInto(ledger);
  const requests = scene.sandbox.acceptances();
  const report = check({ root: scene.root, ledger, dropped, accepted: readAcceptances(acceptanceLog), requests });
  total.documents += report.documents;
  total.accepted += report.accepted;
  total.recovered += report.recovered.length;
  total.unreached += report.unreached.length;
  return [...faultsOf(report), ...(await breaksIn(scene))];
}

const OPEN = `SELECT (SELECT COUNT(*) FROM entry WHERE state IN ('ready', 'sending')) AS documents,
  (SELECT COUNT(*) FROM source_file WHERE archived_at IS NOT NULL) AS files`;

/** Each export is in the archive, and no document waits or is under way. */
async function untilSettled(session: PostgresSession, exports: number): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const { documents, files } = (await session.ask(OPEN)).rows[0]!;
    if (documents === 0 && files === exports) return;
    if (performance.now() - startedMs > SETTLE_MS)
      throw new Error(
        `after ${SETTLE_MS / 1000} s ${documents} documents wait, ${files} of ${exports} exports are read`,
      );
    await wait(100);
  }
}

/** What `nightpost verify` would report. */
async function breaksIn(scene: Scene): Promise<readonly string[]> {
  const found: string[] = [];
  const onBreak = ({ code, path }: { readonly code: string; readonly path?: string }) => {
    found.push(`${code} ${path ?? ''}`);
  };
  await scene.look((ledger) => verify({ instance: scene.instance(), ledger, clock: systemClock }, { onBreak }));
  return found;
}

let serial = 0;

/** Up to three exports; every fourth is one that was dropped before, under another name. */
function dropSome(scene: Scene, dropped: Dropped[], random: Random): void {
  for (let n = random.below(4); n > 0; n--) {
    const name = `ventes-${++serial}.csv`;
    const earlier = dropped[random.below(dropped.length)];
    const content = earlier && random.isOneIn(4) ? earlier.content : sales(numbers(random));
    scene.drop(name, content);
    dropped.push({ name, content });
  }
}

function numbers(random: Random): readonly string[] {
  return Array.from({ length: 1 + random.below(8) }, (_, n) => {
    const mark = random.isOneIn(12) ? '-X6' : random.isOneIn(12) ? '-X8' : random.isOneIn(60) ? '-XLOST' : '';
    return `F${serial}-${n}${mark}`;
  });
}
