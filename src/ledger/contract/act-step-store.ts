/**
 * The part of the ledger for the requests of people: each step of an act is recorded in the commit that makes it, so that a
 * request that a crash cut off is completed, and no step of it is made a second time.
 */
import type { ReprocessStore } from './reprocess-store.ts';
import type { SeenVersion, SubmissionStore } from './submission-store.ts';

/** The methods that record a decision; each is one commit. */
export type DecidingMethods = {
  readonly submissions: Pick<SubmissionStore, 'resolve' | 'withdraw' | 'putBack' | 'undo' | 'pause'>;
  readonly corrections: Pick<ReprocessStore, 'openReprocess' | 'recordEvent'>;
};

export type ActStepStore = {
  /**
   * The deciding methods for one request: a step that the request has made returns its recorded result and changes nothing.
   * A document with another revision or state than in `seen` (by id) is not decided about: `false`, or `moved-on` for `undo`.
   */
  stepsOf(request: string, seen?: ReadonlyMap<string, SeenVersion>): DecidingMethods;
  /** The names of the steps that the request has made: the method and the id, such as `openReprocess 0199...`. */
  stepsMade(request: string): Promise<ReadonlySet<string>>;
  /** The result (JSON) of a request that is done; undefined for one that is not. */
  resultOf(request: string): Promise<string | undefined>;
  /** The request is done: its result replaces its steps. A second result changes nothing. */
  finishRequest(request: string, result: string): Promise<void>;
  /** Drops the results of requests that were done before `at` (ISO 8601). */
  forgetRequests(at: string): Promise<void>;
  /** Drops the results (JSON) of requests that are done and meant. */
  forgetResults(isMeant: (result: string) => boolean): Promise<void>;
};
