/** Input: works in their order. Output: the same as shifts, each of works that may run at the same time. Pure. */
import type { Apart } from '../database-driver.ts';

/** A work that is not apart from others runs alone. */
type Shiftable = { readonly apart: Apart | undefined };

/** Enough for the way to the server, and few enough for a commit to end after any shift. */
const MOST_APART = 64;

export function shiftsOf<T extends Shiftable>(batch: readonly T[]): readonly (readonly T[])[] {
  const shifts: T[][] = [];
  let names = new Set<string | undefined>();
  const isApart = ({ apart }: T) => apart !== undefined && !names.has(apart.name) && !names.has(undefined);
  for (const one of batch) {
    const last = shifts.at(-1);
    if (last && last.length < MOST_APART && isApart(one)) last.push(one);
    else {
      shifts.push([one]);
      names = new Set();
    }
    names.add(one.apart?.name);
  }
  return shifts;
}
