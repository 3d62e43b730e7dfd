/**
 * Does the tasks of the studio in a thread of their own, with a limit of time and of memory: a mapping that a person is
 * writing may take for ever, and must not stop the console. Over a limit the thread is ended, and the result says so; a
 * defect of the thread is thrown.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { StudioResult, StudioTask } from './studio-tasks.ts';

/** `time`, `memory`: the task was ended. `busy`: too many wait already. `gone`: no one waits for it any more. */
export type StudioAnswer = StudioResult | { readonly ended: 'time' | 'memory' | 'busy' | 'gone' };

export type StudioWorker = { readonly ask: (task: StudioTask, signal?: AbortSignal) => Promise<StudioAnswer> };

export type StudioLimits = { readonly lookMs: number; readonly taskMs: number; readonly memoryMb: number };

const LIMITS: StudioLimits = { lookMs: 2_000, taskMs: 15_000, memoryMb: 192 };

/** Tasks that wait or run at the same time. */
const MOST_TASKS = 8;

/** One thread, which starts with the first task and keeps no process alive. Tasks take turns. */
export function createStudioWorker(limits: StudioLimits = LIMITS): StudioWorker {
  let thread: Worker | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const ask = async (task: StudioTask, signal?: AbortSignal): Promise<StudioAnswer> => {
    if (waiting >= MOST_TASKS) return { ended: 'busy' };
    waiting++;
    const done = turn.then(async (): Promise<StudioAnswer> => {
      if (signal?.aborted) return { ended: 'gone' };
      thread ??= await start(limits.memoryMb);
      const answer = await within(thread, task, task.do === 'look' ? limits.lookMs : limits.taskMs);
      if ('ended' in answer) thread = undefined;
      return answer;
    });
    turn = done.catch(() => {
      thread = undefined;
    });
    return await done.finally(() => {
      waiting--;
    });
  };
  return { ask };
}

/** Loaded before the time of a task begins. The environment stays here: it may hold secrets. */
async function start(memoryMb: number): Promise<Worker> {
  const file = new URL(`./studio-thread${extname(import.meta.url)}`, import.meta.url);
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 };
  const thread = new Worker(file, { resourceLimits, env: {} });
  await new Promise<void>((resolve, reject) => {
    thread.once('message', () => resolve());
    thread.once('error', reject);
  });
  return thread;
}

async function within(thread: Worker, task: StudioTask, ms: number): Promise<StudioAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<StudioAnswer>();
  const timer = setTimeout(() => resolve({ ended: 'time' }), ms);
  const onError = (error: NodeJS.ErrnoException) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ ended: 'memory' }) : reject(error);
  thread.ref();
  thread.once('message', resolve);
  thread.once('error', onError);
  try {
    thread.postMessage(task);
    const answer = await promise;
    if ('ended' in answer) await thread.terminate();
    return answer;
  } finally {
    clearTimeout(timer);
    thread.off('message', resolve);
    thread.off('error', onError);
    thread.unref();
  }
}
