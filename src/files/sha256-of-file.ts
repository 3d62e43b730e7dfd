/** The SHA-256 of a file, in lower-case hex; read in pieces, so that its size does not matter. */
import { open } from 'node:fs/promises';
import { beginSha256 } from '../text/sha256.ts';
import { OPEN_SAFELY } from './read-plain.ts';

const STEP = 1024 * 1024;

/** '' for what is no plain file: a pipe, a device, a folder. It equals no hash. A link throws ELOOP. */
export async function sha256OfFile(path: string): Promise<string> {
  await using file = await open(path, OPEN_SAFELY);
  if (!(await file.stat()).isFile()) return '';
  const hash = beginSha256();
  const pieces = file.createReadStream({ autoClose: false, highWaterMark: STEP });
  for await (const chunk of pieces) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
