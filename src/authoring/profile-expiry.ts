/**
 * Profiles of rules that end, and the date, in; warnings out: before the last day, while there is time to check
 * documents under the next profile, and after it. Rules that apply on certain days only need no setting: they depend on
 * the day of the document. Never fails.
 */
import { DOCUMENT_KINDS, ZONES } from '../catalogue.ts';
import { CHECK_FINDINGS } from '../i18n/messages/mapping-messages.ts';
import type { Settings } from '../instance/settings-shape.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { type Fault, withMessage } from '../model/fault.ts';
import { PROFILE_ENDS } from '../model/rule.ts';

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
    const profile = rules[service as 'fr' | 'sv'];
    const end = PROFILE_ENDS[profile];
    if (!end) return [];
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: ZONES[service], dateStyle: 'short' }).format(now);
    const left = (Date.parse(end.until) - Date.parse(today)) / DAY_MS;
    if (left > DAYS_BEFORE) return [];
    const values = { service, profile, ...end };
    const message = left >= 0 ? CHECK_FINDINGS.profileEnds({ ...values, left }) : CHECK_FINDINGS.profileEnded(values);
    const hint = CHECK_FINDINGS.changeProfile({ service, next: end.next });
    return [{ code: 'config/profile-ends', level: 'warning', ...withMessage(message, hint), given: profile }];
  });
}
