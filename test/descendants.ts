/** The processes that a process has started, with all that they have started in turn. None where the system does not show them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';

export function childrenOf(parent: number): readonly number[] {
  const all = existsSync('/proc/self/stat') ? readdirSync('/proc').map(Number).filter(Number.isInteger) : [];
  return all.filter((pid) => statusOf(pid)?.parent === parent);
}

export function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** One that has ended and that its parent has not asked about does not run. */
export function isRunning(pid: number): boolean {
  return (statusOf(pid)?.state ?? 'Z') !== 'Z';
}

function statusOf(pid: number): { readonly state: string; readonly parent: number } | undefined {
  try {
    // The name, in parentheses, may hold anything.
    const [state = '', parent = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/**
 * However this process ends but by kill -9, what it has started ends with it at once, also what stands still. `then` runs after
 * that, and must not wait.
 */
export function endTogether(then: () => void = () => {}): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  process.once('exit', () => {
    for (const pid of descendantsOf(process.pid)) endNow(pid);
    then();
  });
}

function descendantsOf(parent: number): readonly number[] {
  return childrenOf(parent).flatMap((pid) => [pid, ...descendantsOf(pid)]);
}
