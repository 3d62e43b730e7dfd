/**
 * The order of the line, and nothing else: bring to order what a stop left, take in what arrived, send what is due, ask
 * what became of the doubtful, file everything away. A run goes through it once, a watch again and again.
 */
import { watchInbox } from './inbox/watch.ts';
import { consultDue } from './line/consult.ts';
import { followWithReceipts, settleFiles, writeDueReceipts } from './line/file-away.ts';
import { recover } from './line/recover.ts';
import { sendDue } from './line/send.ts';
import { candidatesFor, claimFiles, lookIntoInbox, takeIn } from './line/take-in.ts';
import type { Line, Stop, Work } from './line/work.ts';

export type { Due } from './ledger/ledger.ts';
export { consultDue } from './line/consult.ts';
export { receiptObject } from './line/file-away.ts';
export { acceptLedgerOf, createLedgerOf, lookIntoLedgerOf, openLedgerOf, openWork } from './line/open.ts';
export { type Preview, preview } from './line/preview.ts';
export { rehearseMappings } from './line/rehearse-all.ts';
export type { Happening, Stop, Work } from './line/work.ts';

export type RunOptions = {
  /** Paths of files to take at once, whatever their age; absent: everything the inbox holds. */
  readonly files?: readonly string[];
  /** Convert and admit, but send nothing. */
  readonly takeInOnly?: boolean;
};

/** One night: ends when everything that can be done now is done. */
export async function run(work: Work, options: RunOptions = {}): Promise<readonly Stop[]> {
  await recover(work);
  await takeInAll(work, 'run', options.files);
  const receipts = followWithReceipts(work);
  try {
    if (options.takeInOnly) return [];
    return await sendEverything(work, receipts.wake);
  } finally {
    await receipts.end();
    await writeDueReceipts(work, { waiting: true });
    await settleFiles(work);
  }
}

async function takeInAll(work: Work, mode: 'run' | 'watch', files?: readonly string[]): Promise<void> {
  for (const file of await work.ledger.openFiles()) {
    if (work.stop.aborted) return;
    if (file.state === 'loading') await takeIn(work, file);
  }
  let look = files ? { ready: await candidatesFor(work, files), more: false } : await lookIntoInbox(work, mode);
  while (look.ready.length > 0 && !work.stop.aborted) {
    for await (const file of claimFiles(work, look.ready)) {
      await takeIn(work, file);
      if (work.stop.aborted) return;
    }
    if (files) return;
    // What arrived meanwhile, and what one look did not list.
    look = await lookIntoInbox(work, mode);
  }
}

/** Services side by side: one that is closed does not keep the other waiting. */
async function sendEverything(work: Work, wake: () => void): Promise<readonly Stop[]> {
  const { run: settings } = work.instance.settings;
  const following = waking(work, wake);
  const stops = await Promise.all(
    [...work.lines.values()].map(async (line) => {
      const stop = await sendDue(following, line, settings['give-up-after']);
      if (stop) work.tell({ what: 'service-stopped', ...stop });
      await consultDue(following, line, {
        perMinute: settings['consult-per-minute'],
        atMost: settings['consult-per-minute'],
      });
      return stop ?? [];
    }),
  );
  return stops.flat();
}

/** Every verdict wakes the writer of receipts. */
function waking(work: Work, wake: () => void): Work {
  const tell: Work['tell'] = (happening) => {
    work.tell(happening);
    if (happening.what === 'document') wake();
  };
  return { ...work, tell };
}

/** Stays until it is asked to end: the inbox wakes it, a scan at fixed intervals is the truth. */
export async function watch(work: Work): Promise<void> {
  const { settings, paths } = work.instance;
  await recover(work);
  const bell = alarm(work);
  const receipts = followWithReceipts(work);
  let failed: (error: unknown) => void = () => {};
  const failure = new Promise<never>((_, reject) => (failed = reject));
  const look = async () => {
    await takeInAll(work, 'watch');
    bell.ring();
    await settleFiles(work);
  };
  const watcher = watchInbox(paths.inbox, { polling: settings.inbox.polling, intervalMs: settings.inbox.scan }, () =>
    look().catch(failed),
  );
  const sending = Promise.all([...work.lines.values()].map((line) => keepSending(work, line, receipts.wake, bell)));
  try {
    await Promise.race([sending, failure]);
  } finally {
    await watcher[Symbol.asyncDispose]();
    await receipts.end();
    await writeDueReceipts(work, { waiting: true });
    await settleFiles(work);
  }
}

async function keepSending(work: Work, line: Line, wake: () => void, bell: ReturnType<typeof alarm>): Promise<void> {
  const { run: settings, inbox } = work.instance.settings;
  const following = waking(work, wake);
  let told: string | undefined;
  while (!work.stop.aborted) {
    const stop = await sendDue(following, line, settings['give-up-after']);
    if (stop && told !== stop.says) work.tell({ what: 'service-stopped', ...stop });
    told = stop?.says;
    await consultDue(following, line, { perMinute: settings['consult-per-minute'], atMost: 1 });
    if (stop) {
      await work.clock.sleep(PAUSED_MS, work.stop);
      line.gate.startPaused();
    } else await bell.wait(inbox.scan);
  }
}

/** How long a watch leaves a stopped service alone before it tries one document. */
const PAUSED_MS = 15 * 60_000;

/** Lets several loops sleep until their interval is over, somebody rings, or the program is asked to end. */
function alarm({ clock, stop }: Pick<Work, 'clock' | 'stop'>) {
  let ringing = new AbortController();
  const ring = () => {
    ringing.abort();
    ringing = new AbortController();
  };
  return {
    ring,
    wait: (ms: number) => clock.sleep(ms, AbortSignal.any([ringing.signal, stop])),
  };
}
