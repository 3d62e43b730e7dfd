/**
 * The console as a function from requests to answers: host and headers, who asks, what the route needs, the screen. A
 * defect of a screen is an answer 500 with a number; its cause goes to `report`, never to the browser.
 */
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { raw } from 'hono/html';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { CONSOLE_ERROR } from '../../i18n/messages/console/console-server-messages.ts';
import { localeOf } from '../../instance/locale.ts';
import type { Readiness } from '../../views/metrics/readiness.ts';
import type { People } from '../people/people.ts';
import { roleHas } from '../people/person.ts';
import type { ActDesk } from './act-desk.ts';
import { whyNoAct } from './act-halt.ts';
import {
  addressOf,
  type ConsoleEnvironment,
  type ConsolePages,
  languageAsked,
  type PlainView,
  pageAnswer,
  problemJson,
  screenProblemOf,
} from './console-answers.ts';
import type { InstanceViews } from './instance-views.ts';
import { healthAnswer, readyAnswer } from './probe-listener.ts';
import { isMultipart, MOST_BODY_BYTES, readForm, readJson } from './read-form.ts';
import { readProvenForm } from './read-upload.ts';
import { refuseForgery, refuseHost } from './request-guard.ts';
import {
  type InstanceView,
  notFound,
  type ScreenContext,
  ScreenError,
  type ScreenProblem,
  type ScreenRoute,
  seeOther,
} from './screen-context.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { type Asking, requireCsrf, type SignIn } from './sign-in.ts';
import type { StaticFiles } from './static-files.ts';
import { readPreferences } from './view-preferences.ts';

export type ConsoleParts = {
  readonly routes: readonly ScreenRoute[];
  readonly pages: ConsolePages;
  readonly views: InstanceViews;
  readonly people: People;
  readonly desk: ActDesk;
  readonly files: StaticFiles;
  readonly signIn: SignIn;
  /** `/i/<salt>` or empty. */
  readonly base: string;
  /** Hosts with ports under which the console may be asked for; known once it listens. */
  readonly hosts: () => ReadonlySet<string>;
  readonly isTls: boolean;
  /** Of the settings, for pages without a person. */
  readonly language: Language;
  /** For load balancers and containers, without sign-in. */
  readonly ready: () => Promise<Readiness>;
  /** Gets a defect with the number that the answer shows. */
  readonly report: (error: unknown, number: string) => void;
};

export function createConsoleApp(parts: ConsoleParts): Hono<ConsoleEnvironment> {
  const { base, signIn, files, views, pages } = parts;
  const app = new Hono<ConsoleEnvironment>();
  const asset = (name: string) => files.address(base, name);
  const plain = (request: Request): PlainView => {
    const language = languageAsked(request.headers.get('accept-language'), parts.language);
    return { language, say: (message) => format(message, language), base, asset };
  };
  const isApi = (request: Request) => new URL(request.url).pathname.startsWith(`${base}/api/`);
  const refuse = async (request: Request, error: unknown): Promise<Response> => {
    const problem: ScreenProblem = screenProblemOf(error, randomBytes(4).toString('hex'), parts.report);
    const view = plain(request);
    const answer = isApi(request)
      ? problemJson(problem, view.language)
      : pageAnswer(await pages.problem(view, problem), problem.status);
    const { againAfter } = problem;
    if (againAfter !== undefined) {
      answer.headers.set('retry-after', String(againAfter));
      if (request.method === 'GET') answer.headers.set('refresh', String(againAfter));
    }
    return answer;
  };
  /** The answer to a request that leads elsewhere or comes from elsewhere. */
  const guard = async (request: Request): Promise<Response | undefined> => {
    const hosts = parts.hosts();
    if (refuseHost(request.headers.get('host') ?? undefined, hosts)) return new Response(null, { status: 421 });
    // A page of another site can send no token, and with one no cookie counts.
    if (isApi(request) && request.headers.has('authorization')) return undefined;
    if (!refuseForgery(request.method, request.headers, hosts)) return undefined;
    return await refuse(request, new ScreenError({ status: 403, message: CONSOLE_ERROR.forged() }));
  };
  app.use(async (context, next) => {
    const refusal = await guard(context.req.raw);
    if (refusal) context.res = refusal;
    else await next();
    // Hono drops the body of an answer to HEAD: the file or the look that gives it would stay open.
    if (context.req.method === 'HEAD') await context.res.body?.cancel();
    addSecurityHeaders(context.res.headers, parts.isTls);
  });
  app.onError(async (error, { req }) => await refuse(req.raw, error));
  app.notFound(async ({ req }) => await refuse(req.raw, notFound()));
  app.get('/healthz', healthAnswer);
  app.get('/readyz', async () => readyAnswer(await parts.ready()));
  app.get(
    `${base}/static/:name`,
    async ({ req }) => files.answer(req.param('name')) ?? (await refuse(req.raw, notFound())),
  );
  signIn.mount(app, plain, pages);

  for (const route of parts.routes) {
    app.on(route.method, `${base}${route.path}`, async ({ req, env }) => {
      const request = req.raw;
      const address = addressOf(env);
      const asking = signIn.asking(request, address, route.kind === 'api');
      if (!asking) return await askToSignIn(request, route, base);
      if (!roleHas(asking.person.role, route.right))
        throw new ScreenError({ status: 403, message: CONSOLE_ERROR.notAllowed() });
      const sent = await readSent(request, route, asking);
      return await views.use(async (view) => {
        const halt = await whyNoAct(view);
        const context = {
          ...contextOf(parts, view, { request, asking, address, halt }),
          asset,
          ...sent,
          params: req.param(),
        };
        try {
          const answer = await route.screen(context);
          return answer instanceof Response ? answer : pageAnswer(answer, 200);
        } finally {
          if (route.method === 'POST') views.renew();
        }
      });
    });
  }
  return app;
}

