/** What is wrong with a document, in one phrase: an entry of the ledger comes in, words in a language come out. */
import { format, formatRecorded, type Language, type Message, verbatimText } from '../../i18n/message.ts';
import { ERRORS } from '../../i18n/messages/cli-views-messages.ts';
import { type Fault, isError, MESSAGE } from '../../model/fault.ts';
import { isClosed, isSetAside, type LedgerEntry } from '../../model/ledger-entry.ts';
import { type State, stateInfo } from '../../model/state.ts';
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

/** States that documents reach in several ways, shown together: what the first one met is not true of the others. */
const IN_SEVERAL_WAYS: readonly State[] = ['in-doubt', 'refused'];

/** The cause of `count` documents that are shown together, in words that are true of each; `differs`: their own words do. */
export function describeGroup(
  first: LedgerEntry,
  { count, differs = false }: { readonly count: number; readonly differs?: boolean },
  language: Language,
): string {
  const isByState = IN_SEVERAL_WAYS.includes(first.state) && !isClosed(first);
  if (count > 1 && isByState) return format(stateInfo(first.state).says, language);
  const says = describeCause(first, language);
  return differs ? format(ERRORS.forExample({ says }), language) : says;
}

/** The message, with the suggested value or the note that only the ERP can correct it. */
function describeFault({ message, suggestion, onlyInErp }: Fault, language: Language): string {
  if (onlyInErp) return format(ERRORS.inErp({ message }), language);
  if (suggestion === undefined) return message;
  return format(ERRORS.writeSuggestion({ message, suggestion }), language);
}

/**
 * The same for readers who are to see no customer and no amount: texts of the export are "…", what a service wrote is left out.
 * Undefined where nothing but such texts would remain.
 */
export function causeWithoutValues(
  { state, faults, hold, answer }: LedgerEntry,
  language: Language,
): string | undefined {
  const fault = state === 'invalid' || state === 'conflict' ? faults.find(isError) : undefined;
  if (!fault && !hold && answer) return answerWords({ code: answer.code, name: answer.name ?? '' }, language);
  const recorded = fault ?? hold;
  if (!recorded) return format(stateInfo(state).says, language);
  const message = recorded[MESSAGE]?.message;
  const shown = new Set(fault?.origin?.column === undefined ? [] : [fault.origin.column]);
  const words = message && formatRecorded(withoutValues(message, shown), language);
  return words !== undefined && /\p{L}{3}/u.test(words) ? words : undefined;
}

const HIDDEN = '…';
/** Values that are words of the mapping or of the program, never of the export: its tables and their codes, sentences of its checks. */
const OF_MAPPING: ReadonlySet<string> = new Set(['table', 'known', 'says', 'column', 'field', 'kind', 'classes']);

/** Numbers are counts, lengths and rows: they stay, as do the texts in `shown`. */
function withoutValues(message: Message, shown: ReadonlySet<string>): Message {
  if (message.id === undefined) return verbatimText(shown.has(message.words.en) ? message.words.en : HIDDEN);
  const values = Object.entries(message.values).map(([name, value]) => {
    if (typeof value === 'number' || OF_MAPPING.has(name)) return [name, value] as const;
    if (typeof value === 'string') return [name, shown.has(value) ? value : HIDDEN] as const;
    return [name, 'id' in value || 'words' in value ? withoutValues(value as Message, shown) : HIDDEN] as const;
  });
  return { id: message.id, values: Object.fromEntries(values) };
}
