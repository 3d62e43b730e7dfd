/** The thread of studio-worker.ts: it posts `ready` once it is loaded; then each task that comes in is answered by its result. A defect ends the thread, and is its error. */
import { parentPort } from 'node:worker_threads';
import { type StudioTask, studioTask } from './studio-tasks.ts';

parentPort?.on('message', async (task: StudioTask) => {
  parentPort?.postMessage(await studioTask(task));
});
parentPort?.postMessage('ready');
