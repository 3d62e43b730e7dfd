/**
 * Several workers on one inbox and one PostgreSQL: killed, stopped past their lease, cut off from the database, which is killed
 * too. Each that ends is started again. In the end the services, the ledger and the folders have to say the same.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chooseEngine } from '../../src/ledger/choose-engine.ts';
import type { PostgresPlace } from '../../src/ledger/postgres/postgres-place.ts';
import { connectPostgres, type PostgresSession } from '../../src/ledger/postgres/postgres-session.ts';
import { ledgerPlaceOf, systemClock } from '../../src/pipeline/open-run.ts';
import { verify } from '../../src/pipeline/verify/verify-instance.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { placeOf, TestServer } from '../ledger/postgres/server.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { check, type Dropped, faultsOf, readAcceptances } from './checker.ts';
import type { TimeLimit } from './limit.ts';
import { COMPILED } from './lives.ts';
import { type Random, randomFrom } from './random.ts';
import { openLink, type TcpLink } from './tcp-link.ts';
import type { WorkerStart } from './worker-child.ts';

export type WorkerFigures = {
  kills: number;
  /** SIGSTOP past the lease, then SIGCONT. */
  pauses: number;
  partitions: number;
  /** The database killed and started again. */
  crashes: number;
  documents: number;
  accepted: number;
  recovered: number;
  unreached: number;
  /** The most submissions under way at the same time, of the limit of that instance. */
  mostAtOnce: string[];
  /** Milliseconds from kill -9 of a sender until another worker has its role. */
  takeOvers: number[];
  /** How workers ended by themselves, by code. */
  readonly ends: { [code: string]: number };
  readonly faults: string[];
};

export type WorkerPlan = {
  readonly workers: number;
  readonly kills: number;
  readonly seed: number;
  /** No instance is begun once it is over. */
  readonly limit: TimeLimit;
  readonly report?: (figures: { readonly faults: readonly string[] }) => void;
};

const LEASE_MS = 2000;
const KILLS_PER_INSTANCE = 12;
/** Until everything is settled, once nothing breaks any more; generous, for a machine that does other work. */
const SETTLE_MS = 120_000;

export async function killWorkers({ workers, kills, seed, limit, report }: WorkerPlan): Promise<WorkerFigures> {
  const total: WorkerFigures = {
    ...{ kills: 0, pauses: 0, partitions: 0, crashes: 0, documents: 0, accepted: 0, recovered: 0, unreached: 0 },
    ...{ mostAtOnce: [], takeOvers: [], ends: {}, faults: [] },
  };
  const server = await TestServer.create();
  try {
    while (total.kills < kills && total.faults.length === 0 && !limit.isOver(total.kills)) {
      const share = Math.min(KILLS_PER_INSTANCE, kills - total.kills);
      await oneInstance({ server, workers, kills: share, seed: seed * 100_003 + total.kills, limit }, total);
      report?.(shown(total));
    }
  } finally {
    await server.remove();
    rmSync(COMPILED, { recursive: true, force: true });
  }
  return total;
}

/** With the distribution in place of each take-over. */
export function shown({ takeOvers, ...figures }: WorkerFigures) {
  const sorted = takeOvers.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  const takeOverMs = { times: sorted.length, half: at(0.5), nine: at(0.9), most: at(1) };
  return { ...figures, takeOverMs };
}

type Round = {
  readonly server: TestServer;
  readonly workers: number;
  readonly kills: number;
  readonly seed: number;
  readonly limit: TimeLimit;
};

