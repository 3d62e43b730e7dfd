/**
 * This checkout against a commit, which need not have this bench: the sources of the commit are put below .bench/, with this
 * bench in place of theirs, the packages that are installed here, and the same exports. Both run in turn.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { FormatName } from './exports/exports.ts';
import { BENCH_FOLDER, ROOT } from './folders.ts';
import type { Figure, Group, Run } from './group.ts';

const AT_LEAST = 0.97;
/** What is of this checkout in both: the bench, and what its exports are made of. */
const OWN = ['bench', 'samples', 'test/pipeline/reprocessing/workbook-edits.ts'];

type Compared = Omit<Run, 'root'> & { readonly says: string };

/** Documents of each format, whole and quick. */
const CONVERTED: { readonly [format in FormatName]: number } = {
  csv: 15_000,
  xml: 15_000,
  'ubl-each': 1500,
  'ubl-all': 2500,
  'cii-each': 1500,
  'cii-all': 2500,
  fixed: 15_000,
  workbook: 8000,
  remission: 10_000,
};
const QUICK = 90;

/** Throws where git does not know the commit. `names` chooses some cases. */
export function against(commit: string, isQuick: boolean, names: readonly string[]): Group {
  const sha = git('rev-parse', '--verify', `${commit}^{commit}`);
  const root = checkout(sha);
  const night = { case: 'night', size: isQuick ? QUICK : 2000 } as const;
  const all: readonly Compared[] = [
    { ...night, says: 'night, spotless', format: 'csv' },
    { ...night, case: 'night-listed', says: 'night and first list', format: 'csv' },
    { ...night, says: 'night, one warning each', format: 'csv', quality: 'warned' },
    { ...night, says: 'night, a tenth refused', format: 'csv', quality: 'refused' },
    { ...night, says: 'night, one UBL file each', format: 'ubl-each', size: isQuick ? QUICK : 1000 },
    ...Object.entries(CONVERTED).map(([format, size]): Compared => {
      return { says: `convert ${format}`, case: 'convert', size: isQuick ? QUICK : size, format: format as FormatName };
    }),
  ];
  const compared = all.filter(({ says }) => names.length === 0 || names.some((name) => says.startsWith(name)));
  const rounds = isQuick ? 1 : 7;
  return {
    name: 'against',
    title: `This program against ${sha.slice(0, 8)}: each case at least ${AT_LEAST}`,
    rounds,
    isSwapped: true,
    isLeast: true,
    runs: Object.fromEntries(
      compared.flatMap(({ says, ...run }): readonly (readonly [string, Run])[] => [
        [`${says}, ${sha.slice(0, 8)}`, { ...run, root }],
        [`${says}, now`, run],
      ]),
    ),
    figures: compared.flatMap(({ says }) => figuresOf(says, `${says}, ${sha.slice(0, 8)}`, `${says}, now`)),
  };
}

/** The sources of the commit stay in .bench/ for the next time; the bench in them is always the present one. */
function checkout(sha: string): string {
  const folder = join(BENCH_FOLDER, `against-${sha.slice(0, 12)}`);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    git('archive', '--format=tar', '-o', join(unfinished, 'sources.tar'), sha);
    execFileSync('tar', ['-xf', 'sources.tar'], { cwd: unfinished });
    symlinkSync(join(ROOT, 'node_modules'), join(unfinished, 'node_modules'), 'junction');
    // Commits from before the messages were generated at installation have them.
    if (!existsSync(join(unfinished, 'locales/compiled')))
      execFileSync(process.execPath, ['build/messages.ts'], {
        cwd: unfinished,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    renameSync(unfinished, folder);
  }
  for (const name of OWN) {
    rmSync(join(folder, name), { recursive: true, force: true });
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  return folder;
}

function figuresOf(says: string, before: string, now: string): readonly Figure[] {
  const quotient = (of: 'seconds' | 'cpuSeconds' | 'peakMb') => (round: Parameters<Figure['of']>[0]) =>
    round[before] && round[now] && round[before][of] / round[now][of];
  return [
    { says: `${says}: speed`, unit: 'x', of: quotient('seconds'), goal: { atLeast: AT_LEAST } },
    { says: 'the same, by processor time', unit: 'x', of: quotient('cpuSeconds'), goal: { atLeast: AT_LEAST } },
    { says: 'the same, by memory', unit: 'x', of: quotient('peakMb') },
  ];
}

function git(...args: readonly string[]): string {
  return execFileSync('git', [...args], { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}
