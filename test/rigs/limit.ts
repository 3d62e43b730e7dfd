/** How long a rig may go on: on a slow machine four times as long, if it would have shown too little before. */
export type TimeLimit = { readonly atLeast: number; readonly isOver: (done: number) => boolean };

const PATIENCE = 4;

export function timeLimit(seconds: number, atLeast: number): TimeLimit {
  const startedMs = Date.now();
  return {
    atLeast,
    isOver: (done) => Date.now() - startedMs > 1000 * seconds * (done < atLeast ? PATIENCE : 1),
  };
}
