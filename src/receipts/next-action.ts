/**
 * What the operator does next, per state, in three languages: the sentence under the state's word in a receipt and the
 * list in the error folder's README (locales/<language>/receipts-texts.yaml). Written for somebody in accounting, not
 * for a programmer.
 */
import type { Message } from '../i18n/message.ts';
import { NEXT_ACTION, NEXT_ACTION_OF } from '../i18n/messages/receipts-texts-messages.ts';
import type { Evidence } from '../model/ledger-entry.ts';
import type { State } from '../model/state.ts';

export function nextAction(state: State): Message {
  return NEXT_ACTION[state]();
}

/** Of a document that may have gone out without the knowledge of the ledger: a release would send it twice. */
export function nextCompared(): Message {
  return NEXT_ACTION_OF.compared({ held: NEXT_ACTION.held() });
}

/** In place of what `invalid` says, where a person has set a held document aside: who, when, why, and the way back. */
export function nextSetAside({ by, at, reason }: Evidence): Message {
  const when = `${at.slice(0, 16).replace('T', ' ')} UTC`;
  return NEXT_ACTION_OF.setAside({ by, when, reason, back: NEXT_ACTION_OF.back() });
}

/** The same for the README of a folder, which names no person. */
export function nextSetAsideByAnyone(): Message {
  return NEXT_ACTION_OF.setAsideByAnyone({ back: NEXT_ACTION_OF.back() });
}
