/** Temporary files that a crash left in outbox, pending and error: worth nothing, because each is written again whole. */
import { lstat, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { TEMPORARY } from './durable.ts';

/** Removes those last changed before `beforeMs` (the start of this run); resolves to their paths. */
export async function strayTemporaries(root: string, beforeMs: number): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of ['outbox', 'pending', 'error', 'archive']) {
    const top = join(root, name);
    await clean(top, beforeMs, removed);
    for (const entry of await entriesOf(top)) {
      if (entry.isDirectory()) await clean(join(top, entry.name), beforeMs, removed);
    }
  }
  return removed;
}

async function clean(folder: string, beforeMs: number, removed: string[]): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (!entry.isFile() || !entry.name.endsWith(TEMPORARY)) continue;
    const path = join(folder, entry.name);
    if ((await lstat(path)).mtimeMs >= beforeMs) continue;
    await unlink(path);
    removed.push(path);
  }
}

async function entriesOf(folder: string) {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
