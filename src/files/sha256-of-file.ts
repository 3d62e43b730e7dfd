/** The SHA-256 of a file, in lower-case hex; read in pieces, so that its size does not matter. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { beginSha256 } from '../text/sha256.ts';
import { withinUntil } from './guarded-place.ts';
import { OPEN_SAFELY } from './read-bounded.ts';
import { isNotPlain } from './read-plain.ts';

const STEP = 1024 * 1024;

/** '' for what is no plain file: a pipe, a device, a folder. It equals no hash. Follows a link. */
export async function sha256OfFile(path: string): Promise<string> {
  await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  return await sha256Of(file);
}

/** The same for a file of ours in a folder that others may write to: '' also for a link, or below one. */
export async function sha256OfOurs(path: string): Promise<string> {
  try {
    return await withinUntil(path, async (place) => {
      await using file = await open(place, OPEN_SAFELY);
      return await sha256Of(file);
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP' || code === 'EMLINK' || code === 'ENXIO' || isNotPlain(error)) return '';
    throw error;
  }
}

async function sha256Of(file: FileHandle): Promise<string> {
  if (!(await file.stat()).isFile()) return '';
  const hash = beginSha256();
  const pieces = file.createReadStream({ autoClose: false, highWaterMark: STEP });
  for await (const chunk of pieces) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
