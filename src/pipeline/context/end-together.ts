/** Intake, sending and receipts run at the same time: one failure ends all of them, in order. */
import type { RunContext } from './run-context.ts';

/**
 * `own` is the context for the parallel parts: its `stop` also aborts when one of them reports to `failed`.
 * `throwFailure` throws the first failure, if any.
 */
export function endingTogether(work: RunContext) {
  const inner = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const failed = (error: unknown): undefined => {
    failure ??= { error };
    inner.abort();
  };
  // Others may take over what this worker has under way.
  const lost = work.ledger.roles?.lost;
  lost?.addEventListener('abort', () => failed(lost.reason), { once: true });
  const throwFailure = () => {
    if (failure) throw failure.error;
  };
  return { own: { ...work, stop: AbortSignal.any([work.stop, inner.signal]) }, failed, throwFailure };
}
