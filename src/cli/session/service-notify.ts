/**
 * Reports to systemd that the program is ready, that it works, and that it ends (sd_notify(3), Type=notify). The messages
 * go through `systemd-notify`, because Node has no datagram sockets of this kind; the unit needs NotifyAccess=all. Without
 * a service manager nothing happens; an error of the messenger is dropped.
 */
import { execFile } from 'node:child_process';

export type ServiceNotify = AsyncDisposable & {
  readonly ready: () => void;
  /** The loop that must not hang has taken a step. */
  readonly progressed: () => void;
  readonly stopping: () => void;
};

/** `longestStepMs`: between two steps so much time may pass although all is well; undefined: the event loop alone counts. */
export function openServiceNotify(
  variables: NodeJS.ProcessEnv,
  { longestStepMs }: { readonly longestStepMs?: number } = {},
): ServiceNotify {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: interval, WATCHDOG_PID: pid } = variables;
  // A console that a watch starts is not the service.
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete variables[name];
  if (!socket)
    return { ready: () => {}, progressed: () => {}, stopping: () => {}, [Symbol.asyncDispose]: async () => {} };
  let sent: Promise<void> = Promise.resolve();
  let isBeating = false;
  const send = (message: string, done = () => {}) => {
    sent = sent.then(() => pass(message, { ...variables, NOTIFY_SOCKET: socket })).then(done);
  };
  const isForUs = pid === undefined || pid === String(process.pid);
  const everyMs = isForUs ? Math.floor(Number(interval ?? 0) / 1000) : 0;
  let lastMs = performance.now();
  const beat = () => {
    const allowedMs = longestStepMs === undefined ? Number.POSITIVE_INFINITY : Math.max(everyMs / 2, 2 * longestStepMs);
    if (isBeating || performance.now() - lastMs > allowedMs) return;
    isBeating = true;
    send('WATCHDOG=1', () => {
      isBeating = false;
    });
  };
  // Half of the interval, as sd_watchdog_enabled(3) recommends.
  const timer = everyMs > 0 ? setInterval(beat, Math.max(1, everyMs / 2)) : undefined;
  timer?.unref();
  return {
    ready: () => send('READY=1'),
    progressed: () => {
      lastMs = performance.now();
    },
    stopping: () => {
      clearInterval(timer);
      send('STOPPING=1');
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await sent;
    },
  };
}

/** A messenger that hangs is ended after some seconds. */
const MESSENGER_MS = 5_000;

async function pass(message: string, env: NodeJS.ProcessEnv): Promise<void> {
  await new Promise<void>((resolve) => {
    execFile('systemd-notify', [message], { env, timeout: MESSENGER_MS }, () => resolve());
  });
}
