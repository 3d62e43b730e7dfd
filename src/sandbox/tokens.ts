/** Bearer tokens of the sandbox: opaque, random, each for one audience, valid until the sandbox's clock says otherwise. */
import { randomBytes } from 'node:crypto';

export type Tokens = {
  readonly issue: (audience: string) => string;
  /** Why the `Authorization` header does not open this audience; undefined where it does. */
  readonly refuse: (header: string | undefined, audience: string) => string | undefined;
  readonly revokeAll: () => void;
};

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
