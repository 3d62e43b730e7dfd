/**
 * Calls `onWake` when an inbox deserves a look: at once, when something moves in it, and at every interval.
 *
 * chokidar only shortens the wait: in bursts it loses events, on network shares it sees none (`polling` leaves it out).
 * What is there is decided by `scanInbox` alone.
 */
import { watch } from 'chokidar';

export type WatchRules = {
  /** For network shares: look at the interval only. */
  readonly polling: boolean;
  /** 5 s, or 30 s when polling. */
  readonly intervalMs?: number;
};

const LOCAL_INTERVAL_MS = 5_000;
const SHARE_INTERVAL_MS = 30_000;
/** Events closer together than this cause one look. */
const GATHER_MS = 200;

/** `lookSoon`: as if something had moved in the inbox. */
type InboxWatcher = AsyncDisposable & { readonly lookSoon: () => void };

/** One call of `onWake` at a time; what moves during a call causes another one after it. It must not reject. */
export function watchInbox(folder: string, rules: WatchRules, onWake: () => Promise<void>): InboxWatcher {
  let running: Promise<void> | undefined;
  let again = false;
  let closed = false;
  let gathering: NodeJS.Timeout | undefined;

  const wake = () => {
    gathering = undefined;
    if (closed) return;
    again = running !== undefined;
    running ??= onWake().finally(() => {
      running = undefined;
      if (again) wake();
    });
  };
  const gather = () => {
    gathering ??= setTimeout(wake, GATHER_MS);
  };
  const timer = setInterval(wake, rules.intervalMs ?? (rules.polling ? SHARE_INTERVAL_MS : LOCAL_INTERVAL_MS));
  const watcher = rules.polling
    ? undefined
    : watch(folder, { depth: 0, ignoreInitial: true, followSymlinks: false, ignorePermissionErrors: true })
        .on('all', gather)
        // Lost events and watches cost time, never a file: the interval goes on.
        .on('error', gather);
  wake();

  return {
    lookSoon: gather,
    async [Symbol.asyncDispose]() {
      closed = true;
      clearInterval(timer);
      clearTimeout(gathering);
      await watcher?.close();
      await running;
    },
  };
}
