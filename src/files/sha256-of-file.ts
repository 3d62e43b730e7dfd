/** The SHA-256 of a file, in lower-case hex; read in pieces, so that its size does not matter. */
import { createReadStream } from 'node:fs';
import { beginSha256 } from '../text/sha256.ts';

const STEP = 1024 * 1024;

export async function sha256OfFile(path: string): Promise<string> {
  const hash = beginSha256();
  for await (const chunk of createReadStream(path, { highWaterMark: STEP })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
