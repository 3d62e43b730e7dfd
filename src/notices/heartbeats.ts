/**
 * Signs of life for a program that notices when they do not come: at the start and the end of each run, and while a watch works.
 * They are sent once, next to the work; a sign that is late is of no use. Nothing throws.
 */
import type { Instance } from '../instance/instance.ts';
import type { RunKind } from '../ledger/contract/run-record.ts';
import { type Heartbeat, heartbeatsOf } from './channel.ts';
import { problemText } from './notice-problem.ts';
import { postRequest, receiverOf, targetOf } from './post-request.ts';

const DEADLINE_MS = 10_000;
const EVERY_MS = 5 * 60_000;
/** The work was done, though something may wait for people. */
const DONE: ReadonlySet<number> = new Set([0, 3, 7]);

/** Where a problem of a heartbeat is reported, in the language of the settings. */
export type HeartbeatProblem = (channel: string, problem: string) => void;

export type Heartbeats = {
  /** `says` is the body of the sign, one sentence. Resolves when all signs have arrived, or failed. */
  readonly end: (exit: number, says: string) => Promise<void>;
  /** No further sign: the program goes on without it. */
  readonly close: () => void;
};

/**
 * Sends the sign of the start, and of a watch one every five minutes if `works` is true then: of several watches, the one that
 * writes receipts.
 */
export function startHeartbeats(
  instance: Instance,
  kind: RunKind,
  failed: HeartbeatProblem,
  works: () => boolean = () => true,
): Heartbeats {
  const beats = heartbeatsOf(instance).filter((one) => one.for.includes(kind));
  const sign = async (path: (codes: boolean) => string, says: string) => {
    await Promise.all(
      beats.map(async (beat) => {
        try {
          await sendSign(instance, beat, path(beat.codes), says);
        } catch (error) {
          failed(beat.name, instance.secrets.scrub(problemText(error, instance.settings.rules.language)));
        }
      }),
    );
  };
  if (beats.length === 0) return { end: async () => {}, close: () => {} };
  const started = sign(() => '/start', '');
  const timer = kind === 'watch' ? setInterval(() => void (works() && sign(() => '', '')), EVERY_MS) : undefined;
  timer?.unref();
  return {
    end: async (exit, says) => {
      clearInterval(timer);
      await started;
      const outcome = DONE.has(exit) ? '' : '/fail';
      await sign((codes) => (codes ? `/${exit}` : outcome), says);
    },
    close: () => clearInterval(timer),
  };
}

/** The path is added to that of the address; its query stays. */
export async function sendSign(
  instance: Pick<Instance, 'folder' | 'secrets'>,
  beat: Heartbeat,
  path: string,
  says: string,
): Promise<void> {
  const receiver = await receiverOf('heartbeat', beat, instance);
  const url = targetOf(receiver.url);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  await postRequest({ ...receiver, url: url.href, body: says, headers }, AbortSignal.timeout(DEADLINE_MS));
}
