/**
 * This checkout against a commit before it: the bench of each, in turn, with the ledger in its folder. The sources of the commit
 * are put below .bench/ and use the packages that are installed here.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BENCH_FOLDER } from './exports.ts';
import type { Figure, Group, Run } from './plan.ts';

const ROOT = resolve(import.meta.dirname, '..');
const AT_LEAST = 0.97;

type Compared = { readonly says: string; readonly case: string; readonly size: number };

/** Throws where git does not know the commit. Its sources stay in .bench/ for the next time. */
export function against(commit: string, quick: boolean): Group {
  const sha = git('rev-parse', '--verify', `${commit}^{commit}`);
  const folder = join(BENCH_FOLDER, `against-${sha.slice(0, 12)}`);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    git('archive', '--format=tar', '-o', join(unfinished, 'sources.tar'), sha);
    execFileSync('tar', ['-xf', 'sources.tar'], { cwd: unfinished });
    symlinkSync(join(ROOT, 'node_modules'), join(unfinished, 'node_modules'), 'junction');
    renameSync(unfinished, folder);
  }
  const of = (whole: number, short: number) => (quick ? short : whole);
  const compared: readonly Compared[] = [
    { says: 'converting CSV', case: 'csv-ours', size: of(40_000, 20_000) },
    { says: 'delivery, service of 0 ms', case: 'deliver-ours-0', size: of(2000, 1000) },
    { says: 'delivery, service of 20 ms', case: 'deliver-ours-20', size: of(1000, 500) },
    { says: 'a night of one export', case: 'evening-plain', size: of(4000, 2000) },
    { says: 'a night of one file each', case: 'files-many', size: of(1500, 1000) },
  ];
  return {
    name: 'against',
    title: `This program against ${sha.slice(0, 8)}, the ledger on SQLite`,
    rounds: of(15, 3),
    how: `The mean of the least third of ${of(15, 3)} times of each`,
    isSwapped: true,
    isLeast: true,
    runs: Object.fromEntries(compared.flatMap((one) => runsOf(one, folder))),
    figures: compared.flatMap(figuresOf),
  };
}

function runsOf({ says, case: what, size }: Compared, folder: string): readonly (readonly [string, Run])[] {
  return [
    [`${says}, before`, { case: what, size, root: folder }],
    [`${says}, now`, { case: what, size }],
  ];
}

function figuresOf({ says }: Compared): readonly Figure[] {
  const ratio = (of: 'seconds' | 'cpuSeconds') => (round: Parameters<Figure['of']>[0]) => {
    const [before, now] = [round[`${says}, before`], round[`${says}, now`]];
    return before && now && before[of] / now[of];
  };
  return [
    { says: `${says}: speed against before`, unit: 'x', of: ratio('seconds'), goal: { atLeast: AT_LEAST } },
    { says: 'the same, by processor time', unit: 'x', of: ratio('cpuSeconds'), goal: { atLeast: AT_LEAST } },
  ];
}

function git(...args: readonly string[]): string {
  return execFileSync('git', [...args], { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}
