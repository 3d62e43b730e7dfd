/**
 * Many walks, one after the other, over a ledger that several of them share. A walk that fails is made as short as it can be, and
 * kept as a file, which sequences.test.ts repeats from then on.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestServer } from '../../database/postgres/server.ts';
import { type Random, randomFrom } from '../random.ts';
import { drawStep } from './draw.ts';
import { startLedgerWalk } from './ledger-walk.ts';
import { openProgramInstance } from './program-instance.ts';
import { startProgramWalk } from './program-walk.ts';
import type { Step } from './step.ts';
import type { Walk, WalkClock } from './walk.ts';
import { openWalkInstance } from './walk-instance.ts';

export type WalkEngine = 'sqlite' | 'postgres';
/** Over the ledger, with the functions of the program in this process, or over a watch and commands. */
type WalkOver = 'ledger' | 'program';

/** A walk as it is kept: `count` documents, and what the judge said when it was found. */
export type KeptWalk = {
  readonly over: WalkOver;
  readonly engine: WalkEngine;
  readonly seed?: number;
  readonly count: number;
  readonly steps: readonly Step[];
  readonly complaints: readonly string[];
};

export type SequenceFigures = {
  walks: number;
  steps: number;
  submissions: number;
  questions: number;
  decisions: number;
  failed: number;
  readonly faults: string[];
};

export type SequencePlan = {
  readonly over: WalkOver;
  readonly engine: WalkEngine;
  readonly seed: number;
  readonly steps: number;
  /** Asked before each walk, with the number of steps before it. */
  readonly isOver: (steps: number) => boolean;
  /** The first of them to be kept, each made as short as it can be; with `all` every failure is counted, and none is kept. */
  readonly failures?: number | 'all';
  readonly report?: (figures: SequenceFigures) => void;
};

const [FEWEST, MOST] = [10, 40];
/** Most sequences that break a promise are about one document. */
const DOCUMENTS = [1, 1, 1, 2, 3];
const REPORT_EACH = 500;

/** A clock that moves at each look, and as the walk says. */
function walkClock(): WalkClock {
  let ms = Date.now();
  const pass = (by: number) => {
    ms += by;
  };
  return { now: () => new Date(ms++), monotonic: () => ms, sleep: async () => {}, pass };
}

/** Where walks are made, one after the other. */
type Place = AsyncDisposable & {
  readonly walk: (about: { readonly name: string; readonly count: number }) => Promise<Walk>;
};

/** Places for walks, each replaced after many of them: what they leave does not slow the next ones down. */
const PLACES: {
  readonly [Over in WalkOver]: { readonly walks: number; readonly open: (server?: TestServer) => Promise<Place> };
} = {
  ledger: {
    walks: 400,
    open: async (server) => {
      const clock = walkClock();
      const instance = await openWalkInstance(clock, server);
      return { ...instance, walk: async (about) => startLedgerWalk(instance, clock, about) };
    },
  },
  program: {
    walks: 20,
    open: async (server) => {
      const instance = await openProgramInstance(server);
      return { ...instance, walk: (about) => startProgramWalk(instance, about) };
    },
  },
};

type Ground = AsyncDisposable & {
  /** The one before is over. */
  readonly walk: (count: number) => Promise<Walk>;
  readonly workers: number;
  /** The next walk has a place of its own. */
  readonly renew: () => void;
};

export async function openGround({ over, engine }: Pick<KeptWalk, 'over' | 'engine'>): Promise<Ground> {
  const server = engine === 'postgres' ? await TestServer.create() : undefined;
  const { open, walks: most } = PLACES[over];
  let place: Place | undefined;
  let walks = 0;
  let isWorn = false;
  const close = async () => {
    await place?.[Symbol.asyncDispose]();
    place = undefined;
  };
  return {
    workers: server ? 2 : 1,
    renew: () => {
      isWorn = true;
    },
    walk: async (count) => {
      if (isWorn || walks % most === 0) await close();
      isWorn = false;
      place ??= await open(server);
      return await place.walk({ name: `W${++walks}`, count });
    },
    [Symbol.asyncDispose]: async () => {
      await close();
      await server?.remove();
    },
  };
}

/** Complaints of a walk that is repeated. */
export async function repeat(ground: Ground, { count, steps }: Pick<KeptWalk, 'count' | 'steps'>) {
  const walk = await ground.walk(count);
  for (const step of steps) {
    if (walk.complaints.length > 0) break;
    await walk.take(step);
  }
  if (walk.complaints.length === 0) await walk.finish();
  if (walk.complaints.length > 0) ground.renew();
  return walk.complaints;
}

