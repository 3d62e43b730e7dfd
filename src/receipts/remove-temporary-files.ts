/**
 * Removes temporary files that a crash left in the folders of an instance: they are worthless, because each is written again as
 * a whole. What is missing, or goes meanwhile, is skipped; other errors of the file system are thrown.
 */
import { randomUUID } from 'node:crypto';
import { lstat, readdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withinUntil } from '../files/guarded-place.ts';
import { isNotPlain } from '../files/read-plain.ts';
import { isGone, TEMPORARY } from '../files/write-durable.ts';
import { MAPPING_ARCHIVE } from './archive-mapping.ts';
import { DUPLICATES } from './output-folders.ts';

/**
 * Milliseconds since 1970 by the clock that dates the files of the instance folder: on a share that of its server, which may be
 * a day away from that of this machine. 0, which no file is older than, where nothing can be written: its writer reports that.
 */
export async function timeOfFiles(root: string): Promise<number> {
  const file = join(root, 'outbox', `.${randomUUID()}${TEMPORARY}`);
  try {
    await writeFile(file, '', { flag: 'wx', mode: 0o600 });
    return (await lstat(file)).mtimeMs;
  } catch {
    return 0;
  } finally {
    await unlink(file).catch(() => undefined);
  }
}

/**
 * Removes files last changed before `beforeMs` (`timeOfFiles`, at the start of this run), because a newer one may be in use by
 * this run. Resolves to their absolute paths.
 */
export async function removeLeftoverTempFiles(root: string, beforeMs: number): Promise<readonly string[]> {
  const removed: string[] = [];
  // The intake reports an inbox that cannot be read, with its own code.
  await clean(join(root, 'inbox'), beforeMs, removed).catch(unlessOfSystem);
  await clean(join(root, 'state'), beforeMs, removed);
  await cleanDays(root, [...OUTPUTS, 'archive'], beforeMs, removed);
  const kept = join(root, MAPPING_ARCHIVE);
  for (const entry of await entriesOf(kept, true)) {
    if (entry.isDirectory()) await clean(join(entry.parentPath, entry.name), beforeMs, removed);
  }
  return removed;
}

/** The same for the folders that only the writer of receipts writes into, while other workers are at work. */
export async function removeLeftoverOutputs(root: string, beforeMs: number): Promise<readonly string[]> {
  const removed: string[] = [];
  await cleanDays(root, OUTPUTS, beforeMs, removed);
  return removed;
}

const OUTPUTS = ['outbox', 'pending', 'error', 'reports'];

async function cleanDays(root: string, names: readonly string[], beforeMs: number, removed: string[]): Promise<void> {
  for (const name of names) {
    const top = join(root, name);
    await clean(top, beforeMs, removed);
    for (const entry of await entriesOf(top)) {
      if (!entry.isDirectory()) continue;
      await clean(join(top, entry.name), beforeMs, removed);
      if (name === 'error') await clean(join(top, entry.name, DUPLICATES), beforeMs, removed);
    }
  }
}

async function clean(folder: string, beforeMs: number, removed: string[]): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (!entry.isFile() || !entry.name.endsWith(TEMPORARY)) continue;
    const path = join(folder, entry.name);
    if (await removeIfOlder(path, beforeMs)) removed.push(path);
  }
}

/** False too for a file that got its name since the look into its folder: this program writes at the same time. */
async function removeIfOlder(path: string, beforeMs: number): Promise<boolean> {
  try {
    return await withinUntil(path, async (place) => {
      if ((await lstat(place)).mtimeMs >= beforeMs) return false;
      await unlink(place);
      return true;
    });
  } catch (error) {
    // A member of a group may have a folder of their own next to ours.
    if (!isGone(error) && !isNotPlain(error)) throw error;
    return false;
  }
}

function unlessOfSystem(error: NodeJS.ErrnoException): void {
  if (error.syscall === undefined) throw error;
}

async function entriesOf(folder: string, recursive = false) {
  return readdir(folder, { withFileTypes: true, recursive }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
