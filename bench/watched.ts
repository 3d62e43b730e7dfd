/** A night at full rate, alone and next to a console with five open pages: its speed, and how long the log of the ledger gets. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { answering, sendWithReceipts, tokenBeforehand, withAdmitted } from './deliver.ts';
import { type Measurement, timed } from './result.ts';

const SAMPLE_MS = 50;

export const deliverWatched =
  (isWatched: boolean): Measurement =>
  ({ size, out }) =>
    withAdmitted(answering(20), size, out, async ({ instance, work, authorized, environment }) => {
      const { folder } = instance;
      await tokenBeforehand(work);
      const env = { ...process.env, ...environment };
      const pages = isWatched ? fork(join(import.meta.dirname, 'console-process.ts'), [folder], { env }) : undefined;
      if (pages) await once(pages, 'message');
      let most = 0;
      const log = join(folder, 'state', 'ledger.sqlite-wal');
      const timer = setInterval(() => {
        most = Math.max(most, statSync(log, { throwIfNoEntry: false })?.size ?? 0);
      }, SAMPLE_MS);
      try {
        const sent = async () => {
          await sendWithReceipts(work);
          return authorized();
        };
        const result = await timed(sent, () => ({ log: most / 2 ** 20 }));
        const console = pages ? await cpuOf(pages) : 0;
        if (authorized() !== size) throw new Error(`of ${size} documents ${authorized()} are authorized`);
        if (pages && !pages.connected) throw new Error('the console ended');
        return { ...result, more: { ...result.more, console: (console / authorized()) * 1e6 } };
      } finally {
        clearInterval(timer);
        pages?.disconnect();
      }
    });

/** Seconds of processor time since the pages listen. */
async function cpuOf(pages: ChildProcess): Promise<number> {
  pages.send('how much?');
  const [seconds] = (await once(pages, 'message')) as [number];
  return seconds;
}
