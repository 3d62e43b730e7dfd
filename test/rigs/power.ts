/**
 * Power loss: the program works under strace and is stopped at a random instant; then its folder becomes what a disk may
 * hold of it after the power went at that instant (disk.ts), and the program is started on that. At last the checker.
 *
 * SIGKILL alone never tests a flush: the system still writes what the process had handed over.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openScene, type Scene, sales } from '../night.ts';
import { check, type Dropped, faultsOf, readAcceptances } from './checker.ts';
import { Disk, type Left, type Tree } from './disk.ts';
import { missingIn } from './kept.ts';
import type { TimeLimit } from './limit.ts';
import { COMPILED, finish, type Life, load, start } from './lives.ts';
import { type Random, randomFrom } from './random.ts';
import { replay, straceInto } from './strace.ts';

export type PowerFigures = {
  losses: number;
  /** Further instants of the same lives, of which only what was left is looked at. */
  instants: number;
  /** Runs that were done before the power went; it goes right behind their end. */
  ended: number;
  documents: number;
  accepted: number;
  recovered: number;
  unreached: number;
  /** Writes and changes of names that had not been flushed when the power went. */
  unflushed: number;
  readonly faults: string[];
};

export type PowerPlan = {
  readonly losses: number;
  readonly seed: number;
  /** No life is begun once it is over. */
  readonly limit: TimeLimit;
  readonly report?: (figures: PowerFigures) => void;
};

const LOSSES_PER_INSTANCE = 10;
const FOLDERS = ['outbox', 'pending', 'error', 'archive', 'processing'];
const STEPS_PER_LOOK = 8;
/** The calls of which one may be the last, and how many of them a thread makes in a run, or a little more. */
const LAST_CALLS: readonly (readonly [call: string, most: number])[] = [
  ['pwrite64', 120],
  ['fdatasync', 25],
  ['fsync', 25],
  ['rename', 25],
  ['unlink', 12],
  ['write', 60],
  ['mkdir', 4],
];

export async function losePower({ losses, seed, limit, report }: PowerPlan): Promise<PowerFigures> {
  const counts = {
    losses: 0,
    instants: 0,
    ended: 0,
    documents: 0,
    accepted: 0,
    recovered: 0,
    unreached: 0,
    unflushed: 0,
  };
  const total: PowerFigures = { ...counts, faults: [] };
  // The disk is a model; what the real one does is of no matter, and memory is faster.
  if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';
  try {
    for (let begun = 0; begun < losses && total.faults.length === 0 && !limit.isOver(total.losses); ) {
      const share = Math.min(LOSSES_PER_INSTANCE, losses - begun);
      await oneInstance({ losses: share, seed: seed * 100_003 + begun, limit }, total);
      begun += share;
      report?.(total);
    }
  } finally {
    rmSync(COMPILED, { recursive: true, force: true });
  }
  return total;
}

/** One instance with its own sandbox: loses power `losses` times, is left to finish, then judged. */
async function oneInstance({ losses, seed, limit }: PowerPlan, total: PowerFigures): Promise<void> {
  const random = randomFrom(seed);
  const aside = mkdtempSync(join(tmpdir(), 'nightpost-power-'));
  const acceptanceLog = join(aside, 'accepted.jsonl');
  let onRequest = () => {};
  await using scene = await openScene({
    sandbox: {
      acceptanceLog,
      latencyMs: 1 + random.below(12),
      log: ({ event, act }) => event === 'received' && act === 'submit' && onRequest(),
    },
    services: { fr: { concurrency: 1 + random.below(4) } },
  });
  // Some begin with an inbox alone: the others are made at the start.
  if (random.isOneIn(2)) for (const name of FOLDERS) rmSync(join(scene.root, name), { recursive: true });
  const dropped: Dropped[] = [];
  const sent = new Set<string>();
  const logOf = (n: number) => join(aside, `strace-${n}`);
  const traced = (n: number) => {
    const [call, most] = random.one(LAST_CALLS);
    const killAt = random.isOneIn(2) ? { call, n: 1 + random.below(most) } : undefined;
    return load(scene, straceInto(logOf(n), killAt));
  };
  let next = traced(0);
  try {
    for (let [n, goesOn] = [0, true]; goesOn; n++) {
      dropSome(scene, dropped, random);
      const life = next;
      goesOn = n + 1 < losses && !limit.isOver(total.losses + 1);
      next = goesOn ? traced(n + 1) : load(scene);
      const disk = new Disk(scene.root, treeOf(scene.root));
      if (!(await worksUntilTheInstant(life, scene, random, (listener) => (onRequest = listener)))) total.ended++;
      onRequest = () => {};
      const log = readFileSync(logOf(n), 'latin1');
      const { looks, faults } = instantsOf(log, { disk, root: scene.root, dropped, sent, random });
      total.instants += looks;
      total.faults.push(...faults.map((fault) => `seed ${seed}: ${fault}`));
      total.unflushed += disk.unflushed();
      lay(scene.root, disk.afterPowerLoss(random));
      if (faults.length > 0) throw new Error(`the log of strace is left as ${logOf(n)}`);
      rmSync(logOf(n));
      total.losses++;
    }
    await finish(scene, next, dropped);
    const requests = scene.sandbox.acceptances();
    const report = check({ root: scene.root, dropped, accepted: readAcceptances(acceptanceLog), requests });
    total.documents += report.documents;
    total.accepted += report.accepted;
    total.recovered += report.recovered.length;
    total.unreached += report.unreached.length;
    total.faults.push(...faultsOf(report).map((fault) => `seed ${seed}: ${fault}`));
  } catch (error) {
    // A damaged ledger or receipt, a program that does not end well, documents that stay queued.
    total.faults.push(`seed ${seed}: ${(error as Error).message}`);
  } finally {
    await end(next);
    if (total.faults.length === 0) rmSync(aside, { recursive: true });
  }
}

