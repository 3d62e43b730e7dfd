/**
 * Many small files, each whole or not there: a group is written, flushed together and then named in its order. The folder
 * is flushed by the caller, once for all.
 *
 * Together, and nothing is made or named meanwhile: each flush of a new file writes its folder as well, which then has
 * changed once for the group and not with every file.
 *
 * Calls that only touch memory are made directly: a trip through the thread pool costs more than any of them. So this
 * belongs into a thread of its own (write-batch-worker.ts), where no sender waits for a slow disk.
 */
import { closeSync, fchmodSync, fsync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type GuardedPlace, guardFolder } from '../files/guarded-place.ts';
import { sharedFileMode } from '../files/shared-folder.ts';
import { temporaryName } from '../files/write-durable.ts';
import { findObstacle, type SmallFile, toWriteFailure, type WriteFailure } from './write-errors.ts';

/**
 * Flushed at the same time. The ledger's log needs some of the 40 threads of Node's pool, and documents wait for it.
 */
const TOGETHER = 32;

/** A file that is written under its temporary name, with its open descriptor; its folder stays the same until it has its name. */
type Written = {
  readonly file: SmallFile;
  readonly folder: GuardedPlace;
  readonly temporary: string;
  readonly number: number;
};

/**
 * Writes the files in their order and stops at the first that the disk refuses: those before it are there, none after
 * it. Writes nothing if `findObstacle` finds one. Resolves to the failure, or to undefined.
 */
export async function writeBatch(files: readonly SmallFile[]): Promise<WriteFailure | undefined> {
  const unfit = findObstacle(files);
  if (unfit) return unfit;
  for (let from = 0; from < files.length; from += TOGETHER) {
    const refused = await writeGroup(files.slice(from, from + TOGETHER));
    if (refused) return refused;
  }
  return undefined;
}

async function writeGroup(files: readonly SmallFile[]): Promise<WriteFailure | undefined> {
  const written: Written[] = [];
  let refused: WriteFailure | undefined;
  let unwritten: WriteFailure | undefined;
  for (const file of files) {
    try {
      written.push(write(file));
    } catch (error) {
      unwritten = toWriteFailure(file.path, error);
      break;
    }
  }
  const failures = await Promise.all(written.map(flush));
  for (const [index, one] of written.entries()) {
    if (refused) dropWritten(one);
    else refused = name(one, failures[index]);
  }
  return refused ?? unwritten;
}

/** Mode 0600, or that of a shared folder; never through an existing file or link. */
function write(file: SmallFile): Written {
  const folder = guardFolder(dirname(file.path));
  const temporary = temporaryName(join(folder.path, basename(file.path)));
  let number: number | undefined;
  try {
    number = openSync(temporary, 'wx', 0o600);
    const mode = sharedFileMode(file.path);
    if (mode !== undefined) fchmodSync(number, mode);
    writeAll(number, file.text);
  } catch (error) {
    if (number !== undefined) drop({ temporary, number });
    folder[Symbol.dispose]();
    throw folder.named(error);
  }
  return { file, folder, temporary, number };
}

function dropWritten(one: Written): void {
  using _folder = one.folder;
  drop(one);
}

/** Resolves to undefined if the flush succeeds: the descriptor stays open for `name`. */
function flush({ number }: Written): Promise<Error | undefined> {
  return new Promise((settle) => fsync(number, (error) => settle(error ?? undefined)));
}

function name({ file, folder, temporary, number }: Written, failed: Error | undefined): WriteFailure | undefined {
  using at = folder;
  try {
    closeSync(number);
    if (failed) throw failed;
    renameSync(temporary, join(at.path, basename(file.path)));
    return undefined;
  } catch (error) {
    remove(temporary);
    return toWriteFailure(file.path, at.named(error));
  }
}

function drop({ temporary, number }: Pick<Written, 'temporary' | 'number'>): void {
  closeSync(number);
  remove(temporary);
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function remove(temporary: string): void {
  try {
    unlinkSync(temporary);
  } catch {
    // The next start removes it.
  }
}
