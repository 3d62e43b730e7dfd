/**
 * Decides whether the body of an answer can be trusted, and reads it: parsed whole, one integer code, our own echo.
 * What cannot be trusted says nothing; the HTTP status alone decides then.
 */

import type { Message } from '../i18n/message.ts';
import { ANSWER } from '../i18n/messages/delivery-messages.ts';
import type { Answer, AnswerFile, DocumentStatus, Exchange, Pagination } from '../model/answer.ts';
import { definedOnly } from '../model/defined-only.ts';
import { escapeControls } from '../text/printable.ts';
import { isPlainObject } from '../yaml/plain-object.ts';
import { boundedIdentifier, boundedStatus, boundedStatuses, boundedText, boundedWord } from './answer-bounds.ts';
import { type AnswerPlace, type Places, readPlaces } from './answer-fields.ts';

/** The places in an answer as JSON pointers; a value without a pointer is not read. */
export type AnswerPlaces = {
  readonly code: string;
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  readonly trackingId?: string | undefined;
  readonly documentType?: string | undefined;
  readonly contentInto?: string | undefined;
  readonly file?: string | undefined;
  readonly pagination?: string | undefined;
  readonly statuses?: string | undefined;
  readonly date?: string | undefined;
  readonly amount?: string | undefined;
  /** Echoes: each that is present must be ours. */
  readonly requestId?: string | undefined;
  readonly identifier?: string | undefined;
  readonly senderId?: string | undefined;
  readonly country?: string | undefined;
};

/** What the echoes have to be; one that is not known here is not compared. */
type OwnValues = {
  readonly requestId: string;
  readonly identifier?: string | undefined;
  readonly senderId?: string | undefined;
  readonly country?: string | undefined;
};

/** An answer that can be trusted, or the reason for which it cannot. */
export type ServiceReply =
  | {
      readonly answer: Answer;
      /** Neither the number nor the request-id is missing where they were looked for. */
      readonly echoed: boolean;
    }
  | {
      readonly why: Message;
      /** The answer echoes another request or document. */
      readonly foreign?: true;
    };

/** Where the echoes are read, as one text: equal as long as the settings read them at the same places. */
export function echoesOf({ requestId = '', identifier = '' }: AnswerPlaces): string {
  return `${requestId} ${identifier}`;
}

type Response = Extract<Exchange, { readonly status: number }>;

const INTEGER = /^-?(0|[1-9]\d{0,9})$/;

/** `setting`: what the settings call the places, e.g. `services.sv.answer`; without it the contract names them. */
export function readReply(response: Response, ours: OwnValues, places: AnswerPlaces, setting?: string): ServiceReply {
  const encoding = response.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') return { why: ANSWER.compressed() };
  if (response.body === undefined) return { why: ANSWER.notText() };
  const found = readPlaces(response.body, Object.values(places));
  if (!found) return { why: ANSWER.notJson() };
  const code = found(places.code);
  if (code.times > 1) return { why: ANSWER.twoCodes() };
  if (code.times === 0) return { why: ANSWER.noCode() };
  if (!isInteger(code.digits)) return { why: ANSWER.noInteger() };
  const echoes = expectedEchoes(places, ours);
  const wrong = echoes.find((one) => echo(one, found) === 'wrong');
  if (wrong) return foreign(wrong, found, setting);
  return {
    answer: answerOf(Number(code.digits), places, found),
    echoed: echoes.every((one) => CONTEXT.has(one.name) || echo(one, found) === 'ours'),
  };
}

/** The echoes that are looked for: the settings have a place for them, and we know our own value. */
function expectedEchoes(places: AnswerPlaces, ours: OwnValues): readonly ExpectedEcho[] {
  const echoes: ExpectedEcho[] = [];
  const expect = (name: EchoName, pointer: string | undefined, expected: string | undefined) => {
    if (pointer !== undefined && expected !== undefined) echoes.push({ name, pointer, expected });
  };
  expect('identifier', places.identifier, ours.identifier);
  expect('request-id', places.requestId, ours.requestId);
  expect('sender-id', places.senderId, ours.senderId);
  expect('country', places.country, ours.country);
  return echoes;
}

/** null counts as missing: services written in some languages send every field that they know. */
function echo({ name, pointer, expected }: ExpectedEcho, found: Places): 'ours' | 'missing' | 'wrong' {
  const place = found(pointer);
  // The code of a country is the same in capitals.
  const [shown, own] = [textOf(place), expected].map((one) => (name === 'country' ? one?.toLowerCase() : one));
  if (place.times > 1) return 'wrong';
  if (place.times === 0 || place.value === null) return 'missing';
  return shown === own ? 'ours' : 'wrong';
}

const MOST_SHOWN = 100;

