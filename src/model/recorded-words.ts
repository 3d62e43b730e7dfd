/**
 * Reasons that the ledger keeps in words: of holds, attempts and lines of the history. Next to the words it keeps their
 * message, so that each reader has them in the language of today. Words without a message, of an earlier version or of
 * a person, stay as they are.
 */
import { format, formatRecorded, type Language, type Message, verbatimText } from '../i18n/message.ts';
import { HALT_CAUSE } from '../i18n/messages/states-messages.ts';
import { dictionary } from '../text/dictionary.ts';
import type { Hold, HoldRule } from './document.ts';
import { MESSAGE, readPhrases, storedPhrases } from './fault.ts';

/** Something recorded in words, with their message if the program worded it. */
export type Recorded = { readonly [MESSAGE]?: { readonly message: Message } };

/** The words in a language; the recorded ones without a message, or if the catalog has it no longer. */
export function recordedWords(words: string, { [MESSAGE]: phrases }: Recorded, language: Language): string {
  return (phrases && formatRecorded(phrases.message, language)) ?? words;
}

/** The record with the message of its words, not enumerable: records are equal if their words are. */
export function withPhrases<T extends object>(record: T, phrases: unknown): T & Recorded {
  return typeof phrases === 'string' ? Object.defineProperty(record, MESSAGE, { value: readPhrases(phrases) }) : record;
}

/** A hold whose reason is recorded in `language`. */
export function holdOf(rule: HoldRule, message: Message, language: Language): Hold {
  return { rule, says: format(message, language), [MESSAGE]: { message } };
}

/** Rows of the document are in another one, which may have been sent. `rows`: in which submissions. */
export function rowsHold(message: Message, language: Language, rows: readonly string[]): Hold {
  return { ...holdOf('rows-issued', message, language), rows };
}

/** The reason of a hold as a part of another message. */
export function holdReason({ says, [MESSAGE]: phrases }: Hold): string | Message {
  return phrases?.message ?? says;
}

/** The JSON of a hold in the ledger; it begins with the rule, by which documents are selected. */
export function storedHold({ rule, says, rows, [MESSAGE]: phrases }: Hold): string {
  return JSON.stringify({ rule, says, rows, phrases: storedPhrases(phrases) });
}

/** A hold as the ledger keeps it. */
export function readStoredHold(json: string): Hold {
  const { phrases, ...hold } = JSON.parse(json) as Hold & { readonly phrases?: string };
  return withPhrases(hold, phrases);
}

const HALT_WORDS = dictionary<() => Message>({
  credentials: HALT_CAUSE.credentials,
  unreachable: HALT_CAUSE.unreachable,
  'rate-limited': HALT_CAUSE.rateLimited,
  paused: HALT_CAUSE.paused,
  'foreign-echo': HALT_CAUSE.foreignEcho,
  errors: HALT_CAUSE.errors,
  'not-configured': HALT_CAUSE.notConfigured,
  'no-send': HALT_CAUSE.noSend,
  'same-cause': HALT_CAUSE.sameCause,
  forbidden: HALT_CAUSE.forbidden,
  redirect: HALT_CAUSE.redirect,
  tls: HALT_CAUSE.tls,
});

/** Why a service or a mapping stopped (`cause` of stops and pauses); an unknown one, of a later version, stays as it is. */
export function haltWords(cause: string): Message {
  return HALT_WORDS.get(cause)?.() ?? verbatimText(cause);
}
