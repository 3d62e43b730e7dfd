/** Intake, sending and receipts run at the same time: one failure ends all of them, in order. */
import { isGone } from '../../files/write-durable.ts';
import type { RunContext } from './run-context.ts';

/**
 * `own` is the context for the parallel parts: its `stop` also aborts when one of them reports to `failed`.
 * `throwFailure` throws the first failure, if any.
 */
export function endingTogether(context: RunContext) {
  const inner = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const { roles } = context.ledger;
  const lost = roles?.lost;
  // The worker that took over removes what this one was still writing.
  const isTakenOver = (error: unknown) => isGone(error) && roles?.holds('receipts') === false && lost?.aborted;
  const failed = (error: unknown): undefined => {
    failure ??= { error: isTakenOver(error) ? lost?.reason : error };
    inner.abort();
  };
  // Others may take over what this worker has under way.
  lost?.addEventListener('abort', () => failed(lost.reason), { once: true });
  const throwFailure = () => {
    if (failure) throw failure.error;
  };
  return { own: { ...context, stop: AbortSignal.any([context.stop, inner.signal]) }, failed, throwFailure };
}
