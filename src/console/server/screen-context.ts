/** What a screen gets, and what it answers. Everyone who writes a screen follows these types. */

import type { html } from 'hono/html';
import type { Language, Message } from '../../i18n/message.ts';
import { CONSOLE_ERROR } from '../../i18n/messages/console/console-server-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { OperatorError } from '../../model/fault.ts';
import type { SearchIndex } from '../../search/search-index.ts';
import type { Locale } from '../../text/local-time.ts';
import type { People } from '../people/people.ts';
import type { ConsolePerson, ConsoleRight } from '../people/person.ts';
import type { ActDesk } from './act-desk.ts';
import type { ViewPreferences } from './view-preferences.ts';

/** What `html` of hono/html makes: its values are escaped. */
export type PageHtml = ReturnType<typeof html>;

/** One look at the instance. The ledger is opened to read only; no read of it stays open across an await. */
export type InstanceView = {
  readonly instance: Instance;
  readonly ledger: Ledger;
  /** As of a moment ago. Its questions throw SearchNotReadyError while a large ledger is read for the first time. */
  readonly index: () => Promise<SearchIndex>;
  /** Rises with each act of a person in this console: what is shown after it is no answer of before. */
  readonly acts: number;
};

/** Who asks, in which language, and where. */
type ScreenVisitor = {
  readonly person: ConsolePerson;
  readonly language: Language;
  readonly say: (message: Message) => string;
  readonly locale: Locale;
};

/** A file that a form was sent with: its bytes are hashed as they come, and not kept. */
export type FileProof = { readonly file: string; readonly sha256: string };

export type ScreenContext = InstanceView &
  ScreenVisitor & {
    readonly request: Request;
    /** The address of the request; its search parameters are the flags of the command line. */
    readonly url: URL;
    /** Named parts of the path, decoded. */
    readonly params: { readonly [name: string]: string };
    /** The fields of a form that was sent; empty for GET. */
    readonly form: FormData;
    /** The file of the form, where its route takes a proof and one was chosen. */
    readonly proof?: FileProof;
    /** The JSON that was sent to a route of the API; undefined elsewhere. The route checks its shape. */
    readonly body: unknown;
    /** The value of the hidden field `csrf` that every form has. */
    readonly csrf: string;
    /** Id of the session that asks; undefined for a token of the API and after a proxy. */
    readonly session?: string;
    /** Where the request comes from, for the history of people. */
    readonly address: string;
    /** `/i/<salt>` or empty: every address begins with it. */
    readonly base: string;
    readonly preferences: ViewPreferences;
    /** The address of a file of src/console/static, which changes with its content. */
    readonly asset: (name: string) => string;
    /** Whether the person has the right; no one may act while the console takes no act (`halt`). */
    readonly may: (right: ConsoleRight) => boolean;
    /** Why the console takes no act now; undefined while it takes acts. */
    readonly halt: OperatorError | undefined;
    /** Whether the console has a page at this path below the base, and the person may see it: others get no link to it. */
    readonly leadsTo: (path: string) => boolean;
    readonly people: People;
    /** Hands in acts, and keeps what a person has seen of a selection. */
    readonly desk: ActDesk;
    /** Adds to the history of people: a payload that was seen, for instance. */
    readonly record: (what: string, detail?: object) => void;
    /** A later look, for an answer that goes on: events. */
    readonly look: <T>(see: (view: InstanceView) => Promise<T>) => Promise<T>;
    /** Aborted when the browser leaves or the server ends. */
    readonly signal: AbortSignal;
  };

/** A page with status 200, or a whole answer, such as a redirection or a file. */
export type Screen = (context: ScreenContext) => Promise<Awaited<PageHtml> | Response>;

/** One line of the routing table. */
export type ScreenRoute = {
  readonly method: 'GET' | 'POST';
  /** Below the base, as hono writes it: `/documents/:id`. */
  readonly path: string;
  readonly right: ConsoleRight;
  /** `api`: also for machine clients with a token; errors are problem+json. `upload`: the screen reads the form (`readUpload`). */
  readonly kind?: 'api' | 'upload';
  /** Of the body; 1 MiB if unset. */
  readonly mostBytes?: number;
  /** Of a file in the form of which only name and SHA-256 are kept. */
  readonly mostProofBytes?: number;
  readonly screen: Screen;
};

/** To a page of the console after an act, so that a reload repeats nothing. `path` begins with a slash, below the base. */
export function seeOther({ base }: Pick<ScreenContext, 'base'>, path: string): Response {
  return new Response(null, { status: 303, headers: { location: `${base}${path}` } });
}

/** The path and search that a form or a link names, below the base: never another host, never a scheme; else `/`. */
export function pathBelow(given: unknown): string {
  return typeof given === 'string' && /^\/(?![/\\])[^\\\p{Cc}]{0,1000}$/u.test(given)
    ? encodeURI(decodeSafely(given))
    : '/';
}

function decodeSafely(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return '/';
  }
}

/** What went wrong, as a page or as problem+json. */
export type ScreenProblem = {
  readonly status: number;
  readonly message: Message;
  readonly hint?: Message;
  /** Seconds after which the same request may be answered: browsers load the page again. */
  readonly againAfter?: number;
};

/** Ends a screen with a status other than 200. */
export class ScreenError extends Error {
  readonly problem: ScreenProblem;

  constructor(problem: ScreenProblem) {
    super(String(problem.status));
    this.problem = problem;
  }
}

/** What the address names does not exist. */
export function notFound(): ScreenError {
  return new ScreenError({ status: 404, message: CONSOLE_ERROR.notFound() });
}
