/** Answers of the console: a page, a problem as a page or as problem+json (RFC 9457), a file. */
import type { HttpBindings } from '@hono/node-server';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { CONSOLE_ERROR } from '../../i18n/messages/console/console-server-messages.ts';
import { type Fault, OperatorError } from '../../model/fault.ts';
import { SearchNotReadyError } from '../../search/search-index.ts';
import { type PageHtml, ScreenError, type ScreenProblem } from './screen-context.ts';

/** What a page outside of the routing table has: no look at the ledger, perhaps no person. */
export type PlainView = {
  readonly language: Language;
  readonly say: (message: Message) => string;
  readonly base: string;
  readonly asset: (name: string) => string;
};

/** `next`: the address below the base to go to afterwards; `failed`: why the attempt before did not succeed. */
export type SignInView = {
  readonly next: string;
  readonly failed?: Message;
  readonly oidc: boolean;
};

/** What @hono/node-server adds to a request; absent where a test asks the app without a socket. */
export type ConsoleEnvironment = { readonly Bindings: HttpBindings };

/** Pages that the server itself needs. */
export type ConsolePages = {
  readonly problem: (view: PlainView, problem: ScreenProblem) => PageHtml;
  readonly signIn: (view: PlainView, form: SignInView) => PageHtml;
};

export function pageAnswer(html: Awaited<PageHtml>, status: number, headers: { readonly [name: string]: string } = {}) {
  return new Response(String(html), { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers } });
}

/** After 429: the looks and tasks of others end sooner. */
const RETRY_SECONDS = 15;

/** The body has `code` where the problem is a fault of the manual, and the members of `more`. */
export function problemJson(
  { status, message, hint, code }: ScreenProblem & Partial<Pick<Fault, 'code'>>,
  language: Language,
  more: object = {},
) {
  const words = { detail: format(message, language), ...(hint && { hint: format(hint, language) }) };
  const body = { type: 'about:blank', status, ...(code && { code }), ...words, ...more };
  const wait = status === 429 && { 'retry-after': String(RETRY_SECONDS) };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', ...wait },
  });
}

/** An error of a screen; a defect gets a number, under which `report` has it. */
export function screenProblemOf(error: unknown, number: string, report: (error: unknown, number: string) => void) {
  if (error instanceof ScreenError) return error.problem;
  if (error instanceof OperatorError) {
    const { message, hint } = error.texts;
    return { status: 503, code: error.code, message, ...(hint && { hint }) };
  }
  if (error instanceof SearchNotReadyError) {
    const { done, all } = error;
    const message = CONSOLE_ERROR.preparing({ done: String(done), all: String(all) });
    return { status: 503, message, hint: CONSOLE_ERROR.preparingHint(), againAfter: AGAIN_S };
  }
  report(error, number);
  return { status: 500, message: CONSOLE_ERROR.defect({ number }), hint: CONSOLE_ERROR.defectHint() };
}

const AGAIN_S = 3;

/** The choice of the browser among ours, else that of the settings. */
export function languageAsked(accepted: string | null, otherwise: Language): Language {
  const asked = (accepted ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [name = '', quality] = part.trim().split(/\s*;\s*q=/);
      return { name: name.slice(0, 2).toLowerCase(), quality: quality === undefined ? 1 : Number(quality) };
    });
  const known = asked.filter(({ name, quality }) => ['en', 'fr', 'es'].includes(name) && quality > 0);
  return (known.toSorted((a, b) => b.quality - a.quality)[0]?.name as Language | undefined) ?? otherwise;
}

/** The address of the browser; of the proxy where one is in between. */
export function addressOf(env: Partial<HttpBindings> | undefined): string {
  return env?.incoming?.socket.remoteAddress ?? 'unknown';
}
