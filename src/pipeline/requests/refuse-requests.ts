/**
 * Answers what waits while the ledger may not send: refused with the reason, or with the result that the ledger already has. A
 * request that has begun stays, and is completed once the ledger may send again.
 */

import { SEND_GUARD } from '../../i18n/messages/send-guard-messages.ts';
import { ledgerSiteOf } from '../../instance/ledger-site-of.ts';
import { findRequestQueue } from '../../ledger/requests/open-request-queue.ts';
import { OperatorError } from '../../model/fault.ts';
import type { RunContext } from '../context/run-context.ts';
import { writeAnswer } from '../decisions/act-result.ts';

/** Nothing if the ledger may send. A queue, or a ledger of an earlier schema, that cannot be read keeps its requests. */
export async function refuseRequests({ ledger, clock, instance, emit }: RunContext): Promise<void> {
  const { guard } = ledger;
  if (guard.send) return;
  const error = new OperatorError(guard.code, guard.reason, { hint: SEND_GUARD.nothingChanged() });
  const refusal = writeAnswer({ error });
  try {
    await using queue = await findRequestQueue(ledgerSiteOf(instance), 'holds');
    if (!queue) return;
    const begun: string[] = [];
    // Also those that wait for another person: who approves them later would approve what was seen before.
    const always = '9999';
    for (let request = await queue.next(0, always); request; request = await queue.next(0, always, begun)) {
      const { id } = request;
      const known = await ledger.resultOf(id);
      if (known === undefined && (await ledger.stepsMade(id)).size > 0) begun.push(id);
      else await queue.answer(id, known ?? refusal, clock.now().toISOString());
    }
  } catch (problem) {
    emit({ what: 'requests-unreadable', problem: (problem as Error).message });
  }
}
