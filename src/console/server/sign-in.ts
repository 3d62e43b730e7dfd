/**
 * Who asks: by the session of a cookie, by a token of the API, or by the header of a proxy that knows the shared secret.
 * It also has the pages that begin and end a session. Every failure has the same words; each is in the history.
 */
import { timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Hono } from 'hono';
import { CONSOLE_ERROR, SIGN_IN } from '../../i18n/messages/console/console-server-messages.ts';
import { sha256Hex } from '../../text/sha256.ts';
import { type People, SESSION_MS } from '../people/people.ts';
import type { ConsolePerson } from '../people/person.ts';
import { UNBOUND } from '../people/person-of-groups.ts';
import { type SignInThrottle, signInKeys } from '../people/sign-in-throttle.ts';
import {
  addressOf,
  type ConsoleEnvironment,
  type ConsolePages,
  type PlainView,
  pageAnswer,
} from './console-answers.ts';
import type { OidcSignIn } from './oidc-sign-in.ts';
import { readForm } from './read-form.ts';
import { pathBelow, ScreenError } from './screen-context.ts';

/**
 * Who asks; `csrf` is the value of the forms of a session, and absent for a token of the API. `session` is the id of the
 * session, which a proxy has none of.
 */
export type Asking = { readonly person: ConsolePerson; readonly csrf?: string; readonly session?: string };

/** Trades a secret for a person, once: the link of `serve`, for the account that may read its file. */
export type LocalLink = (token: string) => ConsolePerson | undefined;

/** The person that a proxy names; undefined where its secret is missing or wrong. */
export type ProxyPerson = (headers: Headers, address: string) => ConsolePerson | undefined;

export type SignInParts = {
  readonly people: People;
  readonly throttle: SignInThrottle;
  readonly base: string;
  readonly isTls: boolean;
  readonly localLink?: LocalLink;
  readonly proxy?: ProxyPerson;
  readonly oidc?: OidcSignIn;
  readonly now: () => number;
};

export type SignIn = ReturnType<typeof createSignIn>;

/** Bytes of the forms of this file. */
const MOST_FORM_BYTES = 16 * 1024;
const BEARER = /^Bearer ([\w-]{20,200})$/;

export function createSignIn(parts: SignInParts) {
  const { people, base, isTls, proxy } = parts;
  // The prefix makes browsers refuse the cookie for another path, host or scheme.
  const cookie = isTls ? '__Host-nightpost' : 'nightpost';
  const attributes = `Path=${base || '/'}; HttpOnly; SameSite=Strict${isTls ? '; Secure' : ''}`;
  const tokenOf = (headers: Headers) => sessionToken(headers.get('cookie') ?? '', cookie);
  return {
    asking: (request: Request, address: string, isApi: boolean): Asking | undefined => {
      if (isApi && request.headers.has('authorization')) return askingWithToken(people, request.headers);
      if (proxy) {
        // Programs have tokens: what a browser sends for a page of another site is no request of the person.
        if (isApi && OTHER_SITES.has(request.headers.get('sec-fetch-site') ?? '')) return undefined;
        const person = proxy(request.headers, address);
        return person && { person, csrf: sha256Hex(`csrf ${people.key} ${person.id}`) };
      }
      // Only a page of ours may use the session for the API: other programs have tokens.
      if (isApi && request.headers.get('sec-fetch-site') !== 'same-origin') return undefined;
      return askingWithSession(people, tokenOf(request.headers));
    },
    /** `/login` and `/sign-out`. */
    mount: (app: Hono<ConsoleEnvironment>, plain: (request: Request) => PlainView, pages: ConsolePages) => {
      const form = async (request: Request, next: string, failed?: NotSignedIn) => {
        const status = failed === undefined ? 200 : { failed: 401, unbound: 401, wait: 429 }[failed];
        const view = { next, oidc: parts.oidc !== undefined, ...(failed && { failed: SIGN_IN[failed]() }) };
        return pageAnswer(
          await pages.signIn(plain(request), view),
          status,
          failed === 'wait' ? { 'retry-after': '60' } : {},
        );
      };
      const begin = ({ person, how }: Found, next: string, { request, address }: Asker) => {
        // The cookie is replaced: the session before would stay open until its hour is over.
        const before = tokenOf(request.headers);
        if (before !== undefined) people.endSession(before);
        const token = people.beginSession(person, address, how);
        const set = `${cookie}=${token}; ${attributes}; Max-Age=${SESSION_MS / 1000}`;
        return new Response(null, { status: 303, headers: { location: `${base}${next}`, 'set-cookie': set } });
      };
      if (parts.oidc) mountOidc(app, { ...parts, oidc: parts.oidc, form, begin });
      app.get(`${base}/login`, async ({ req }) => await form(req.raw, pathBelow(req.query('next') ?? null)));
      app.post(`${base}/login`, async ({ req, env }) => {
        const fields = await readForm(req.raw, MOST_FORM_BYTES);
        const next = pathBelow(fields.get('next'));
        const address = addressOf(env);
        const found = await personOfForm(parts, fields, address);
        if (typeof found === 'string') return await form(req.raw, next, found);
        return begin(found, next, { request: req.raw, address });
      });
      app.post(`${base}/sign-out`, async ({ req, env }) => {
        const token = tokenOf(req.raw.headers);
        const person = token === undefined ? undefined : people.personOfSession(token);
        if (token !== undefined && person) {
          requireCsrf(await readForm(req.raw, MOST_FORM_BYTES), csrfOf(token));
          people.endSession(token);
          people.record({ what: 'signed-out', person: person.id, name: person.name, address: addressOf(env) });
        }
        const headers = {
          location: `${base}/login`,
          'set-cookie': `${cookie}=; ${attributes}; Max-Age=0`,
          'clear-site-data': '"cache"',
        };
        return new Response(null, { status: 303, headers });
      });
    },
  };
}

