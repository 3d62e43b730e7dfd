/**
 * Profiles that follow each other by the day of the document: the name of a profile in, the profiles it stands for out,
 * each with its first and last day. A profile that does not go by the day is its own only one, for all days.
 */
import { must } from '../../model/must.ts';
import { PROFILE_ENDS, PROFILES_BY_DAY, type ProfileName } from '../../model/rule.ts';
import { dateOfDay, dayNumber } from '../../text/calendar-date.ts';

/** `from` and `to`: first and last day (YYYY-MM-DD) of the documents that the profile judges; absent without a limit. */
export type ProfilePeriod = {
  readonly profile: ProfileName;
  readonly from: string | undefined;
  readonly to: string | undefined;
};

/** In the order of the days, without a gap. */
export function periodsOf(profile: ProfileName): readonly ProfilePeriod[] {
  const begin = PROFILES_BY_DAY[profile];
  return begin === undefined ? [{ profile, from: undefined, to: undefined }] : periodsFrom(begin, undefined);
}

function periodsFrom(profile: ProfileName, from: string | undefined): readonly ProfilePeriod[] {
  const end = PROFILE_ENDS[profile];
  if (!end) return [{ profile, from, to: undefined }];
  return [{ profile, from, to: end.until }, ...periodsFrom(end.next, dateOfDay(dayNumber(end.until) + 1))];
}

/** The one of these periods that the day (YYYY-MM-DD) is in. */
export function periodOn<P extends ProfilePeriod>(periods: readonly P[], day: string): P {
  return must(
    periods.find(({ to }) => to === undefined || day <= to),
    `the profile on ${day}`,
  );
}
