/**
 * How fast documents go to one service: how many at the same time, and how far apart they start. One pace per service.
 *
 * The number at the same time follows the service where the settings ask for it (additive increase, multiplicative
 * decrease, as TCP does since Jacobson 1988): one more after each round of good answers, half after a sign of too much.
 * It never exceeds the hard maximum of the settings.
 *
 * A sign of too much is an answer that says so (429), a broken exchange, or answers that take twice as long as they did
 * at their best of late: what waits in a queue of the service is not processed sooner for having been sent.
 */

import type { Verdict } from '../../model/answer.ts';
import { must } from '../../model/must.ts';

/**
 * Answers slower than this many times the best are taken as waiting in a queue. Halving brings a full queue back to it.
 */
const TOO_SLOW = 2;
/** A round has at least so many answers, or one odd answer would decide. */
const SMALLEST_ROUND = 4;
/** The best answers of so long ago still count: a service may have become slower for good. */
const MEMORY_MS = 60_000;
/** Below it a doubling is the timer's resolution and our own work, not a queue. */
const UNMEASURABLE_MS = 5;

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

export type RateController = {
  /** Requests at the same time, now. */
  readonly atOnce: () => number;
  /** Milliseconds until the next request may start. */
  readonly waitMs: () => number;
  /** The same, and that place in time is taken. */
  readonly takeTurn: () => number;
  readonly start: () => Started;
  /** `full`: as many were under way as allowed, so that more might have been sent. */
  readonly answered: (started: Started, verdict: Verdict, full: boolean) => void;
};

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
  // What was started before a decrease tells of the time before it.
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
    if (ms > TOO_SLOW * Math.min(...best.map((one) => one.ms))) return decrease();
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
