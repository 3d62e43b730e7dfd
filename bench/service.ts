/** The imitated services in a process of their own, as the settings of a client and the counts of what they accepted. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PROCESSES } from './folders.ts';
import type { Service } from './program.ts';

type Accepted = { readonly documents: number; readonly requests: number };

export type RunningService = Service &
  Disposable & { readonly process: ChildProcess; readonly accepted: () => Promise<Accepted> };

/** `file`: the process in processes/, with its arguments. */
export async function startService(file = 'sandbox-process.ts', ...args: readonly string[]): Promise<RunningService> {
  const child = fork(join(PROCESSES, file), args);
  const [described] = (await once(child, 'message')) as [Service];
  return {
    ...described,
    process: child,
    accepted: async () => {
      child.send('how many?');
      const [accepted] = (await once(child, 'message')) as [Accepted];
      return accepted;
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}
