/**
 * Files that are whole or not there: temporary name, flush, rename, flush of the folder. The folder is flushed by the
 * caller, once for all the files of a batch.
 *
 * What the disk refuses, and what somebody put where a file of ours belongs, comes out as SetupError with the path in it,
 * because a person has to mend it.
 */
import { existsSync, statSync } from 'node:fs';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from '../model/fault.ts';
import { syncFolder } from './fsync-directory.ts';

/** The ending of every temporary file of ours; one that is found at start was left by a crash. */
export const TEMPORARY = '.tmp-np';

/** Private (0600) and durable once the folder is flushed; replaces an older version of itself. */
export async function writeDurable(path: string, content: string | AsyncIterable<string | Uint8Array>): Promise<void> {
  const temporary = path + TEMPORARY;
  try {
    const file = await openNew(temporary);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw diskTrouble(error, path);
  }
}

/** The folder, private (0700) and durable with every folder that had to be made above it. */
export async function ensureFolder(path: string): Promise<void> {
  await makeFolder(path).catch((error: unknown) => {
    throw diskTrouble(error, path);
  });
}

/** One after the other: with `recursive` Node calls a read-only disk ENOENT. */
async function makeFolder(path: string): Promise<void> {
  const above = dirname(path);
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) throw inTheWay(path, 'a file lies where a folder has to be');
  if (there || above === path) return;
  await makeFolder(above);
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    if (!existsSync(path)) throw inTheWay(path, 'a link that leads nowhere lies there');
  });
  await syncFolder(above);
}

/** Never follows what lies under the temporary name; a leftover of a crash goes first. */
async function openNew(temporary: string) {
  try {
    return await open(temporary, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await unlink(temporary);
    return open(temporary, 'wx', 0o600);
  }
}

/** Something foreign lies where a file or folder of ours belongs: it is kept, whoever put it there. */
export const IN_THE_WAY = 'receipts/in-the-way';
const MOVE = 'Move it away and run again: what is missing is written from the ledger, nothing is lost or sent twice.';

export function inTheWay(path: string, says: string): OperatorError {
  return new OperatorError(IN_THE_WAY, `cannot write ${path}: ${says}`, { hint: MOVE });
}

const MANY_OPEN = [
  'receipts/too-many-open',
  'this program may not open more files',
  'Raise the limit (docs/reference/stops.md: 1024 are plenty); nothing is lost, the next run goes on.',
] as const;
const TROUBLE: { readonly [errno: string]: readonly [code: string, says: string, hint: string] } = {
  ENOSPC: ['receipts/disk-full', 'the disk is full', 'Make room on the disk; nothing is lost, it goes on by itself.'],
  EDQUOT: ['receipts/disk-full', 'the disk quota is used up', 'Make room; nothing is lost, it goes on by itself.'],
  EROFS: ['receipts/read-only', 'the disk is read-only', 'Make the folder writable; often the disk reported errors.'],
  EACCES: [
    'receipts/no-access',
    'this user may not write there',
    'Give the user that runs Nightpost the right to write.',
  ],
  EPERM: [
    'receipts/no-access',
    'this user may not write there',
    'Give the user that runs Nightpost the right to write.',
  ],
  EMFILE: MANY_OPEN,
  ENFILE: MANY_OPEN,
  EISDIR: [IN_THE_WAY, 'a folder lies there', MOVE],
  ENOTDIR: [IN_THE_WAY, 'a file lies where one of its folders has to be', MOVE],
};

/** Known troubles of disks with a code the pipeline can wait on; anything else stays what it is. */
export function diskTrouble(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const known = code === undefined ? undefined : TROUBLE[code];
  if (!known) return error;
  const [name, says, hint] = known;
  return new OperatorError(name, `cannot write ${folderOfFile(error, path)}: ${says}`, { hint, cause: error });
}

/** Where a folder lies: under the name of the file, or under its temporary name. */
export function folderOfFile(error: unknown, path: string): string {
  const { code, path: at, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
  return code === 'EISDIR' ? (dest ?? at ?? path) : path;
}
