/**
 * Writes the files of a batch in parallel: a few in this thread, many small ones in the worker thread. A refusal of the
 * disk throws its OperatorError, after all writes have ended.
 */
import pLimit from 'p-limit';
import { writeDurable } from '../files/write-durable.ts';
import { awaitAll } from './output-folders.ts';
import { areManySmall, type SmallFile } from './write-errors.ts';
import { writeInWorker } from './write-in-worker.ts';

/** More at a time would only queue at the disk. */
const AT_ONCE = 32;

/** Each file is whole or not there; it is durable once the caller has flushed its folder. */
export async function writeTogether(files: readonly SmallFile[]): Promise<void> {
  if (areManySmall(files)) return await writeInWorker(files);
  const limit = pLimit(AT_ONCE);
  await awaitAll(files.map(({ path, text }) => limit(() => writeDurable(path, text))));
}
