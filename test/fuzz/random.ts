/** Chance from a seed: the same seed gives the same inputs on every machine. */

export type Random = {
  /** 0 and more, below `end`. */
  readonly below: (end: number) => number;
  readonly of: <T>(list: readonly T[]) => T;
};

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (end: number) => next() % Math.max(1, end);
  return { below, of: (list) => list[below(list.length)]! };
}
