/** What is wrong with a document, in one phrase: an entry of the ledger comes in, words in a language come out. */
import { format, type Language } from '../../i18n/message.ts';
import { ERRORS } from '../../i18n/messages/cli-views-messages.ts';
import { type Fault, isError } from '../../model/fault.ts';
import { isSetAside, type LedgerEntry } from '../../model/ledger-entry.ts';
import { stateInfo } from '../../model/state.ts';
import { answerWords } from './state-words.ts';

/** The cause in one phrase: the first fault, the hold, the response of the service, or the last attempt. */
export function describeCause(entry: LedgerEntry, language: Language): string {
  const fault = entry.faults.find(isError);
  const { evidence, hold, answer } = entry;
  const closing = entry.closed ?? (isSetAside(entry) ? evidence : undefined);
  if (closing) return format(ERRORS.setAside(closing), language);
  if (fault && (entry.state === 'invalid' || entry.state === 'conflict')) return describeFault(fault, language);
  if (hold) return hold.says;
  if (answer) return answerWords(answer, language);
  return entry.attempts.at(-1)?.reason ?? format(stateInfo(entry.state).says, language);
}

/** The message, with the suggested value or the note that only the ERP can correct it. */
function describeFault({ message, suggestion, onlyInErp }: Fault, language: Language): string {
  if (onlyInErp) return format(ERRORS.inErp({ message }), language);
  if (suggestion === undefined) return message;
  return format(ERRORS.writeSuggestion({ message, suggestion }), language);
}
