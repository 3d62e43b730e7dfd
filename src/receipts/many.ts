/**
 * Many small files, each whole or not there, written together: all of a share are opened and written, then flushed side
 * by side, then named in their order. The folder is flushed by the caller, once for all.
 *
 * Calls that only touch memory are made directly: a trip through the thread pool costs more than any of them. So this
 * belongs into a thread of its own (many-thread.ts), where it keeps nobody waiting on a slow disk.
 */
import { closeSync, fsync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { TEMPORARY } from './durable.ts';

export type SmallFile = { readonly path: string; readonly text: string };
/** Of the first that could not be written; the system's code, as ENOSPC. */
export type Refused = { readonly path: string; readonly code?: string | undefined; readonly message: string };

/** Open at the same time; fewer than the fewest that systems allow. */
const SHARE = 64;
/** Flushed at the same time. The ledger's log needs some of the 16 threads of Node's pool, and documents wait for it. */
const limit = pLimit(10);
const sync = promisify(fsync);
const flush = (number: number) => limit(() => sync(number));

/** Those before the refused one are written, in their order; those behind it may be missing. */
export async function writeMany(files: readonly SmallFile[]): Promise<Refused | undefined> {
  for (let from = 0; from < files.length; from += SHARE) {
    const refused = await writeShare(files.slice(from, from + SHARE));
    if (refused) return refused;
  }
  return undefined;
}

async function writeShare(files: readonly SmallFile[]): Promise<Refused | undefined> {
  const open = new Map<SmallFile, number>();
  let refused: Refused | undefined;
  const attempt = (file: SmallFile, act: () => void) => {
    try {
      if (!refused) act();
    } catch (error) {
      refused ??= refusedOf(file, error);
    }
  };
  for (const file of files) {
    attempt(file, () => {
      const number = openNew(file.path + TEMPORARY);
      open.set(file, number);
      writeAll(number, file.text);
    });
  }
  const flushed = await Promise.allSettled([...open.values()].map((number) => flush(number)));
  for (const [index, [file, number]] of [...open].entries()) {
    const result = flushed[index]!;
    closeSync(number);
    attempt(file, () => {
      if (result.status === 'rejected') throw result.reason;
      renameSync(file.path + TEMPORARY, file.path);
      open.delete(file);
    });
  }
  for (const file of open.keys()) remove(file.path + TEMPORARY);
  return refused;
}

/** Private; never follows what lies under the temporary name: a leftover of a crash goes first. */
function openNew(temporary: string): number {
  try {
    return openSync(temporary, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    unlinkSync(temporary);
    return openSync(temporary, 'wx', 0o600);
  }
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function remove(temporary: string): void {
  try {
    unlinkSync(temporary);
  } catch {
    // It is swept at the next start.
  }
}

function refusedOf({ path }: SmallFile, error: unknown): Refused {
  const { code, message } = error as NodeJS.ErrnoException;
  return { path, code, message };
}
