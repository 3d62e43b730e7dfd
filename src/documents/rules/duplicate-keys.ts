/**
 * Finds items whose key an earlier item has. Items and a key function come in, the repetitions come out in their order;
 * an item without a key equals no other.
 */

const NONE: readonly never[] = [];
/** So few are compared with each other: to make a set of them takes longer. */
const FEW = 8;

/** The repetitions, without the first occurrence of a key. */
export function repeated<T extends object>(items: readonly T[], keyOf: (item: T) => string | undefined): readonly T[] {
  if (items.length > FEW) return bySet(items, keyOf);
  let found: readonly T[] = NONE;
  for (const item of items) {
    const key = keyOf(item);
    const first = key === undefined ? item : items.find((other) => keyOf(other) === key);
    if (first !== item) found = [...found, item];
  }
  return found;
}

/** For longer lists: one pass with a set. */
function bySet<T extends object>(items: readonly T[], keyOf: (item: T) => string | undefined): readonly T[] {
  const known = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    if (key === undefined) return false;
    if (known.has(key)) return true;
    known.add(key);
    return false;
  });
}
