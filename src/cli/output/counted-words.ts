/** Things that are counted, and who acts: words that several commands say. */

import type { Message, MessageMaker } from '../../i18n/message.ts';
import { COUNTS_ROWS, COUNTS_TEXT, MANY } from '../../i18n/messages/cli-messages.ts';
import { type State, stateInfo } from '../../model/state.ts';

/** "1 to correct", "2 numbers already used". */
export function stateCount(count: number, state: State): Message {
  if (state === 'failed') return COUNTS_TEXT.failed({ count });
  const many = count === 1 ? undefined : (MANY as { readonly [S in State]?: MessageMaker<'count'> })[state];
  return many ? many({ count }) : COUNTS_TEXT.inState({ count, state: stateInfo(state).inSentence });
}

/** "row 2", "rows 2, 3". */
export function rowsInWords(rows: readonly number[]): Message {
  return (rows.length === 1 ? COUNTS_ROWS.row : COUNTS_ROWS.rows)({ rows: rows.join(', ') });
}
