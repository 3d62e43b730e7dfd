/**
 * The next action of the operator for each state, in three languages: the sentence under the state's word in a receipt
 * and the list in the README of the error folder (locales/<language>/receipts-texts.yaml). Written for an accountant.
 */
import type { Message } from '../i18n/message.ts';
import { NEXT_ACTION, NEXT_ACTION_OF } from '../i18n/messages/receipts-texts-messages.ts';
import type { Closing, Evidence } from '../model/ledger-entry.ts';
import type { State } from '../model/state.ts';

/** Every state has a text, also those in which the operator does nothing. */
export function nextAction(state: State): Message {
  return NEXT_ACTION[state]();
}

/** For a held document that may have been sent without a record in the ledger: a release could send it twice. */
export function nextCompared(): Message {
  return NEXT_ACTION_OF.compared({ held: NEXT_ACTION.held() });
}

/** For a document that is held because the service has answered about it: no file records an outcome. */
export function nextAnswered(): Message {
  return NEXT_ACTION_OF.answered();
}

/**
 * Replaces the text of `invalid` if a person has set a held document aside: who, when (UTC, to the minute), why, and
 * the way back.
 */
export function nextSetAside({ by, at, reason }: Evidence): Message {
  const when = `${at.slice(0, 16).replace('T', ' ')} UTC`;
  return NEXT_ACTION_OF.setAside({ by, when, reason, back: NEXT_ACTION_OF.back() });
}

/** The same for a document that a person has closed in its state: the service knows of it, and its number stays taken. */
export function nextClosed({ as, by, at, reason }: Closing): Message {
  const when = `${at.slice(0, 16).replace('T', ' ')} UTC`;
  return NEXT_ACTION_OF[as === 'acknowledged' ? 'acknowledged' : 'closed']({ by, when, reason });
}

/** The same for the README of a folder, which names no person. */
export function nextSetAsideByAnyone(): Message {
  return NEXT_ACTION_OF.setAsideByAnyone({ back: NEXT_ACTION_OF.back() });
}
