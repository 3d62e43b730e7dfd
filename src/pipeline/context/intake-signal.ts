/**
 * What those who send hear of the intake that goes on beside them: more may come, or nothing more does.
 *
 * And what the intake hears of them: it leaves the thread to them while many documents wait, but never for long, because a
 * service may be slow or closed and the files have to be looked at all the same.
 */
import type { RunContext } from './run-context.ts';

/** So many documents may wait before the intake goes slower. */
const MANY_READY = 1000;
/** How long it then waits for them between two groups of files, and how often it looks. */
const WAIT_MS = 100;
const LOOK_MS = 20;

export type Intake = {
  readonly admitted: () => void;
  readonly ended: () => void;
  readonly sent: () => void;
  /** Between two groups of files. Does not wait where nothing was sent since the last time: a service may be closed. */
  readonly letSend: (work: Pick<RunContext, 'ledger' | 'clock' | 'stop'>) => Promise<void>;
  /** One for each service. Resolves to true where documents may have come since the last call, to false where none do any more. */
  readonly follow: () => () => Promise<boolean>;
};

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
      while (!stop.aborted && clock.monotonic() < untilMs && (await ledger.hasMoreReadyThan(MANY_READY))) {
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
