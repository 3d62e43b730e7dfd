/**
 * Instants as people read them: on the calendar of a zone, `22/11/2026 02:33` in French and Spanish, `2026-11-22 02:33`
 * in English. A text that is no instant comes back as it is.
 */
import type { Language } from '../i18n/message.ts';

/** Where and for whom a time is written: an IANA time zone and a language. */
export type Locale = { readonly zone: string; readonly language: Language };

/** The zone of this machine, such as Europe/Paris. Asked for once: a process keeps the zone that it has begun with. */
export function machineZone(): string {
  zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone;
}

let zone: string | undefined;

/** Whether the platform knows a time zone of this name. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Day, hour and minute of an ISO 8601 instant. */
export function localTime(at: string | number | Date, locale: Locale): string {
  const moment = momentIn(at, locale.zone);
  return moment === undefined ? String(at) : `${dayText(moment.day, locale.language)} ${moment.time}`;
}

/** The calendar day of an instant in a zone, as ISO 8601: for comparison with days, not for people. */
export function isoDayIn(at: string | number | Date, zone: string): string | undefined {
  return momentIn(at, zone)?.day;
}

/** A day `YYYY-MM-DD` as people write it. */
export function dayText(day: string, language: Language): string {
  if (language === 'en') return day;
  return day.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3/$2/$1');
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** One format for each zone: making one costs more than many uses. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  // Swedish writes 2026-11-22 02:33.
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(zone, made);
  return made;
}

function momentIn(
  at: string | number | Date,
  zone: string,
): { readonly day: string; readonly time: string } | undefined {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return undefined;
  const [day = '', time = ''] = formatOf(zone).format(moment).split(' ');
  return { day, time };
}
