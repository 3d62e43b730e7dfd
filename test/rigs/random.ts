/** Chance from a seed: the same seed gives the same plan, on every machine. */

export type Random = {
  /** From 0, below 1. */
  readonly next: () => number;
  /** From 0, below `end`. */
  readonly below: (end: number) => number;
  readonly isOneIn: (n: number) => boolean;
  readonly one: <T>(of: readonly T[]) => T;
};

/** mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return { next, below, isOneIn: (n) => below(n) === 0, one: (of) => of[below(of.length)]! };
}