async function oneInstance({ server, workers, kills, seed, limit }: Round, total: WorkerFigures): Promise<void> {
  const random = randomFrom(seed);
  const logs = mkdtempSync(join(tmpdir(), 'nightpost-rig-'));
  const acceptanceLog = join(logs, 'accepted.jsonl');
  const concurrency = 1 + random.below(6);
  const { leaseMs, ...place } = { ...placeOf(server.url, `rig_${seed}`), leaseMs: LEASE_MS };
  const latencyMs = 10 + random.below(40);
  const atOnce = countAtOnce(latencyMs);
  let onRequest = () => {};
  await using scene = await openScene({
    sandbox: {
      acceptanceLog,
      latencyMs,
      log: ({ event, act, requestId }) => {
        if (act !== 'submit') return;
        atOnce.count(event, requestId);
        onRequest();
      },
    },
    services: { fr: { concurrency } },
    settings: { ledger: { postgres: { ...place, lease: `${leaseMs}ms` } }, inbox: { settle: '1ms', scan: '1s' } },
  });
  const log = join(logs, 'workers.log');
  const crew = await Promise.all(
    Array.from({ length: workers }, () => hire({ scene, place: { ...place, leaseMs }, log, ends: total.ends })),
  );
  const dropped: Dropped[] = [];
  let session = await connectPostgres({ ...place, leaseMs });
  const before = total.kills;
  try {
    while (total.kills - before < kills && !limit.isOver(total.kills)) {
      dropSome(scene, dropped, random);
      const asked = new Promise<void>((resolve) => (onRequest = resolve));
      await Promise.race([asked, wait(random.below(2 * LEASE_MS))]);
      await wait(random.below(500));
      const one = random.one(crew);
      const what = random.below(20);
      if (what < 13) {
        const took = await killOne(one, session, random);
        total.kills++;
        if (took !== undefined) total.takeOvers.push(took);
      } else if (what < 16) {
        await pause(one, LEASE_MS + random.below(LEASE_MS));
        total.pauses++;
      } else if (what < 19) {
        one.link.set(random.one(['silent', 'late', 'cut']));
        await wait(random.below(2 * LEASE_MS));
        one.link.set('whole');
        total.partitions++;
      } else {
        await server.stop('kill');
        await wait(random.below(LEASE_MS));
        await server.start();
        session.cut();
        session = await connectPostgres({ ...place, leaseMs });
        total.crashes++;
      }
    }
    await untilSettled(session, dropped.length);
  } catch (error) {
    total.faults.push(`seed ${seed}: ${(error as Error).message} (${scene.root}, ${log})`);
  } finally {
    await Promise.all(crew.map((one) => one.dismiss()));
    await session.end();
  }
  total.mostAtOnce.push(`${atOnce.most()}/${concurrency}`);
  if (atOnce.most() > concurrency) total.faults.push(`seed ${seed}: ${atOnce.most()} at once, limit ${concurrency}`);
  const ledger = join(logs, 'ledger.sqlite');
  await (await chooseEngine(ledgerPlaceOf(scene.instance()))).copyInto(ledger);
  const requests = scene.sandbox.acceptances();
  const report = check({ root: scene.root, ledger, dropped, accepted: readAcceptances(acceptanceLog), requests });
  total.documents += report.documents;
  total.accepted += report.accepted;
  total.recovered += report.recovered.length;
  total.unreached += report.unreached.length;
  const found = [...faultsOf(report), ...(await breaksIn(scene))];
  total.faults.push(...found.map((fault) => `seed ${seed}: ${fault}`));
  if (total.faults.length > 0) total.faults.push(`the workers printed: ${log}`);
  else rmSync(logs, { recursive: true });
}

/** The most submissions on the wire. One whose worker was killed is never answered: it is forgotten soon after its time. */
function countAtOnce(latencyMs: number) {
  const since = new Map<string, number>();
  let most = 0;
  return {
    most: () => most,
    count: (event: 'received' | 'answered', requestId: string) => {
      const now = performance.now();
      for (const [id, at] of since) if (now - at > latencyMs + LEASE_MS / 4) since.delete(id);
      if (event === 'received') since.set(requestId, now);
      else since.delete(requestId);
      most = Math.max(most, since.size);
    },
  };
}

type Loaded = { readonly child: ChildProcess; readonly ready: Promise<unknown> };

type Worker = {
  readonly link: TcpLink;
  readonly life: () => { readonly child: ChildProcess };
  /** Asks it to end, and waits for that. */
  readonly dismiss: () => Promise<void>;
};

type Terms = {
  readonly scene: Scene;
  readonly place: PostgresPlace;
  readonly log: string;
  readonly ends: { [code: string]: number };
};

