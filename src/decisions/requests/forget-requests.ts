/**
 * Drops answers to requests, in the queue and in the ledger: they have faults, and faults have values of cells. Errors of disk
 * and ledger are thrown.
 */

import type { Instance } from '../../instance/instance.ts';
import { ledgerSiteOf } from '../../instance/ledger-site-of.ts';
import { ago } from '../../instance/retention-age.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { RequestQueue } from '../../ledger/contract/request-queue.ts';
import { findRequestQueue } from '../../ledger/requests/open-request-queue.ts';
import type { RunContext } from '../../pipeline/context/run-context.ts';

/** Ids of documents, wherever an answer names them. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Drops answers that are older than `keep.requests`; once per holder is enough. */
export async function forgetOldRequests(
  { ledger, instance, clock }: Pick<RunContext, 'ledger' | 'instance' | 'clock'>,
  queue: RequestQueue,
): Promise<void> {
  const before = new Date(ago(instance.settings.keep.requests, clock.now())).toISOString();
  await queue.forget(before);
  await ledger.steps.forgetRequests(before);
}

/**
 * For a purge: drops old answers, and, if documents (ids) are purged, each answer that does not name other documents alone. One
 * without the name of a document, such as that of a file, may be about them too.
 */
export async function purgeRequests(
  { instance, ledger, beforeMs }: { readonly instance: Instance; readonly ledger: Ledger; readonly beforeMs: number },
  documents: ReadonlySet<string>,
): Promise<void> {
  const isMeant = (answer: string) => {
    const named = answer.match(ID) ?? [];
    return documents.size > 0 && (named.length === 0 || named.some((id) => documents.has(id)));
  };
  const before = new Date(beforeMs).toISOString();
  {
    await using queue = await findRequestQueue(ledgerSiteOf(instance), 'asks');
    await queue?.forget(before);
    await queue?.forgetAnswers(isMeant);
  }
  // Also without a queue: a ledger from a backup has answers of its own.
  await ledger.steps.forgetRequests(before);
  await ledger.steps.forgetResults(isMeant);
}
