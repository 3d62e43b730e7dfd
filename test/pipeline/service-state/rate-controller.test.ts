/** How fast documents go: never more at once than allowed, never closer than the rate, fewer when the service has enough. */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/model/answer.ts';
import { createRateController, type RateController } from '../../../src/pipeline/service-state/rate-controller.ts';
import { systemClock } from '../../../src/runs/open-run.ts';
import { openScene, sales, tally } from '../../night.ts';

const GOOD: Verdict = { state: 'authorized', reason: '', answer: { code: 2 } };
const BUSY: Verdict = { state: 'ready', reason: 'HTTP 429', resend: { kind: 'rate-limited', afterMs: 1000 } };
const BROKEN: Verdict = { state: 'in-doubt', reason: 'reset', strike: 'server-error' };

function paceAt(settings: { concurrency?: number; adaptive?: boolean; spacingMs?: number }) {
  const clock = { ms: 1000 };
  const whole = { concurrency: 16, adaptive: true, spacingMs: 0, ...settings, monotonic: () => clock.ms };
  return { clock, pace: createRateController(whole) };
}

/** One round of answers: as many requests as may be under way, over and over, each taking `ms`. */
function round(pace: RateController, clock: { ms: number }, ms: number, rounds = 1): void {
  for (let n = 0; n < rounds; n++) {
    for (let left = Math.max(4, pace.atOnce()); left > 0; ) {
      const together = Math.min(left, pace.atOnce());
      const started = Array.from({ length: together }, () => pace.start());
      clock.ms += ms;
      for (const one of started) pace.answered(one, GOOD, true);
      left -= together;
    }
  }
}

describe('a rate', () => {
  it('spaces the starts evenly, and is never made up for after a rest', () => {
    const { clock, pace } = paceAt({ spacingMs: 100, adaptive: false });
    expect([pace.takeTurn(), pace.takeTurn(), pace.takeTurn()]).toEqual([0, 100, 200]);
    clock.ms += 10_000;
    expect([pace.waitMs(), pace.takeTurn(), pace.takeTurn()]).toEqual([0, 0, 100]);
  });

  it('is kept in every window of time, whenever the turns are asked for', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 20 }), (gaps, perSecond) => {
        const { clock, pace } = paceAt({ spacingMs: 1000 / perSecond, adaptive: false });
        const starts = gaps.map((gap) => {
          clock.ms += gap;
          return clock.ms + pace.takeTurn();
        });
        for (const from of starts) {
          // A thousandth of a millisecond is the floating point's.
          const within = starts.filter((at) => at >= from && at < from + 1000 - 0.001);
          expect(within.length).toBeLessThanOrEqual(perSecond);
        }
      }),
    );
  });

  it('without one nothing waits', () => {
    const { pace } = paceAt({ adaptive: false });
    expect([pace.takeTurn(), pace.takeTurn()]).toEqual([0, 0]);
  });
});

describe('how many at the same time', () => {
  it('is the maximum where it is not to be adapted, whatever is answered', () => {
    const { clock, pace } = paceAt({ adaptive: false });
    pace.answered(pace.start(), BUSY, true);
    round(pace, clock, 5000, 3);
    expect(pace.atOnce()).toBe(16);
  });

  it('starts with one, doubles while answers stay quick, and stops at the maximum', () => {
    const { clock, pace } = paceAt({ concurrency: 12 });
    const seen = [pace.atOnce()];
    for (let n = 0; n < 6; n++) {
      round(pace, clock, 20);
      seen.push(pace.atOnce());
    }
    expect(seen).toEqual([1, 2, 4, 8, 12, 12, 12]);
  });

  it('does not grow while there was no more to send', () => {
    const { clock, pace } = paceAt({});
    for (let n = 0; n < 40; n++) {
      const one = pace.start();
      clock.ms += 20;
      pace.answered(one, GOOD, false);
    }
    expect(pace.atOnce()).toBe(1);
  });

  it.each([
    ['an answer that says "too many"', BUSY],
    ['a broken exchange', BROKEN],
  ])('halves for %s, once for all that were under way, then grows by one a round', (_, verdict) => {
    const { clock, pace } = paceAt({});
    round(pace, clock, 20, 5);
    expect(pace.atOnce()).toBe(16);
    const underWay = Array.from({ length: 16 }, () => pace.start());
    for (const one of underWay) pace.answered(one, verdict, true);
    expect(pace.atOnce()).toBe(8);
    round(pace, clock, 20);
    expect(pace.atOnce()).toBe(9);
  });

  it('halves when answers take twice as long as at their best, and takes a slower service for what it is after a minute', () => {
    const { clock, pace } = paceAt({});
    round(pace, clock, 20, 5);
    round(pace, clock, 41);
    expect(pace.atOnce()).toBe(8);
    const slower = (forMs: number) => {
      for (const at = clock.ms; clock.ms - at < forMs; ) round(pace, clock, 60);
    };
    slower(50_000);
    expect(pace.atOnce()).toBe(1);
    slower(60_000);
    expect(pace.atOnce()).toBe(16);
  });

  it('is at least one and at most the maximum, whatever comes back in any order', () => {
    const step = fc.record({
      verdict: fc.constantFrom(GOOD, BUSY, BROKEN),
      ms: fc.integer({ min: 0, max: 30_000 }),
      full: fc.boolean(),
      together: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 64 }), (steps, concurrency) => {
        const { clock, pace } = paceAt({ concurrency });
        for (const { verdict, ms, full, together } of steps) {
          const started = Array.from({ length: together }, () => pace.start());
          clock.ms += ms;
          for (const one of started) pace.answered(one, verdict, full);
          expect(pace.atOnce()).toBeGreaterThanOrEqual(1);
          expect(pace.atOnce()).toBeLessThanOrEqual(concurrency);
        }
      }),
    );
  });
});

describe('a night', () => {
  it('keeps the rate of its service, however many may be under way', async () => {
    await using scene = await openScene({ services: { fr: { rate: '25/s', concurrency: 8 } } });
    scene.drop('ventes.csv', sales(Array.from({ length: 12 }, (_, n) => `F${n}`)));
    // No time passes but that which a lane waits: how busy the machine is shows in none of it.
    let passedMs = 0;
    const sleep = async (ms: number) => {
      await setImmediate();
      passedMs += ms;
    };
    await scene.night({ clock: { ...systemClock, monotonic: () => passedMs, sleep } });
    expect(tally(await scene.entries())).toEqual({ authorized: 12 });
    // 40 ms apart.
    expect(passedMs).toBeGreaterThanOrEqual(11 * 40);
  });

  it('adapts to a service that takes two at a time, and everything arrives', async () => {
    await using scene = await openScene({
      sandbox: { capacity: 2, overload: 429, latencyMs: 10 },
      services: { fr: { concurrency: 8, 'adapt-concurrency': true } },
    });
    scene.drop('ventes.csv', sales(Array.from({ length: 60 }, (_, n) => `F${n}`)));
    // What was told "too many" may be due only after the patience of a run.
    for (let nights = 0; nights < 5 && (tally(await scene.entries()).authorized ?? 0) < 60; nights++)
      await scene.night();
    expect(tally(await scene.entries())).toEqual({ authorized: 60 });
    expect(scene.sandbox.acceptances().every(({ accepted }) => accepted === 1)).toBe(true);
  });
});