/** A worker that is started again whenever it ends, behind a link of its own. */
async function hire({ scene, place, log, ends }: Terms): Promise<Worker> {
  const link = await openLink(place.port);
  let isDismissed = false;
  // Loaded ahead of its turn, so that the rig waits for work, not for modules.
  let next = load(scene, log);
  const begin = () => {
    const { child, ready } = next;
    next = load(scene, log);
    const start: WorkerStart = { args: ['-C', scene.root, '--quiet', 'watch'], link: [place.port, link.port] };
    const gone = once(child, 'exit').then(([code, signal]) => {
      appendFileSync(log, `${JSON.stringify({ at: new Date().toISOString(), pid: child.pid, code, signal })}\n`);
      if (code !== 0 && signal === null) ends[String(code)] = (ends[String(code)] ?? 0) + 1;
    });
    void ready.then(() => child.send(start));
    return { child, gone };
  };
  let life = begin();
  const keep = async () => {
    while (!isDismissed) {
      await life.gone;
      if (!isDismissed) life = begin();
    }
  };
  const kept = keep();
  return {
    link,
    life: () => life,
    dismiss: async () => {
      isDismissed = true;
      link.set('whole');
      life.child.kill('SIGCONT');
      life.child.kill('SIGTERM');
      const late = setTimeout(() => life.child.kill('SIGKILL'), 20_000);
      await kept;
      clearTimeout(late);
      next.child.kill('SIGKILL');
      await link[Symbol.asyncDispose]();
    },
  };
}

const CHILD = join(import.meta.dirname, 'worker-child.ts');

function load(scene: Scene, log: string): Loaded {
  const { environment } = describeSandbox(scene.sandbox);
  const env = { ...process.env, ...environment, NODE_COMPILE_CACHE: COMPILED };
  const out = openSync(log, 'a');
  const child = spawn(process.execPath, [CHILD], { env, stdio: ['ignore', out, out, 'ipc'] });
  closeSync(out);
  // A message to a child that has just been killed.
  child.on('error', () => {});
  return { child, ready: once(child, 'message') };
}

/** Resolves to how long its role had no other holder, if it was the sender. */
async function killOne(one: Worker, session: PostgresSession, random: Random): Promise<number | undefined> {
  // Half of the kills are of the one that sends.
  const { child } = one.life();
  const isSender = (await sender(session)) === child.pid;
  await wait(random.below(200));
  child.kill('SIGKILL');
  const startedMs = performance.now();
  if (!isSender) return undefined;
  while (performance.now() - startedMs < 10 * LEASE_MS) {
    const now = await sender(session);
    if (now !== null && now !== child.pid) return Math.round(performance.now() - startedMs);
    await wait(20);
  }
  return Math.round(performance.now() - startedMs);
}

async function sender(session: PostgresSession): Promise<unknown> {
  const { rows } = await session.ask(
    `SELECT w.pid FROM role r JOIN worker w ON w.id = r.worker WHERE r.name = 'send fr'`,
  );
  return rows[0]?.pid ?? null;
}

async function pause(one: Worker, ms: number): Promise<void> {
  const { child } = one.life();
  child.kill('SIGSTOP');
  await wait(ms);
  child.kill('SIGCONT');
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

/** Up to six exports; every fourth is one that was dropped before, under another name. */
function dropSome(scene: Scene, dropped: Dropped[], random: Random): void {
  for (let n = random.below(7); n > 0; n--) {
    const name = `ventes-${++serial}.csv`;
    const earlier = dropped[random.below(dropped.length)];
    const content = earlier && random.isOneIn(4) ? earlier.content : sales(numbers(random));
    scene.drop(name, content);
    dropped.push({ name, content });
  }
}

function numbers(random: Random): readonly string[] {
  return Array.from({ length: 1 + random.below(20) }, (_, n) => {
    const mark = random.isOneIn(12) ? '-X6' : random.isOneIn(12) ? '-X8' : random.isOneIn(60) ? '-XLOST' : '';
    return `F${serial}-${n}${mark}`;
  });
}
