/**
 * A clock that a rig moves under the whole program in this process: `Date` is ahead of that of the machine, and waits of a run are
 * short. Files keep the times of the machine, unless a rig sets them.
 */
import type { Clock } from '../src/pipeline/context/run-context.ts';
import { systemClock } from '../src/runs/open-run.ts';

export type MovedClock = Disposable & {
  /** Moves it, also back. */
  readonly pass: (ms: number) => void;
};

/** No wait of a run takes longer: a service that is away is asked again at once. */
const LONGEST_SLEEP_MS = 2;
/** How much faster the clock that never goes back is: pauses of a service end in time. */
const FASTER = 1000;

/** One at a time in a process. */
export function moveClock(): MovedClock {
  const Machine = globalThis.Date;
  let aheadMs = 0;
  class Moved extends Machine {
    constructor(...given: readonly unknown[]) {
      if (given.length === 0) super(Machine.now() + aheadMs);
      else super(...(given as [number]));
    }
    static override now(): number {
      return Machine.now() + aheadMs;
    }
  }
  const { monotonic, sleep } = systemClock;
  globalThis.Date = Moved as DateConstructor;
  const quick: Pick<Clock, 'monotonic' | 'sleep'> = {
    monotonic: () => FASTER * performance.now(),
    sleep: (ms, signal) => sleep(Math.min(ms, LONGEST_SLEEP_MS), signal),
  };
  Object.assign(systemClock, quick);
  return {
    pass: (ms) => {
      aheadMs += ms;
    },
    [Symbol.dispose]: () => {
      globalThis.Date = Machine;
      Object.assign(systemClock, { monotonic, sleep });
    },
  };
}
