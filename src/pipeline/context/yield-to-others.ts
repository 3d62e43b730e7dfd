/**
 * Long work in steps: the thread is given back between them, so that a signal is heard, and an asked end is obeyed.
 *
 * Reads of the ledger and of small files never leave the thread by themselves, however many they are.
 */
import { setImmediate as turn } from 'node:timers/promises';

/** Someone asked for an end. */
export class StopRequestedError extends Error {
  constructor() {
    super('asked to end');
    this.name = 'Stopped';
  }
}

/** Passes on what comes; throws Stopped at the next one after `stop`. Some milliseconds of work lie between two turns. */
export async function* yieldingBetween<T>(
  all: AsyncIterable<T> | Iterable<T>,
  stop: AbortSignal | undefined,
  each = 16,
): AsyncGenerator<T> {
  let count = 0;
  for await (const one of all) {
    if (++count % each === 0) await turn();
    if (stop?.aborted) throw new StopRequestedError();
    yield one;
  }
}
