/** Output of this process that could not be written, such as a log on a full disk. The work goes on, and its exit code says it. */
import { setImmediate as turn } from 'node:timers/promises';

/** Exit codes that a failure of the system replaces (exit-codes.ts). */
const REPLACED = new Set<unknown>([undefined, 0, 2, 3, 7]);
const FAILED = 5;

let lost: Error | undefined;

/** The first loss counts. */
export function loseOutput(error: Error): void {
  lost ??= error;
}

/** Why output was lost, if `exit` gives way to that. */
export function lossOver(exit: unknown): Error | undefined {
  return REPLACED.has(exit) ? lost : undefined;
}

/** The exit code of what has printed until now: a stream reports a loss one turn later. */
export async function exitOfPrinted(exit: number): Promise<number> {
  await turn();
  return lossOver(exit) ? FAILED : exit;
}
