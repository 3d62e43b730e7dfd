/**
 * The speed of sending to one service: how many requests at the same time, and how far apart they start. If the
 * settings ask for it, the number follows the service (additive increase, multiplicative decrease: Jacobson 1988),
 * never above the maximum of the settings. Overload is an answer that says so (429), a broken exchange, or answers that
 * take twice as long as the best recent ones. Times are milliseconds; nothing throws.
 */

import type { Verdict } from '../../model/answer.ts';
import { must } from '../../model/must.ts';
import { leastOf } from '../../text/long-lists.ts';

/** Answers slower than this many times the best ones have waited in a queue. Halving brings a full queue back to it. */
const TOO_SLOW = 2;
/** The fewest answers of a round, so that one unusual answer does not decide. */
const SMALLEST_ROUND = 4;
/** How long the best answers count: a service may have become slower for good. */
const MEMORY_MS = 60_000;
/** Below this, a doubling is the resolution of the timer and the work of this program, not a queue. */
const UNMEASURABLE_MS = 5;

/** The limits of one service. */
export type PaceSettings = {
  /** Hard maximum of requests at the same time. */
  readonly concurrency: number;
  readonly adaptive: boolean;
  /** Least time between the starts of two requests, milliseconds; 0: none. */
  readonly spacingMs: number;
  readonly monotonic: () => number;
};

/** What a request takes along from its start to its answer. */
type Started = { readonly atMs: number; readonly round: number };

/** One per service. `atOnce` limits parallel requests, `takeTurn` spaces their starts. */
export type RateController = {
  /** Requests at the same time, now. */
  readonly atOnce: () => number;
  /** Milliseconds until the next request may start. */
  readonly waitMs: () => number;
  /** The same wait, with this start reserved. */
  readonly takeTurn: () => number;
  readonly start: () => Started;
  /** `full`: as many requests were under way as allowed, so that more might have been sent. */
  readonly answered: (started: Started, verdict: Verdict, full: boolean) => void;
};

/** Without `adaptive`, the number at the same time is always `concurrency`. */
export function createRateController({ concurrency, adaptive, spacingMs, monotonic }: PaceSettings): RateController {
  let nextMs = Number.NEGATIVE_INFINITY;
  const waitMs = () => (spacingMs > 0 ? Math.max(0, nextMs - monotonic()) : 0);
  const takeTurn = () => {
    const ms = waitMs();
    if (spacingMs > 0) nextMs = monotonic() + ms + spacingMs;
    return ms;
  };
  // Until the first sign of too much it doubles each round, from where no service minds.
  let atOnce = adaptive ? 1 : concurrency;
  let doubling = true;
  // A request that started before a decrease measures the time before it.
  let round = 0;
  let times: number[] = [];
  let wasFull = false;
  let best: { readonly atMs: number; readonly ms: number }[] = [];

  const next = (to: number) => {
    atOnce = Math.max(1, Math.min(concurrency, to));
    round++;
    times = [];
    wasFull = false;
  };
  const decrease = () => {
    doubling = false;
    next(Math.floor(atOnce / 2));
  };
  const endRound = () => {
    const now = monotonic();
    const ms = Math.max(UNMEASURABLE_MS, median(times));
    best = [...best.filter(({ atMs }) => now - atMs < MEMORY_MS), { atMs: now, ms }];
    if (ms > TOO_SLOW * leastOf(best.map((one) => one.ms))) return decrease();
    if (wasFull) return next(doubling ? atOnce * 2 : atOnce + 1);
    times = [];
  };
  return {
    atOnce: () => atOnce,
    waitMs,
    takeTurn,
    start: () => ({ atMs: monotonic(), round }),
    answered: (started, verdict, full) => {
      if (!adaptive || started.round < round) return;
      if (verdict.resend?.kind === 'rate-limited' || verdict.resend?.kind === 'not-sent' || verdict.strike) {
        return decrease();
      }
      wasFull ||= full;
      times.push(monotonic() - started.atMs);
      if (times.length >= Math.max(SMALLEST_ROUND, atOnce)) endRound();
    },
  };
}

function median(times: readonly number[]): number {
  return must(times.toSorted((a, b) => a - b)[times.length >> 1], 'an answer of the round');
}
