/** A service that takes in each number as often as it is sent: what it answers, and what it makes of a document in secret. */
import type { WireRequest } from '../../../src/delivery/service.ts';
import type { Exchange } from '../../../src/model/answer.ts';
import type { Fate } from '../sent-again.ts';
import type { Arrival, Dossier } from './judge.ts';
import type { Said } from './step.ts';

const CODES: { readonly [said in Said]?: Fate | 15 } = {
  authorized: 2,
  failed: 4,
  rejected: 6,
  contingency: 8,
  invalidated: 11,
  returned: 15,
};
const STATUS: { readonly [said in Said]?: number } = { refused: 400, token: 401, later: 429, gateway: 503 };
/** The service does not look at the document. */
const NOT_TAKEN_IN: ReadonlySet<Said> = new Set(['token', 'later', 'closed', 'returned']);
const JSON_HEADERS = { 'content-type': 'application/json' };

/** The connection is cut after the request. */
export const CUT: Exchange = { sent: true, error: { code: 'ECONNRESET', message: 'cut' } };

/** Number and text of the document in a submission. */
export function readSubmission({ body = '' }: WireRequest): { readonly number: string; readonly text: number } {
  const { payload } = (JSON.parse(body) as Envelope).action.content;
  return { number: payload.document.identifier, text: payload.text };
}

type Envelope = {
  readonly context: { readonly 'request-id': string };
  readonly action: { readonly content: { readonly payload: Payload } };
};
type Payload = { readonly document: { readonly identifier: string }; readonly text: number };

/** The answer to a submission. `arrival` gets what was said, and what the service has made of it. */
export function answerTo(request: WireRequest, said: Said, fate: Fate | undefined, arrival: Arrival): Exchange {
  // What the service has made of it in secret is what it says then.
  const code = arrival.fate ?? CODES[said];
  arrival.said = code ?? STATUS[said] ?? 'cut';
  if (!NOT_TAKEN_IN.has(said)) arrival.fate ??= (code as Fate | undefined) ?? fate;
  if (said === 'closed') return { sent: false, error: { code: 'ECONNREFUSED', message: 'refused' } };
  if (arrival.said === 'cut') return CUT;
  const { context, action } = JSON.parse(request.body ?? '') as Envelope;
  const { identifier } = action.content.payload.document;
  if (code !== undefined) return withCode(200, code, identifier, context['request-id']);
  return { sent: true, status: arrival.said, headers: {}, body: '' };
}

/** What the service has to say of the document now: of the last submission that it took in. */
export function truthOf({ arrivals }: Dossier): number {
  return arrivals.findLast(({ fate }) => fate !== undefined)?.fate ?? 18;
}

export function replyTo(number: string, said: 'truth' | 'not-found' | 'gateway' | 'lost', truth: number) {
  if (said === 'lost') return { exchange: CUT };
  if (said === 'gateway') return { exchange: { sent: true, status: 503, headers: {}, body: '' } as const };
  const code = said === 'not-found' ? 18 : truth;
  return { exchange: withCode(200, code, number), code };
}

function withCode(status: number, code: number, identifier: string, requestId?: string): Exchange {
  const context = requestId === undefined ? {} : { context: { 'request-id': requestId } };
  const document = { 'tracking-id': `T-${identifier}`, identifier };
  const body = JSON.stringify({
    ...context,
    result: { status: { code, name: `code ${code}` }, content: { document } },
  });
  return { sent: true, status, headers: JSON_HEADERS, body };
}
