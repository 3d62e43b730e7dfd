/** The folders of workers in `processing/`, one for each: a run without workers has the folders of its runs there. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunContext } from './run-context.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where this program puts its claims: below it, each run has a folder. */
export function processingOf({ instance, ledger }: Pick<RunContext, 'instance' | 'ledger'>): string {
  const { processing } = instance.paths;
  return ledger.roles ? join(processing, ledger.roles.id) : processing;
}

/** Whether a folder in `processing/` is that of a worker, by its name. */
export function isWorkerFolder(name: string): boolean {
  return UUID.test(name);
}

/** The ids of workers that have a folder. */
export async function workersWithFolder({ instance }: Pick<RunContext, 'instance'>): Promise<readonly string[]> {
  const entries = await readdir(instance.paths.processing, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && isWorkerFolder(entry.name)).map(({ name }) => name);
}
