/**
 * Several workers on one inbox and one PostgreSQL: killed, stopped past their lease, cut off from the database, which is killed
 * too. Each that ends is started again. In the end the services, the ledger and the folders have to say the same.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connectPostgres, type PostgresSession } from '../../src/database/postgres/postgres-session.ts';
import { chooseEngine } from '../../src/ledger/choose-engine.ts';
import { ledgerPlaceOf, systemClock } from '../../src/runs/open-run.ts';
import { verify } from '../../src/verify/verify-instance.ts';
import buildProgram from '../built-program.ts';
import { placeOf, type ServerSettings, TestServer } from '../database/postgres/server.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandLineOf } from '../program.ts';
import { check, type Dropped, faultsOf, readAcceptances } from './checker.ts';
import { killInTurn, LARGE_NIGHT_MAPPINGS, largeNight } from './large-night.ts';
import type { TimeLimit } from './limit.ts';
import { type Random, randomFrom } from './random.ts';
import { openStrikes, type Strikes, type Struck } from './strikes.ts';
import { shownTakeOvers } from './take-overs.ts';
import { type Wire, watchWire } from './wire.ts';
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
  /** Files that were refused, by code. */
  readonly refused: { [code: string]: number };
  /** The longest times in which nothing was sent, in milliseconds. */
  stalls: readonly number[];
  readonly faults: string[];
};

export type WorkerPlan = {
  readonly workers: number;
  readonly kills: number;
  readonly seed: number;
  readonly leaseMs: number;
  /** Nothing but kills of the sender, one after the other, to measure take-overs. */
  readonly timed: boolean;
  /** One night with so many documents, at once, in place of small ones with many kills. */
  readonly documents?: number | undefined;
  /** The way to the database and back, in milliseconds. */
  readonly awayMs: number;
  readonly server: ServerSettings;
  /** No night is begun once it is over. */
  readonly limit: TimeLimit;
  readonly report?: (figures: { readonly faults: readonly string[] }) => void;
};

const KILLS_PER_NIGHT = 50;
/** A server that is away, and a lease that was lost; everything else is a bug. */
const MAY_END = new Set(['2', '5']);
/** Until everything is settled, once nothing breaks any more; generous, for a machine that does other work. */
const SETTLE_MS = 600_000;
const SHOWN_STALLS = 5;
/** The longest wait for a document on the wire before the next strikes, in leases. */
const SENT_LEASES = 4;

