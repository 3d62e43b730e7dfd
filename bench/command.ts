/** The program as people start it: a command of its clone, in a process that is measured from its start to its end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { ROOT } from './folders.ts';
import type { Variables } from './program.ts';
import type { Result } from './result.ts';

const CLONE = join(ROOT, 'src/cli/main.ts');
const USAGE = fileUrlOf('processes/usage-on-exit.ts');
/** Killed, an error that the program does not know, and wrong usage or settings (docs/reference/exit-codes.md). */
const BROKEN: readonly unknown[] = [null, 1, 2];

/** Options of Node in the first line of the program. */
export function optionsOf(main: string): readonly string[] {
  const [first] = readFileSync(main, 'utf8').split('\n', 1);
  return first!.split(' ').filter((word) => word.startsWith('--'));
}

export type Ended = Omit<Result, 'documents'> & { readonly exit: unknown };

/** Ends when the program has ended; throws where it could not run. What its exit codes mean is for the caller to see. */
export async function runCommand(
  folder: string,
  words: readonly string[],
  environment: Variables,
  { stop, loads }: { readonly stop?: AbortSignal; readonly loads?: string | undefined } = {},
): Promise<Ended> {
  const usage = join(folder, `.usage-${words.at(-1)}.json`);
  const imports = [USAGE, ...(loads === undefined ? [] : [fileUrlOf(loads)])].flatMap((url) => ['--import', url]);
  const start = performance.now();
  const child = spawn(process.execPath, [...imports, ...optionsOf(CLONE), CLONE, '-C', folder, ...words], {
    env: { ...process.env, ...environment, NIGHTPOST_BENCH_USAGE: usage },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stop?.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  const [stdout, stderr, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const seconds = (performance.now() - start) / 1000;
  if (BROKEN.includes(exit)) throw new Error(`nightpost ${words.join(' ')} ended with ${exit}: ${stderr}${stdout}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usage, 'utf8')) as NodeJS.ResourceUsage;
  return { exit, seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMb: maxRSS / 1024 };
}

function fileUrlOf(file: string): string {
  return pathToFileURL(join(import.meta.dirname, file)).href;
}