function askingWithToken(people: People, headers: Headers): Asking | undefined {
  const token = BEARER.exec(headers.get('authorization') ?? '')?.[1];
  const person = token === undefined ? undefined : people.personOfToken(token);
  return person && { person };
}

function askingWithSession(people: People, token: string | undefined): Asking | undefined {
  const person = token === undefined ? undefined : people.personOfSession(token);
  return person && token !== undefined ? { person, csrf: csrfOf(token), session: sha256Hex(token) } : undefined;
}

/** Throws ScreenError 403: the form is not of this session. */
export function requireCsrf(form: FormData, csrf: string): void {
  const given = form.get('csrf');
  if (typeof given === 'string' && isEqual(given, csrf)) return;
  throw new ScreenError({ status: 403, message: CONSOLE_ERROR.oldForm(), hint: CONSOLE_ERROR.oldFormHint() });
}

/** Compared as hashes, which have one length. */
export function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(given)), Buffer.from(sha256Hex(expected)));
}

/** From the secret of the session, which it does not show. */
function csrfOf(token: string): string {
  return sha256Hex(`csrf ${token}`);
}

/** Of two cookies of one name the first counts: browsers send the one of the longer path first. */
function sessionToken(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

type OidcMount = SignInParts & {
  readonly oidc: OidcSignIn;
  readonly form: (request: Request, next: string, failed?: NotSignedIn) => Promise<Response>;
  readonly begin: (found: Found, next: string, asker: Asker) => Response;
};

/**
 * `/login/oidc` and `/login/callback`. The cookie of the way there is `Lax`: the provider leads back from another site,
 * where a strict one stays behind.
 */
function mountOidc(
  app: Hono<ConsoleEnvironment>,
  { oidc, form, begin, base, isTls, people, throttle, now }: OidcMount,
): void {
  const attributes = `Path=${base}/login; HttpOnly; SameSite=Lax${isTls ? '; Secure' : ''}`;
  const refuse = async (request: Request, address: string, why: 'failed' | 'unbound' = 'failed') => {
    const waits = throttle.failed(signInKeys(address), now());
    people.record({
      what: waits ? 'sign-in-blocked' : 'sign-in-failed',
      name: '',
      address,
      detail: { how: 'oidc', why },
    });
    return await form(request, '/', why);
  };
  app.get(`${base}/login/oidc`, async ({ req, env }) => {
    const address = addressOf(env);
    if (throttle.wait(signInKeys(address), now()) > 0) return await form(req.raw, '/', 'wait');
    const begun = await oidc.begin(pathBelow(req.query('next') ?? null)).catch(() => undefined);
    if (!begun) return await refuse(req.raw, address);
    const set = `${OIDC_COOKIE}=${begun.key}; ${attributes}; Max-Age=600`;
    return new Response(null, { status: 303, headers: { location: begun.address, 'set-cookie': set } });
  });
  app.get(`${base}/login/callback`, async ({ req, env }) => {
    const address = addressOf(env);
    const key = sessionToken(req.header('cookie') ?? '', OIDC_COOKIE);
    const found = await oidc.finish(new URL(req.url), key, address).catch(() => undefined);
    if (!found || found === UNBOUND) return await refuse(req.raw, address, found);
    return begin({ person: found.person, how: 'oidc' }, found.next, { request: req.raw, address });
  });
}

const OTHER_SITES: ReadonlySet<string> = new Set(['cross-site', 'same-site']);

const OIDC_COOKIE = 'nightpost-oidc';

type Asker = { readonly request: Request; readonly address: string };

/** Why the form is shown again. */
type NotSignedIn = 'failed' | 'unbound' | 'wait';

type Found = { readonly person: ConsolePerson; readonly how: string };

async function personOfForm(parts: SignInParts, fields: FormData, address: string): Promise<Found | 'failed' | 'wait'> {
  const { people, throttle, now } = parts;
  const [token, name, password] = ['token', 'name', 'password'].map((field) => String(fields.get(field) ?? '')) as [
    string,
    string,
    string,
  ];
  const keys = signInKeys(address, token === '' ? name : undefined);
  const record = (waits: boolean, how: string) =>
    people.record({ what: waits ? 'sign-in-blocked' : 'sign-in-failed', name, address, detail: { how } });
  // A link cannot be guessed and costs no comparison: it is the way in while an address or a name waits.
  if (token !== '') {
    const found = personWithLink(parts, token.trim());
    if (found) return found;
    if (throttle.wait(keys, now()) > 0) return 'wait';
    record(throttle.failed(keys, now()), 'link');
    return 'failed';
  }
  const attempt = throttle.begin(keys, now());
  if (!attempt) return 'wait';
  const compared = async () => {
    await setTimeout(throttle.delay(keys, now()));
    return await people.personOfPassword(name, password);
  };
  const found = await compared().catch((error: unknown) => {
    attempt.dropped();
    throw error;
  });
  if (found === 'busy') attempt.dropped();
  else if (found) attempt.succeeded();
  else record(attempt.failed(now()), 'password');
  if (typeof found === 'object') return { person: found, how: 'password' };
  return found === 'busy' ? 'wait' : 'failed';
}

function personWithLink({ people, localLink }: SignInParts, token: string): Found | undefined {
  const person = localLink?.(token) ?? people.personOfLink(token);
  return person && { person, how: 'link' };
}
