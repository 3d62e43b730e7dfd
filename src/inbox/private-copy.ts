/** The private copy: one read of the open source gives both the bytes that are kept and the hash of these bytes. */
import { fsync, futimesSync, read, type Stats, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { beginSha256 } from '../text/sha256.ts';

const STEP = 1024 * 1024;
/** So little is written at once: into memory, because the flush is a call of its own. */
const LITTLE = 64 * 1024;

const [readInto, writeFrom, flush] = [promisify(read), promisify(write), promisify(fsync)];

/**
 * Durable when it resolves. The copy gets the source's modification time, so that a recovery can compare the two.
 * Stops early if the source is longer than in `stats`: it is growing, and the later comparison detects that.
 */
export async function copyHashed(
  source: number,
  copy: number,
  stats: Stats,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = beginSha256();
  const buffer = Buffer.allocUnsafe(Math.min(stats.size + 1, STEP));
  let bytes = 0;
  while (bytes < stats.size) {
    const { bytesRead } = await readInto(source, buffer, 0, buffer.length, bytes);
    if (bytesRead === 0) break;
    const piece = buffer.subarray(0, bytesRead);
    hash.update(piece);
    await writeAll(copy, piece);
    bytes += bytesRead;
  }
  // On an open handle this touches memory only; a trip through the thread pool costs ten times as much.
  futimesSync(copy, stats.atimeMs / 1000, stats.mtimeMs / 1000);
  await flush(copy);
  return { sha256: hash.digest('hex'), bytes };
}

async function writeAll(copy: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const rest = bytes.subarray(at);
    at += rest.length <= LITTLE ? writeSync(copy, rest) : (await writeFrom(copy, rest)).bytesWritten;
  }
}
