/** Intake, sending and receipts at the same time: one failure ends all of it, in order. */
import type { RunContext } from './run-context.ts';

/** What runs side by side: where one of them fails the others end too, and the first failure is the one that is reported. */
export function endingTogether(work: RunContext) {
  const inner = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const failed = (error: unknown): undefined => {
    failure ??= { error };
    inner.abort();
  };
  const throwFailure = () => {
    if (failure) throw failure.error;
  };
  return { own: { ...work, stop: AbortSignal.any([work.stop, inner.signal]) }, failed, throwFailure };
}
