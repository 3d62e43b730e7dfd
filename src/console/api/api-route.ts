/**
 * One route of the API: what it takes and what it answers, as shapes, and the function in between. A request that does not
 * fit gets 400 with its wrong parts; refusals of the program are problem+json (RFC 9457) with code, words and hint.
 */
import { z } from 'zod';
import { en, es, fr } from 'zod/locales';
import type { Language } from '../../i18n/message.ts';
import { API_ERROR } from '../../i18n/messages/console/console-api-messages.ts';
import { localize, OperatorError } from '../../model/fault.ts';
import { dictionary } from '../../text/dictionary.ts';
import type { ConsoleRight } from '../people/person.ts';
import { problemJson } from '../server/console-answers.ts';
import { type ScreenContext, ScreenError, type ScreenRoute } from '../server/screen-context.ts';

/** Below the base of the console. */
export const API_PATH = '/api/v1';

export type ApiRoute = {
  readonly method: 'GET' | 'POST';
  /** Below `API_PATH`, as hono writes it. */
  readonly path: string;
  readonly right: ConsoleRight;
  /** For the OpenAPI document. */
  readonly says: string;
  readonly query: z.ZodObject;
  /** Undefined for GET. */
  readonly body?: z.ZodType;
  readonly headers?: z.ZodObject;
  /** By status; a text is the type of an answer that is no JSON. */
  readonly answers: { readonly [status: number]: z.ZodType | string };
  readonly mostBytes?: number;
  readonly answer: (
    context: ScreenContext,
    sent: { readonly query: object; readonly body: unknown },
  ) => Promise<unknown>;
};

type Sent<Query extends z.ZodObject, Body extends z.ZodType> = {
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
};

type Given<Query extends z.ZodObject, Body extends z.ZodType> = Omit<ApiRoute, 'query' | 'body' | 'answer'> & {
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: (context: ScreenContext, sent: Sent<Query, Body>) => Promise<unknown>;
};

/** What is wrong with a part of a request, by the library of the shapes. */
const SHAPE_WORDS = { en: en().localeError, fr: fr().localeError, es: es().localeError };

const NO_QUERY = z.strictObject({});

/** `answer` gets what the shapes made of the request; it resolves to the object of status 200, or to a whole answer. */
export function apiRoute<Query extends z.ZodObject, Body extends z.ZodType>(route: Given<Query, Body>): ApiRoute {
  const { answer, query } = route;
  return { ...route, query: query ?? NO_QUERY, answer: (context, sent) => answer(context, sent as Sent<Query, Body>) };
}

export function screenRouteOf({ method, path, right, mostBytes, query, body, answer }: ApiRoute): ScreenRoute {
  const screen = async (context: ScreenContext) => {
    const { language } = context;
    const inLanguage = { error: SHAPE_WORDS[language] };
    const asked = query.safeParse(queryOf(context.url.searchParams), inLanguage);
    if (!asked.success) return notFitting(asked.error, language);
    const sent = body?.safeParse(context.body, inLanguage);
    if (sent && !sent.success) return notFitting(sent.error, language);
    try {
      const found = await answer(context, { query: asked.data, body: sent?.data });
      return found instanceof Response ? found : Response.json(found);
    } catch (error) {
      if (error instanceof ScreenError) return problemJson(error.problem, language);
      if (!(error instanceof OperatorError)) throw error;
      return refusalAnswer(error, language);
    }
  };
  return { method, path: `${API_PATH}${path}`, right, kind: 'api', ...(mostBytes && { mostBytes }), screen };
}

/** Values that may be a list. */
const LISTS: ReadonlySet<string> = new Set(['state']);

/** Several of one name are a list where that is asked for, else they fit no shape; an empty one, as a form sends it, is absent. */
function queryOf(given: URLSearchParams): { readonly [name: string]: string | readonly string[] } {
  const names = [...new Set(given.keys())];
  const values = names.map((name) => {
    const all = given.getAll(name).filter((value) => value !== '');
    return [name, LISTS.has(name) || all.length < 2 ? all.join(',') : all] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}

function notFitting(error: z.ZodError, language: Language): Response {
  const errors = misfitsOf(error.issues);
  const code = 'api/not-fitting';
  return problemJson({ status: 400, code, message: API_ERROR.notFitting(), hint: API_ERROR.seeShapes() }, language, {
    errors,
  });
}

type Misfit = { readonly at: string; readonly message: string };

/** Of several shapes that a part may have, the one that it is nearest to. */
function misfitsOf(issues: readonly z.core.$ZodIssue[], above = ''): readonly Misfit[] {
  return issues.flatMap((issue) => {
    const at = above + issue.path.map((part) => `/${String(part)}`).join('');
    const [nearest] = issue.code === 'invalid_union' ? issue.errors.toSorted((a, b) => a.length - b.length) : [];
    return nearest ? misfitsOf(nearest, at) : [{ at, message: issue.message }];
  });
}

/** Statuses of refusals; those of a ledger or of settings that cannot be used are 503. */
const STATUS_OF = dictionary<number>({
  'select/no-such-document': 404,
  'select/several-documents': 409,
  'api/changed-meanwhile': 409,
  'api/unknown-act': 404,
  'api/no-key': 400,
  'api/busy': 429,
});
const UNAVAILABLE = /^(?:ledger|system|config|secret|mapping|receipts)\//;

function refusalAnswer(error: OperatorError, language: Language): Response {
  const { code, texts, faults } = error;
  const { message, hint } = texts;
  const status = STATUS_OF.get(code) ?? (UNAVAILABLE.test(code) ? 503 : 422);
  return problemJson(
    { status, code, message, ...(hint && { hint }) },
    language,
    faults.length > 0 ? { faults: localize(faults, language) } : {},
  );
}
