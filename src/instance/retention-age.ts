/** Retention periods of the settings (`keep`), as points in time on the calendar. */
import { Temporal } from 'temporal-polyfill';
import { must } from '../model/must.ts';

/** Epoch milliseconds of the calendar time before `now`: `keep` is "90d" or "10 y". */
export function ago(keep: string, now: Date): number {
  const [, count, unit] = must(/^(\d+)\s?([dy])$/.exec(keep) ?? undefined, 'a retention period');
  const day = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC');
  const past = day.subtract(unit === 'y' ? { years: Number(count) } : { days: Number(count) });
  return past.epochMilliseconds;
}
