/**
 * One live token per service, shared by all who send: one renewal in flight, renewed early, on a clock that no one sets.
 *
 * A token in hand outlives a failed renewal until its own end, and failures back off, so that a dead identity
 * provider is asked once per step however many documents wait.
 */
import { format, type Message } from '../i18n/message.ts';
import { TOKEN_REFUSAL } from '../i18n/messages/delivery-messages.ts';
import type { Exchange } from '../model/answer.ts';
import { definedOnly } from '../model/defined-only.ts';
import { backOffMs } from './back-off.ts';
import { connectionWords } from './connection-words.ts';
import type { AccessToken, WireRequest } from './service.ts';

const DEFAULT_LIFE_S = 300;
const MIN_LIFE_S = 10;
const MAX_LIFE_S = 24 * 60 * 60;
/** Longer than any token that a header can carry: most servers take 8 or 16 KiB of headers in all. */
const MOST_TOKEN = 16 * 1024;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** The token call failed: documents are untouched. Never quotes what was sent or answered. */
export class TokenRefused extends Error {
  /** credentials: a person has to fix them. unreachable: no token came back, for now. */
  readonly why: 'credentials' | 'unreachable';

  readonly says: Message;

  constructor(why: 'credentials' | 'unreachable', says: Message) {
    super(format(says, 'en'));
    this.name = 'TokenRefused';
    this.why = why;
    this.says = says;
  }
}

export type TokenSource = {
  /**
   * A live token; rejects with TokenRefused (or SetupError where the secret cannot be read), also during a back-off.
   */
  readonly get: () => Promise<string>;
  /** This very token was not accepted: the next `get` asks for another. Any older value changes nothing. */
  readonly drop: (value: string) => void;
  /** When a rejected `get` is worth repeating, on the clock given. */
  readonly retryAt: () => number;
};

type Live = { readonly value: string; readonly renewAt: number; readonly endAt: number };

export function tokenSource(
  authorize: () => Promise<AccessToken>,
  around: { readonly monotonicMs: () => number; readonly random: () => number },
): TokenSource {
  let live: Live | undefined;
  let inFlight: Promise<string> | undefined;
  let failure: { readonly error: unknown; readonly until: number } | undefined;
  let failures = 0;

  const renew = async (): Promise<string> => {
    try {
      live = liveOf(await authorize(), around.monotonicMs());
      failure = undefined;
      failures = 0;
      return live.value;
    } catch (error) {
      failure = { error, until: around.monotonicMs() + backOffMs(failures++, around.random) };
      if (live && around.monotonicMs() < live.endAt) return live.value;
      throw error;
    }
  };

  const get = async (): Promise<string> => {
    const now = around.monotonicMs();
    if (live && now < live.renewAt) return live.value;
    if (inFlight) return await inFlight;
    if (failure && now < failure.until) {
      if (live && now < live.endAt) return live.value;
      throw failure.error;
    }
    inFlight = renew().finally(() => {
      inFlight = undefined;
    });
    return await inFlight;
  };

  const drop = (value: string): void => {
    if (live?.value === value) live = undefined;
  };
  return { get, drop, retryAt: () => failure?.until ?? around.monotonicMs() };
}

/** The request with the token; tokens never travel in an address. */
export function withToken(request: WireRequest, token: string): WireRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

/** Renewed when a fifth of its life is left, at most 60 s before the end; a life of 0 or none given is corrected. */
function liveOf(token: AccessToken, now: number): Live {
  // Anything else would be an invalid header, and each document would fail on it without a reason anyone could see.
  if (!VISIBLE_ASCII.test(token.value)) throw new TokenRefused('unreachable', TOKEN_REFUSAL.notAToken());
  if (token.value.length > MOST_TOKEN) {
    const says = TOKEN_REFUSAL.tooLong({ length: token.value.length, most: MOST_TOKEN });
    throw new TokenRefused('unreachable', says);
  }
  const asked = token.lifeSeconds ?? DEFAULT_LIFE_S;
  const lifeMs = 1000 * Math.min(MAX_LIFE_S, Math.max(MIN_LIFE_S, Number.isNaN(asked) ? DEFAULT_LIFE_S : asked));
  return { value: token.value, renewAt: now + lifeMs - Math.min(lifeMs / 5, 60_000), endAt: now + lifeMs };
}

/** Why a token call gave none: HTTP 400, 401 and 403 are about the credentials, all else is the road or the server. */
export function tokenCallFailure(exchange: Exchange): TokenRefused {
  if ('error' in exchange) {
    // The message of an error may quote what was sent.
    const { code, words } = exchange.error;
    const error = connectionWords(definedOnly({ code, words }));
    return new TokenRefused('unreachable', TOKEN_REFUSAL.noAnswer({ error }));
  }
  const { status } = exchange;
  return status === 400 || status === 401 || status === 403
    ? new TokenRefused('credentials', TOKEN_REFUSAL.credentials({ status }))
    : new TokenRefused('unreachable', TOKEN_REFUSAL.status({ status }));
}
