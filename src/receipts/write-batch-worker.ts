/**
 * The thread of write-batch.ts: a list of files comes in, the first failure goes back, or undefined. A failure is data
 * and not an exception, because an exception would end the thread.
 */
import { parentPort } from 'node:worker_threads';
import { writeBatch } from './write-batch.ts';
import type { SmallFile } from './write-errors.ts';

parentPort?.on('message', async (files: readonly SmallFile[]) => {
  parentPort?.postMessage(await writeBatch(files));
});
