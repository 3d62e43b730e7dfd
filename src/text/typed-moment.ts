/**
 * Days and times as people type them for a filter: `2026-11-21`, `2026-11-21T14:30`, with an offset or without. One meaning in
 * every command, screen and question of the API.
 */
import { Temporal } from 'temporal-polyfill';

/** Whether a typed text is a day `YYYY-MM-DD` that the calendar has. */
export function isTypedDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}

const DAY = /^\d{4}-\d\d-\d\d$/;

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * A typed day or time as ISO 8601 in UTC. A day begins at its first instant in the zone, a time without an offset is on the
 * clock of the zone. Undefined for every other text, and for a day or an hour that does not exist.
 */
export function typedMoment(text: string, zone: string): string | undefined {
  const [, day = '', time, offset] = MOMENT.exec(text) ?? [];
  if (!isTypedDay(day)) return undefined;
  try {
    if (time === undefined) return isoOf(Temporal.PlainDate.from(day).toZonedDateTime(zone).toInstant());
    if (offset !== undefined) return isoOf(Temporal.Instant.from(`${day}T${time}${offset}`));
    return isoOf(Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone).toInstant());
  } catch {
    return undefined;
  }
}

/** Whether `typedMoment` reads the text. */
export function isTypedMoment(text: string): boolean {
  return typedMoment(text, 'UTC') !== undefined;
}

function isoOf({ epochMilliseconds }: Temporal.Instant): string {
  return new Date(epochMilliseconds).toISOString();
}
