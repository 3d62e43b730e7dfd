/**
 * Many small files, each whole or not there: written one after the other, flushed side by side meanwhile, named in their
 * order. The folder is flushed by the caller, once for all.
 *
 * Calls that only touch memory are made directly: a trip through the thread pool costs more than any of them. So this
 * belongs into a thread of its own (many-thread.ts), where it keeps nobody waiting on a slow disk.
 */
import { closeSync, fsync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { TEMPORARY } from './durable.ts';

export type SmallFile = { readonly path: string; readonly text: string };
/** Of the first that could not be written; the system's code, as ENOSPC. */
export type Refused = { readonly path: string; readonly code?: string | undefined; readonly message: string };

/** At the same time; fewer than the fewest that systems allow. */
const OPEN = 64;
/** Flushed at the same time. The ledger's log needs some of the 40 threads of Node's pool, and documents wait for it. */
const AT_ONCE = 32;

/** Written, its flush under way or waiting for its turn; undefined where it went well. */
type Written = { readonly file: SmallFile; readonly number: number; readonly flushed: Promise<Error | undefined> };

/** Those before the refused one are written, in their order; none behind it is. */
export async function writeMany(files: readonly SmallFile[]): Promise<Refused | undefined> {
  const underWay: Written[] = [];
  let refused: Refused | undefined;
  let unwritten: Refused | undefined;
  for (const file of files) {
    if (underWay.length === OPEN) refused = await name(underWay.shift()!);
    if (refused) break;
    try {
      underWay.push(write(file));
    } catch (error) {
      unwritten = refusedOf(file, error);
      break;
    }
  }
  for (const one of underWay) {
    if (refused) await drop(one);
    else refused = await name(one);
  }
  return refused ?? unwritten;
}

function write(file: SmallFile): Written {
  const number = openNew(file.path + TEMPORARY);
  try {
    writeAll(number, file.text);
  } catch (error) {
    closeSync(number);
    remove(file.path + TEMPORARY);
    throw error;
  }
  const flushed = flush(number);
  return { file, number, flushed };
}

type Waiting = { readonly number: number; readonly settle: (failed: Error | undefined) => void };
const waiting: Waiting[] = [];
let flushes = 0;

/** Callbacks rather than promises around each step: there are two files to every document. */
function flush(number: number): Promise<Error | undefined> {
  return new Promise((settle) => {
    waiting.push({ number, settle });
    flushNext();
  });
}

function flushNext(): void {
  if (flushes >= AT_ONCE) return;
  const one = waiting.shift();
  if (!one) return;
  flushes++;
  fsync(one.number, (error) => {
    flushes--;
    one.settle(error ?? undefined);
    flushNext();
  });
}

async function name({ file, number, flushed }: Written): Promise<Refused | undefined> {
  const failed = await flushed;
  try {
    closeSync(number);
    if (failed) throw failed;
    renameSync(file.path + TEMPORARY, file.path);
    return undefined;
  } catch (error) {
    remove(file.path + TEMPORARY);
    return refusedOf(file, error);
  }
}

async function drop({ file, number, flushed }: Written): Promise<void> {
  await flushed;
  closeSync(number);
  remove(file.path + TEMPORARY);
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
