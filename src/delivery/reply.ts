/**
 * Decides whether the body of an answer can be trusted, and reads it: parsed whole, one integer code, our own echo.
 * What cannot be trusted says nothing; the HTTP status alone decides then.
 */
import { z } from 'zod';
import type { Answer, DocumentStatus, Exchange } from '../model/answer.ts';
import type { Phrase } from '../model/words.ts';
import { type Place, readPlaces } from './answer-body.ts';
import { ANSWER } from './sentences.ts';

/** Where things stand in an answer, as JSON pointers; without one, that thing is not looked for. */
export type AnswerPlaces = {
  readonly code: string;
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  readonly trackingId?: string | undefined;
  readonly statuses?: string | undefined;
  /** Echoes: each that is present must be ours. */
  readonly requestId?: string | undefined;
  readonly identifier?: string | undefined;
};

export type Reply =
  | {
      readonly answer: Answer;
      /** No echo that was looked for is missing. */
      readonly echoed: boolean;
    }
  | { readonly why: Phrase };

type Response = Extract<Exchange, { readonly status: number }>;

const INTEGER = /^-?(0|[1-9]\d{0,9})$/;

/** French contract 2.4; the list of sources is information for people, so that a wrong part of it is left out. */
const statuses = z.array(
  z.object({
    source: z.string().optional().catch(undefined),
    code: z.int().optional().catch(undefined),
    name: z.string().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
    date: z.string().optional().catch(undefined),
  }),
);

export function readReply(
  response: Response,
  ours: { readonly requestId: string; readonly identifier?: string },
  places: AnswerPlaces,
): Reply {
  const encoding = response.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') return { why: ANSWER.compressed() };
  if (response.body === undefined) return { why: ANSWER.notText() };
  const wanted = Object.values(places).filter((pointer) => pointer !== undefined);
  const found = readPlaces(response.body, wanted);
  if (!found) return { why: ANSWER.notJson() };
  const at = (pointer: string | undefined): Place => (pointer === undefined ? { times: 0 } : found.get(pointer)!);
  const code = at(places.code);
  if (code.times > 1) return { why: ANSWER.twoCodes() };
  if (code.raw === undefined) return { why: ANSWER.noCode() };
  if (!INTEGER.test(code.raw)) return { why: ANSWER.noInteger() };
  const numberAt = ours.identifier === undefined ? undefined : places.identifier;
  const echoes = [echo(at(places.requestId), ours.requestId), echo(at(numberAt), ours.identifier ?? '')];
  if (echoes.includes('wrong')) return { why: ANSWER.ofAnother() };
  const looked = [places.requestId, numberAt].map((pointer) => pointer !== undefined);
  return {
    answer: answerOf(Number(code.raw), places, at),
    echoed: echoes.every((found, index) => !looked[index] || found === 'ours'),
  };
}

/** null counts as missing: services written in some languages send every field that they know. */
function echo(place: Place, own: string): 'ours' | 'missing' | 'wrong' {
  if (place.times > 1) return 'wrong';
  if (place.raw === undefined || place.raw === 'null') return 'missing';
  return textOf(place) === own ? 'ours' : 'wrong';
}

/** A string, or an integer as its digits: some identifiers are numbers on the wire. */
function textOf(place: Place): string | undefined {
  if (place.raw === undefined) return undefined;
  if (place.raw.startsWith('"')) return JSON.parse(place.raw) as string;
  return INTEGER.test(place.raw) ? place.raw : undefined;
}

function answerOf(code: number, places: AnswerPlaces, at: (pointer: string | undefined) => Place): Answer {
  const name = textOf(at(places.name));
  const message = textOf(at(places.message));
  const trackingId = textOf(at(places.trackingId));
  const found = statusesOf(at(places.statuses));
  return {
    code,
    ...(name === undefined ? {} : { name }),
    ...(message === undefined ? {} : { message }),
    ...(trackingId === undefined ? {} : { trackingId }),
    ...(found === undefined ? {} : { statuses: found }),
  };
}

function statusesOf(place: Place): readonly DocumentStatus[] | undefined {
  if (place.raw === undefined) return undefined;
  const read = statuses.safeParse(JSON.parse(place.raw));
  if (!read.success) return undefined;
  // Absent, not undefined: the list goes into the ledger and the receipt as it is.
  return read.data.map((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)));
}
