/** The language and the time zone in which an instance speaks to people. */
import { type Locale, machineZone } from '../text/local-time.ts';
import type { Settings } from './settings-shape.ts';

/** The zone is that of this machine where the settings name none. */
export function localeOf({ rules, 'time-zone': zone }: Pick<Settings, 'rules' | 'time-zone'>): Locale {
  return { zone: zone ?? machineZone(), language: rules.language };
}
