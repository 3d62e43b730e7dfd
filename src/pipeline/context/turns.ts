/** Turns at the documents: the intake and the acts of people change them one after the other, group by group, act by act. */

/** Waits for the turns that were asked for before, and works then; passes on the result or the error of `work`. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** One per run; sending and receipts need no turn. */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
