/** The SHA-256 of a file, in lower-case hex; read in pieces, so that its size does not matter. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { beginSha256 } from '../text/sha256.ts';

const STEP = 1024 * 1024;

/** '' for what is no plain file: a pipe, a device, a folder. It equals no hash. Follows a link. */
export async function sha256OfFile(path: string): Promise<string> {
  await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (!(await file.stat()).isFile()) return '';
  const hash = beginSha256();
  const pieces = file.createReadStream({ autoClose: false, highWaterMark: STEP });
  for await (const chunk of pieces) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
