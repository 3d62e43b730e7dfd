/**
 * The bytes of a file, opened when they are read: a stream that fails without a listener would end the program, and a
 * file may vanish between its listing and its reading. Errors of the system are thrown to the reader.
 */
import { createReadStream } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;

/** In chunks of at most 64 KiB. */
export async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
}

/** One chunk, for readers that expect a stream. */
export async function* inMemory(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
