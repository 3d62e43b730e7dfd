/**
 * What one channel reports now: the topics there are, those that it has reported, and the time come in; lines, or nothing,
 * come out, with what to record. A pure function: the caller has the clock. Nothing throws.
 */
import { Temporal } from 'temporal-polyfill';
import type { NoticeKind, ReportedTopic } from '../ledger/contract/notice-store.ts';
import { isoDayIn } from '../text/local-time.ts';

/** Something that people may have to know. `key` names it for good; its prefix says what it is. */
export type DigestTopic = {
  readonly key: string;
  readonly kind: 'attention' | 'failed' | 'absent';
  readonly documents: number;
  /** ISO 8601 in UTC: since when the newest part of it is there. */
  readonly newestAt: string;
};

export type DigestRules = {
  readonly on: ReadonlySet<string>;
  readonly zone: string;
  /** "20:00-07:00" on the clock of the zone. */
  readonly quiet?: string;
};

/**
 * `run`: at the end of a run; `daily`: the notice of a day of a watch; `now`: between these, for urgent topics alone.
 * `latestAt`: when the channel got its latest notice.
 */
export type DigestMoment = {
  readonly scope: 'run' | 'daily' | 'now';
  readonly now: Date;
  readonly latestAt?: string;
};

/** `more`: a part of it is newer than its latest report. `again`: it was reported, and still waits. */
export type DigestLine<T> = { readonly topic: T; readonly why: 'new' | 'more' | 'again' };

export type Digest<T> = {
  /** Absent: nothing to report. */
  readonly notice?: {
    readonly kind: NoticeKind;
    readonly dueAt: number;
    readonly lines: readonly DigestLine<T>[];
    /** Reported earlier, and not due: they wait all the same. */
    readonly others: readonly T[];
    readonly over: readonly ReportedTopic[];
  };
  /** Reported for the first time or again, with an earlier report of it if there is one. */
  readonly put: readonly { readonly topic: T; readonly reportedAt: string; readonly firstAt: string }[];
  readonly drop: readonly string[];
};

const HOUR_MS = 3_600_000;
/** Topics that cannot wait for the end of a run or of a day. */
const URGENT = /^(?:in-doubt|invalidated|no-send|quarantine|paused|export|absent):/;
/** Days after the first report on which a topic is reported again; every week from then on. */
const REMINDER_DAYS = [1, 3, 7];
const WEEK_DAYS = 7;

/** Begins the key of what is true of one night: that the next night is well settles nothing. */
export const NIGHT_TOPIC = 'night:';

/** Whether the topic is reported at once by a watch. */
function isUrgent(key: string): boolean {
  return URGENT.test(key);
}

export function planDigest<T extends DigestTopic>(
  { scope, now, latestAt }: DigestMoment,
  { on, zone, quiet }: DigestRules,
  topics: readonly T[],
  reported: readonly ReportedTopic[],
): Digest<T> {
  const isAsked = (kind: string) => on.has('always') || on.has(kind);
  const isMeant = (key: string) => scope !== 'now' || isUrgent(key);
  const known = new Map(reported.map((one) => [one.topic, one]));
  const wanted = topics.filter(({ key, kind }) => isAsked(kind) && isMeant(key));
  const there = new Set(topics.map(({ key }) => key));
  const ended = reported.filter(({ topic }) => isMeant(topic) && !there.has(topic));
  const settles = ({ topic }: ReportedTopic) => !topic.startsWith(NIGHT_TOPIC) && !isOfLaterHour(topic, there);
  const over = isAsked('recovered') ? ended.filter(settles) : [];
  const lines = wanted.flatMap((topic) => lineOf(topic, known.get(topic.key), now, zone) ?? []);
  const sinceMs = latestAt === undefined ? Number.POSITIVE_INFINITY : now.getTime() - Date.parse(latestAt);
  // A time that is still to come was written under a clock that was ahead.
  const isTooSoon = scope === 'now' && sinceMs >= 0 && sinceMs < HOUR_MS;
  if (isTooSoon) return { put: [], drop: [] };
  const drop = ended.map(({ topic }) => topic);
  const isDue = lines.length > 0 || over.length > 0 || (scope !== 'now' && on.has('always'));
  if (!isDue) return { put: [], drop };
  const kind = kindOf(lines, over);
  const due = new Set(lines.map(({ topic }) => topic.key));
  const others = wanted.filter(({ key }) => !due.has(key));
  return {
    notice: { kind, dueAt: isDeferred(kind) ? afterQuiet(now, quiet, zone) : now.getTime(), lines, others, over },
    put: lines.map(({ topic }) => ({
      topic,
      reportedAt: now.toISOString(),
      firstAt: known.get(topic.key)?.firstAt ?? now.toISOString(),
    })),
    drop,
  };
}

