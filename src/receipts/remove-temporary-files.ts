/** Temporary files that a crash left in outbox, pending and error: worth nothing, because each is written again whole. */
import { lstat, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { TEMPORARY } from '../files/write-durable.ts';
import { MAPPING_ARCHIVE } from './archive-mapping.ts';

/** Removes those last changed before `beforeMs` (the start of this run); resolves to their paths. */
export async function removeLeftoverTempFiles(root: string, beforeMs: number): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const name of ['outbox', 'pending', 'error', 'archive']) {
    const top = join(root, name);
    await clean(top, beforeMs, removed);
    for (const entry of await entriesOf(top)) {
      if (entry.isDirectory()) await clean(join(top, entry.name), beforeMs, removed);
    }
  }
  const kept = join(root, MAPPING_ARCHIVE);
  for (const entry of await entriesOf(kept, true)) {
    if (entry.isDirectory()) await clean(join(entry.parentPath, entry.name), beforeMs, removed);
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

async function entriesOf(folder: string, recursive = false) {
  return readdir(folder, { withFileTypes: true, recursive }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
