import { onTestFinished } from 'vitest';

/** What a test that fails leaves under way ends before its folders and its ledger go, and fails nothing else. */
export function endWithTest(stop: Pick<AbortController, 'abort'>, over: readonly Promise<unknown>[]): void {
  onTestFinished(async () => {
    stop.abort();
    await Promise.allSettled(over);
  });
}
