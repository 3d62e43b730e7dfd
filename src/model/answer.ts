/** Exchanges with a service, the answers in them, and the verdicts on them. */

import { format, type Message } from '../i18n/message.ts';
import { STOPPED } from '../i18n/messages/pipeline-messages.ts';
import { MESSAGE } from './fault.ts';
import type { State } from './state.ts';

/** The table of codes. 18 answers a consultation only; for a submission it is as unknown as any other number. */
export const STATE_BY_CODE: ReadonlyMap<number, State> = new Map([
  [2, 'authorized'],
  [4, 'failed'],
  [6, 'rejected'],
  [8, 'contingency'],
  [11, 'invalidated'],
  [15, 'returned'],
]);

/** What happened on the wire, before it is judged. */
export type Exchange =
  | {
      /** `onRequestStart` never ran: proof that no byte of the request was sent. */
      readonly sent: false;
      readonly error: WireError;
      readonly tls?: boolean;
    }
  | { readonly sent: true; readonly error: WireError }
  | {
      readonly sent: true;
      readonly status: number;
      /** Lower-case names. */
      readonly headers: { readonly [name: string]: string };
      /** The whole body, decoded as strict UTF-8; undefined when it is not UTF-8. */
      readonly body: string | undefined;
    };

export type WireError = {
  readonly code: string;
  readonly message: string;
  /** The message in each language, if it is not one of the system. */
  readonly words?: Message;
};

export type DocumentStatus = {
  readonly source?: string;
  readonly code?: number;
  readonly name?: string;
  readonly message?: string;
  readonly date?: string;
};

/** The file that the service made of a document, or keeps with it: french-invoicing 2.4. */
export type AnswerFile = { readonly format?: string; readonly filename?: string; readonly transport?: string };

/** french-invoicing 2.4, "present only when applicable". */
export type Pagination = {
  readonly page?: number;
  readonly pageSize?: number;
  readonly totalRecords?: number;
  readonly totalPages?: number;
};

/** A trustworthy answer: the body parsed whole, one integer code, the echo is ours. Texts and lists are bounded. */
export type Answer = {
  readonly code: number;
  readonly name?: string;
  readonly message?: string;
  readonly trackingId?: string;
  /** Class of the document as the service processed it. */
  readonly documentType?: string;
  /** What the result is about, e.g. `document`. */
  readonly contentInto?: string;
  readonly file?: AnswerFile;
  readonly pagination?: Pagination;
  readonly statuses?: readonly DocumentStatus[];
  /** Of the document that a consultation found, if the settings name the places of these values. */
  readonly date?: string;
  readonly amount?: string;
};

/** Outcomes of a document that the service has, or had. */
const OUTCOMES: ReadonlySet<number> = new Set([2, 4, 6, 11]);

/**
 * What a consultation found under the number of a document that stays `returned`: it may be another document, so that the
 * answer is kept with the consultation and does not become that of the document.
 */
export function isOfNumberOnly(state: State, { code }: Answer): boolean {
  return state === 'returned' && OUTCOMES.has(code);
}

export type Verdict = {
  readonly state: State;
  /** Why, for people. */
  readonly reason: string;
  /** The same in every language, if the words are ours. */
  readonly [MESSAGE]?: { readonly message: Message };
  readonly answer?: Answer;
  /** Resend without a person, with the same request-id: only if nothing was processed. */
  readonly resend?: { readonly kind: 'not-sent' | 'token-renewed' | 'rate-limited'; readonly afterMs: number };
  /** Stop new submissions to the service. */
  readonly pause?: { readonly cause: 'credentials' | 'tls' | 'forbidden' | 'redirect'; readonly says: Message };
  /** Counts towards the pauses that need several in a row. */
  readonly strike?: 'server-error' | 'client-error' | 'foreign-echo';
  /** When to consult the service, epoch milliseconds; only if a consultation is of use. */
  readonly consultAt?: number;
};

/** The reason of a verdict. */
export function because(message: Message): Pick<Verdict, 'reason' | typeof MESSAGE> {
  return { reason: format(message, 'en'), [MESSAGE]: { message } };
}

const CUT_OFF_CONSULT_MS = 5 * 60_000;

/** Of a submission that began and has no answer, because its program ended: the service is asked what became of it. */
export function cutOffAt(at: Date): Verdict & { readonly consultAt: number } {
  return { state: 'in-doubt', ...because(STOPPED.sending()), consultAt: at.getTime() + CUT_OFF_CONSULT_MS };
}

export type Attempt = {
  /** From 1, per entry; consultations count in their own series. */
  readonly n: number;
  readonly act: 'submit' | 'consult' | 'resolve';
  /** Of the earlier content that it was about; absent for the present one. */
  readonly revision?: number;
  readonly run: string;
  readonly requestId: string;
  /** ISO 8601 with zone. */
  readonly at: string;
  readonly ms?: number;
  readonly http?: number;
  readonly code?: number;
  /** State after the attempt, absent while it is under way. */
  readonly outcome?: State;
  readonly reason?: string;
  /** The reason for each language, where the words are ours. */
  readonly [MESSAGE]?: { readonly message: Message };
  readonly answer?: Answer;
};
