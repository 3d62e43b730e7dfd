/**
 * The part of the ledger for sending: what is due, the intent that is durable before the first byte is sent, the exchange,
 * the verdict; consultations, holds, the decisions of people, and the pauses of a service.
 */
import type { Exchange, Verdict } from '../../model/answer.ts';
import type { Hold } from '../../model/document.ts';
import type { Correction, Evidence } from '../../model/ledger-entry.ts';
import type { State } from '../../model/state.ts';

/** A document that may be sent, or about which its service can be consulted. */
export type DueDocument = {
  readonly id: string;
  readonly revision: number;
  readonly kind: string;
  readonly service: string;
  readonly class: string;
  readonly identifier: string;
  /** Set if an earlier attempt was provably not processed: the same request-id is sent a second time. */
  readonly requestId?: string;
  /** The mapping that made its content. */
  readonly mapping: { readonly id: string; readonly sha256: string };
  /** Attempts in a row that are proven not processed, since a person decided or its content changed. */
  readonly tries: number;
  /** Those of them that the service has answered with HTTP 429, if there are any. */
  readonly rateLimited?: number;
  /** Milliseconds since 1970; absent if nothing is due. */
  readonly dueMs?: number;
  /** What the ledger had of it when it was found due: where all of it is unchanged, its beginning looks nothing up. */
  readonly seen?: {
    readonly submits: number;
    readonly file: string;
    readonly digest: string;
    readonly contentSha256: string;
    /** JSON. */
    readonly keys: string;
  };
};

/** What is durable before a request is sent. `at` in ISO 8601 in UTC. */
export type Intent = { readonly requestId: string; readonly at: string; readonly run: string };

/** A document whose intent is durable: it may be sent once, now. */
export type BegunSubmission = Intent & {
  readonly due: DueDocument;
  /** Number of the attempt among the submissions of the entry, from 1. */
  readonly n: number;
  /** The source file of its revision. */
  readonly file: string;
  readonly content: string;
};

/** A submission that a crash cut off; without an exchange it is unknown whether it was sent. */
type InterruptedSubmission = {
  readonly due: DueDocument;
  readonly n: number;
  readonly requestId: string;
  /** The worker that began it, where there are several. */
  readonly begunBy?: string;
  readonly exchange?: Exchange;
};

/** A consultation whose intent is durable, and the document that it asks about, as it is then. */
export type BegunConsultation = {
  readonly due: DueDocument;
  /** Number of the attempt among the consultations of the entry, from 1. */
  readonly n: number;
  /** How many went before it since the last submission. */
  readonly asked: number;
  /** How many submissions and decisions of people the entry has. */
  readonly submits: number;
  readonly resolves: number;
  /** Of the entry, before the service answers. */
  readonly state: State;
  readonly trackingId?: string;
  /** It is `returned`, and no submission of its present content was ever in doubt. */
  readonly onlyReturned: boolean;
};

/**
 * What an outcome did. `late`: something happened to the document since the attempt began, so it is kept and changes nothing.
 * `holds`: the document would be sent again, or corrected, and a person has to see the outcome before that. `marks`: the same for what
 * the document becomes.
 */
export type AnswerEffect = 'counts' | 'holds' | 'marks' | 'late';

/** The version of a document that a person has seen. */
export type SeenVersion = {
  readonly revision: number;
  readonly state: State;
  /** ISO 8601: since when it is in this state; a later submission can end in the same one. Absent in requests of earlier versions. */
  readonly since?: string | undefined;
};

/** `consultAt`: when the service is asked about the recorded outcome, where it is not the last one (epoch milliseconds). */
export type ResolveOptions = { readonly seen?: SeenVersion | undefined; readonly consultAt?: number | undefined };

/** The exchange, and how many milliseconds it took. */
export type ReceivedResponse = { readonly exchange: Exchange; readonly ms: number };

/** A response with its verdict, and when the verdict was given (ISO 8601 in UTC). */
export type JudgedResponse = { readonly response: ReceivedResponse; readonly verdict: Verdict; readonly at: string };

/** The person who resumed a paused service, and why. */
export type Resumption = { readonly by: string; readonly reason: string; readonly at: string };

export type Pause = {
  readonly cause: string;
  /** What happened, in the language of the settings. */
  readonly says: string;
  readonly at: string;
  readonly untilMs?: number;
  /** Where echoes were read when echoes of other documents came. */
  readonly echoes?: string;
};

/**
 * `correction`: the last decision corrected cells, which a correction back undoes; `too-old`: it was made by a version
 * that kept nothing to restore; `moved-on`: something happened since.
 */
export type UndoOutcome = 'undone' | 'nothing' | 'undone-before' | 'correction' | 'too-old' | 'moved-on' | 'purged';

