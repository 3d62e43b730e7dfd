/**
 * Finds items whose key an earlier item has. Items and a key function come in, indexes come out in ascending order; an
 * item without a key equals no other.
 */

const NONE: readonly number[] = [];
/** So few are compared with each other: to make a set of them takes longer. */
const FEW = 8;

/** The indexes (from 0) of the repetitions, without the first occurrence. */
export function repeated<T>(items: readonly T[], keyOf: (item: T) => string | undefined): readonly number[] {
  if (items.length > FEW) return bySet(items, keyOf);
  let found = NONE;
  for (let n = 1; n < items.length; n++) {
    const key = keyOf(items[n]!);
    for (let before = 0; key !== undefined && before < n; before++) {
      if (keyOf(items[before]!) !== key) continue;
      found = [...found, n];
      break;
    }
  }
  return found;
}

/** For longer lists: one pass with a set. */
function bySet<T>(items: readonly T[], keyOf: (item: T) => string | undefined): readonly number[] {
  const seen = new Set<string>();
  return items.flatMap((item, n) => {
    const key = keyOf(item);
    if (key === undefined) return NONE;
    if (seen.has(key)) return [n];
    seen.add(key);
    return NONE;
  });
}
