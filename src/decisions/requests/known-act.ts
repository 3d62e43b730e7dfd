/**
 * What became of a request that someone handed in: its answer, or that it still waits. The queue is asked, nothing is
 * written. Undefined for an unknown request, and for one that was answered more than 30 days ago.
 */
import { ledgerSiteOf, type SiteOwner } from '../../instance/ledger-site-of.ts';
import { findRequestQueue } from '../../ledger/requests/open-request-queue.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type ActAnswer, readAnswer } from '../act-result.ts';

/** `answer` is absent while it waits. */
export type KnownAct = { readonly id: string; readonly answer?: ActAnswer };

/** The request with this id, or the first one whose id begins so. */
export async function knownAct(instance: SiteOwner, prefix: string): Promise<KnownAct | undefined> {
  await using queue = await findRequestQueue(ledgerSiteOf(instance), 'asks');
  const found = await queue?.beginning(prefix);
  return (
    found && definedOnly({ id: found.id, answer: found.answer === undefined ? undefined : readAnswer(found.answer) })
  );
}
