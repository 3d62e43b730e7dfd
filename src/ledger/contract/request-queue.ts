/**
 * The requests of people: written and flushed before anyone is promised anything, carried out by the holder of the lock. Not
 * part of what the ledger records: a queue has what people asked for, the ledger what was done. Errors of the disk and of the
 * database are thrown as OperatorError `ledger/*`, others as the engine gives them.
 */

/** A request before it is queued. `id`: a key that the asker chose; `act` and `look` are JSON, `at` is ISO 8601. */
type NewRequest = {
  readonly id: string;
  readonly at: string;
  readonly person: string;
  /** Of the console, for the history. */
  readonly session?: string | undefined;
  readonly reason: string;
  readonly act: string;
  /** What the person has seen: the count and the hash of a selection. */
  readonly look?: string | undefined;
  /** `PersonKeys` of who asks, as JSON. */
  readonly keys?: string | undefined;
  /** It waits for another person from the begin. */
  readonly approval?: NeededApproval | undefined;
};

/** `about`: the documents for which another person is needed, as JSON. After `expires` (ISO 8601) the act is not done. */
export type NeededApproval = { readonly about: string; readonly expires: string };

/** `verdict`: what another person said, an `ApprovalVerdict` as JSON. */
type Approvable = { readonly keys?: string } & Partial<NeededApproval> & { readonly verdict?: string };

/** `tries`: how often it was begun before, by a program that ended during it. */
export type QueuedRequest = Pick<NewRequest, 'id' | 'at' | 'person' | 'reason' | 'act'> & {
  readonly look?: string;
  readonly tries: number;
} & Approvable;

/** A request with its answer, if there is one. `at` and `done` are ISO 8601. */
export type KnownRequest = Pick<NewRequest, 'id' | 'at' | 'person' | 'reason' | 'act'> & {
  readonly look?: string;
  readonly done?: string;
  readonly answer?: string;
} & Approvable;

/** Closed when it is disposed. Each method is one commit. */
export type RequestQueue = AsyncDisposable & {
  /** Durable when it resolves. An id that is known changes nothing. */
  readonly add: (request: NewRequest) => Promise<void>;
  /**
   * The oldest request without an answer that was begun at most `tries` times, but none of `except` (ids); undefined without
   * one. One that waits for another person is not seen, until that person has answered or its time is over at `now` (ISO 8601).
   */
  readonly next: (tries: number, now: string, except?: readonly string[]) => Promise<QueuedRequest | undefined>;
  /** From now on it waits for another person; nothing changes for one that does, or that a person has answered. */
  readonly hold: (id: string, needed: NeededApproval) => Promise<void>;
  /** Durable when it resolves. False, and nothing changes, unless it waits for another person at `now` (ISO 8601). */
  readonly judge: (id: string, verdict: string, now: string) => Promise<boolean>;
  /** When the first of those that wait for another person waits no longer (ISO 8601); undefined if none does. */
  readonly nextExpiry: () => Promise<string | undefined>;
  /** Those that wait for another person at `now` (ISO 8601), the oldest first. */
  readonly waitingForPeople: (now: string) => Promise<readonly KnownRequest[]>;
  /** Counts a try: one that ends the program is seen by the next holder. */
  readonly begin: (id: string) => Promise<void>;
  /** The try ended in order, before the act was complete. */
  readonly putBack: (id: string) => Promise<void>;
  /** The request is not carried out, because it could not even begin; one that has begun, or that another person has to approve, stays. */
  readonly withdraw: (id: string) => Promise<void>;
  /** The content of the act is dropped: the ledger has what was done. */
  readonly answer: (id: string, answer: string, at: string) => Promise<void>;
  /** Undefined while there is no answer. */
  readonly answerOf: (id: string) => Promise<string | undefined>;
  /** The first request whose id begins so; without `answer` while it waits. */
  readonly beginning: (prefix: string) => Promise<{ readonly id: string; readonly answer?: string } | undefined>;
  /** How many have no answer yet, without those that wait for another person. */
  readonly waiting: () => Promise<number>;
  /** Undefined for an id that no one asked under, and for a request that was forgotten. */
  readonly find: (id: string) => Promise<KnownRequest | undefined>;
  /** The last reasons of a person, each once, the latest first. */
  readonly reasonsOf: (person: string, most: number) => Promise<readonly string[]>;
  /** Whether another process may have written since the last call; true the first time. */
  readonly hasChanged: () => Promise<boolean>;
  /** Drops the requests that were answered before `at` (ISO 8601). */
  readonly forget: (at: string) => Promise<void>;
  /** Drops the answered requests whose answer (JSON) is meant; on SQLite no byte of them stays in the file. */
  readonly forgetAnswers: (isMeant: (answer: string) => boolean) => Promise<void>;
};