export async function killWorkers(plan: WorkerPlan): Promise<WorkerFigures> {
  const { kills, seed, limit, report } = plan;
  const total: WorkerFigures = {
    ...{ kills: 0, underWay: 0, pauses: 0, partitions: 0, crashes: 0 },
    ...{ documents: 0, accepted: 0, recovered: 0, unreached: 0 },
    ...{ mostAtOnce: {}, takeOvers: [], ends: {}, refused: {}, stalls: [], faults: [] },
  };
  await buildProgram();
  // After a crash the server would flush a thousand files one by one.
  const quicker = process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {};
  const server = await TestServer.create({ fsync: 'on', full_page_writes: 'on', ...quicker, ...plan.server });
  try {
    while (total.kills < kills && total.faults.length === 0 && !limit.isOver(total.kills)) {
      const share = plan.documents === undefined ? Math.min(KILLS_PER_NIGHT, kills - total.kills) : kills;
      await oneNight({ ...plan, server, kills: share, seed: seed * 100_003 + total.kills }, total);
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

type Night = Omit<WorkerPlan, 'server'> & { readonly server: TestServer };

async function oneNight(night: Night, total: WorkerFigures): Promise<void> {
  const { server, workers, seed, leaseMs, awayMs, timed } = night;
  const random = randomFrom(seed);
  const logs = mkdtempSync(join(tmpdir(), 'nightpost-rig-'));
  const acceptanceLog = join(logs, 'accepted.jsonl');
  const isLarge = night.documents !== undefined;
  const concurrency = isLarge ? 8 : 2 + random.below(7);
  const { leaseMs: _, ...place } = placeOf(server.url, `rig_${seed}`);
  const latencyMs = isLarge ? 20 : 20 + random.below(130);
  const wire = watchWire(latencyMs, leaseMs);
  await using scene = await openScene({
    sandbox: { acceptanceLog, latencyMs, log: wire.log },
    services: { fr: { concurrency } },
    ...(isLarge && { mappings: LARGE_NIGHT_MAPPINGS }),
    settings: {
      ledger: { postgres: { ...place, lease: `${leaseMs}ms` } },
      inbox: { settle: '1ms', ...(!isLarge && { scan: '1s' }) },
    },
  });
  const log = join(logs, 'workers.log');
  const onEnd = (code: string) => {
    total.ends[code] = (total.ends[code] ?? 0) + 1;
    if (!MAY_END.has(code)) total.faults.push(`seed ${seed}: a worker ended with ${code}`);
  };
  const employer = { scene, place: { ...place, leaseMs }, awayMs, commandLineOf, log, onEnd };
  const crew = await Promise.all(Array.from({ length: workers }, () => hire(employer)));
  const dropped: Dropped[] = [];
  const connect = () => connectPostgres({ ...place, leaseMs });
  const strikes = await openStrikes({ crew, server, wire, leaseMs, timed, random, connect }, total);
  const kills = total.kills + night.kills;
  const isOver = () => total.kills >= kills || night.limit.isOver(total.kills);
  try {
    if (night.documents === undefined) {
      await manyStrikes({ scene, dropped, random, wire, strikes, latencyMs, leaseMs, isOver });
    } else await largeNightWithKills({ ...night, documents: night.documents }, { scene, dropped, wire, strikes });
    await strikes.repaired();
    await untilSettled(strikes.session(), dropped.length);
  } catch (error) {
    total.faults.push(`seed ${seed}: ${(error as Error).message}`);
  } finally {
    await strikes.repaired();
    await Promise.all(crew.map((one) => one.dismiss()));
    await strikes.session().end();
  }
  total.stalls = wire.stalls().slice(0, SHOWN_STALLS);
  total.mostAtOnce[concurrency] = Math.max(wire.most(), total.mostAtOnce[concurrency] ?? 0);
  if (wire.most() > concurrency) total.faults.push(`seed ${seed}: ${wire.most()} at once, limit ${concurrency}`);
  const found = await judge(scene, { ledger: join(logs, 'ledger.sqlite'), dropped, acceptanceLog }, total);
  total.faults.push(...found.map((fault) => `seed ${seed}: ${fault}`));
  if (total.faults.length > 0) total.faults.push(`the workers printed: ${log}`);
  else rmSync(logs, { recursive: true });
}

type Course = {
  readonly scene: Scene;
  readonly dropped: Dropped[];
  readonly wire: Wire;
  readonly strikes: Strikes;
};

type Small = Course & {
  readonly random: Random;
  readonly latencyMs: number;
  readonly leaseMs: number;
  readonly isOver: () => boolean;
};

async function manyStrikes({
  scene,
  dropped,
  random,
  wire,
  strikes,
  latencyMs,
  leaseMs,
  isOver,
}: Small): Promise<void> {
  while (!isOver()) {
    dropSome(scene, dropped, random);
    // A document is on the wire then; what follows strikes at random instants, also while nothing is sent.
    await Promise.race([wire.nextSent(), wait(SENT_LEASES * leaseMs)]);
    for (let n = 1 + random.below(4); n > 0; n--) {
      await wait(random.below(random.isOneIn(2) ? latencyMs : 600));
      await strikes.strike();
    }
  }
}

async function largeNightWithKills(
  { kills, documents, server, seed }: Night & { readonly documents: number },
  { scene, dropped, wire, strikes }: Course,
): Promise<void> {
  console.info(`${server.url}, schema rig_${seed}, ${scene.root}`);
  for (const one of largeNight(documents)) {
    scene.drop(one.name, one.content);
    dropped.push(one);
  }
  const isOver = async () => isSettled(await openWork(strikes.session()), dropped.length);
  await killInTurn({ kills, documents, wire, kill: strikes.killOne, isOver });
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
  const refused = await refusedFiles(scene);
  for (const { code } of refused) total.refused[code] = (total.refused[code] ?? 0) + 1;
  // Killed twice while it was read: a person would drop it again.
  const wrongly = refused.filter(({ code }) => code !== 'intake/program-died');
  return [...faultsOf(report), ...wrongly.map(({ name, code }) => `${name}: ${code}`), ...(await breaksIn(scene))];
}

const OPEN = `SELECT (SELECT COUNT(*) FROM entry WHERE state IN ('ready', 'sending')) AS documents,
  (SELECT COUNT(*) FROM source_file WHERE archived_at IS NOT NULL) AS files`;

type OpenWork = { readonly documents: unknown; readonly files: unknown };

async function openWork(session: PostgresSession): Promise<OpenWork> {
  const { documents, files } = (await session.ask(OPEN)).rows[0]!;
  return { documents, files };
}

function isSettled({ documents, files }: OpenWork, exports: number): boolean {
  return documents === 0 && files === exports;
}

/** Each export is in the archive, and no document waits or is under way. */
async function untilSettled(session: PostgresSession, exports: number): Promise<void> {
  let changedMs = performance.now();
  let last: OpenWork | undefined;
  for (;;) {
    const now = await openWork(session);
    if (isSettled(now, exports)) return;
    const { documents, files } = now;
    if (documents !== last?.documents || files !== last?.files) changedMs = performance.now();
    last = now;
    if (performance.now() - changedMs > SETTLE_MS)
      throw new Error(
        `for ${SETTLE_MS / 1000} s nothing happened: ${documents} documents wait, ${files} of ${exports} exports are read`,
      );
    await wait(100);
  }
}

async function refusedFiles(scene: Scene): Promise<readonly { readonly name: string; readonly code: string }[]> {
  const files = await scene.look((ledger) => ledger.queries.files({ limit: Number.MAX_SAFE_INTEGER }));
  return files.flatMap(({ name, state, faults }) =>
    state === 'refused' ? [{ name, code: faults[0]?.code ?? '' }] : [],
  );
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