type Lived = {
  readonly disk: Disk;
  readonly root: string;
  readonly dropped: readonly Dropped[];
  /** Request-ids of this instance so far; those of this life are added. */
  readonly sent: Set<string>;
  readonly random: Random;
};

/** Puts a life on its disk; at random steps of it, and where a request begins to leave, the power might have gone. */
function instantsOf(
  log: string,
  { disk, root, dropped, sent, random }: Lived,
): { readonly looks: number; readonly faults: readonly string[] } {
  const faults: string[] = [];
  let [looks, steps, isLeaving] = [0, 0, false];
  replay(log, root, disk, {
    leaving: (bytes) => {
      for (const [, id = ''] of String(bytes).matchAll(REQUEST_ID)) {
        isLeaving ||= !sent.has(id);
        sent.add(id);
      }
    },
    at: (line) => {
      const isStep = disk.steps > steps;
      steps = disk.steps;
      if (!isLeaving && !(isStep && random.isOneIn(STEPS_PER_LOOK))) return;
      isLeaving = false;
      looks++;
      const missing = missingIn(root, disk.afterPowerLoss(random), { dropped, sent });
      faults.push(...missing.map((one) => `line ${line}: ${one}`));
    },
  });
  return { looks, faults };
}

const REQUEST_ID = /"request-id":"([0-9a-f-]{36})"/g;

/** Half of the lives end in a call that strace was told of, the others by the clock or by a request under way. */
async function worksUntilTheInstant(
  life: Life,
  scene: Scene,
  random: Random,
  listen: (listener: () => void) => void,
): Promise<boolean> {
  const [ms, atRequest] = [random.below(1200), random.isOneIn(2)];
  let left = 1 + random.below(6);
  const pid = await start(life, scene, random.isOneIn(5) ? 'watch' : 'run');
  const gone = life.gone.then(() => true);
  const reached = new Promise<void>((resolve) => listen(() => --left <= 0 && resolve()));
  if (atRequest) await Promise.race([gone, reached.then(() => wait(ms / 20)), wait(3000)]);
  else await Promise.race([gone, wait(ms)]);
  if (life.child.exitCode === null && life.child.signalCode === null) kill(pid);
  await life.gone;
  return life.child.exitCode !== 0 && life.child.exitCode !== 3;
}

async function end(life: Life): Promise<void> {
  if (life.child.exitCode !== null || life.child.signalCode !== null) return;
  kill(await life.loaded);
  await life.gone;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the same moment.
  }
}

let serial = 0;

/** Up to two exports; every fifth is one that was dropped before, under another name. */
function dropSome(scene: Scene, dropped: Dropped[], random: Random): void {
  for (let n = dropped.length === 0 ? 2 : random.below(3); n > 0; n--) {
    const name = `ventes-${++serial}.csv`;
    const before = dropped[random.below(dropped.length)];
    const content = before && random.isOneIn(5) ? before.content : sales(numbers(random));
    scene.drop(name, content);
    dropped.push({ name, content });
  }
}

/** Some have so many documents that their receipts are written by the thread for many. */
function numbers(random: Random): readonly string[] {
  const most = random.isOneIn(5) ? 80 : 10;
  return Array.from({ length: 2 + random.below(most) }, (_, n) => {
    const mark = random.isOneIn(10) ? '-X6' : random.isOneIn(10) ? '-X8' : random.isOneIn(50) ? '-XLOST' : '';
    return `F${serial}-${n}${mark}`;
  });
}

function treeOf(root: string): Tree {
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => ({
    entry,
    path: join(entry.parentPath, entry.name),
  }));
  const files = found.flatMap(({ entry, path }): [string, Left][] =>
    entry.isFile() ? [[path, { bytes: readFileSync(path), mtimeMs: lstatSync(path).mtimeMs }]] : [],
  );
  return { files: new Map(files), folders: found.flatMap(({ entry, path }) => (entry.isDirectory() ? [path] : [])) };
}

/**
 * In place: the state folder and the ledger keep their inodes, by which the ledger knows where it lies. SQLite makes its
 * shared memory (`-shm`) anew from the log.
 */
function lay(root: string, { files, folders }: Tree): void {
  const ledger = join(root, 'state/ledger.sqlite');
  // A loss of power gives no file another inode, which is what a restored witness is known by.
  const kept = new Set([ledger, join(root, 'archive/.ledger-witness.json')].filter((path) => files.has(path)));
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isDirectory() && !kept.has(path)) rmSync(path);
  }
  for (const name of readdirSync(root)) {
    if (![...kept].some((path) => path.startsWith(join(root, name)))) rmSync(join(root, name), { recursive: true });
  }
  if (!files.has(ledger)) throw new Error('the ledger is made before the first loss, and never replaced');
  for (const path of folders) mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const [path, { bytes, mtimeMs }] of files) {
    if (path.endsWith('-shm')) continue;
    writeFileSync(path, bytes, { mode: 0o600 });
    if (mtimeMs !== undefined) utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
  }
}
