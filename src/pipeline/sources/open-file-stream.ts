/**
 * The bytes of a file, which is opened where they are read: a stream that fails before anybody listens ends the
 * program, and between being named and being read a file may vanish.
 */
import { createReadStream } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;

export async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
}

export async function* inMemory(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
