/**
 * Starts of the program, as a scheduler or a person at a terminal waits for them: the whole life of the process, again and
 * again, and the middle of them. The built program keeps its compiled code where it always does; one start before the
 * first that counts fills that cache.
 */
import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { optionsOf } from '../command.ts';
import { newFolder, ROOT } from '../folders.ts';
import { median } from '../median.ts';
import type { Case } from '../result.ts';

const BUILT = join(ROOT, 'dist/cli/main.js');
const CLONE = join(ROOT, 'src/cli/main.ts');

type Start = {
  /** Absent: Node alone, with nothing to do. */
  readonly program?: 'built' | 'clone';
  readonly words?: readonly string[];
  /** An instance with the shipped mappings, or with none. */
  readonly instance?: 'all' | 'none';
};

/** `size` starts; the time of the middle one. */
export const starting =
  ({ program, words = [], instance }: Start): Case =>
  async ({ size }) => {
    const main = program === 'clone' ? CLONE : upToDate();
    const before = instance === undefined ? [] : ['-C', newInstance(main, instance)];
    const args = program === undefined ? ['-e', '0'] : [...optionsOf(main), main, ...before, ...words];
    const seconds = Array.from({ length: size + 1 }, () => lifeOf(args)).slice(1);
    const peakMb = process.resourceUsage().maxRSS / 1024;
    return { seconds: median(seconds), cpuSeconds: 0, peakMb, documents: 1 };
  };

function lifeOf(args: readonly string[]): number {
  const start = performance.now();
  run(args);
  return (performance.now() - start) / 1000;
}

function run(args: readonly string[]): void {
  // The cache that the cases of all groups share would be another one than the program's own.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  execFileSync(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** The built program: made first where a source is newer. */
export function upToDate(): string {
  const builtAt = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync(['src/**/*.ts', 'build/*.ts', 'package-lock.json'], { cwd: ROOT });
  if (sources.some((file) => statSync(join(ROOT, file)).mtimeMs > builtAt)) run([join(ROOT, 'build/main.ts')]);
  return BUILT;
}

function newInstance(main: string, mappings: 'all' | 'none'): string {
  const folder = join(newFolder('case'), 'instance');
  run([
    ...optionsOf(main),
    main,
    '--quiet',
    'init',
    folder,
    '--sandbox',
    ...(mappings === 'all' ? ['--mappings'] : []),
  ]);
  return folder;
}
