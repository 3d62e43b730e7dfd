/** The steps of a walk, as they are drawn, kept in files and repeated. A step that does not fit when it comes is left out. */
import type { State } from '../../../src/model/state.ts';
import type { Fate } from '../sent-again.ts';

/** What the service says to a submission, or what becomes of it on the way. */
export type Said =
  | ('authorized' | 'failed' | 'rejected' | 'contingency' | 'invalidated' | 'returned')
  /** HTTP 400 without a code, 401, 429. */
  | ('refused' | 'token' | 'later')
  /** The connection is cut after the request; HTTP 503; no connection at all. */
  | ('lost' | 'gateway' | 'closed');

export type DecidingStep = {
  readonly do: 'decide';
  readonly doc: number;
  readonly person: number;
  readonly act: 'retry' | 'resolve' | 'release' | 'set-aside' | 'acknowledge' | 'undo';
  readonly as?: Extract<State, 'authorized' | 'rejected' | 'failed' | 'contingency' | 'returned' | 'invalidated'>;
  readonly proof?: true;
  /** The person decides about what they saw at an earlier look. */
  readonly fromEarlier?: true;
  readonly pauses?: number;
};

/** `pauses`: stands still before so many writes of the ledger, until a step `go-on`. `doc` counts from 0. */
export type Step =
  | { readonly do: 'export'; readonly doc: number; readonly text: number }
  | { readonly do: 'stage'; readonly doc: number; readonly text: number; readonly worker?: number }
  | { readonly do: 'admit'; readonly doc: number }
  /** A person corrects cells of the export. */
  | { readonly do: 'fix'; readonly doc: number; readonly text: number }
  /** A person gives the second row of the export a number of its own. `waits`: it does not count before a step `admit`. */
  | { readonly do: 'split'; readonly doc: number; readonly text: number; readonly waits?: true }
  /** A person gives the rows of the document that was split from it its number again. */
  | { readonly do: 'join'; readonly doc: number; readonly text: number; readonly waits?: true }
  /** The queued documents are held, for a cause of them all or because the ledger was accepted. */
  | { readonly do: 'hold'; readonly rule: 'same-cause' | 'ledger-accepted' }
  | { readonly do: 'start-over'; readonly doc: number }
  | { readonly do: 'send'; readonly doc: number; readonly pauses?: number }
  /** `fate`: what the service secretly makes of it, where the answer does not say so. */
  | { readonly do: 'answer'; readonly doc: number; readonly said: Said; readonly fate?: Fate }
  /** Another program takes the line over, and puts what is on the wire in doubt; its answer may come later. */
  | { readonly do: 'take-over'; readonly doc: number; readonly fate?: Fate }
  | { readonly do: 'ask'; readonly doc: number; readonly by: 'watch' | 'person'; readonly pauses?: number }
  /** `nth` of the questions that wait. `becomes`: a contingency has ended before. */
  | {
      readonly do: 'reply';
      readonly doc: number;
      readonly nth: number;
      readonly said: 'truth' | 'not-found' | 'gateway' | 'lost';
    }
  /** The service ends a contingency. */
  | { readonly do: 'becomes'; readonly doc: number; readonly fate: Fate }
  | { readonly do: 'look'; readonly doc: number; readonly person: number }
  | DecidingStep
  | { readonly do: 'move'; readonly doc: number; readonly to: 'release' | 'reject' }
  | { readonly do: 'take'; readonly pauses?: number }
  | { readonly do: 'go-on'; readonly nth: number }
  | { readonly do: 'clock'; readonly ms: number }
  /** The program that sends ends in the middle of everything, and another one begins. */
  | { readonly do: 'restart'; readonly fate?: Fate };

/** An export with this text has a fault. */
export const FAULTY = 8;

/** Exports of a document differ in their text; these are above the limit, and wait for a release. */
export function isOverLimit(text: number): boolean {
  return text % 4 === 3;
}
