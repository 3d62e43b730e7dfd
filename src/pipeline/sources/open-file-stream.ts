/**
 * The bytes of a file, opened when they are read: a stream that fails without a listener would end the program, and a
 * file may vanish between its listing and its reading. Errors of the system are thrown to the reader.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const CHUNK_BYTES = 64 * 1024;

/** In chunks of at most 64 KiB. `moved`: where the file is once its path has none, undefined for nowhere. */
export async function* bytesOf(path: string, moved?: MovedTo): AsyncGenerator<Uint8Array> {
  if (!moved) return yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const handle = await openMoved(path, moved);
  yield* handle.createReadStream({ highWaterMark: CHUNK_BYTES });
}

/** The file where it is now: once it is open it may move on. */
export async function openMoved(path: string, moved: MovedTo): Promise<FileHandle> {
  return await open(path).catch(async (error: unknown) => {
    const other = await moved();
    if (other === undefined) throw error;
    return await open(other);
  });
}

export type MovedTo = () => Promise<string | undefined>;
