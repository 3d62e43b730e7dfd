/** When a channel reports what: thirty nights with a given clock, and the hours of a day. Values, no sentences. */
import { expect, test } from 'vitest';
import type { ReportedTopic } from '../../src/ledger/contract/notice-store.ts';
import { afterQuiet, type DigestMoment, type DigestTopic, planDigest } from '../../src/notices/digest.ts';

const ZONE = 'Europe/Paris';
const ALL_BUT_ALWAYS = new Set(['attention', 'failed', 'absent', 'recovered']);
const FIRST = Date.parse('2026-10-10T23:30:00Z');

/** The run of a night ends a little earlier or later each time; the clock changes on 25 October. */
const nightAt = (night: number) => new Date(FIRST + night * 86_400_000 + ((night * 37) % 11) * 60_000 - 300_000);

const topic = (key: string, over: Partial<DigestTopic> = {}): DigestTopic => ({
  ...{ key, kind: 'attention', documents: 1, newestAt: '2026-10-01T00:00:00Z' },
  ...over,
});

/** What a channel remembers between two moments, as the ledger does. */
function memory() {
  const known = new Map<string, ReportedTopic>();
  return (moment: DigestMoment, topics: readonly DigestTopic[], on: ReadonlySet<string> = ALL_BUT_ALWAYS) => {
    const planned = planDigest(moment, { on, zone: ZONE }, topics, [...known.values()]);
    for (const { topic: own, reportedAt, firstAt } of planned.put) {
      const { key, kind, documents } = own;
      known.set(key, { topic: key, kind, documents, firstAt, reportedAt, words: key });
    }
    for (const key of planned.drop) known.delete(key);
    const { notice } = planned;
    return (
      notice && [
        notice.kind,
        ...notice.lines.map(({ topic: own, why }) => `${why} ${own.key}`),
        ...notice.over.map((own) => `over ${own.topic}`),
      ]
    );
  };
}

test('what was reported under a clock that was ahead is reported again once the clock is right', () => {
  const report = memory();
  const ahead = new Date(FIRST + 3 * 86_400_000);
  expect(report({ scope: 'run', now: ahead }, [topic('cause:a')])).toEqual(['attention', 'new cause:a']);
  const now = new Date(FIRST);
  const found = topic('cause:a', { newestAt: now.toISOString() });
  expect(report({ scope: 'run', now }, [found])).toEqual(['attention', 'again cause:a']);
  expect(report({ scope: 'run', now: new Date(FIRST + 60_000) }, [found])).toBeUndefined();
  // Neither does a notice of a time that is still to come make another one too early.
  const paused = [topic('paused:fr', { kind: 'failed' })];
  expect(report({ scope: 'now', now, latestAt: ahead.toISOString() }, paused)).toEqual(['failed', 'new paused:fr']);
});

test('thirty nights: a cause is reported when it is new, after 1, 3 and 7 days, then weekly, and when it is over', () => {
  const report = memory();
  const mails = new Map<number, readonly string[]>();
  for (let night = 0; night < 30; night++) {
    const now = nightAt(night);
    const topics = [
      ...(night >= 2 && night < 27 ? [topic('cause:a', { newestAt: nightAt(2).toISOString() })] : []),
      ...(night >= 12 ? [topic('cause:b', { newestAt: nightAt(night < 20 ? 12 : 20).toISOString() })] : []),
    ];
    const mail = report({ scope: 'run', now }, topics);
    if (mail) mails.set(night, mail);
  }
  expect(Object.fromEntries(mails)).toEqual({
    2: ['attention', 'new cause:a'],
    3: ['attention', 'again cause:a'],
    5: ['attention', 'again cause:a'],
    9: ['attention', 'again cause:a'],
    12: ['attention', 'new cause:b'],
    13: ['attention', 'again cause:b'],
    15: ['attention', 'again cause:b'],
    16: ['attention', 'again cause:a'],
    19: ['attention', 'again cause:b'],
    20: ['attention', 'more cause:b'],
    23: ['attention', 'again cause:a'],
    26: ['attention', 'again cause:b'],
    27: ['recovered', 'over cause:a'],
  });
});

test('a cause that waits for ten days, then is settled: five lines', () => {
  const report = memory();
  const waits = [topic('cause:a')];
  const lines = Array.from({ length: 11 }, (_, night) =>
    report({ scope: 'run', now: nightAt(night) }, night < 10 ? waits : []),
  );
  expect(lines.filter((one) => one !== undefined)).toHaveLength(5);
});

