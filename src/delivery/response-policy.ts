/**
 * What an exchange means for a document: a pure, total function. A trustworthy code decides first, then the HTTP status;
 * whatever neither allows nor forbids for certain is in-doubt, because a tax document must never be sent twice.
 *
 * Sources: french-invoicing 3 and 7, remission-note 3 and 7.
 */

import type { Message } from '../i18n/message.ts';
import { CONSULTED, REASON, SERVICE_STOP } from '../i18n/messages/delivery-messages.ts';
import {
  type Answer,
  because,
  type Exchange,
  isOfNumberOnly,
  STATE_BY_CODE,
  type Verdict,
  type WireError,
} from '../model/answer.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { State } from '../model/state.ts';
import { backOffMs, rateLimitMs } from './back-off.ts';
import { connectionWords } from './connection-words.ts';
import { type ConsultAt, doubtful } from './consultation-schedule.ts';
import { type AnswerPlaces, readReply, type ServiceReply } from './parse-reply.ts';
import type { Ours } from './service.ts';

/** What differs between the services. */
export type Policy = {
  readonly places: AnswerPlaces;
  /** What the settings call these places; without it the contract names them. */
  readonly setting?: string;
  /** Codes 2, 8 and 11 need every echo that is looked for, not only no wrong one. */
  readonly strictEcho: boolean;
  readonly resendOn429: boolean;
  /** HTTP 401 without a code: a token that has ended, so that the document goes out once more with a new one. */
  readonly resendOn401: boolean;
  /** When to ask about a document in contingency (code 8). */
  readonly contingency: ConsultAt;
};

/** Once per document and run: a new token and the same request-id. */
const RENEW = { resend: { kind: 'token-renewed', afterMs: 0 } } as const;

type Reason = ReturnType<typeof because>;
type Response = Extract<Exchange, { readonly status: number }>;

/** Answers to HTTP 429 that may be followed by another try of the machine. */
const MAX_RATE_LIMITED = 5;

/** Codes that say that the document has been taken: nothing but 2xx may carry them. */
const TAKEN: ReadonlySet<number> = new Set([2, 8, 11]);

/** The verdict on a submission: never throws, and has a state for every exchange. */
export function judgeResponse(exchange: Exchange, ours: Ours, policy: Policy): Verdict {
  if (!exchange.sent) return notSent(exchange.error, exchange.tls === true, ours);
  if ('error' in exchange) return inDoubt(REASON.noAnswer({ error: connectionWords(exchange.error) }), ours);
  const reply = readReply(exchange, ours, policy.places, policy.setting);
  return 'answer' in reply ? byCode(reply, exchange, ours, policy) : byStatus(reply, exchange, ours, policy);
}

/** What a consultation says; whatever it does not say for certain leaves the state and sets the next time to ask. */
export function judgeConsultation(exchange: Exchange, ours: Ours, before: State, policy: Policy): Verdict {
  const stay = (reason: Message, failed: boolean, rest: Partial<Verdict> = {}): Verdict => {
    const when = before === 'contingency' || rest.answer?.code === 8 ? policy.contingency : doubtful;
    // A consultation that failed has not used up the last of the two; it is repeated at the same distance.
    const next = when(ours.now, ours.tries, ours.random) ?? (failed ? when(ours.now, 1, ours.random) : undefined);
    const asked = before === 'contingency' || before === 'in-doubt' || before === 'returned';
    return definedOnly({
      state: before,
      ...because(reason),
      ...rest,
      consultAt: asked && next !== undefined ? next : undefined,
    });
  };
  if ('error' in exchange) return stay(CONSULTED.failed({ error: connectionWords(exchange.error) }), true);
  const reply = readReply(exchange, ours, policy.places, policy.setting);
  if ('why' in reply) return stay(CONSULTED.status({ status: exchange.status, why: reply.why }), true);
  const { answer } = reply;
  const doubt = mistrust(reply, exchange.status, policy);
  if (doubt) return stay(CONSULTED.doubt({ doubt }), true);
  if (answer.code === 18) return stay(CONSULTED.notKnown(), false, { answer });
  const state = STATE_BY_CODE.get(answer.code);
  if (state === undefined) return stay(CONSULTED.unknownCode({ code: answer.code }), false, { answer });
  const consulted = CONSULTED.told({ code: codePhrase(answer) });
  if (answer.code === 15) return stay(consulted, false, { answer });
  // Under the number of a document that was only returned the service may have received another one.
  if (answer.code === 8 && (before === 'contingency' || ours.onlyReturned)) return stay(consulted, false, { answer });
  if (answer.code === 8) {
    const consultAt = policy.contingency(ours.now, ours.tries, ours.random);
    return definedOnly({ state, ...because(consulted), answer, consultAt });
  }
  // Contract 3: code 15 comes before processing finished, so what has the number may be another one; a person compares the two.
  if (ours.onlyReturned && isOfNumberOnly(before, answer)) {
    const { code, found } = { code: codePhrase(answer), found: shownOf(answer) };
    return { state: before, ...because(CONSULTED.ofNumberOnly({ code, found })), answer };
  }
  return { state, ...because(consulted), answer };
}

