/** The work of a person between two runs: what a stop left is settled first, and all results are published after. */

import { completeReadings } from '../decisions/decide.ts';
import { reportAnswers } from '../pipeline/answers/report-answers.ts';
import type { RunContext } from '../pipeline/context/run-context.ts';
import { startReceiptWriter } from '../pipeline/publishing/publish-results.ts';
import { withPublishing, withWakeUps } from '../pipeline/publishing/with-publishing.ts';
import { assertMaySend } from './recover-run.ts';
import { settleLeftovers } from './take-over.ts';

/**
 * Recovers, completes second readings that were decided before a stop, lets `act` work, and publishes everything. A ledger
 * that may not send throws its OperatorError, unchanged.
 */
export async function betweenRuns<T>(context: RunContext, act: (context: RunContext) => Promise<T>): Promise<T> {
  await settleLeftovers(assertMaySend(context));
  await completeReadings(context);
  const receipts = startReceiptWriter(context);
  const done = await withPublishing(context, receipts, () => act(withWakeUps(context, receipts.wake)));
  await reportAnswers(context);
  return done;
}
