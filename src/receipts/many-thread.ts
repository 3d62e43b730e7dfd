/** The thread of many.ts: files come in, the first that was refused goes out. */
import { parentPort } from 'node:worker_threads';
import { type SmallFile, writeMany } from './many.ts';

parentPort?.on('message', async (files: readonly SmallFile[]) => {
  parentPort?.postMessage(await writeMany(files));
});
