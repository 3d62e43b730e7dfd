/** Works one after the other, each when those that were asked for before have ended, in whatever way. */

/** Waits for the turns that were asked for before, and works then; passes on the result or the error of `work`. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
