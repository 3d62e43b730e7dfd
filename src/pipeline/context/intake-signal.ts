/**
 * Signals between the intake and the senders that run in parallel: more documents may come, or none will. The intake
 * leaves the thread to the senders while many documents wait, but never for long, because a service may be slow or
 * closed and files have to be read all the same. Errors of the ledger pass to the caller.
 */
import type { RunContext } from './run-context.ts';

/** From this many waiting documents on, the intake goes slower. */
const MANY_READY = 1000;
/** The longest wait between two groups of files, and the time between two looks at the queue. */
const WAIT_MS = 100;
const LOOK_MS = 20;

/** The intake calls `admitted` and `ended`, senders call `sent` and follow. */
export type Intake = {
  readonly admitted: () => void;
  readonly ended: () => void;
  readonly sent: () => void;
  /**
   * Called between two groups of files. Does not wait if nothing was sent since the last call: a service may be closed.
   */
  readonly letSend: (work: Pick<RunContext, 'ledger' | 'clock' | 'stop'>) => Promise<void>;
  /**
   * One for each service. Resolves to true if documents may have come since the last call, to false if none will come.
   */
  readonly follow: () => () => Promise<boolean>;
};

/** One per run; nothing here is durable. */
export function openIntake(): Intake {
  let count = 0;
  let sent = 0;
  let sentBefore = 0;
  let isOver = false;
  let bell = Promise.withResolvers<void>();
  const ring = () => {
    bell.resolve();
    bell = Promise.withResolvers<void>();
  };
  return {
    admitted: () => {
      count++;
      ring();
    },
    ended: () => {
      isOver = true;
      ring();
    },
    sent: () => {
      sent++;
    },
    letSend: async ({ ledger, clock, stop }) => {
      if (sent === sentBefore) return;
      sentBefore = sent;
      const untilMs = clock.monotonic() + WAIT_MS;
      while (!stop.aborted && clock.monotonic() < untilMs && (await ledger.submissions.hasMoreReadyThan(MANY_READY))) {
        await clock.sleep(LOOK_MS, stop);
      }
    },
    follow: () => {
      let seen = -1;
      return async () => {
        while (seen === count) {
          if (isOver) return false;
          await bell.promise;
        }
        seen = count;
        return true;
      };
    },
  };
}
