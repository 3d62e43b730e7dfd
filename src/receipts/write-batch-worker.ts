/** The thread of write-batch.ts: files come in, the first that was refused goes out. */
import { parentPort } from 'node:worker_threads';
import { writeBatch } from './write-batch.ts';
import type { SmallFile } from './write-errors.ts';

parentPort?.on('message', async (files: readonly SmallFile[]) => {
  parentPort?.postMessage(await writeBatch(files));
});
