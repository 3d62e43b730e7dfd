/**
 * The contract of a destination: how a request looks, and what an exchange means. Request and judgement are pure and
 * apart, so that each can be tested without the other and without a network.
 */

import type { z } from 'zod';
import type { Message } from '../i18n/message.ts';
import type { Exchange, Verdict } from '../model/answer.ts';
import type { ServiceName } from '../model/document.ts';
import type { Reveal } from '../model/secret-reference.ts';
import type { ConsultAt } from './consultation-schedule.ts';
import type { Connection, Pacing } from './service-settings.ts';

/** One HTTP request; `url` is absolute. */
export type WireRequest = {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
};

export type Submission = {
  readonly class: string;
  /** JSON text from the ledger; goes on the wire to the digit. */
  readonly content: string;
  readonly identifier: string;
  readonly requestId: string;
  /** Id of the mapping that made it. */
  readonly mapping?: string;
  readonly now: Date;
};

export type Consultation = {
  readonly class: string;
  readonly identifier: string;
  readonly trackingId?: string;
  readonly requestId: string;
  readonly now: Date;
};

/** What the judgement needs to know of our side. */
export type Ours = {
  readonly class: string;
  /** Absent where the number inside the document is not known here: an encoded file is sent as it is. */
  readonly identifier?: string;
  readonly requestId: string;
  /** What was sent, which shows the sender of its request; absent where its content is no longer kept. */
  readonly sent?: Pick<Submission, 'content' | 'mapping'> | undefined;
  /** Of the context of the request; by default what the settings have for `sent`. */
  readonly senderId?: string | undefined;
  readonly country?: string | undefined;
  readonly now: Date;
  /** This exchange follows one renewal of the token already. */
  readonly tokenRenewed: boolean;
  /** Tries of this entry in a row that were proven not processed; for a consultation, how many went before it. */
  readonly tries: number;
  /** Of the tries, those that the service has answered with HTTP 429; none by default. */
  readonly rateLimited?: number | undefined;
  /**
   * For a consultation: code 15 answered the document, and no submission of its present content was ever in doubt. What
   * the service has under its number may then be another document.
   */
  readonly onlyReturned?: boolean;
  readonly random: () => number;
};

/** `lifeSeconds` is absent if the service does not say how long the token is valid. */
export type AccessToken = { readonly value: string; readonly lifeSeconds?: number };

/** Credentials next to those of the service, by a name that is no secret. */
type ServiceAccount = {
  readonly name: string;
  readonly authorize: (http: Http, reveal: Reveal) => Promise<AccessToken>;
};

/** A service with its settings read: what `deliver` and the pipeline hold in hand. */
export type Destination = {
  readonly name: string;
  readonly pacing: Pacing;
  /** The address the ledger is bound to. */
  readonly baseUrl: string;
  /** Where the echoes of a submission are read; a service that waits for foreign echoes goes on once this changes. */
  readonly echoes: string;
  /** Timeouts, certificates and proxy: what `openHttp` takes. */
  readonly connection: Connection;
  /** Why the class cannot be sent with these settings, e.g. the report path is not configured. */
  readonly lacks: (documentClass: string) => Message | undefined;
  readonly authorize: (http: Http, reveal: Reveal) => Promise<AccessToken>;
  /** Credentials with which some documents are sent, instead of those of `authorize`. */
  readonly accounts?: readonly ServiceAccount[];
  /**
   * Which of `accounts`, by its name; undefined: those of `authorize`. `content` is absent where it is no longer kept.
   */
  readonly accountOf?: (document: Partial<Pick<Submission, 'content' | 'mapping'>>) => string | undefined;
  readonly submit: (submission: Submission) => WireRequest;
  readonly judge: (exchange: Exchange, ours: Ours) => Verdict;
  /** Absent where no consultation is configured; undefined where it needs a tracking-id and there is none. */
  readonly consult?: (consultation: Consultation) => WireRequest | undefined;
  /** When to ask about a document in contingency for the first time. */
  readonly contingency: ConsultAt;
  readonly judgeConsultation: (exchange: Exchange, ours: Ours, before: Verdict['state']) => Verdict;
  /** The token a consultation needs, where it is another one (service identifier 3). */
  readonly authorizeConsultation?: (http: Http, reveal: Reveal) => Promise<AccessToken>;
};

/** A service that settings can name; `open` reads its settings. */
export type DeliveryService = {
  readonly name: ServiceName;
  /** Shape of `services.<name>` in the settings; strict. */
  readonly settings: z.ZodType;
  readonly open: (settings: unknown) => Destination;
};

/** An encoded file without a payload (french-invoicing 2.1): the ledger writes such content in this form. */
export function isFileAlone(content: string | undefined): boolean {
  return content?.startsWith('{"file":') ?? false;
}

/** One request on the wire, never a second by itself; `sent: false` only where no byte left. */
export type Http = (request: WireRequest) => Promise<Exchange>;
