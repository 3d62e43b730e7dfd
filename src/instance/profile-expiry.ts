/**
 * Profiles of rules that end, and the date, in; warnings out: before the last day, while there is time to check
 * documents under the next profile, and after it where the settings stay with the old one. Rules that apply on certain
 * days only need no setting: they depend on the day of the document. Never fails.
 */
import { countryOf, DOCUMENT_KINDS } from '../catalogue.ts';
import { CHECK_FINDINGS } from '../i18n/messages/mapping-messages.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { type Fault, withMessage } from '../model/fault.ts';
import { PROFILE_ENDS, PROFILES, PROFILES_BY_DAY, type ProfileName } from '../model/rule.ts';
import type { Settings } from './settings-shape.ts';

/** Days before the last one on which the warning begins. */
const DAYS_BEFORE = 45;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * At most one warning `config/profile-ends` for each service that some mapping makes documents for. The day is counted
 * in the time zone of the service.
 */
export function profileEnds(
  { rules }: Pick<Settings, 'rules'>,
  mappings: readonly Pick<Mapping, 'target'>[],
  now: Date,
): readonly Fault[] {
  const targets = new Set(mappings.map(({ target }) => target));
  const services = new Set(DOCUMENT_KINDS.filter(({ name }) => targets.has(name)).map(({ service }) => service));
  return [...services].flatMap((service) => {
    const given = rules[service];
    const first = PROFILES_BY_DAY[given];
    const profile = first ?? given;
    const end = PROFILE_ENDS[profile];
    if (!end) return [];
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: countryOf(service).zone, dateStyle: 'short' }).format(
      now,
    );
    const left = (Date.parse(end.until) - Date.parse(today)) / DAY_MS;
    if (left > DAYS_BEFORE || (first !== undefined && left < 0)) return [];
    const values = { service, profile, ...end };
    const message = left >= 0 ? CHECK_FINDINGS.profileEnds({ ...values, left }) : CHECK_FINDINGS.profileEnded(values);
    const { next } = end;
    const hint =
      first === undefined
        ? CHECK_FINDINGS.changeProfile({ service, next, byDay: byDayOf(profile) })
        : CHECK_FINDINGS.followsDay({ variable: service.toUpperCase(), next });
    return [{ code: 'config/profile-ends', level: 'warning', ...withMessage(message, hint), given }];
  });
}

/** The profile that goes by the day and begins with this one; without one, the next profile. */
function byDayOf(profile: ProfileName): string {
  return PROFILES.find((name) => PROFILES_BY_DAY[name] === profile) ?? PROFILE_ENDS[profile]?.next ?? profile;
}
