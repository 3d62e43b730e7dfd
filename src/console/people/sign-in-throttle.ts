/**
 * Failed sign-ins per name and per address: after five of a name, or thirty of an address, within a minute it waits, twice as
 * long each time, an hour at most. An attempt counts from its begin, so that parallel ones are no way around. In memory and
 * bounded: the oldest of 10,000 keys is forgotten first.
 */
import { greatestOf } from '../../text/long-lists.ts';

const MOST_FAILURES = 5;
/** Many people share the address of an office or of this machine: one who guesses does not keep the others out at once. */
const MOST_OF_ADDRESS = 30;
const WINDOW_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;
const MOST_KEYS = 10_000;

function mostOf(key: string): number {
  return isOfAddress(key) ? MOST_OF_ADDRESS : MOST_FAILURES;
}

function isOfAddress(key: string): boolean {
  return key.startsWith('address ');
}

/** `open`: attempts that have begun and not ended. */
type Failures = { count: number; open: number; since: number; waits: number; until: number };

/** One comparison of a secret. Exactly one of its ends is called; `dropped` is for one that was not made. */
export type SignInAttempt = {
  /** Whether this failure made one of the keys wait. */
  readonly failed: (now: number) => boolean;
  /** Forgets the failures of the name; those of an address stay, or one own account would free it for guesses. */
  readonly succeeded: () => void;
  readonly dropped: () => void;
};

/** Keys are a kind and a text: `name marie`, `address 10.0.0.1`. */
export type SignInThrottle = {
  /** Milliseconds until the next attempt is looked at; 0: now. */
  readonly wait: (keys: readonly string[], now: number) => number;
  /** Whether this failure made one of the keys wait. */
  readonly failed: (keys: readonly string[], now: number) => boolean;
  /** Reserves an attempt before its secret is compared; undefined while a key waits, or has too many under way. */
  readonly begin: (keys: readonly string[], now: number) => SignInAttempt | undefined;
  readonly size: () => number;
};

export function createSignInThrottle(): SignInThrottle {
  const known = new Map<string, Failures>();
  const recordOf = (key: string, now: number): Failures => {
    const record = known.get(key) ?? { count: 0, open: 0, since: now, waits: 0, until: 0 };
    // Moved to the end: the one that was used last is forgotten last.
    known.delete(key);
    known.set(key, record);
    if (known.size > MOST_KEYS) known.delete(known.keys().next().value as string);
    return record;
  };
  const countFailure = (key: string, now: number): boolean => {
    const record = recordOf(key, now);
    const isOld = now - record.since > WINDOW_MS;
    // An hour without a failure forgets how long the last wait was.
    const waits = now - record.since > LONGEST_WAIT_MS ? 0 : record.waits;
    const count = isOld ? 1 : record.count + 1;
    const isFull = count >= mostOf(key);
    if (isFull) record.until = now + Math.min(WINDOW_MS * 2 ** waits, LONGEST_WAIT_MS);
    if (isOld || isFull) record.since = now;
    record.count = isFull ? 0 : count;
    record.waits = waits + Number(isFull);
    return isFull;
  };
  const isFree = (key: string, now: number): boolean => {
    const { count, open, since, until } = known.get(key) ?? { count: 0, open: 0, since: now, until: 0 };
    return until <= now && (now - since > WINDOW_MS ? 0 : count) + open < mostOf(key);
  };
  return {
    wait: (keys, now) => Math.max(0, greatestOf(keys.map((key) => (known.get(key)?.until ?? 0) - now))),
    failed: (keys, now) => keys.map((key) => countFailure(key, now)).some(Boolean),
    begin: (keys, now) => {
      if (!keys.every((key) => isFree(key, now))) return undefined;
      const records = keys.map((key) => recordOf(key, now));
      for (const record of records) record.open++;
      const dropped = () => {
        for (const record of records) record.open--;
      };
      return {
        dropped,
        failed: (at) => {
          dropped();
          return keys.map((key) => countFailure(key, at)).some(Boolean);
        },
        succeeded: () => {
          dropped();
          for (const [n, record] of records.entries())
            if (!isOfAddress(keys[n] as string)) Object.assign(record, { count: 0, waits: 0, until: 0 });
        },
      };
    },
    size: () => known.size,
  };
}
