/** Holds the queued documents of a mapping whose documents fail for one cause; nothing is sent. */

import type { Message } from '../../i18n/message.ts';
import type { DueDocument } from '../../ledger/contract/submission-store.ts';
import { holdOf } from '../../model/recorded-words.ts';
import type { RunContext, ServiceRuntime } from '../context/run-context.ts';
import type { Kept } from '../service-state/common-cause-stop.ts';
import { holdMapping } from '../service-state/common-cause-stop.ts';

/** `keep`: later documents of the mapping get no try either. */
export async function holdTheRest(
  { ledger, clock, emit, instance }: RunContext,
  { commonCause: sameCause }: ServiceRuntime,
  due: DueDocument,
  { cause, keep }: { readonly cause: Message; readonly keep: boolean },
): Promise<void> {
  const hold = holdOf('same-cause', cause, instance.settings.rules.language);
  if (keep) sameCause.keep(due, hold);
  const documents = await holdMapping(ledger.submissions, due, hold, clock.now().toISOString());
  if (!keep) sameCause.held(due);
  emit({ what: 'mapping-held', service: due.service, mapping: due.mapping.id, says: hold.says, documents });
}

/** Holds the documents of a held mapping that were ingested since; their number is reported at the end. */
export async function holdQueuedOfMapping(
  { ledger, clock }: Pick<RunContext, 'ledger' | 'clock'>,
  kept: Kept,
): Promise<number> {
  const documents = await holdMapping(ledger.submissions, kept.due, kept.hold, clock.now().toISOString());
  kept.documents += documents;
  return documents;
}
