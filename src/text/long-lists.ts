/**
 * Lists as long as the data: rows, faults, documents. A spread into arguments (`push(...rows)`, `Math.max(...rows)`) throws a
 * RangeError from some 120,000 items on, and so ends a run; these loops do not. test/spread.test.ts refuses the spread.
 */

/** Adds the items at the end of the list. */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** -Infinity without numbers. */
export function greatestOf(numbers: Iterable<number>): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (const one of numbers) greatest = Math.max(greatest, one);
  return greatest;
}

/** Infinity without numbers. */
export function leastOf(numbers: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const one of numbers) least = Math.min(least, one);
  return least;
}

/** Pages of at most `size`, each read after the last item of the one before, until one is not full; none is empty. */
export async function* pagesAfter<T>(
  size: number,
  read: (last: T | undefined) => readonly T[] | Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let last: T | undefined; ; ) {
    const page = await read(last);
    if (page.length > 0) yield page;
    last = page.at(-1);
    if (page.length < size) return;
  }
}