test('a failure and the absence of runs are reported each day, and are not mixed with what a channel does not want', () => {
  const report = memory();
  const failed = topic('failed:ledger/disk-full', { kind: 'failed', newestAt: '' });
  const other = topic('cause:a');
  const only = new Set(['failed']);
  const kinds = [0, 0, 1, 2, 3].map((night) => report({ scope: 'run', now: nightAt(night) }, [failed, other], only));
  expect(kinds).toEqual([
    ['failed', 'new failed:ledger/disk-full'],
    undefined,
    ['failed', 'again failed:ledger/disk-full'],
    ['failed', 'again failed:ledger/disk-full'],
    ['failed', 'again failed:ledger/disk-full'],
  ]);
  // It is over, and this channel does not get what is over: it is forgotten, so that the next one is new.
  expect(report({ scope: 'run', now: nightAt(4) }, [], only)).toBeUndefined();
  expect(report({ scope: 'run', now: nightAt(5) }, [failed], only)).toEqual(['failed', 'new failed:ledger/disk-full']);
});

test('between runs only what is urgent is reported, at most once an hour, and nothing is lost in that hour', () => {
  const report = memory();
  const at = (minutes: number, latest?: number): DigestMoment => ({
    scope: 'now',
    now: new Date(FIRST + minutes * 60_000),
    ...(latest !== undefined && { latestAt: new Date(FIRST + latest * 60_000).toISOString() }),
  });
  const doubt = topic('in-doubt:fr', { newestAt: new Date(FIRST).toISOString() });
  const paused = topic('paused:fr', { newestAt: new Date(FIRST).toISOString() });
  expect(report(at(1), [doubt, topic('cause:a')])).toEqual(['attention', 'new in-doubt:fr']);
  expect(report(at(30, 1), [doubt, paused])).toBeUndefined();
  expect(report(at(61, 1), [doubt, paused])).toEqual(['attention', 'new paused:fr']);
  expect(report(at(130, 61), [doubt])).toEqual(['recovered', 'over paused:fr']);
  const more = { ...doubt, newestAt: new Date(FIRST + 180 * 60_000).toISOString() };
  expect(report(at(200, 130), [more])).toEqual(['attention', 'more in-doubt:fr']);
});

test('always: each run, also one with nothing to report', () => {
  const report = memory();
  const on = new Set(['always']);
  expect(report({ scope: 'run', now: nightAt(0) }, [], on)).toEqual(['always']);
  expect(report({ scope: 'now', now: nightAt(0) }, [], on)).toBeUndefined();
});

test.each([
  ['2026-11-20T21:00:00Z', '20:00-07:00', '2026-11-21T06:00:00Z'],
  ['2026-11-21T05:59:59Z', '20:00-07:00', '2026-11-21T06:00:00Z'],
  ['2026-11-21T06:00:00Z', '20:00-07:00', '2026-11-21T06:00:00Z'],
  ['2026-11-21T12:30:00Z', '13:00-14:00', '2026-11-21T13:00:00Z'],
  ['2026-11-21T18:59:00Z', '20:00-07:00', '2026-11-21T18:59:00Z'],
  // The night in which the clock goes back is an hour longer.
  ['2026-10-24T19:00:00Z', '20:00-07:00', '2026-10-25T06:00:00Z'],
])('at %s, quiet from %s: sent at %s', (now, quiet, sent) => {
  expect(new Date(afterQuiet(new Date(now), quiet, ZONE)).toISOString()).toBe(new Date(sent).toISOString());
});

test('quiet hours delay what waits for people, never a failure', () => {
  const now = new Date('2026-11-20T21:00:00Z');
  const rules = { on: ALL_BUT_ALWAYS, zone: ZONE, quiet: '20:00-07:00' };
  const dueOf = (one: DigestTopic) => planDigest({ scope: 'run', now }, rules, [one], []).notice?.dueAt;
  expect(dueOf(topic('cause:a'))).toBe(Date.parse('2026-11-21T06:00:00Z'));
  expect(dueOf(topic('failed:x', { kind: 'failed' }))).toBe(now.getTime());
  expect(dueOf(topic('absent:run', { kind: 'absent' }))).toBe(now.getTime());
});
