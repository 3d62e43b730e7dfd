/** Runs the cases of a group in turn, each in a process of its own, and reads the figures off the rounds. */
import { execFile } from 'node:child_process';
import { globSync, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { exportFolder, type FormatName } from './exports/exports.ts';
import { BENCH_FOLDER, PROCESSES, ROOT } from './folders.ts';
import type { Figure, Group, Round, Run } from './group.ts';
import { median } from './median.ts';
import type { Result, Settings } from './result.ts';
import { expectSameDocuments } from './same-documents.ts';

export type Row = {
  readonly says: string;
  readonly unit: string;
  /** Undefined: not measured. */
  readonly value: number | undefined;
  readonly goal: Figure['goal'];
};

export type Outcome = { readonly rows: readonly Row[]; readonly notes: readonly string[] };

const start = promisify(execFile);
/** The sources are stripped of their types once, as in the built package: else the tool for it counts as memory. */
const env = {
  ...process.env,
  NODE_COMPILE_CACHE: join(BENCH_FOLDER, 'compile-cache'),
  NIGHTPOST_BENCH_FOLDER: BENCH_FOLDER,
  NIGHTPOST_BENCH_PROCESSES: PROCESSES,
};
/** Cases in their own process start as the program does (first line of src/cli/main.ts). */
const OPTIONS = ['--max-semi-space-size=16', '--max-old-space-size=2000'];
/** Absent in a commit before it. */
const ENGINE = 'src/**/v8-flags.ts';

type Report = (says: string) => void;

/**
 * Throws where a case did not do what it is there for; what a machine or a commit lacks is a note. In the quick form cases
 * run next to each other, because its figures say nothing.
 */
export async function runGroup(group: Group, isQuick: boolean, report: Report): Promise<Outcome> {
  const exports = new Map<Run, string>();
  for (const run of Object.values(group.runs)) exports.set(run, await exportsOf(run));
  const rounds: Round[] = [];
  const notes = new Set<string>();
  for (let n = 1; n <= group.rounds; n++) {
    const round: { [run: string]: Result | undefined } = {};
    const turns = pLimit(isQuick ? availableParallelism() : 1);
    let isFailed = false;
    const measure = async ([name, run]: [string, Run]) => {
      if (isFailed) return;
      report(`${group.name}, round ${n} of ${group.rounds}: ${name}`);
      const given = { out: outOf(group, name), exports: exports.get(run)!, isQuick };
      const result = await runCase(run, given).catch((error: Error) => {
        const why = (error as { stderr?: string }).stderr || error.message;
        // Another commit may refuse these documents, or lack a command.
        if (run.root !== undefined) return { lacks: /Error(?: \[\w+\])?: (.*)/.exec(why)?.[1] ?? why.slice(0, 200) };
        isFailed = true;
        throw new Error(`${group.name}: ${name}: ${why}`);
      });
      if ('lacks' in result) notes.add(`${name}: not measured: ${result.lacks}`);
      else round[name] = result;
    };
    const runs = Object.entries(group.runs);
    const inTurn = group.isSwapped && n % 2 === 0 ? runs.toReversed() : runs;
    // Those under way end before the first failure ends all.
    const ends = await Promise.allSettled(inTurn.map((one) => turns(measure, one)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    rounds.push(round);
    if (n === 1) for (const note of await compare(group, round)) notes.add(note);
  }
  const counted = group.isLeast ? [leastOf(rounds)] : rounds;
  const rows = group.figures.map(({ says, unit, of, goal }) => {
    const values = counted.map(of).filter((value) => value !== undefined);
    return { says, unit, value: values.length > 0 ? median(values) : undefined, goal };
  });
  return { rows, notes: [...notes] };
}

/** The mean of the least third of the times of each run. Other work of the host only adds to a time, and one lucky round shows too little. */
function leastOf(rounds: readonly Round[]): Round {
  const least: { [run: string]: Result } = {};
  for (const name of new Set(rounds.flatMap((round) => Object.keys(round)))) {
    const results = rounds.flatMap((round) => round[name] ?? []);
    const [first] = results;
    if (!first) continue;
    const mean = (of: 'seconds' | 'cpuSeconds' | 'peakMb') => {
      const values = results.map((result) => result[of]).toSorted((a, b) => a - b);
      const some = values.slice(0, Math.ceil(values.length / 3));
      return some.reduce((sum, value) => sum + value, 0) / some.length;
    };
    least[name] = { ...first, seconds: mean('seconds'), cpuSeconds: mean('cpuSeconds'), peakMb: mean('peakMb') };
  }
  return least;
}

type Lacking = { readonly lacks: string };

/** The folder of the exports of a run, made before anything is measured; none where it makes its own. */
async function exportsOf({ case: what, size, format, quality = 'spotless', perFile, queue }: Run): Promise<string> {
  if (format === undefined || what === 'memory') return '';
  return await exportFolder({ format, quality, documents: queue ?? size, ...(perFile && { perFile }) });
}

type Given = Pick<Settings, 'out' | 'exports' | 'isQuick'>;

async function runCase(run: Run, given: Given): Promise<Result | Lacking> {
  const { case: what, size, format = 'csv', quality = 'spotless', latencyMs = 0, root = ROOT } = run;
  mkdirSync(join(BENCH_FOLDER, 'runs'), { recursive: true });
  if (what === 'python') return await python(format, given.exports, given.out);
  const settings: Settings = { ...given, size, format, quality, latencyMs };
  const engine = globSync(ENGINE, { cwd: root }).flatMap((file) => ['--import', pathToFileURL(join(root, file)).href]);
  const program = join(root, 'bench/case.ts');
  const { stdout } = await start(process.execPath, [...OPTIONS, ...engine, program, what, JSON.stringify(settings)], {
    env,
  });
  return JSON.parse(stdout) as Result | Lacking;
}

function outOf(group: Group, name: string): string {
  return join(BENCH_FOLDER, 'runs', `${group.name}-${name.replaceAll(/[ ,]+/g, '-')}.out`);
}

async function python(format: FormatName, exports: string, out: string): Promise<Result | Lacking> {
  try {
    const script = join(import.meta.dirname, 'scripts/convert.py');
    const { stdout } = await start('python3', ['-B', script, format, exports, out]);
    return JSON.parse(stdout) as Result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { lacks: 'there is no python3' };
    throw error;
  }
}

/** What is compared has to have made the same documents. */
async function compare(group: Group, round: Round): Promise<readonly string[]> {
  let [documents, runs] = [0, 0];
  for (const [name, other] of Object.entries(group.sameDocuments ?? {})) {
    const result = round[name];
    if (!result) continue;
    await expectSameDocuments(outOf(group, name), outOf(group, other), result.documents);
    documents += result.documents;
    runs++;
  }
  return runs === 0 ? [] : [`${documents.toLocaleString('en')} documents of ${runs} runs are equal, numbers by value`];
}
