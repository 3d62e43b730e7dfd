/**
 * Passwords as scrypt hashes: `scrypt$N$r$p$salt$hash`, base64url. Two passwords that look alike are compared in NFC.
 * A comparison takes the same time for a person without a password. Only a few run at once: each needs 32 MiB.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** Characters of the shortest password. */
export const SHORTEST_PASSWORD = 12;
const LONGEST = 1024;
/** OWASP Password Storage Cheat Sheet: N = 2^15, r = 8, p = 3. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const HASH_BYTES = 32;
const MOST_AT_ONCE = 2;
const MOST_WAITING = 16;

/** Whether the text may be a password: 12 characters or more, and not a megabyte. */
export function isUsablePassword(text: string): boolean {
  const normal = text.normalize('NFC');
  return [...normal].length >= SHORTEST_PASSWORD && normal.length <= LONGEST;
}

export async function hashPassword(text: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(text, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Takes the same time without a stored hash, so that the time of an answer does not show which names exist. */
const NO_ONE = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Undefined: too many comparisons wait already; the caller answers as to too many failures. */
export async function isPassword(text: string, stored: string | null | undefined): Promise<boolean | undefined> {
  if (waiting >= MOST_WAITING) return undefined;
  const [, N, r, p, salt = '', hash = ''] = (stored ?? NO_ONE).split('$');
  const given = await derive(text.slice(0, LONGEST), Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(given, Buffer.from(hash, 'base64url')) && stored != null;
}

let running = 0;
let waiting = 0;
const queue: (() => void)[] = [];

async function derive(text: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  if (running >= MOST_AT_ONCE) {
    waiting++;
    await new Promise<void>((resolve) => queue.push(resolve));
    waiting--;
  } else running++;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      scrypt(text.normalize('NFC'), salt, HASH_BYTES, { ...cost, maxmem: 64 * 1024 ** 2 }, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  } finally {
    const next = queue.shift();
    // The place passes to the next one that waits.
    if (next) next();
    else running--;
  }
}
