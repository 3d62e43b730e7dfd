/**
 * Failed sign-ins per name and per address: after five of a name, or thirty of an address, within a minute it waits, twice as
 * long each time, an hour at most. In memory and bounded: the oldest of 10,000 keys is forgotten first.
 */
import { greatestOf } from '../../text/long-lists.ts';

const MOST_FAILURES = 5;
/** Many people share the address of an office or of this machine: one who guesses does not keep the others out at once. */
const MOST_OF_ADDRESS = 30;
const WINDOW_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;
const MOST_KEYS = 10_000;

function mostOf(key: string): number {
  return key.startsWith('address ') ? MOST_OF_ADDRESS : MOST_FAILURES;
}

type Failures = { count: number; since: number; waits: number; until: number };

/** Keys are a kind and a text: `name marie`, `address 10.0.0.1`. */
export type SignInThrottle = {
  /** Milliseconds until the next attempt is looked at; 0: now. */
  readonly wait: (keys: readonly string[], now: number) => number;
  /** Whether this failure made one of the keys wait. */
  readonly failed: (keys: readonly string[], now: number) => boolean;
  readonly succeeded: (keys: readonly string[]) => void;
  readonly size: () => number;
};

export function createSignInThrottle(): SignInThrottle {
  const known = new Map<string, Failures>();
  const countFailure = (key: string, now: number): boolean => {
    const before = known.get(key) ?? { count: 0, since: now, waits: 0, until: 0 };
    const isOld = now - before.since > WINDOW_MS;
    // An hour without a failure forgets how long the last wait was.
    const waits = now - before.since > LONGEST_WAIT_MS ? 0 : before.waits;
    const count = isOld ? 1 : before.count + 1;
    const isFull = count >= mostOf(key);
    const until = isFull ? now + Math.min(WINDOW_MS * 2 ** waits, LONGEST_WAIT_MS) : before.until;
    known.delete(key);
    known.set(key, {
      count: isFull ? 0 : count,
      since: isOld || isFull ? now : before.since,
      waits: waits + Number(isFull),
      until,
    });
    if (known.size > MOST_KEYS) known.delete(known.keys().next().value as string);
    return isFull;
  };
  return {
    wait: (keys, now) => Math.max(0, greatestOf(keys.map((key) => (known.get(key)?.until ?? 0) - now))),
    failed: (keys, now) => keys.map((key) => countFailure(key, now)).some(Boolean),
    succeeded: (keys) => {
      for (const key of keys) known.delete(key);
    },
    size: () => known.size,
  };
}
