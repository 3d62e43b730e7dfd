/** Files of one batch, written side by side: few by the thread that sends, many small ones by the thread beside it. */
import pLimit from 'p-limit';
import { writeDurable } from '../files/write-durable.ts';
import { areManySmall, type SmallFile } from './write-errors.ts';
import { writeInWorker } from './write-in-worker.ts';

/** Beyond it the disk only queues. */
const AT_ONCE = 32;

/** Each whole or not there, durable once its folder is flushed. */
export async function writeTogether(files: readonly SmallFile[]): Promise<void> {
  if (areManySmall(files)) return await writeInWorker(files);
  const limit = pLimit(AT_ONCE);
  await all(files.map(({ path, text }) => limit(() => writeDurable(path, text))));
}

/** Waits for every one before it throws the first failure. */
export async function all(writes: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(writes)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
