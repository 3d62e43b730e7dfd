/** Counted things in words that several commands print: a count comes in, a message in every language comes out. */

import type { Message, MessageMaker } from '../../i18n/message.ts';
import { ROW_NUMBERS, STATE_COUNT, STATE_COUNT_MANY } from '../../i18n/messages/cli-session-messages.ts';
import { ERRORS } from '../../i18n/messages/cli-views-messages.ts';
import { type State, stateInfo } from '../../model/state.ts';

/** Documents of a state. Some states have a plural of their own, where the word of the state alone would be wrong. */
export function stateCount(count: number, state: State): Message {
  if (state === 'failed') return STATE_COUNT.failed({ count });
  const many = (STATE_COUNT_MANY as { readonly [S in State]?: MessageMaker<'count'> })[state];
  if (many && count !== 1) return many({ count });
  return STATE_COUNT.inState({ count, state: stateInfo(state).inSentence });
}

/** "row 2", "rows 2, 3". */
export function rowsInWords(rows: readonly number[]): Message {
  return ROW_NUMBERS.rows({ count: rows.length, rows: rows.join(', ') });
}

/** The names alone, or with the number of further ones. */
export function withMore(documents: string, count: number): Message | string {
  return count > 0 ? ERRORS.more({ documents, count }) : documents;
}

/** "A, B, ...": the dots if there are more names than these in all. */
export function withDots(names: readonly string[], total: number): string {
  return names.join(', ') + (total > names.length ? ', ...' : '');
}
