/**
 * Profiles of rules that end: told while there is time to look at documents under the next one, and after it. Rules that
 * hold for certain days only need no setting, they go by the day of the document.
 */
import { DOCUMENT_KINDS, ZONES } from '../catalogue.ts';
import type { Settings } from '../instance/settings.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { Fault } from '../model/fault.ts';
import { PROFILE_ENDS } from '../model/rule.ts';

/** How long before the last day it is told. */
const DAYS_BEFORE = 45;
const DAY = 24 * 60 * 60 * 1000;

/** One warning per service whose documents some mapping makes. */
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
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: ZONES[service]!, dateStyle: 'short' }).format(now);
    const left = (Date.parse(end.until) - Date.parse(today)) / DAY;
    if (left > DAYS_BEFORE) return [];
    const when = left >= 0 ? `is taken until ${end.until}, ${inDays(left)}` : `was taken until ${end.until}`;
    return [
      {
        code: 'config/profile-ends',
        level: 'warning',
        message: `rules.${service}: ${profile} ${when}; ${end.next} is compulsory from the day after`,
        given: profile,
        hint: `ask the provider from what day it sends the new version, then set rules: { ${service}: ${end.next} } and look at documents with: nightpost preview FILE`,
      },
    ];
  });
}

function inDays(left: number): string {
  if (left === 0) return 'today';
  return left === 1 ? 'one more day' : `${left} more days`;
}