type EchoName = 'identifier' | 'request-id' | 'sender-id' | 'country';
type ExpectedEcho = { readonly name: EchoName; readonly pointer: string; readonly expected: string };

/** The same in every request of a sender: one that is missing is no sign of another document. */
const CONTEXT: ReadonlySet<EchoName> = new Set(['sender-id', 'country']);

/** Reports what came back, what was sent, and which place was read: a wrong setting looks like a mixed-up service. */
function foreign({ name, pointer, expected }: ExpectedEcho, found: Places, setting: string | undefined): ServiceReply {
  const place = found(pointer);
  const at = setting === undefined ? pointer : `${setting}.${name}: ${pointer}`;
  if (place.times > 1) return { why: ANSWER.echoedTwice({ name, expected, at }), foreign: true };
  const text = textOf(place) ?? JSON.stringify(place.value) ?? '';
  const given = escapeControls(text.slice(0, MOST_SHOWN));
  return { why: ANSWER.otherEcho({ name, given, expected, at }), foreign: true };
}

/** A string, or an integer as its digits: some identifiers are numbers on the wire. */
function textOf({ value, digits }: AnswerPlace): string | undefined {
  if (typeof value === 'string') return value;
  return isInteger(digits) ? digits : undefined;
}

function isInteger(digits: string | undefined): boolean {
  return digits !== undefined && INTEGER.test(digits);
}

function answerOf(code: number, places: AnswerPlaces, found: Places): Answer {
  const answer: { -readonly [Name in keyof Answer]: Answer[Name] } = { code };
  const text = (pointer: string | undefined, bounded: (text: string) => string | undefined) => {
    const read = textOf(found(pointer));
    return read && bounded(read);
  };
  const name = text(places.name, boundedWord);
  if (name !== undefined) answer.name = name;
  const message = text(places.message, boundedText);
  if (message !== undefined) answer.message = message;
  const trackingId = text(places.trackingId, boundedIdentifier);
  if (trackingId !== undefined) answer.trackingId = trackingId;
  const documentType = text(places.documentType, boundedWord);
  if (documentType !== undefined) answer.documentType = documentType;
  const contentInto = text(places.contentInto, boundedWord);
  if (contentInto !== undefined) answer.contentInto = contentInto;
  const file = fileOf(found(places.file));
  if (file !== undefined) answer.file = file;
  const pagination = paginationOf(found(places.pagination));
  if (pagination !== undefined) answer.pagination = pagination;
  const statuses = statusesOf(found(places.statuses));
  if (statuses !== undefined) answer.statuses = statuses;
  const date = shownIn(found(places.date));
  if (date !== undefined) answer.date = date;
  const amount = shownIn(found(places.amount));
  if (amount !== undefined) answer.amount = amount;
  return answer;
}

/** For people to compare: a text, or a number with its digits as they came. */
function shownIn(place: AnswerPlace): string | undefined {
  const text = typeof place.value === 'string' ? place.value : place.digits;
  return text && boundedWord(text);
}

/** French contract 2.4; the list of sources is information for people, so that a wrong part of it is left out. */
function statusesOf({ value }: AnswerPlace): readonly DocumentStatus[] | undefined {
  if (!Array.isArray(value) || !value.every(isPlainObject)) return undefined;
  return boundedStatuses(value, ({ source, code, name, message, date }) =>
    boundedStatus({
      source: textIn(source),
      code: wholeNumberIn(code),
      name: textIn(name),
      message: textIn(message),
      date: textIn(date),
    }),
  );
}

function textIn(given: unknown): string | undefined {
  return typeof given === 'string' ? given : undefined;
}

function wholeNumberIn(given: unknown): number | undefined {
  return Number.isSafeInteger(given) ? (given as number) : undefined;
}

/** Each of the two is information for people too: a part of another type is left out, and so is what has no part. */
function fileOf({ value }: AnswerPlace): AnswerFile | undefined {
  if (!isPlainObject(value)) return undefined;
  const { format, filename, transport } = value;
  const file: { -readonly [Name in keyof AnswerFile]: AnswerFile[Name] } = {};
  if (typeof format === 'string') file.format = boundedWord(format);
  if (typeof filename === 'string') file.filename = boundedWord(filename);
  if (typeof transport === 'string') file.transport = boundedWord(transport);
  for (const _ in file) return file;
  return undefined;
}

function paginationOf({ value }: AnswerPlace): Pagination | undefined {
  if (!isPlainObject(value)) return undefined;
  const pagination = definedOnly({
    page: wholeNumberIn(value.page),
    pageSize: wholeNumberIn(value['page-size']),
    totalRecords: wholeNumberIn(value['total-records']),
    totalPages: wholeNumberIn(value['total-pages']),
  });
  if (Object.keys(pagination).length === 0) return undefined;
  return pagination;
}
