/** Gives a taken file back to the inbox under its own name, without ever replacing what arrived there meanwhile. */
import { link, lstat, rename, rm } from 'node:fs/promises';
import { syncFolder } from '../files/fsync-directory.ts';
import { joinBytes } from './claim-names.ts';

/** Resolves to the name it has now: another one if its own is in use. */
export async function returnToInbox(from: string, folder: string, name: Buffer, uuid: string): Promise<Buffer> {
  for (const tried of [name, alternativeName(name, uuid.slice(0, 8)), alternativeName(name, uuid)]) {
    if (await moveIfFree(from, folder, tried)) return tried;
  }
  throw new Error(`no free name in ${folder} to put ${from} back`);
}

/**
 * False if the name is in use. `link` fails if the target exists, `rename` would replace it; on file systems without links
 * `withoutLinks` moves it, by default after a check.
 */
export async function moveIfFree(
  from: string,
  folder: string,
  name: Buffer,
  withoutLinks = renameIfFree,
): Promise<boolean> {
  const to = joinBytes(folder, name);
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && !(await isSame(from, to))) return false;
    if (code !== 'EEXIST') {
      if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EMLINK') throw error;
      return await withoutLinks(from, to);
    }
  }
  // Two changes of two folders: after a power cut the second may be there without the first.
  await syncFolder(folder);
  await rm(from, { force: true });
  return true;
}

async function renameIfFree(from: string, to: Buffer): Promise<boolean> {
  const taken = await lstat(to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  if (!taken) await rename(from, to);
  return !taken;
}

/** A crash between `link` and `unlink` leaves one file under both names. */
async function isSame(from: string, to: Buffer): Promise<boolean> {
  const [a, b] = await Promise.all([lstat(from), lstat(to)]);
  return a.dev === b.dev && a.ino === b.ino;
}

function alternativeName(name: Buffer, mark: string): Buffer {
  const dot = name.lastIndexOf(0x2e);
  const ending = dot > 0 && name.length - dot <= 16 ? name.subarray(dot) : Buffer.alloc(0);
  const middle = Buffer.from(`.again-${mark}`);
  const stem = name.subarray(0, Math.min(name.length - ending.length, 255 - middle.length - ending.length));
  return Buffer.concat([stem, middle, ending]);
}
