/**
 * `npm run simulate -- --seconds 60`: lives of an instance from fresh seeds, judged by a model. Prints the seed, the nights and each
 * kind of complaint. Ends with 1 where something was lost, doubled or sent wrongly; figures that contradict each other are listed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Program } from './house.ts';
import { SECRETS } from './house-files.ts';
import { ACTS, type LifeEvent } from './life.ts';
import { drawn, keep, keptLives, kindOf, type Life, live, shorten } from './simulate.ts';
import { stopLives } from './stop-lives.ts';
import { takeOverChance } from './world/chance.ts';
import { takeOverDatabases } from './world/databases.ts';
import { takeOverDisk } from './world/disk.ts';
import { takeOverNetwork } from './world/network.ts';
import { rememberResults } from './world/once.ts';
import { takeOverProcess } from './world/running.ts';
import { machineMs, takeOverTime } from './world/virtual-time.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    lives: { type: 'string' },
    /** Only lives that have it. */
    trait: { type: 'string' },
    /** Processes that live at the same time, each from seeds of its own. */
    jobs: { type: 'string', default: '1' },
    /** A life that was kept, once more; with what its commands print. */
    life: { type: 'string' },
    /** All lives that were kept, once more. */
    kept: { type: 'boolean', default: false },
    /** The small life with a stop at each write of each command, or at one of so many. */
    stops: { type: 'string' },
    /** The folder of another version of the program. */
    program: { type: 'string', default: resolve(import.meta.dirname, '../..') },
    /** How many lives that fail are made shorter and kept, and the seconds that each may take. */
    keep: { type: 'string', default: '1' },
    shorten: { type: 'string', default: '60' },
    /** Figures count as broken promises too. */
    figures: { type: 'boolean', default: false },
    /** Each life twice: does it repeat? */
    twice: { type: 'boolean', default: false },
  },
});

/** `first`: in which life it was met first, after how many nights. */
type Met = { readonly times: number; readonly first: string; readonly nights: number };
type Total = { lives: number; nights: number; failed: number; readonly kinds: { [kind: string]: Met } };

const SEEDS_OF_A_JOB = 1_000_000;
const MOST_SHOWN = 400;
const WATCH: readonly LifeEvent[] = [
  { do: 'watch' },
  { do: 'export', file: 99, lines: [{ n: 99, quantity: '2O' }] },
  { do: 'wait', seconds: 120 },
  ...ACTS.map((act): LifeEvent => ({ do: act, n: 99, elsewhere: true })),
  { do: 'consult' },
  { do: 'end-watch' },
];
const firstSeed = Number(values.seed ?? Date.now() % 1_000_000_000);
const beganMs = performance.now();

const total = Number(values.jobs) > 1 ? await inProcesses(Number(values.jobs)) : await inThisProcess();
if (process.send) await promisify(process.send.bind(process) as (total: Total, done: () => void) => void)(total);
const seconds = (machineMs() - beganMs) / 1000;
const rate = (total.nights / seconds).toFixed(1);
console.info(`seed ${firstSeed}: ${total.lives} lives, ${total.nights} nights, ${rate} a second`);
const kinds = Object.entries(total.kinds).sort(([, a], [, b]) => b.times - a.times);
for (const [kind, { times, first, nights }] of kinds)
  console.info(`${String(times).padStart(6)}  ${kind} (first by ${first}, after ${nights} nights)`);
const isGreen = total.failed === 0 && total.lives > 0;
console.info(isGreen ? 'nothing lost, nothing doubled' : `${total.failed} lives break a promise`);
process.exit(isGreen ? 0 : 1);

function none(): Total {
  return { lives: 0, nights: 0, failed: 0, kinds: {} };
}

/** Of several processes, the one that met it after the fewest nights. */
function add(sum: Total, kind: string, met: Met): void {
  const known = sum.kinds[kind];
  const earliest = known && known.nights <= met.nights ? known : met;
  sum.kinds[kind] = { ...earliest, times: (known?.times ?? 0) + met.times };
}

async function inProcesses(jobs: number): Promise<Total> {
  const totals = Array.from({ length: jobs }, async (_, n) => {
    const own = ['--jobs', '1', '--seed', String(firstSeed + n * SEEDS_OF_A_JOB)];
    const child = fork(import.meta.filename, [...process.argv.slice(2), ...own], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit');
    const early = ended.then(([code]) => Promise.reject(new Error(`a process of the simulation ended with ${code}`)));
    const [total] = (await Promise.race([once(child, 'message'), early])) as [Total];
    early.catch(() => undefined);
    await ended;
    return total;
  });
  const sum = none();
  for (const { lives, nights, failed, kinds } of await Promise.all(totals)) {
    sum.lives += lives;
    sum.nights += nights;
    sum.failed += failed;
    for (const [kind, met] of Object.entries(kinds)) add(sum, kind, met);
  }
  return sum;
}

async function inThisProcess(): Promise<Total> {
  takeOverTime();
  takeOverDisk();
  takeOverDatabases();
  takeOverChance();
  takeOverNetwork();
  takeOverProcess();
  rememberResults();
  Object.assign(process.env, SECRETS, { TZ: 'UTC' });
  // What runs on after its program was stopped concerns no one; of a program that lives, its command fails.
  process.on('unhandledRejection', () => undefined);
  const program = (await import(join(values.program, 'src/cli/command-line.ts'))) as Program;
  // What the program loads with its first commands takes chance and time from no life.
  await live(program, { seed: 1, traits: ['console'], events: [...drawn(1).events, ...WATCH] });
  const sum = none();
  // Those that were kept are lived to the last.
  const isOver = () => !values.kept && machineMs() - beganMs > Number(values.seconds) * 1000;
  for await (const life of lives(program)) {
    if (isOver() || sum.lives >= Number(values.lives ?? Infinity)) break;
    await tryLife(program, life, sum);
  }
  return sum;
}

async function* lives(program: Program): AsyncIterable<Life> {
  if (values.life !== undefined) yield JSON.parse(readFileSync(values.life, 'utf8')) as Life;
  else if (values.kept) yield* keptLives();
  else if (values.stops !== undefined) {
    const writesOf = async (life: Life) => (await live(program, life)).writes;
    yield* stopLives(firstSeed, Number(values.stops), writesOf);
  } else
    for (let seed = firstSeed; ; seed++) {
      const life = drawn(seed);
      if (values.trait === undefined || life.traits?.some((one) => one === values.trait)) yield life;
    }
}

async function tryLife(program: Program, life: Life, sum: Total): Promise<void> {
  const lived = await live(program, life, values.life === undefined ? undefined : console.info);
  sum.lives++;
  sum.nights += lived.nights;
  const again = values.twice ? await live(program, life) : lived;
  const met: Met = { times: 1, first: `seed ${life.seed}`, nights: sum.nights };
  if (again.trace !== lived.trace) add(sum, 'a life does not repeat', met);
  for (const kind of new Set(lived.complaints.map(kindOf))) add(sum, kind, met);
  const first = lived.complaints.find(({ about }) => values.figures || about !== 'figures');
  for (const { says } of lived.complaints) console.error(`seed ${life.seed}: ${says.slice(0, MOST_SHOWN)}`);
  if (!first) return;
  sum.failed++;
  if (values.life !== undefined || values.kept || sum.failed > Number(values.keep)) return;
  const untilMs = machineMs() + Number(values.shorten) * 1000;
  console.error(`kept as ${keep(await shorten(program, life, first, () => machineMs() > untilMs), first)}`);
}