/** A page leads to the form of the sign-in and back; the API and a form that was sent get 401. */
async function askToSignIn(request: Request, { method, kind }: ScreenRoute, base: string): Promise<Response> {
  if (kind === 'api' || method !== 'GET') throw new ScreenError({ status: 401, message: CONSOLE_ERROR.signIn() });
  // A link of another site comes without the cookie, which is strict: the page asks once more, by itself.
  if (request.headers.get('sec-fetch-site') === 'cross-site') {
    return pageAnswer(AGAIN, 200);
  }
  const { pathname, search } = new URL(request.url);
  const next = encodeURIComponent(`${pathname.slice(base.length)}${search}`);
  return seeOther({ base }, `/login?next=${next}`);
}

const AGAIN = raw(
  '<!doctype html><html lang="en"><head><title>Nightpost</title><meta http-equiv="refresh" content="0"></head></html>',
);

/** What was sent: a form of this session, or JSON for the API, which no page of another site can send. */
async function readSent(
  request: Request,
  route: ScreenRoute,
  { csrf }: Asking,
): Promise<Pick<ScreenContext, 'body' | 'form' | 'proof'>> {
  const most = route.mostBytes ?? MOST_BODY_BYTES;
  if (route.method === 'GET' || route.kind === 'upload') return { form: new FormData(), body: undefined };
  if (route.kind === 'api') return { form: new FormData(), body: await readJson(request, most) };
  const { fields: form, proof } =
    route.mostProofBytes !== undefined && isMultipart(request)
      ? await readProvenForm(request, route.mostProofBytes)
      : { fields: await readForm(request, most) };
  if (csrf !== undefined) requireCsrf(form, csrf);
  return { form, body: undefined, ...(proof && { proof }) };
}

type Asked = {
  readonly request: Request;
  readonly asking: Asking;
  readonly address: string;
  readonly halt: ScreenContext['halt'];
};

function contextOf(
  parts: ConsoleParts,
  view: InstanceView,
  { request, asking, address, halt }: Asked,
): Omit<ScreenContext, 'asset' | 'body' | 'form' | 'params' | 'proof'> {
  const { people, views, base } = parts;
  const { person, csrf = '', session } = asking;
  const language = person.language ?? languageAsked(request.headers.get('accept-language'), parts.language);
  return {
    ...view,
    person,
    language,
    say: (message: Message) => format(message, language),
    locale: { ...localeOf(view.instance.settings), language },
    url: new URL(request.url),
    csrf,
    ...(session !== undefined && { session }),
    address,
    base,
    preferences: readPreferences(request.headers.get('cookie')),
    people,
    desk: parts.desk,
    halt,
    may: (right) => roleHas(person.role, right) && !(right === 'act' && halt),
    leadsTo: (path) =>
      parts.routes.some((one) => one.method === 'GET' && one.path === path && roleHas(person.role, one.right)),
    record: (what, detail) =>
      people.record({ what, person: person.id, name: person.name, address, ...(detail && { detail }) }),
    look: views.use,
    signal: request.signal,
    request,
  };
}
