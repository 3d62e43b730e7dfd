/**
 * Exports that should have arrived by now: the hours of `expect` on the calendar of a zone, compared with the files
 * that were taken. A file that comes after an hour is late for that hour, and does not count for the next one too. Reads only.
 */

import { Temporal } from 'temporal-polyfill';
import type { Instance } from '../../instance/instance.ts';
import { localeOf } from '../../instance/locale.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { isExport, type SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { matchesName } from '../../text/glob.ts';
import type { RunContext } from '../context/run-context.ts';

type Expectation = Instance['settings']['expect'][number];

/** The state of one expected export at its latest hour. */
export type Expected = {
  readonly name: string;
  readonly files: string;
  /** ISO 8601: the hour that was last, and since when a file counts for it (`countsSince`). */
  readonly due: string;
  readonly since: string;
  /** Until when a file counts for it: later ones belong to the next hour. Absent in reports of earlier versions. */
  readonly until?: string;
  /** waived: a person decided that it does not come. not-due: its hour is before the first run of this instance. duplicate: only bytes that were taken before. refused: only files of which no documents could be made. */
  readonly state: 'arrived' | 'missing' | 'refused' | 'duplicate' | 'waived' | 'not-due';
  /** The latest file that counts. */
  readonly file?: string;
  /** waived: who decided, and why. */
  readonly by?: string;
  readonly reason?: string;
};

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** Three months and a day: every rule applies at least three times. */
const LOOK_BACK_DAYS = 94;
/** To which hour a file belongs depends on those before: of a week, where there are so many. */
const [LEAST_HOURS, MOST_HOURS, HOURS_OF_DAYS] = [3, 8, 12];
/**
 * Parts of the time between two hours. A file that comes within the first part after an hour is late for it, or comes once
 * more for it. If nothing came for the hour, the first half of the time belongs to it: a person exports by hand in the morning. In
 * the third quarter a file settles what is missing, and may be that of the next hour; in the last one it is that alone.
 */
const [LATE, LATE_IF_MISSED, LAST] = [0.25, 0.5, 0.75];

/** So often an export has to come at a time of the day that it counts as usual, among times between hours of about the same length. */
const [LEAST_USUAL, AS_LONG] = [3, 1.5];

/** One result for each entry of `expect`, at `now`, on the clock of the instance unless another zone is given. */
export async function expectedExports(
  { instance, ledger }: { readonly instance: Pick<Instance, 'settings'>; readonly ledger: RunContext['ledger'] },
  now: Date,
  zone = localeOf(instance.settings).zone,
): Promise<readonly Expected[]> {
  const rules = instance.settings.expect;
  if (rules.length === 0) return [];
  const [since = ''] = rules.flatMap((one) => hoursOf(one, now, zone).hours.slice(0, 1)).sort();
  const files = await ledger.queries.files({ since, limit: Number.MAX_SAFE_INTEGER });
  const waived = await ledger.queries.exportsWaived();
  return judgeExports(
    rules,
    { files, waived, firstUse: (await ledger.queries.firstUse()) ?? now.toISOString() },
    now,
    zone,
  );
}

/** What the ledger knows; `files` the latest first, `firstUse` in ISO 8601. */
type Known = {
  readonly files: readonly SourceFile[];
  readonly waived: Awaited<ReturnType<RunContext['ledger']['queries']['exportsWaived']>>;
  readonly firstUse: string;
};

/** The state of each export at its latest hour, in the order of the rules. Pure. */
export function judgeExports(
  rules: readonly Expectation[],
  { files, waived, firstUse }: Known,
  now: Date,
  zone: string,
): readonly Expected[] {
  return rules.map((rule) => {
    const hours = hoursOf(rule, now, zone);
    const named = filesFor(rule, files);
    const one = { ...rule, due: hours.due, ...countsBetween(hours, named, firstUse) };
    const state = stateOf(one, files, firstUse);
    const waiver = waived.find(({ name, due: hour }) => name === one.name && hour === one.due);
    const { by, reason } = waiver ?? {};
    return withoutRule({
      ...one,
      by: undefined,
      ...(waiver && state.state !== 'arrived' ? { state: 'waived', by, reason } : state),
    });
  });
}

type Loose = { readonly [key in keyof Expected]: Expected[key] | undefined } & Pick<
  Expected,
  'name' | 'files' | 'due' | 'since' | 'state'
>;

function withoutRule({ name, files, due, since, until, state, file, by, reason }: Loose): Expected {
  return definedOnly({ name, files, due, since, until, state, file, by, reason });
}

/** Exports of the name. */
function filesFor({ files }: Pick<Expectation, 'files'>, taken: readonly SourceFile[]): readonly SourceFile[] {
  return taken.filter((file) => isExport(file) && matchesName(files, file.name));
}

type Hours = ReturnType<typeof hoursOf>;

/**
 * The time whose files count for the hour `due`, by those of their name. An hour for which nothing came takes the files of a longer
 * time after it, so all hours are gone through.
 */
function countsBetween(
  { hours, next }: Hours,
  files: readonly SourceFile[],
  firstUse: string,
): Required<Pick<Expected, 'since' | 'until'>> {
  const isUsual = comesLongBefore([...hours, next], files);
  const [first = next, second = next, ...later] = [...hours, next];
  let since = first;
  let [from, until] = [partAfter(first, second, LATE), second];
  let hour = second;
  for (const after of later) {
    since = from;
    const late = partAfter(hour, after, LATE);
    const hasCome = cameBetween(files, since, late);
    from = hasCome || isUsual || hour < firstUse ? late : partAfter(hour, after, LATE_IF_MISSED);
    until = hasCome ? late : partAfter(hour, after, LAST);
    hour = after;
  }
  return { since, until };
}

