/**
 * Bounds how much of an answer is kept for people. The whole body is stored once, with its attempt; the parts that are
 * read from it go into receipts, summaries, lists and logs. So a service that answers with megabytes does not fill the
 * disk.
 */
import type { Answer, DocumentStatus } from '../model/answer.ts';
import { definedOnly } from '../model/defined-only.ts';

/** Characters of a message; french-invoicing and remission-note show sentences. */
const MOST_TEXT = 4096;
/** Characters of a name, a type, a file name. */
const MOST_WORD = 250;
/** Characters of a tracking identifier. A longer one is not kept: part of an identifier identifies nothing. */
const MOST_IDENTIFIER = 1000;
const MOST_STATUSES = 100;

/** The text, or its beginning and `… [+N]` with the number of characters left out; a text cut before stays as it is. */
export function boundedText(text: string, most = MOST_TEXT): string {
  if (text.length <= most) return text;
  const mark = (left: number) => `… [+${left}]`;
  let end = most - mark(text.length).length;
  // Half of a surrogate pair has no UTF-8.
  if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end) + mark(text.length - end);
}

/** For names, types and dates: at most 250 characters. */
export function boundedWord(text: string): string {
  return boundedText(text, MOST_WORD);
}

/** Undefined above 1000 characters: a part of an identifier identifies nothing. */
export function boundedIdentifier(text: string): string | undefined {
  if (text.length > MOST_IDENTIFIER) return undefined;
  return text;
}

/** The first statuses, and one that says how many more there are. */
export function boundedStatuses<One>(
  given: readonly One[],
  read: (one: One) => DocumentStatus,
): readonly DocumentStatus[] {
  if (given.length <= MOST_STATUSES) return given.map(read);
  const kept = given.slice(0, MOST_STATUSES - 1).map(read);
  return [...kept, { message: `… [+${given.length - kept.length}]` }];
}

/** An answer that an older version kept whole, as it is kept now. */
export function boundedAnswer(answer: Answer): Answer {
  const { name, message, trackingId, statuses, ...rest } = answer;
  return definedOnly({
    ...rest,
    name: name && boundedWord(name),
    message: message && boundedText(message),
    trackingId: trackingId && boundedIdentifier(trackingId),
    statuses: statuses && boundedStatuses(statuses, boundedStatus),
  });
}

type GivenStatus = { readonly [Name in keyof DocumentStatus]: DocumentStatus[Name] | undefined };

/** Parts that are undefined are left out. */
export function boundedStatus({ source, code, name, message, date }: GivenStatus): DocumentStatus {
  return definedOnly({
    source: source && boundedWord(source),
    code,
    name: name && boundedWord(name),
    message: message && boundedText(message),
    date: date && boundedWord(date),
  });
}
