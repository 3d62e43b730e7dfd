/**
 * Judges whether a person may decide so about a document: its entry in the ledger comes in, the reason against it comes
 * out, undefined if it may. The ledger checks the state again when it records the decision.
 */

import type { Message } from '../i18n/message.ts';
import { DECISION_REFUSAL, UNDO } from '../i18n/messages/cli-decisions-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { OperatorError } from '../model/fault.ts';
import { isClosed, type LedgerEntry, type Selector } from '../model/ledger-entry.ts';
import { allows, mayResolve, type State } from '../model/state.ts';
import { whyNotRepeated } from '../pipeline/intake/resend-eligibility.ts';
import type { DecidingAct } from './acts.ts';

/** `resolve` asks about one outcome, which is the state that the document gets. */
type Decision = {
  readonly act: DecidingAct;
  readonly as?: State;
  /** Whether the person has a file that proves it. */
  readonly hasEvidence: boolean;
};

const NOT_ALLOWED = {
  release: DECISION_REFUSAL.onlyHeld,
  'set-aside': DECISION_REFUSAL.notSetAside,
  acknowledge: DECISION_REFUSAL.onlyInvalidated,
  resolve: DECISION_REFUSAL.notResolved,
};

/**
 * Throws `retry/in-doubt`: a filter never sends documents in doubt again, because sending one without evidence could issue
 * it twice, and each of them needs a look at the portal first.
 */
export function refuseDoubtful({ ids, states }: Selector): void {
  if (ids || !states?.includes('in-doubt')) return;
  throw new OperatorError('retry/in-doubt', DECISION_REFUSAL.inDoubt(), { hint: DECISION_REFUSAL.resolveEach() });
}

/** The reason against the decision; undefined if it is possible now. */
export function whyNotDecided(
  instance: Pick<Instance, 'dayOf'>,
  entry: LedgerEntry,
  { act, as, hasEvidence }: Decision,
): Message | undefined {
  if (entry.purged) return UNDO.purged();
  if (act === 'retry') return whyNotRepeated(instance, entry, hasEvidence);
  if ((act === 'set-aside' || act === 'acknowledge') && isClosed(entry)) return DECISION_REFUSAL.alreadyClosed();
  const isAllowed = act === 'resolve' ? mayResolve(entry.state, entry.hold?.rule) : allows(entry.state, act);
  if (!isAllowed) return NOT_ALLOWED[act]();
  if (act === 'resolve' && as === 'authorized' && !hasEvidence && !wasFoundAuthorized(entry)) {
    return DECISION_REFUSAL.authorizedWithoutProof({ times: entry.notFound?.times ?? 0 });
  }
  return undefined;
}

/** A consultation since the last submission answered that the document is authorized, and did not settle it. */
function wasFoundAuthorized({ attempts }: LedgerEntry): boolean {
  const sinceSent = attempts.slice(attempts.findLastIndex(({ act }) => act === 'submit') + 1);
  return sinceSent.some(({ act, code }) => act === 'consult' && code === AUTHORIZED);
}

/** Code of the services for an authorized document (docs/reference/contracts.md). */
const AUTHORIZED = 2;
