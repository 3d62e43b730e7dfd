/** Counted things in words that several commands print: a count comes in, a message in every language comes out. */

import type { Message, MessageMaker } from '../../i18n/message.ts';
import { ROW_NUMBERS, STATE_COUNT, STATE_COUNT_MANY } from '../../i18n/messages/cli-session-messages.ts';
import { type State, stateInfo } from '../../model/state.ts';

/** Documents of a state. Some states have a plural of their own, where the word of the state alone would be wrong. */
export function stateCount(count: number, state: State): Message {
  if (state === 'failed') return STATE_COUNT.failed({ count });
  const many = count === 1 ? undefined : (STATE_COUNT_MANY as { readonly [S in State]?: MessageMaker<'count'> })[state];
  return many ? many({ count }) : STATE_COUNT.inState({ count, state: stateInfo(state).inSentence });
}

/** "row 2", "rows 2, 3". */
export function rowsInWords(rows: readonly number[]): Message {
  return (rows.length === 1 ? ROW_NUMBERS.row : ROW_NUMBERS.rows)({ rows: rows.join(', ') });
}
