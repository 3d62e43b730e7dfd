/**
 * A listener of its own for monitoring: GET /healthz, /readyz and, where it is offered, /metrics. No sign-in and no data of
 * documents; metrics need the token, if there is one. Throws as `listenForConsole`.
 */
import type { Readiness } from '../../views/metrics/readiness.ts';
import { type Listening, listenForConsole } from './listen.ts';
import { isEqual } from './sign-in.ts';

export type ProbeAnswers = {
  readonly ready: () => Promise<Readiness>;
  /** The text, with its media type. */
  readonly metrics?: (() => Promise<{ readonly text: string; readonly type: string }>) | undefined;
};

/** `token`: what a scrape has to send; without one, only names of this machine are answered. */
export type ProbePlace = { readonly host: string; readonly port: number; readonly token?: string | undefined };

export async function listenForProbes(
  { host, port, token }: ProbePlace,
  { ready, metrics }: ProbeAnswers,
  report: (error: unknown) => void,
): Promise<Listening> {
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (!['GET', 'HEAD'].includes(request.method))
      return new Response(null, { status: 405, headers: { allow: 'GET' } });
    if (pathname === '/healthz') return healthAnswer();
    if (pathname === '/readyz') return readyAnswer(await ready());
    if (pathname !== '/metrics' || !metrics) return new Response(null, { status: 404 });
    const refusal = refuseScrape(request, token);
    if (refusal) return refusal;
    const { text, type } = await metrics();
    return new Response(text, { headers: { 'content-type': type, ...NOT_KEPT } });
  };
  const fetch = (request: Request) =>
    answer(request).catch((error: unknown) => {
      report(error);
      return new Response(null, { status: 500 });
    });
  return await listenForConsole({ fetch, hosts: [host], port });
}

const NOT_KEPT = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** The process answers. */
export function healthAnswer(): Response {
  return Response.json({ status: 'ok' }, { headers: NOT_KEPT });
}

/** 503 with the reasons if the instance cannot do its work. */
export function readyAnswer({ ready, reasons }: Readiness): Response {
  const body = { status: ready ? 'ready' : 'not-ready', reasons };
  return Response.json(body, { status: ready ? 200 : 503, headers: NOT_KEPT });
}

/** A page of another site that has given its name the address of this machine must not read the numbers. */
function refuseScrape({ headers }: Request, token: string | undefined): Response | undefined {
  if (token === undefined) {
    const isLocal = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(headers.get('host') ?? '');
    return isLocal ? undefined : new Response(null, { status: 421 });
  }
  const [, given = ''] = /^Bearer ([\x21-\x7e]+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  if (isEqual(given, token)) return undefined;
  return new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer' } });
}
