/** The thread of many.ts: files come in, the first that was refused goes out. */
import { parentPort } from 'node:worker_threads';
import { writeMany } from './many.ts';
import type { SmallFile } from './refusal.ts';

parentPort?.on('message', async (files: readonly SmallFile[]) => {
  parentPort?.postMessage(await writeMany(files));
});
