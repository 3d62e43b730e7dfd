/**
 * Long work in steps: the thread is given back between them, so that a signal arrives and a request to end is obeyed.
 * Reads of the ledger and of small files never give back the thread by themselves, however many there are.
 */
import { setImmediate as turn } from 'node:timers/promises';

/** The operator or the system has asked the program to end. */
export class StopRequestedError extends Error {
  constructor() {
    super('asked to end');
    this.name = 'Stopped';
  }
}

/**
 * Passes the items on, with a turn of the event loop after every `each`; after `stop`, the next item throws
 * StopRequestedError. `each` items should be some milliseconds of work.
 */
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
