/**
 * When to ask for the outcome of a document: epoch milliseconds, by state and service.
 *
 * `done` counts the consultations so far. Times are gaps from now, so that a night without power moves the rest along.
 */
import { Temporal } from 'temporal-polyfill';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Epoch milliseconds of the next consultation; undefined if none follows. */
export type ConsultAt = (now: Date, done: number, random: () => number) => number | undefined;

/** French code 8: 15 min, 1 h, 4 h and 12 h after the answer, then daily. */
export const frenchContingency: ConsultAt = (now, done) => {
  const gaps = [15 * MINUTE, 45 * MINUTE, 3 * HOUR, 8 * HOUR];
  return now.getTime() + (gaps[done] ?? DAY);
};

/**
 * In-doubt and code 15: after 5 min, then an hour after that, then a person decides. A full hour is between the two
 * because only answers an hour apart count as "does not exist".
 */
export const doubtful: ConsultAt = (now, done) => {
  const gap = [5 * MINUTE, HOUR][done];
  return gap === undefined ? undefined : now.getTime() + gap;
};

/** Remission note code 8: from 05:00 of the next local day (remission-note 3 and 8), spread over half an hour. */
export function fromFiveNextDay(zone: string): ConsultAt {
  return (now, _done, random) => {
    const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
    const five = local.toPlainDate().add({ days: 1 }).toZonedDateTime({ timeZone: zone, plainTime: '05:00' });
    return five.epochMilliseconds + Math.floor(random() * 30 * MINUTE);
  };
}