export async function walkAgainAndAgain(plan: SequencePlan): Promise<SequenceFigures> {
  const { over, engine, seed, steps, isOver, failures = 1, report } = plan;
  const [mostFailed, keeps] = failures === 'all' ? [Infinity, false] : [failures, true];
  const total: SequenceFigures = {
    ...{ walks: 0, steps: 0, submissions: 0, questions: 0, decisions: 0, failed: 0 },
    faults: [],
  };
  await using ground = await openGround(plan);
  while (total.steps < steps && total.failed < mostFailed && !isOver(total.steps)) {
    const own = (seed * 100_003 + total.walks) >>> 0;
    const walked = await drawWalk(ground, randomFrom(own), total);
    if (walked.complaints.length > 0) {
      const short = keeps ? await shortest(ground, walked) : walked;
      const path = keeps ? keep({ over, engine, seed: own, ...short }) : undefined;
      total.failed++;
      total.faults.push(
        `${over} on ${engine}, walk ${total.walks}: ${short.complaints.join('; ')}${path ? ` (${path})` : ''}`,
      );
    }
    if (total.walks % REPORT_EACH === 0) report?.(total);
  }
  return total;
}

type Walked = Pick<KeptWalk, 'count' | 'steps' | 'complaints'>;

async function drawWalk(ground: Ground, random: Random, total: SequenceFigures): Promise<Walked> {
  const count = random.one(DOCUMENTS);
  const walk = await ground.walk(count);
  const taken: Step[] = [];
  for (let left = FEWEST + random.below(MOST - FEWEST + 1); left > 0 && walk.complaints.length === 0; left--) {
    const step = drawStep(random, walk, ground.workers);
    if (await walk.take(step)) taken.push(step);
  }
  total.steps += taken.length;
  if (walk.complaints.length === 0) await walk.finish();
  if (walk.complaints.length > 0) ground.renew();
  total.walks++;
  for (const { dossier } of walk.documents) {
    total.submissions += dossier.arrivals.length;
    total.questions += dossier.questions.length;
    total.decisions += dossier.decisions.length;
  }
  return { count, steps: taken, complaints: walk.complaints };
}

/** A walk that waits for what does not come takes its patience each time. */
const SHORTENING_MS = 120_000;

/** Leaves out steps, many at once and then one at a time, while the judge still complains. */
async function shortest(ground: Ground, walked: Walked): Promise<Walked> {
  let { steps, complaints } = walked;
  const kind = kindOf(complaints[0] ?? '');
  const untilMs = performance.now() + SHORTENING_MS;
  for (let size = Math.ceil(steps.length / 2); size >= 1; ) {
    let isShorter = false;
    for (let from = steps.length - size; from > -size; from -= size) {
      const fewer = steps.filter((_, n) => n < from || n >= from + size);
      if (fewer.length === steps.length || performance.now() > untilMs) continue;
      const found = await repeat(ground, { count: walked.count, steps: fewer });
      if (!found.some((one) => kindOf(one) === kind)) continue;
      [steps, complaints, isShorter] = [fewer, found, true];
    }
    if (!isShorter || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return { count: walked.count, steps, complaints };
}

/** What a complaint says, whatever document and submission it is about. */
function kindOf(complaint: string): string {
  return complaint.split('\n', 1)[0]?.replaceAll(/\d+/g, 'N') ?? '';
}

const KEPT = join(import.meta.dirname, 'kept');

function keep(walk: KeptWalk): string {
  const path = join(KEPT, `${walk.over}-${walk.engine}-${walk.seed}.json`);
  const steps = walk.steps.map((step) => `    ${JSON.stringify(step)}`).join(',\n');
  const { steps: _, ...rest } = walk;
  mkdirSync(KEPT, { recursive: true });
  writeFileSync(path, `${JSON.stringify(rest, undefined, 2).slice(0, -2)},\n  "steps": [\n${steps}\n  ]\n}\n`);
  return path;
}

/** All that failed once, by the name of their file. */
export function keptWalks(): readonly (KeptWalk & { readonly name: string })[] {
  return readdirSync(KEPT).map((name) => ({
    ...(JSON.parse(readFileSync(join(KEPT, name), 'utf8')) as KeptWalk),
    name,
  }));
}
