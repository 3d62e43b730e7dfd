/**
 * Whether a worker may still believe in its lease. Pure: the instants come in. The lease itself is on the clock of the
 * database; this is the side of the worker, which cannot ask while it stands still or the connection is cut.
 */

/** Both clocks of a machine, in milliseconds. */
export type Instant = {
  /** Never goes back; may not count the time in which the machine sleeps. */
  readonly monotonic: number;
  /** Counts that time; a person or a time server may set it. */
  readonly wall: number;
};

/** A tenth of the lease is left unused: clocks of two machines differ in speed, and a statement takes its time. */
const USED = 0.9;

export type LeaseClock = {
  /** A renewal succeeded that was sent at this instant: the lease lasts at least from then. */
  readonly renewed: (sentAt: Instant) => void;
  /** False for good once either clock shows that too much time has passed since the last renewal. */
  readonly holds: (now: Instant) => boolean;
};

/** `takenAt`: when the statement that began the lease was sent. */
export function createLeaseClock(leaseMs: number, takenAt: Instant): LeaseClock {
  let last = takenAt;
  let isLost = false;
  const hasPassed = (now: Instant) => {
    const most = USED * leaseMs;
    // A wall clock that was set back shows nothing; the other clock still counts.
    return now.monotonic - last.monotonic >= most || now.wall - last.wall >= most;
  };
  return {
    renewed: (sentAt) => {
      // An answer that comes too late renews nothing: others may have seen the lease end meanwhile.
      isLost ||= hasPassed(sentAt);
      if (!isLost) last = sentAt;
    },
    holds: (now) => {
      isLost ||= hasPassed(now);
      return !isLost;
    },
  };
}
