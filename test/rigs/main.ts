/** The long forms: `npm run torture -- kill --kills 5000 --seed 7`. Ends with 1 where the promise was broken. */
import { parseArgs } from 'node:util';
import { removeOwnFolders } from '../database/postgres/server.ts';
import { endTogether } from '../descendants.ts';
import { killDuringActs } from './acts.ts';
import { killWhileReporting } from './answers.ts';
import { keepPagesOpen } from './console-hour.ts';
import { failOverAgain } from './fail-overs.ts';
import { clearFinanceNights } from './finance-clearing.ts';
import { killAgainAndAgain } from './kill.ts';
import { timeLimit } from './limit.ts';
import { recoverAgainAndAgain } from './losses.ts';
import { killWhileNotifying } from './notices.ts';
import { losePower } from './power.ts';
import { type SequenceFigures, type WalkEngine, walkAgainAndAgain } from './sequences/walks.ts';
import { mayTrace } from './strace.ts';
import { killWorkers, shown } from './workers.ts';
import { liveYear } from './year/live-year.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string' },
    losses: { type: 'string' },
    lives: { type: 'string' },
    overs: { type: 'string' },
    seed: { type: 'string' },
    lanes: { type: 'string' },
    workers: { type: 'string' },
    lease: { type: 'string' },
    documents: { type: 'string' },
    away: { type: 'string' },
    server: { type: 'string' },
    timed: { type: 'boolean' },
    seconds: { type: 'string' },
    'at-least': { type: 'string' },
    steps: { type: 'string' },
    engine: { type: 'string' },
    over: { type: 'string' },
    failures: { type: 'string' },
    nights: { type: 'string' },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const startedMs = performance.now();
const seconds = () => Math.round((performance.now() - startedMs) / 1000);

const limit = timeLimit(Number(values.seconds ?? Infinity), Number(values['at-least'] ?? 1));
const report = ({ faults: _, ...figures }: { readonly faults: readonly string[] }) =>
  console.info(`${seconds()} s ${JSON.stringify(figures)}`);

const MOST_TOLD = 25;
const tooFew = (what: string, done: number) =>
  done < limit.atLeast ? [`only ${done} ${what} in ${seconds()} s, at least ${limit.atLeast} are wanted`] : [];

const RIGS: { readonly [name: string]: () => Promise<{ readonly faults: readonly string[] }> } = {
  kill: async () => {
    const kills = Number(values.kills ?? 200);
    const engine = values.engine === 'postgres' ? values.engine : 'sqlite';
    const done = await killAgainAndAgain({ kills, seed, lanes: Number(values.lanes ?? 2), engine, limit, report });
    return { ...done, faults: [...done.faults, ...tooFew('kills', done.kills)] };
  },
  acts: async () => {
    const done = await killDuringActs({ kills: Number(values.kills ?? 200), seed, limit, report });
    return { ...done, faults: [...done.faults, ...tooFew('kills', done.kills)] };
  },
  answers: async () => {
    const done = await killWhileReporting({ kills: Number(values.kills ?? 200), seed, limit, report });
    return { ...done, faults: [...done.faults, ...tooFew('kills', done.kills)] };
  },
  notices: async () => {
    const done = await killWhileNotifying({ kills: Number(values.kills ?? 200), seed, limit, report });
    return { ...done, faults: [...done.faults, ...tooFew('kills', done.kills)] };
  },
  console: async () => await keepPagesOpen({ limit: timeLimit(Number(values.seconds ?? 3600), 1), report }),
  clear: async () => await clearFinanceNights(report),
  failover: async () => {
    const done = await failOverAgain({ overs: Number(values.overs ?? 40), seed, limit, report });
    return { ...done, faults: [...done.faults, ...tooFew('fail-overs', done.overs)] };
  },
  workers: async () => {
    const { workers = '3', lease = '2000', documents, away = '0', server = '', timed = false } = values;
    const kills = Number(values.kills ?? (documents === undefined ? 200 : 6));
    const settings = Object.fromEntries(server.split(',').flatMap((one) => (one ? [one.split('=')] : [])));
    const done = await killWorkers({
      ...{ workers: Number(workers), kills, leaseMs: Number(lease), awayMs: Number(away), timed, seed, limit, report },
      ...{ documents: documents === undefined ? undefined : Number(documents), server: settings },
    });
    return { ...shown(done), faults: [...done.faults, ...tooFew('kills', done.kills)] };
  },
  sequences: async () => {
    const { engine, steps = '10000', failures = '1' } = values;
    const over = values.over === 'program' ? ('program' as const) : ('ledger' as const);
    const engines: readonly WalkEngine[] =
      engine === 'sqlite' || engine === 'postgres' ? [engine] : ['sqlite', 'postgres'];
    const most = failures === 'all' ? ('all' as const) : Number(failures);
    const all: SequenceFigures[] = [];
    for (const one of engines) {
      // Each engine has its share of the time.
      const { isOver } = timeLimit(Number(values.seconds ?? Infinity) / engines.length, limit.atLeast / engines.length);
      all.push(
        await walkAgainAndAgain({ over, engine: one, seed, steps: Number(steps), isOver, failures: most, report }),
      );
    }
    const done = all.reduce((sum, one) => sum + one.steps, 0);
    const faults = all.flatMap((one) => one.faults);
    return {
      engines: all.map(({ faults: _, ...one }) => one),
      // The first walk that fails ends the others.
      faults: faults.length > 0 ? faults : tooFew('steps', done),
    };
  },
  recover: async () => {
    const done = await recoverAgainAndAgain({ lives: Number(values.lives ?? 200), seed, limit, report });
    return { ...done, faults: [...done.faults, ...tooFew('lives', done.lives)] };
  },
  year: async () => await liveYear({ nights: Number(values.nights ?? 365), seed, report }),
  power: async () => {
    const done = await losePower({ losses: Number(values.losses ?? 100), seed, limit, report });
    return { ...done, faults: [...done.faults, ...tooFew('losses of power', done.losses)] };
  },
};

const rig = RIGS[positionals[0] ?? ''];
if (!rig) {
  console.error(
    `usage: npm run torture -- ${Object.keys(RIGS).join('|')} [--seed N] [--kills N] [--losses N] [--lives N] [--overs N] [--lanes N] [--workers N] [--lease MS] [--documents N] [--away MS] [--server NAME=VALUE,...] [--timed] [--seconds N] [--at-least N] [--steps N] [--over ledger|program] [--engine sqlite|postgres] [--failures N|all] [--nights N]`,
  );
  process.exit(2);
}
if (positionals[0] === 'power' && !mayTrace()) {
  console.info('power: left out, because strace is missing or may not trace here (apt-get install strace)');
  process.exit(0);
}
endTogether(removeOwnFolders);
console.info(`seed ${seed}`);
const { faults, ...figures } = await rig();
console.info(`${seconds()} s, seed ${seed}: ${JSON.stringify(figures)}`);
for (const fault of faults.slice(0, MOST_TOLD)) console.error(fault);
console.info(faults.length === 0 ? 'nothing lost, nothing doubled' : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
