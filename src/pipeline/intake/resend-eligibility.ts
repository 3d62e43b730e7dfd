/** Decides if a person may send a document again as it is: state and consultations in, the reason against it out. */
import { countryOf } from '../../catalogue.ts';
import type { Message, MessageMaker } from '../../i18n/message.ts';
import { IN_DOUBT, NOT_REPEATED } from '../../i18n/messages/pipeline-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import { allows, type State } from '../../model/state.ts';

const HOUR_MS = 3_600_000;

const WHY_NOT: { readonly [state in State]?: MessageMaker } = NOT_REPEATED;

/**
 * Undefined if it may be sent. In doubt, it needs two consultations that did not find it, an hour apart (in some
 * countries on two days), and evidence.
 */
export function whyNotRepeated(
  instance: Pick<Instance, 'dayOf'>,
  entry: Pick<LedgerEntry, 'state' | 'service' | 'notFound'>,
  hasEvidence: boolean,
): Message | undefined {
  const { state } = entry;
  if (allows(state, 'retry')) return undefined;
  const known = WHY_NOT[state];
  if (known !== undefined) return known();
  const times = entry.notFound?.times ?? 0;
  const twoDays = countryOf(entry.service).notFoundApart === 'two-days';
  const apart = twoDays ? IN_DOUBT.twoDays() : IN_DOUBT.anHour();
  if (times < 2 || !farEnough(instance, entry, twoDays)) return IN_DOUBT.nobodyKnows({ apart, times });
  return hasEvidence ? undefined : IN_DOUBT.addProof();
}

function farEnough(
  { dayOf }: Pick<Instance, 'dayOf'>,
  { notFound, service }: Pick<LedgerEntry, 'notFound' | 'service'>,
  twoDays: boolean,
): boolean {
  if (!notFound) return false;
  const [first, last] = [new Date(notFound.firstAt), new Date(notFound.lastAt)];
  if (last.getTime() - first.getTime() < HOUR_MS) return false;
  return !twoDays || dayOf(service, first) !== dayOf(service, last);
}
