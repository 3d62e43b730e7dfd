/** Runs the cases of a group in turn, each in a process of its own, and reads the figures off the rounds. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { BENCH_FOLDER, exportFile } from './exports.ts';
import { median } from './median.ts';
import type { Figure, Group, Round, Run } from './plan.ts';
import type { Result, Settings } from './result.ts';

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
const env = { ...process.env, NODE_COMPILE_CACHE: join(BENCH_FOLDER, 'compile-cache') };
/** The program's own runs are started as the program is (first line of src/cli/main.ts). */
const OWN = ['--max-semi-space-size=16', '--max-old-space-size=2000', '--import'];
const ENGINE = 'src/cli/v8-flags.ts';
const ROOT = join(import.meta.dirname, '..');
/** fast-xml-parser holds a file of 187 MB as objects. */
const LARGE = ['--max-old-space-size=8192'];
const OTHERS = ['csv-ready', 'csv-jsonata', 'xml-fxp', 'deliver-raw-20', 'deliver-raw-0', 'claim-raw'];

export async function runGroup(group: Group, report: (says: string) => void): Promise<Outcome> {
  const rounds: Round[] = [];
  const notes: string[] = [];
  for (let n = 1; n <= group.rounds; n++) {
    const round: { [run: string]: Result | undefined } = {};
    const runs = Object.entries(group.runs);
    for (const [name, run] of group.isSwapped && n % 2 === 0 ? runs.toReversed() : runs) {
      report(`${group.name}, round ${n} of ${group.rounds}: ${name}`);
      round[name] = await runCase(group, name, run);
    }
    rounds.push(round);
    if (n === 1) notes.push(...(await compare(group, round)));
  }
  const counted = group.isLeast ? [leastOf(rounds)] : rounds;
  const rows = group.figures.map(({ says, unit, of, goal }) => {
    const values = counted.map(of).filter((value) => value !== undefined);
    return { says, unit, value: values.length > 0 ? median(values) : undefined, goal };
  });
  return { rows, notes };
}

/** The mean of the least third of the times of each run. Other work of the host only adds to a time, and one lucky round shows too little. */
function leastOf(rounds: readonly Round[]): Round {
  const least: { [run: string]: Result } = {};
  for (const name of new Set(rounds.flatMap((round) => Object.keys(round)))) {
    const results = rounds.flatMap((round) => round[name] ?? []);
    const [first] = results;
    if (!first) continue;
    const mean = (of: 'seconds' | 'cpuSeconds') => {
      const times = results.map((result) => result[of]).toSorted((a, b) => a - b);
      const some = times.slice(0, Math.ceil(times.length / 3));
      return some.reduce((sum, time) => sum + time, 0) / some.length;
    };
    least[name] = { ...first, seconds: mean('seconds'), cpuSeconds: mean('cpuSeconds') };
  }
  return least;
}

async function runCase(
  group: Group,
  name: string,
  { case: what, size, extra, root }: Run,
): Promise<Result | undefined> {
  const out = outOf(group, name);
  if (what === 'csv-python') return await python(exportFile('csv', size), out);
  return await inProcess(what, { size, out, ...(extra ? { extra: outOf(group, extra) } : {}) }, root);
}

function outOf(group: Group, name: string): string {
  return join(BENCH_FOLDER, `${group.name}-${name.replaceAll(/[ ,]+/g, '-')}.out`);
}

async function inProcess(what: string, settings: Settings, root = ROOT): Promise<Result> {
  const program = join(root, 'bench/case.ts');
  const flags = OTHERS.includes(what) ? LARGE : [...OWN, pathToFileURL(join(root, ENGINE)).href];
  const { stdout } = await start(process.execPath, [...flags, program, what, JSON.stringify(settings)], { env });
  return JSON.parse(stdout) as Result;
}

/** Undefined where there is no Python. */
async function python(source: string, out: string): Promise<Result | undefined> {
  try {
    const { stdout } = await start('python3', [join(import.meta.dirname, 'convert.py'), source, out]);
    return JSON.parse(stdout) as Result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What is compared has to have done the same work. */
async function compare(group: Group, round: Round): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const name of group.sameDocuments ?? []) {
    if (!round[name]) {
      notes.push(`${name}: not measured, it is not on this machine`);
      continue;
    }
    const settings = { size: 0, out: outOf(group, name), extra: outOf(group, 'ours') };
    const { documents } = await inProcess('same-documents', settings);
    if (documents !== round[name].documents) {
      throw new Error(`${name}: only ${documents} of ${round[name].documents} documents are the same`);
    }
    notes.push(`${name}: ${documents.toLocaleString('en')} of ${documents.toLocaleString('en')} documents equal`);
  }
  return notes;
}
