/** Holds the queued documents of a mapping whose documents fail for one cause; nothing is sent. */

import type { DueDocument } from '../../ledger/contract/submission-store.ts';
import type { RunContext, ServiceRuntime } from '../context/run-context.ts';
import type { Kept } from '../service-state/common-cause-stop.ts';
import { holdMapping } from '../service-state/common-cause-stop.ts';

/** `says`: the cause. `keep`: later documents of the mapping get no try either. */
export async function holdTheRest(
  { ledger, clock, emit }: RunContext,
  { sameCause }: ServiceRuntime,
  due: DueDocument,
  { says, keep }: { readonly says: string; readonly keep: boolean },
): Promise<void> {
  if (keep) sameCause.keep(due, says);
  const documents = await holdMapping(ledger, due, says, clock.now().toISOString());
  if (!keep) sameCause.held(due);
  emit({ what: 'mapping-held', service: due.service, mapping: due.mapping.id, says, documents });
}

/** Holds the documents of a held mapping that were ingested since; their number is reported at the end. */
export async function holdQueuedOfMapping(
  { ledger, clock }: Pick<RunContext, 'ledger' | 'clock'>,
  kept: Kept,
): Promise<number> {
  const documents = await holdMapping(ledger, kept.due, kept.says, clock.now().toISOString());
  kept.documents += documents;
  return documents;
}
