/**
 * Writes many small files in a worker thread, so that HTTP and commits of the sending thread do not wait for the disk.
 * One thread serves the whole process; it starts with the first large batch and keeps no process alive. The failure of
 * a file is thrown as its OperatorError.
 */

import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createTurns } from '../files/turns.ts';
import { type SmallFile, throwWriteFailure, type WriteFailure } from './write-errors.ts';

/** It holds the texts of one batch and nothing else. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 };

let thread: Worker | undefined;
const inTurn = createTurns();

/**
 * Each file is whole or not there, and durable once its folder is flushed. Batches run one after the other; a failure
 * leaves the files before it written and does not stop the next batch.
 */
export function writeInWorker(files: readonly SmallFile[]): Promise<void> {
  return inTurn(() => write(files));
}

async function write(files: readonly SmallFile[]): Promise<void> {
  thread ??= start();
  thread.ref();
  try {
    thread.postMessage(files);
    const [failure] = (await once(thread, 'message')) as [WriteFailure | undefined];
    throwWriteFailure(failure);
  } finally {
    thread?.unref();
  }
}

/** The same kind of file as this one: sources run as they are, the package holds JavaScript. */
function start(): Worker {
  const file = new URL(`./write-batch-worker${extname(import.meta.url)}`, import.meta.url);
  const started = new Worker(file, { resourceLimits: LIMITS });
  // Its end comes after its error: a batch in between would wait for an answer of a thread that is gone.
  const forget = () => {
    if (thread === started) thread = undefined;
  };
  started.once('error', forget);
  started.once('exit', forget);
  return started;
}
