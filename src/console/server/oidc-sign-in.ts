/**
 * Sign-in with OpenID Connect (Core 1.0, 3.1): authorization code with PKCE, state and nonce. Issuer and `sub` of the
 * ID token decide who signs in, the groups with which role; the name is shown. Every error ends as a failed sign-in; no answer of the provider
 * is quoted.
 */
import * as oauth from 'oauth4webapi';
import type { ServeSettings } from '../../instance/serve-shape.ts';
import type { People } from '../people/people.ts';
import type { ConsolePerson } from '../people/person.ts';
import { personOfGroups, UNBOUND } from '../people/person-of-groups.ts';
import { createSealing } from './sealed-value.ts';

type OidcSettings = NonNullable<ServeSettings['oidc']>;

export type OidcParts = {
  readonly settings: OidcSettings;
  readonly secret: string;
  /** The address that the provider leads back to; known once the console listens. */
  readonly redirect: () => string;
  readonly people: People;
  readonly now: () => number;
};

/**
 * `key` goes into a cookie of the browser that begins, sealed: the answer counts in this browser alone, and nothing is kept for those who
 * never come back.
 */
export type OidcSignIn = {
  readonly begin: (next: string) => Promise<{ readonly address: string; readonly key: string }>;
  readonly finish: (
    answer: URL,
    key: string | undefined,
    address: string,
  ) => Promise<{ readonly person: ConsolePerson; readonly next: string } | typeof UNBOUND | undefined>;
};

type Begun = {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly next: string;
  readonly until: number;
};

/** A browser keeps some 4,000 bytes of a cookie. */
const LONGEST_NEXT = 1_000;
const BEGUN_MS = 10 * 60_000;
const WAIT_MS = 10_000;

export function createOidcSignIn({ settings, secret, redirect, people, now }: OidcParts): OidcSignIn {
  const issuer = new URL(settings.issuer);
  const client: oauth.Client = { client_id: settings['client-id'] };
  const sealing = createSealing(people.key, 'oidc');
  /** States that had their answer, until they end by themselves. */
  const used = new Map<string, number>();
  let known: oauth.AuthorizationServer | undefined;
  /** An answer counts once. */
  const begunWith = (key = ''): Begun | undefined => {
    const begun = sealing.open(key) as Begun | undefined;
    return begun && begun.until >= now() && !used.has(begun.state) ? begun : undefined;
  };
  const markUsed = ({ state, until }: Begun) => {
    for (const [one, ends] of used) if (ends < now()) used.delete(one);
    used.set(state, until);
  };
  // The shape of the settings allows plain http towards this machine alone.
  const call = () => ({
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
    signal: AbortSignal.timeout(WAIT_MS),
  });
  /** Asked at the first sign-in: a provider that is down does not keep the console from starting. */
  const server = async () => {
    known ??= await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, call()));
    return known;
  };
  return {
    begin: async (next) => {
      const { authorization_endpoint: endpoint = '' } = await server();
      const [verifier, nonce, state] = [
        oauth.generateRandomCodeVerifier(),
        oauth.generateRandomNonce(),
        oauth.generateRandomState(),
      ];
      const begun: Begun = {
        state,
        verifier,
        nonce,
        next: next.length > LONGEST_NEXT ? '/' : next,
        until: now() + BEGUN_MS,
      };
      const address = new URL(endpoint);
      const asked = {
        client_id: settings['client-id'],
        redirect_uri: redirect(),
        response_type: 'code',
        scope: settings.scope,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      };
      for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
      return { address: address.href, key: sealing.seal(begun) };
    },
    finish: async (answer, key, address) => {
      const mine = begunWith(key);
      if (!mine) return undefined;
      const { state, verifier, nonce, next } = mine;
      const of = await server();
      const parameters = oauth.validateAuthResponse(of, client, answer, state);
      markUsed(mine);
      const auth = oauth.ClientSecretPost(secret);
      const response = await oauth.authorizationCodeGrantRequest(
        of,
        client,
        auth,
        parameters,
        redirect(),
        verifier,
        call(),
      );
      const checks = { expectedNonce: nonce, requireIdToken: true };
      const result = await oauth.processAuthorizationCodeResponse(of, client, response, checks);
      await oauth.validateApplicationLevelSignature(of, response, call());
      const claims = oauth.getValidatedIdTokenClaims(result);
      const [name, groups] = [claims?.[settings['name-claim']], claims?.[settings['groups-claim']]];
      const sub = claims?.sub;
      if (typeof name !== 'string' || typeof sub !== 'string') return undefined;
      const listed = (Array.isArray(groups) ? groups : [groups]).filter((one) => typeof one === 'string');
      const person = personOfGroups(people, {
        identity: { issuer: settings.issuer, sub },
        name,
        groups: listed,
        roles: settings.groups,
        by: { name: 'oidc', address },
      });
      return person === UNBOUND ? UNBOUND : person && { person, next };
    },
  };
}
