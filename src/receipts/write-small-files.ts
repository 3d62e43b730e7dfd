/** Writes the files of a batch in parallel: few in the thread that sends, many small ones in the worker thread. */
import pLimit from 'p-limit';
import { writeDurable } from '../files/write-durable.ts';
import { awaitAll } from './output-folders.ts';
import { areManySmall, type SmallFile } from './write-errors.ts';
import { writeInWorker } from './write-in-worker.ts';

/** More at a time would only queue at the disk. */
const AT_ONCE = 32;

/** Each whole or not there, durable once its folder is flushed. */
export async function writeTogether(files: readonly SmallFile[]): Promise<void> {
  if (areManySmall(files)) return await writeInWorker(files);
  const limit = pLimit(AT_ONCE);
  await awaitAll(files.map(({ path, text }) => limit(() => writeDurable(path, text))));
}
