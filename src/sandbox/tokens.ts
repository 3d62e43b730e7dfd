/**
 * Bearer tokens of the sandbox: opaque, random, each for one audience, valid until their time on the sandbox's clock.
 * An invalid token is a text with the reason; nothing throws.
 */
import { randomBytes } from 'node:crypto';

/** `audience`: service and, for remission notes, the service id ("fr", "sv 1"). */
export type Tokens = {
  readonly issue: (audience: string) => string;
  /** The reason to refuse the `Authorization` header for this audience, or undefined. */
  readonly refuse: (header: string | undefined, audience: string) => string | undefined;
  readonly revokeAll: () => void;
};

/** `clock` in epoch milliseconds; `lifeMs` is the life of each token. */
export function createTokens(clock: () => number, lifeMs: number): Tokens {
  const live = new Map<string, { readonly audience: string; readonly until: number }>();
  return {
    issue(audience) {
      const value = randomBytes(32).toString('base64url');
      live.set(value, { audience, until: clock() + lifeMs });
      return value;
    },
    refuse(header, audience) {
      if (!header?.startsWith('Bearer ')) return 'a bearer token is missing';
      const token = live.get(header.slice('Bearer '.length));
      if (!token) return 'the token is unknown';
      if (clock() >= token.until) return 'the token has expired';
      return token.audience === audience ? undefined : 'the token is for another service';
    },
    revokeAll: () => live.clear(),
  };
}
