/** States, classes and happenings as people read them; a code that has no words is printed as it is. */

import { format, type Language, type Message, type MessageMaker, verbatimText } from '../../i18n/message.ts';
import { SERVICE_ANSWER } from '../../i18n/messages/cli-views-messages.ts';
import { CLASS_WORD, DECIDED_STATE, HAPPENING, STATE_LINE } from '../../i18n/messages/states-messages.ts';
import { STATE_BY_CODE } from '../../model/answer.ts';
import { isClosed, type LedgerEntry, stateInWords } from '../../model/ledger-entry.ts';
import { STATE_GROUPS, STATE_NAMES, type State, stateGroup, stateInfo } from '../../model/state.ts';

type Say = (message: Message) => string;

/** "to verify: outcome unknown (in-doubt)"; of documents that are done only what became of them. */
export function stateLine(entry: LedgerEntry, say: Say): string {
  return isClosed(entry) ? say(stateInWords(entry)) : wordsOfState(entry.state, say);
}

/** The same for a state alone. */
export function wordsOfState(state: State, say: Say): string {
  const group = stateGroup(state);
  const word = say(stateInfo(state).name);
  const shown = word === state ? word : `${word} (${state})`;
  return group === 'done' ? shown : say(STATE_LINE.inGroup({ group: STATE_GROUPS[group].inSentence, state: shown }));
}

/**
 * What a service answered: the meaning of its code, its own word for it in brackets, and its sentence, as in "rejeté par
 * le service (Rejected, code 6) : Unknown receiver".
 */
export function answerWords(
  { code, name = '', message }: NonNullable<LedgerEntry['answer']>,
  language: Language,
): string {
  const state = STATE_BY_CODE.get(code);
  const meaning = format(state ? stateInfo(state).name : SERVICE_ANSWER.other(), language);
  const isSameWord = name === '' || meaning.toLowerCase().startsWith(name.toLowerCase());
  const words = isSameWord
    ? SERVICE_ANSWER.plain({ meaning, code: String(code) })
    : SERVICE_ANSWER.named({ meaning, name, code: String(code) });
  if (!message || message === name) return format(words, language);
  return format(SERVICE_ANSWER.withMessage({ answer: words, message }), language);
}

/** Whether a sentence has the code of an answer in it, so that it need not be printed next to it. */
export function namesCode(says: string, code: number): boolean {
  return new RegExp(`\\b${code}\\b`).test(says);
}

/** The class of a document, such as `credit-note`. */
export function className(documentClass: string, say: Say): string {
  return say(wordIn(CLASS_WORD, documentClass));
}

/** An event of the history: a state that was reached, or something else that happened. */
export function happeningName(what: string, say: Say): string {
  return say(STATE_NAMES.includes(what as State) ? stateInfo(what as State).name : wordIn(HAPPENING, what));
}

/** What a person recorded: for a document to send, or to set aside, that and not its state. */
export function decisionName(what: string, say: Say): string {
  const decided = (DECIDED_STATE as { readonly [code: string]: MessageMaker })[what];
  return decided ? say(decided()) : happeningName(what, say);
}

function wordIn(words: { readonly [code: string]: MessageMaker }, code: string): Message {
  return words[code]?.() ?? verbatimText(code);
}
