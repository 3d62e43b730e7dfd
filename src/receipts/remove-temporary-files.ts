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
  return await removeOlder(leftoverTempFiles(root), beforeMs);
}

/** The same for the folders that only the writer of receipts writes into, while other workers are at work. */
export async function removeLeftoverOutputs(root: string, beforeMs: number): Promise<readonly string[]> {
  return await removeOlder(leftoversOfDays(root, OUTPUTS), beforeMs);
}

/**
 * `marginMs`: for so long after its last change it may be in use by a command that works next to a run. `isSkipped`: where the system
 * refuses a look or a removal, it stays.
 */
type Leftover = { readonly path: string; readonly marginMs: number; readonly isSkipped: boolean };

/** Every temporary file below the instance. */
export async function* leftoverTempFiles(root: string): AsyncGenerator<Leftover> {
  // The intake reports an inbox that cannot be read, with its own code.
  yield* leftoversIn(join(root, 'inbox'), { isSkipped: true });
  yield* leftoversIn(join(root, 'state'));
  yield* leftoversOfDays(root, [...OUTPUTS, 'archive']);
  yield* leftoversIn(join(root, MAPPING_ARCHIVE), { recursive: true });
  for (const name of OF_COMMANDS)
    yield* leftoversIn(join(root, name), { recursive: true, marginMs: DAY_MS, isSkipped: true });
}

const OUTPUTS = ['outbox', 'pending', 'error', 'reports'];
/** A copy of a large ledger is checked for long before it gets its name. A run may have no right to change these. */
const OF_COMMANDS = ['backups', 'mappings', 'secrets'];
const DAY_MS = 24 * 60 * 60_000;
/** SQLite puts files of its own next to a copy. */
const LEFT = new RegExp(`${TEMPORARY.replace('.', '[.]')}(?:-journal|-wal|-shm)?$`);

async function* leftoversOfDays(root: string, names: readonly string[]): AsyncGenerator<Leftover> {
  for (const name of names) {
    const top = join(root, name);
    yield* leftoversIn(top);
    for (const entry of await entriesOf(top)) {
      if (!entry.isDirectory()) continue;
      yield* leftoversIn(join(top, entry.name));
      if (name === 'error') yield* leftoversIn(join(top, entry.name, DUPLICATES));
    }
  }
}

async function* leftoversIn(
  folder: string,
  { recursive = false, marginMs = 0, isSkipped = false }: Partial<Leftover> & { readonly recursive?: boolean } = {},
): AsyncGenerator<Leftover> {
  for (const entry of await entriesOf(folder, recursive).catch((error) => refusal(error, isSkipped) ?? []))
    if (entry.isFile() && LEFT.test(entry.name))
      yield { path: join(entry.parentPath, entry.name), marginMs, isSkipped };
}

async function removeOlder(leftovers: AsyncIterable<Leftover>, beforeMs: number): Promise<readonly string[]> {
  const removed: string[] = [];
  for await (const { path, marginMs, isSkipped } of leftovers) {
    const isRemoved = await removeIfOlder(path, beforeMs - marginMs).catch((error) => refusal(error, isSkipped));
    if (isRemoved) removed.push(path);
  }
  return removed;
}

/** Throws the error, unless it is one of the system that is skipped. */
function refusal(error: NodeJS.ErrnoException, isSkipped: boolean): undefined {
  if (!isSkipped || error.syscall === undefined) throw error;
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

async function entriesOf(folder: string, recursive = false) {
  return readdir(folder, { withFileTypes: true, recursive }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
