/**
 * Starts of the program, as a scheduler or a person at a terminal waits for them: the whole life of the process, again and
 * again, and the middle of them. The built program keeps its compiled code where it always does; one start before the
 * first that counts fills that cache.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newFolder } from './folders.ts';
import { median } from './median.ts';
import type { Measurement } from './result.ts';

const ROOT = join(import.meta.dirname, '..');
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
  ({ program, words = [], instance }: Start): Measurement =>
  async ({ size, out }) => {
    const main = program === 'clone' ? CLONE : upToDate();
    const before = instance === undefined ? [] : ['-C', newInstance(main, out, instance)];
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

/** Those of the first line of the program. */
export function optionsOf(main: string): readonly string[] {
  const [first] = readFileSync(main, 'utf8').split('\n', 1);
  return first!.split(' ').filter((word) => word.startsWith('--'));
}

/** The built program: made first where a source is newer. */
export function upToDate(): string {
  const builtAt = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync(['src/**/*.ts', 'build/*.ts', 'package-lock.json'], { cwd: ROOT });
  if (sources.some((file) => statSync(join(ROOT, file)).mtimeMs > builtAt)) run([join(ROOT, 'build/main.ts')]);
  return BUILT;
}

function newInstance(main: string, out: string, mappings: 'all' | 'none'): string {
  mkdirSync(dirname(out), { recursive: true });
  const folder = join(newFolder(out), 'instance');
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