/** `export:NAME:HOUR`: that a later hour is missing now settles nothing. */
function isOfLaterHour(key: string, there: ReadonlySet<string>): boolean {
  const [name] = /^export:.*:(?=\d{4}-\d\d-\d\dT)/s.exec(key) ?? [];
  return name !== undefined && [...there].some((one) => one.startsWith(name));
}

function lineOf<T extends DigestTopic>(
  topic: T,
  before: ReportedTopic | undefined,
  now: Date,
  zone: string,
): DigestLine<T> | undefined {
  if (!before) return { topic, why: 'new' };
  if (topic.newestAt > before.reportedAt) return { topic, why: 'more' };
  // Reported under a clock that was ahead: until that time is over, nothing would be newer.
  if (before.reportedAt > now.toISOString()) return { topic, why: 'again' };
  const since = daysBetween(before.firstAt, now, zone);
  const at = daysBetween(before.firstAt, new Date(before.reportedAt), zone);
  const isDaily = topic.kind !== 'attention';
  return since > at && (isDaily || reminders(since) > reminders(at)) ? { topic, why: 'again' } : undefined;
}

/** How many reminders are due within this many days of the first report. */
function reminders(days: number): number {
  const last = REMINDER_DAYS.at(-1) ?? 0;
  const early = REMINDER_DAYS.filter((day) => day <= days).length;
  return early + Math.max(0, Math.floor((days - last) / WEEK_DAYS));
}

/** Days of the calendar: a run that begins a minute earlier than that of the night before is a night later all the same. */
function daysBetween(from: string, to: Date, zone: string): number {
  const [first, last] = [isoDayIn(from, zone), isoDayIn(to, zone)];
  if (first === undefined || last === undefined) return 0;
  return Temporal.PlainDate.from(first).until(Temporal.PlainDate.from(last), { largestUnit: 'days' }).days;
}

function kindOf(lines: readonly DigestLine<DigestTopic>[], over: readonly unknown[]): NoticeKind {
  const kinds = new Set(lines.map(({ topic }) => topic.kind));
  const first = (['failed', 'absent', 'attention'] as const).find((kind) => kinds.has(kind));
  return first ?? (over.length > 0 ? 'recovered' : 'always');
}

/** Whether quiet hours delay it. */
function isDeferred(kind: NoticeKind): boolean {
  return kind !== 'failed' && kind !== 'absent';
}

/** The end of the quiet hours that `now` is in, else `now`; epoch milliseconds. */
export function afterQuiet(now: Date, quiet: string | undefined, zone: string): number {
  const [begin, end] = quiet?.split('-').map((time) => Temporal.PlainTime.from(time)) ?? [];
  if (!begin || !end) return now.getTime();
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
  const time = local.toPlainTime();
  const isAfter = (one: Temporal.PlainTime) => Temporal.PlainTime.compare(time, one) >= 0;
  const overMidnight = Temporal.PlainTime.compare(begin, end) > 0;
  const isQuiet = overMidnight ? isAfter(begin) || !isAfter(end) : isAfter(begin) && !isAfter(end);
  if (!isQuiet) return now.getTime();
  const day = overMidnight && isAfter(begin) ? local.toPlainDate().add({ days: 1 }) : local.toPlainDate();
  return day.toZonedDateTime({ timeZone: zone, plainTime: end }).epochMilliseconds;
}
