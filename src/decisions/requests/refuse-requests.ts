/**
 * Answers what waits while the ledger may not send: refused with the reason, or with the result that the ledger already has. A
 * request that has begun stays, and is completed once the ledger may send again.
 */

import { SEND_GUARD } from '../../i18n/messages/send-guard-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import { ledgerSiteOf } from '../../instance/ledger-site-of.ts';
import { findRequestQueue } from '../../ledger/requests/open-request-queue.ts';
import { OperatorError } from '../../model/fault.ts';
import type { RunContext } from '../../pipeline/context/run-context.ts';
import { writeAnswer } from '../act-result.ts';

/** Nothing if the ledger may send. A queue, or a ledger of an earlier schema, that cannot be read keeps its requests. */
export async function refuseRequests({ ledger, clock, instance, emit }: RunContext): Promise<void> {
  const { guard } = ledger;
  if (guard.send) return;
  const error = new OperatorError(guard.code, guard.reason, { hint: SEND_GUARD.nothingChanged() });
  const refusal = writeAnswer({ error });
  const answer = async (id: string) => {
    const known = await ledger.steps.resultOf(id);
    return known ?? ((await ledger.steps.stepsMade(id)).size > 0 ? undefined : refusal);
  };
  await answerOpen(instance, clock.now(), answer).catch((problem: unknown) => {
    emit({ what: 'requests-unreadable', problem: (problem as Error).message });
  });
}

/**
 * For a ledger that takes the place of one that knew more: a request that waits may have been carried out there, and would be a second
 * time. Errors of the queue are thrown.
 */
export async function refuseFormerRequests(instance: Instance, now: Date): Promise<void> {
  const error = new OperatorError('act/quarantine', SEND_GUARD.askedBefore(), { hint: SEND_GUARD.decideAgain() });
  const refusal = writeAnswer({ error });
  await answerOpen(instance, now, async () => refusal);
}

/** Those without an answer stay. */
async function answerOpen(
  instance: Instance,
  now: Date,
  answerTo: (id: string) => Promise<string | undefined>,
): Promise<void> {
  await using queue = await findRequestQueue(ledgerSiteOf(instance), 'asks');
  if (!queue) return;
  const left: string[] = [];
  // Also those that wait for another person: who approves them later would approve what was seen before.
  const always = '9999';
  for (let request = await queue.next(0, always); request; request = await queue.next(0, always, left)) {
    const { id } = request;
    const answer = await answerTo(id);
    if (answer === undefined) left.push(id);
    else await queue.answer(id, answer, now.toISOString());
  }
}