/** While the guard forbids sending, nothing is due and every method that writes throws an OperatorError. */
export type SubmissionStore = {
  /** Entries of a service that may be sent at `nowMs` (since 1970), oldest first, from after `after`; at most `limit`. */
  due(
    service: string,
    nowMs: number,
    limit: number,
    options?: {
      readonly exceptClasses?: readonly string[];
      readonly after?: Pick<DueDocument, 'id' | 'dueMs'> | undefined;
    },
  ): Promise<readonly DueDocument[]>;
  /** Holds what is queued of a mapping. Resolves to the number of entries. */
  holdReady(what: { readonly service: string; readonly mapping: string }, hold: Hold, at: string): Promise<number>;
  /** Whether more than `count` entries are ready, whatever their service. */
  hasMoreReadyThan(count: number): Promise<boolean>;
  /** When the next entry of the service is due (milliseconds since 1970) after `afterMs`, for waiting; undefined if none is. */
  nextDue(
    service: string,
    afterMs?: number,
    options?: { readonly exceptClasses?: readonly string[] },
  ): Promise<number | undefined>;
  /** Makes `sending` and the request-id durable. Undefined if the entry is no longer ready (another process took it). */
  begin(due: DueDocument, intent: Intent): Promise<BegunSubmission | undefined>;
  /** Keeps the raw exchange, durable before anything is derived from it. A second one of an attempt goes into the history. */
  recordExchange(submission: Pick<BegunSubmission, 'due' | 'n'>, exchange: Exchange, ms: number): Promise<void>;
  /** Records the verdict: state, answer, when to act next; back to ready (same request-id) if the verdict says resend. */
  finish(submission: Pick<BegunSubmission, 'due' | 'n'>, verdict: Verdict, at: string): Promise<void>;
  /**
   * `recordExchange` and `finish` in one commit. Throws for a verdict that a submission cannot end in; the exchange is
   * kept all the same.
   */
  finishWithExchange(
    submission: BegunSubmission,
    response: ReceivedResponse,
    verdict: Verdict,
    at: string,
  ): Promise<void>;
  /** Entries that are `sending` at the start: with an exchange, to be judged from it; without, to be finished as in-doubt. */
  interruptedSubmissions(): Promise<readonly InterruptedSubmission[]>;

  /** Entries about which the service can be consulted at `nowMs` (since 1970), the longest due first; at most `limit`. */
  consultDue(service: string, nowMs: number, limit: number): Promise<readonly DueDocument[]>;
  /** When the next consultation of the service is due (milliseconds since 1970); undefined if none is. */
  nextConsult(service: string): Promise<number | undefined>;
  /** Makes the intent of a consultation durable. Undefined if there is nothing to ask about this revision any more. */
  beginConsult(due: DueDocument, intent: Intent): Promise<BegunConsultation | undefined>;
  /** `verdict.state` equal to that of the beginning keeps it; `verdict.consultAt` sets the next consultation. */
  finishConsult(
    consultation: BegunConsultation,
    response: ReceivedResponse,
    verdict: Verdict,
    at: string,
  ): Promise<AnswerEffect>;
  /**
   * Records the outcome that a person states. False, and nothing changes, if the state of the entry does not allow it, or if the
   * entry is not the version that the person has `seen`.
   */
  resolve(id: string, evidence: Evidence, options?: ResolveOptions): Promise<boolean>;
  /**
   * Takes an entry whose latest revision was never sent out of the queue, or from its hold, so that its correction can be taken back:
   * `invalid` sets it aside, and holds what it becomes if it was held before the correction; `rejected` is the outcome of the content
   * before, as the service or a person has recorded it. `corrections` give the cells of its export their values of before. False, and
   * nothing changes, if it may have been sent, if its submission has begun, or if its revision is not that of `of`.
   */
  withdraw(
    id: string,
    as: 'invalid' | 'rejected',
    decision: Pick<Evidence, 'by' | 'at' | 'reason'>,
    of?: { readonly revision: number; readonly corrections?: readonly Correction[] },
  ): Promise<boolean>;
  /** After a `withdraw` of the same decision: the entry is again what it was. False, and nothing changes, if it has changed since. */
  putBack(id: string, decision: Pick<Evidence, 'by' | 'at' | 'reason'>): Promise<boolean>;
  /** Takes back the last decision of a person about an entry, if nothing happened to it since. */
  undo(id: string, decision: Pick<Evidence, 'by' | 'at' | 'reason'>): Promise<UndoOutcome>;

  pauseOf(service: string): Promise<Pause | undefined>;
  /**
   * undefined ends the pause; with `decision` a person resumes the service, and `pause` is the rest of it. False, and nothing
   * changes, if it is the rest of another pause than the one that there is now.
   */
  pause(service: string, pause: Pause | undefined, decision?: Resumption): Promise<boolean>;
};
