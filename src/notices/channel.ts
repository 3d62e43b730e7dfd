/** The channels of the settings, with their names and defaults; a pure reading of `notify`. */
import { hostname } from 'node:os';
import type { Instance } from '../instance/instance.ts';
import { localeOf } from '../instance/locale.ts';
import { type ChannelSettings, channelNames, NOTICE_OCCASIONS } from '../instance/notify-shape.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { NoticeSetting } from './notice-mail.ts';

/** A channel that keeps its notices in the outbox: a mail or a webhook. */
export type Channel = { readonly name: string; readonly on: ReadonlySet<string>; readonly settings: ChannelSettings };

/** What it gets unless its settings name it. */
const MAIL_GETS = NOTICE_OCCASIONS.filter((one) => one !== 'always');

/** Mails and webhooks, in the order of the settings. */
export function channelsOf({ settings }: Pick<Instance, 'settings'>): readonly Channel[] {
  const names = channelNames(settings.notify);
  return settings.notify.flatMap((own, n) => {
    const name = names[n];
    if (name === undefined || own.heartbeat) return [];
    return [{ name, on: new Set<string>(own.on ?? (own.webhook ? ['always'] : MAIL_GETS)), settings: own }];
  });
}

/** A channel that gives signs of life. */
export type Heartbeat = NonNullable<ChannelSettings['heartbeat']> &
  Pick<ChannelSettings, 'for' | 'codes'> & { readonly name: string };

/** The heartbeats, with their names. */
export function heartbeatsOf({ settings }: Pick<Instance, 'settings'>): readonly Heartbeat[] {
  const names = channelNames(settings.notify);
  return settings.notify.flatMap(({ heartbeat, ...own }, n) => {
    const name = names[n];
    return heartbeat && name !== undefined ? [{ ...heartbeat, name, for: own.for, codes: own.codes }] : [];
  });
}

/** The reader of a channel, and the place that its notices come from. */
export function settingOf(
  { settings: own }: Channel,
  { settings }: Pick<Instance, 'settings'>,
  at: Date,
): NoticeSetting {
  return definedOnly({
    language: own.language ?? settings.rules.language,
    zone: localeOf(settings).zone,
    details: own.details,
    company: settings.company,
    host: hostname(),
    environment: settings.environment,
    at: at.toISOString(),
    console: consoleLink(settings.serve),
  });
}

/** Only where people on other machines reach the console. */
function consoleLink({ tls, proxy, hosts, port }: Instance['settings']['serve']): string | undefined {
  const [host] = hosts;
  if (host === undefined || !(tls || proxy)) return undefined;
  return proxy || port === 443 || host.includes(':') ? `https://${host}/` : `https://${host}:${port}/`;
}
