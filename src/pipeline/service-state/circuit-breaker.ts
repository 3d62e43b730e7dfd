/**
 * Decides if a service takes documents now; one gate per service. It closes for a while if nothing could be sent
 * (back-off) or the service asks for it (429), and until a probe succeeds if credentials, rights or answers are wrong
 * (states-and-policy 3). After it was closed, one document is sent alone. Nothing here waits or throws.
 */

import { format, type Language, type Message } from '../../i18n/message.ts';
import { STOPPED } from '../../i18n/messages/pipeline-messages.ts';
import type { Verdict } from '../../model/answer.ts';
import { recordedWords } from '../../model/recorded-words.ts';

const IN_A_ROW = 3;
const BACK_OFF_FROM_MS = 1000;
const BACK_OFF_TO_MS = 300_000;

/** `maxErrors`: documents in a row without acceptance that stop the service for this run. `monotonic`: milliseconds. */
export type GateSettings = {
  readonly maxErrors: number;
  readonly monotonic: () => number;
  /** Of the reasons. */
  readonly language?: Language;
};

type Closed = {
  readonly cause: 'unreachable' | 'rate-limited' | 'paused' | 'errors' | 'credentials' | 'foreign-echo';
  readonly says: string;
};

/** The memory of one service during a run. */
export type CircuitBreaker = {
  /** 0 if the gate is open; else milliseconds to wait. Infinity: until a person acts or the next run begins. */
  readonly waitMs: () => number;
  /** Only one document may be under way. */
  readonly probing: () => boolean;
  readonly closed: () => Closed | undefined;
  /** The time (monotonic milliseconds) since which the service has not been reached. */
  readonly unreachableSince: () => number | undefined;
  /** `startedMs`: when the request began, in monotonic milliseconds; now, where nothing is said. */
  readonly judge: (verdict: Verdict, startedMs?: number) => Closed | undefined;
  /** The token call failed. */
  readonly noToken: (cause: 'credentials' | 'unreachable', says: Message) => void;
  /** A pause kept from an earlier run: the next document is a probe. `limit`: what is left of a wait that the service asked for. */
  readonly startPaused: (limit?: { readonly says: string; readonly ms: number }) => void;
};

/** An open gate. */
export function createCircuitBreaker({ maxErrors, monotonic, language = 'en' }: GateSettings): CircuitBreaker {
  let untilMs = 0;
  let closedAtMs = Number.NEGATIVE_INFINITY;
  let closed: Closed | undefined;
  let probing = false;
  // The probe that follows a pause has one try, not three.
  let patience = IN_A_ROW;
  let unreachableSince: number | undefined;
  let failures = 0;
  const strikes = { 'server-error': 0, 'client-error': 0, 'foreign-echo': 0 };
  let rejections = 0;

  const close = (cause: Closed, ms: number) => {
    // The first cause that closed it for good is the one that is reported.
    if (untilMs === Number.POSITIVE_INFINITY) return;
    closedAtMs = monotonic();
    probing = true;
    // What the service has asked for is not shortened, and stays the cause.
    if (isLimited() && closedAtMs + ms <= untilMs) return;
    closed = cause;
    untilMs = Math.max(untilMs, closedAtMs + ms);
  };
  const isLimited = () => closed?.cause === 'rate-limited' && untilMs > monotonic();
  const unreachable = (says: string) => {
    unreachableSince ??= monotonic();
    // Several requests were under way when the connection failed: together they are one failure.
    if (closed?.cause === 'unreachable' && untilMs > monotonic()) return;
    failures++;
    close({ cause: 'unreachable', says }, Math.min(BACK_OFF_FROM_MS * 2 ** (failures - 1), BACK_OFF_TO_MS));
  };
  const answered = (startedMs: number) => {
    // An answer to what was on the wire when the gate closed is no proof that the cause is gone.
    if (untilMs === Number.POSITIVE_INFINITY || startedMs < closedAtMs || isLimited()) return;
    closed = undefined;
    untilMs = 0;
    probing = false;
    patience = IN_A_ROW;
    unreachableSince = undefined;
    failures = 0;
  };

  return {
    // Asked for each document several times: the clock is not, while it is open.
    waitMs: () => (untilMs === 0 ? 0 : Math.max(0, untilMs - monotonic())),
    probing: () => probing,
    closed: () => closed,
    unreachableSince: () => unreachableSince,
    startPaused: (limit) => {
      closed = limit && { cause: 'rate-limited', says: limit.says };
      closedAtMs = monotonic();
      untilMs = limit ? closedAtMs + limit.ms : 0;
      probing = true;
      patience = 1;
    },
    noToken: (cause, message) => {
      const says = format(message, language);
      if (cause === 'credentials') close({ cause, says }, Number.POSITIVE_INFINITY);
      else unreachable(says);
    },
    judge: (verdict, startedMs = monotonic()) => {
      if (verdict.pause) {
        const credentials = verdict.pause.cause === 'credentials' || verdict.pause.cause === 'forbidden';
        close(
          { cause: credentials ? 'credentials' : 'paused', says: format(verdict.pause.says, language) },
          Number.POSITIVE_INFINITY,
        );
        return closed;
      }
      if (verdict.resend?.kind === 'not-sent') unreachable(recordedWords(verdict.reason, verdict, language));
      else if (verdict.resend?.kind === 'rate-limited') {
        close(
          { cause: 'rate-limited', says: recordedWords(verdict.reason, verdict, language) },
          verdict.resend.afterMs,
        );
      } else if (verdict.strike) {
        const { strike } = verdict;
        if (++strikes[strike] >= patience) {
          const cause = strike === 'foreign-echo' ? strike : 'paused';
          const reason = recordedWords(verdict.reason, verdict, language);
          const says = format(STOPPED.inARow({ count: strikes[strike], reason }), language);
          close({ cause, says }, Number.POSITIVE_INFINITY);
          return closed;
        }
      } else if (verdict.answer) {
        answered(startedMs);
        strikes['server-error'] = 0;
        strikes['client-error'] = 0;
        strikes['foreign-echo'] = 0;
        rejections = verdict.state === 'authorized' || verdict.state === 'contingency' ? 0 : rejections + 1;
        if (rejections >= maxErrors) {
          const says = format(STOPPED.notAccepted({ count: rejections }), language);
          close({ cause: 'errors', says }, Number.POSITIVE_INFINITY);
          return closed;
        }
      }
      return undefined;
    },
  };
}