/**
 * Whether the export always comes in the second quarter of the time between two hours: it is for the hour after that then, and none
 * that a person exports by hand for the one before. Otherwise one that is missing would shift all that follow.
 */
function comesLongBefore(hours: readonly string[], files: readonly SourceFile[]): boolean {
  const all = hours.slice(1).map((next, at) => ({ hour: hours[at] ?? next, next }));
  const msOf = ({ hour, next }: (typeof all)[number]) => Date.parse(next) - Date.parse(hour);
  const usual = all.map(msOf).reduce((least, one) => Math.min(least, one)) * AS_LONG;
  let count = 0;
  // Over a weekend the same time of the day is another part.
  for (const one of all.filter((time) => msOf(time) <= usual)) {
    const half = partAfter(one.hour, one.next, LATE_IF_MISSED);
    if (cameBetween(files, half, one.next)) return false;
    if (cameBetween(files, partAfter(one.hour, one.next, LATE), half)) count++;
  }
  return count >= LEAST_USUAL;
}

function cameBetween(files: readonly SourceFile[], after: string, until: string): boolean {
  return files.some(
    ({ state, claimedAt }) => (state === 'admitted' || state === 'loading') && claimedAt > after && claimedAt <= until,
  );
}

function partAfter(hour: string, next: string, part: number): string {
  const from = Date.parse(hour);
  return new Date(from + Math.round((Date.parse(next) - from) * part)).toISOString();
}

/** The latest hour that has passed, those before it and the next one, in ISO 8601. `hours`: the oldest first, `due` the last. */
export function hoursOf(rule: Pick<Expectation, 'by' | 'on'>, now: Date, zone: string) {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
  const hours: Temporal.ZonedDateTime[] = [];
  for (let back = 0; back <= LOOK_BACK_DAYS && hours.length < MOST_HOURS; back++) {
    if (back > HOURS_OF_DAYS && hours.length >= LEAST_HOURS) break;
    const day = local.toPlainDate().subtract({ days: back });
    if (!isOn(rule.on, day)) continue;
    // An hour that the clock skips in spring is one later; of an hour that occurs twice in autumn, the first one
    // counts.
    const hour = day.toZonedDateTime({ timeZone: zone, plainTime: rule.by });
    if (Temporal.ZonedDateTime.compare(hour, local) <= 0) hours.push(hour);
  }
  const [due, former] = hours.map(isoOf);
  const today = local.toPlainDate();
  const coming = Array.from({ length: LOOK_BACK_DAYS }, (_, ahead) => today.add({ days: ahead }))
    .filter((day) => isOn(rule.on, day))
    .map((day) => day.toZonedDateTime({ timeZone: zone, plainTime: rule.by }))
    .find((hour) => Temporal.ZonedDateTime.compare(hour, local) > 0);
  return {
    due: must(due, 'the last hour of an export'),
    former: must(former, 'the hour before it'),
    hours: hours.map(isoOf).toReversed(),
    next: isoOf(must(coming, 'the next hour of an export')),
  };
}

function isoOf({ epochMilliseconds }: Temporal.ZonedDateTime): string {
  return new Date(epochMilliseconds).toISOString();
}

/** Whether the rule names this local day. */
export function isOn(on: Expectation['on'], day: Temporal.PlainDate): boolean {
  if (on === 'daily') return true;
  if (on === 'weekdays') return day.dayOfWeek <= 5;
  if ('monthly' in on) return day.day === Math.min(on.monthly, day.daysInMonth);
  return on.some((name) => DAYS.indexOf(name) === day.dayOfWeek - 1);
}

/** Whether the file came in the time of the hour. */
export function countsFor(
  { since, until }: Pick<Loose, 'since' | 'until'>,
  { claimedAt }: Pick<SourceFile, 'claimedAt'>,
): boolean {
  return claimedAt > since && (until === undefined || claimedAt <= until);
}

function stateOf(
  { files, since, until, due }: Pick<Loose, 'files' | 'since' | 'until' | 'due'>,
  taken: readonly SourceFile[],
  first: string,
) {
  const fitting = filesFor({ files }, taken).filter((file) => countsFor({ since, until }, file));
  for (const [state, of] of [
    ['arrived', ['admitted', 'loading']],
    ['refused', ['refused']],
    ['duplicate', ['duplicate']],
  ] as const) {
    const found = fitting.find((file) => (of as readonly string[]).includes(file.state));
    if (found) return { state, file: found.name } as const;
  }
  return { state: due < first ? 'not-due' : 'missing' } as const;
}

/**
 * Emits `export-missing` once for each hour of each export. `seen` keeps the hours that were checked: a file that comes
 * later is not reported.
 */
export async function reportMissingExports(context: RunContext, seen: Set<string>): Promise<void> {
  const now = context.clock.now();
  for (const { state, file: _, ...one } of await expectedExports(context, now)) {
    const key = `${one.name} ${one.due}`;
    if (state === 'missing' && !seen.has(key)) context.emit({ what: 'export-missing', ...one });
    seen.add(key);
  }
}
