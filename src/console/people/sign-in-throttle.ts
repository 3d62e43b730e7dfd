/**
 * Failed sign-ins per address: after five for one name, or thirty for any, within a minute the address waits, twice as long
 * each time, an hour at most. Failures of a name from everywhere slow it down alone: no one can keep another person out. An attempt counts from its begin, so that parallel ones are no way around. In memory and
 * bounded: the oldest of 10,000 keys is forgotten first.
 */
import { isIPv6 } from 'node:net';
import { greatestOf } from '../../text/long-lists.ts';

const MOST_FAILURES = 5;
/** Many people share the address of an office or of this machine: one who guesses does not keep the others out at once. */
const MOST_OF_ADDRESS = 30;
const WINDOW_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;
const MOST_KEYS = 10_000;

/** Failures of a name within the window, from everywhere, after which each comparison begins later. */
const SLOW_AFTER = 5;
const SLOWEST_MS = 4_000;

/** Without a name: a way in that has no name yet. */
export function signInKeys(address: string, name?: string): readonly string[] {
  const network = networkOf(address);
  if (name === undefined) return [`address ${network}`];
  const folded = name.normalize('NFKC').toLowerCase().trim().slice(0, 100);
  return [`address ${network}`, `name ${network} ${folded}`, `${EVERYWHERE}${folded}`];
}

/** Of IPv6 the first 64 bits: one client has all addresses below them. */
function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  const inner = /^::ffff:([\d.]+)$/i.exec(plain)?.[1];
  if (inner !== undefined || !isIPv6(plain)) return inner ?? plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length;
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...after].slice(0, 4).join(':');
}

const EVERYWHERE = 'everywhere ';

function mostOf(key: string): number {
  if (key.startsWith(EVERYWHERE)) return Number.POSITIVE_INFINITY;
  return isOfAddress(key) ? MOST_OF_ADDRESS : MOST_FAILURES;
}

function isOfAddress(key: string): boolean {
  return key.startsWith('address ');
}

/** `open`: attempts that have begun and not ended. */
type Failures = { count: number; open: number; since: number; waits: number; until: number };

/** One comparison of a secret. Exactly one of its ends is called; `dropped` is for one that was not made. */
type SignInAttempt = {
  /** Whether this failure made one of the keys wait. */
  readonly failed: (now: number) => boolean;
  /** Forgets the failures of the name; those of an address stay, or one own account would free it for guesses. */
  readonly succeeded: () => void;
  readonly dropped: () => void;
};

/** Keys are a kind and a text: see `signInKeys`. */
export type SignInThrottle = {
  /** Milliseconds until the next attempt is looked at; 0: now. */
  readonly wait: (keys: readonly string[], now: number) => number;
  /** Whether this failure made one of the keys wait. */
  readonly failed: (keys: readonly string[], now: number) => boolean;
  /** Reserves an attempt before its secret is compared; undefined while a key waits, or has too many under way. */
  readonly begin: (keys: readonly string[], now: number) => SignInAttempt | undefined;
  /** Milliseconds by which a comparison begins later. */
  readonly delay: (keys: readonly string[], now: number) => number;
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
    delay: (keys, now) => {
      const records = keys.filter((key) => key.startsWith(EVERYWHERE)).map((key) => known.get(key));
      const counts = records.map((one) => (one && now - one.since <= WINDOW_MS ? one.count : 0));
      const over = greatestOf(counts) - SLOW_AFTER;
      return over < 0 ? 0 : Math.min(100 * 2 ** over, SLOWEST_MS);
    },
    size: () => known.size,
  };
}