function byCode(
  reply: Extract<ServiceReply, { answer: Answer }>,
  response: Response,
  ours: Ours,
  policy: Policy,
): Verdict {
  const { answer } = reply;
  const doubt = mistrust(reply, response.status, policy);
  if (doubt) return inDoubt(doubt, ours);
  const state = STATE_BY_CODE.get(answer.code);
  if (state === undefined) return { ...inDoubt(REASON.neverShould({ code: codePhrase(answer) }), ours), answer };
  const reason = reasonOf(answer);
  if (state === 'contingency') return { state, ...reason, answer, ...consultOn(policy.contingency, ours) };
  if (state !== 'returned') return { state, ...reason, answer };
  // Contract 3: "Resend NO" for code 15, under every HTTP status. 401 and 403 show which of its three causes it is; every other
  // document would share it, so that the service pauses and the next one has a new token.
  return { state, ...reason, answer, ...consultOn(doubtful, ours), ...pauseOn(response.status) };
}

/** Why a well-formed answer is not believed all the same. */
function mistrust(
  reply: Extract<ServiceReply, { answer: Answer }>,
  status: number,
  policy: Policy,
): Message | undefined {
  const { code } = reply.answer;
  if (!TAKEN.has(code)) return undefined;
  if (!isSuccess(status)) return REASON.contradict({ code, status });
  return policy.strictEcho && !reply.echoed ? REASON.noEcho({ code }) : undefined;
}

type NoReply = Extract<ServiceReply, { why: Message }>;

function byStatus({ why, foreign }: NoReply, response: Response, ours: Ours, policy: Policy): Verdict {
  const { status } = response;
  const reason = REASON.status({ status, why });
  if (foreign && isSuccess(status)) return { ...inDoubt(reason, ours), strike: 'foreign-echo' };
  if (status === 401) return unauthorized(reason, ours, policy);
  if (status === 403) return { state: 'refused', ...because(reason), ...pauseOn(403) };
  if (status === 429) return rateLimited(reason, response, ours, policy);
  if (status === 408 || status === 409 || status === 425) return inDoubt(reason, ours);
  if (status >= 400 && status < 500) return { state: 'refused', ...because(reason), strike: 'client-error' };
  if (status >= 300 && status < 400) {
    return { ...inDoubt(reason, ours), pause: { cause: 'redirect', says: SERVICE_STOP.redirect({ status }) } };
  }
  return inDoubt(reason, ours);
}

function notSent(error: WireError, tls: boolean, ours: Ours): Verdict {
  const verdict: Verdict = {
    state: 'ready',
    ...because(REASON.notSent({ error: connectionWords(error) })),
    resend: { kind: 'not-sent', afterMs: backOffMs(ours.tries - limitedOf(ours), ours.random) },
  };
  return tls
    ? { ...verdict, pause: { cause: 'tls', says: SERVICE_STOP.notTrusted({ error: connectionWords(error) }) } }
    : verdict;
}

function unauthorized(reason: Message, ours: Ours, { resendOn401 }: Policy): Verdict {
  if (resendOn401 && !ours.tokenRenewed) return { state: 'ready', ...because(reason), ...RENEW };
  const says = ours.tokenRenewed ? REASON.freshToken({ reason }) : reason;
  return { state: 'refused', ...because(says), ...pauseOn(401) };
}

/** Counted apart from the tries that were not sent or had an old token. */
function limitedOf({ rateLimited = 0 }: Ours): number {
  return rateLimited;
}

function rateLimited(reason: Message, response: Response, ours: Ours, policy: Policy): Verdict {
  if (!policy.resendOn429 || limitedOf(ours) >= MAX_RATE_LIMITED)
    return { state: 'refused', ...because(reason), strike: 'client-error' };
  const afterMs = askedToWait(response, limitedOf(ours), ours.now);
  return { state: 'ready', ...because(reason), resend: { kind: 'rate-limited', afterMs } };
}

/** HTTP 429: how long no further request may begin. */
export function askedToWait({ headers }: Pick<Response, 'headers'>, tries: number, now: Date): number {
  return rateLimitMs({ retryAfter: headers['retry-after'], date: headers.date, tries, now });
}

/** Each counts as a strike: a proxy page or a dead gateway would otherwise put a whole night in doubt. */
function inDoubt(reason: Message, ours: Ours): Verdict {
  return { state: 'in-doubt', ...because(reason), strike: 'server-error', ...consultOn(doubtful, ours) };
}

function consultOn(when: ConsultAt, ours: Ours): { consultAt?: number } {
  const consultAt = when(ours.now, 0, ours.random);
  return consultAt === undefined ? {} : { consultAt };
}

function pauseOn(status: number): Pick<Verdict, 'pause'> {
  if (status === 401) return { pause: { cause: 'credentials', says: SERVICE_STOP.tokenNotAccepted() } };
  if (status === 403) return { pause: { cause: 'forbidden', says: SERVICE_STOP.forbidden() } };
  return {};
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** In a good night nearly every answer says the same, which is put into words once. */
let said: { readonly code: number; readonly name: string | undefined; readonly reason: Reason } | undefined;

function reasonOf(answer: Answer): Reason {
  const { code, name } = answer;
  if (said?.code !== code || said.name !== name) said = { code, name, reason: because(codePhrase(answer)) };
  return said.reason;
}

function codePhrase({ code, name }: Answer): Message {
  return name ? REASON.codeNamed({ code, name }) : REASON.code({ code });
}

/** What a person compares a document of the service by. */
function shownOf({ trackingId, date, amount }: Answer): Message {
  return CONSULTED.found({ trackingId: trackingId ?? '-', date: date ?? '-', amount: amount ?? '-' });
}
