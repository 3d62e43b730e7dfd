/** The settings of notices: a list of channels, each one mail, webhook or heartbeat, with what it gets and when. */
import { z } from 'zod';
import { NOTIFY_SETTING } from '../i18n/messages/console/console-notices-messages.ts';
import { SETTINGS_VALUE } from '../i18n/messages/settings-messages.ts';
import { secretReference } from '../model/secret-reference.ts';
import { addProblem, expecting } from '../model/shape-issue.ts';
import { interval } from './setting-measures.ts';

/** One address, without a name: nothing in it ends a line, begins another header, or names a second person. */
const address = z
  .string()
  .regex(/^[^\s<>()[\],;:@"\\\p{Cc}]{1,64}@[A-Za-z0-9.-]{1,253}$/u, expecting(NOTIFY_SETTING.address()));

const ca = z
  .string()
  .min(1)
  .optional()
  .describe(
    'file with the certificates (PEM) that the one of the server depends on, where the system does not know them',
  );

const smtp = z.strictObject({
  host: z
    .string()
    .regex(/^[A-Za-z0-9.:-]{1,253}$/, expecting(NOTIFY_SETTING.host()))
    .describe('name or address of the mail server'),
  port: z.int().min(1).max(65_535).default(587).describe('587 begins TLS by STARTTLS, 465 has it from the start'),
  user: z
    .string()
    .min(1)
    .max(320)
    .optional()
    .describe('account at the mail server; none: mail is sent without sign-in'),
  password: secretReference.optional().describe('its password, by reference'),
  tls: z
    .enum(['required', 'none'])
    .default('required')
    .describe('required: nothing is sent, not even the password, without TLS; none: only to this machine'),
  ca,
});

const mail = z.strictObject({
  to: z.array(address).min(1).max(50).describe('addresses that get the mails'),
  from: address.describe('address that the mails come from'),
  smtp: smtp.describe('the mail server'),
});

/** What a webhook may ask for; each is a `type` of its bodies (docs/reference/notices.md). */
export const WEBHOOK_TYPES = [
  'night.finished',
  'attention.needed',
  'service.paused',
  'export.missing',
  'document.changed',
] as const;

const webhook = z.strictObject({
  url: secretReference.describe(
    'its address, by reference, because it often has a secret in it; https, or this machine',
  ),
  secret: secretReference.describe('signs the bodies (Standard Webhooks: whsec_ and Base64), by reference'),
  'former-secret': secretReference
    .optional()
    .describe('signs them too, while the receiver changes from this secret to the other'),
  ca,
  types: z
    .array(z.enum(WEBHOOK_TYPES))
    .min(1)
    .default(['night.finished', 'attention.needed', 'service.paused', 'export.missing'])
    .describe('which bodies it gets; document.changed is sent only where it is named'),
});

const heartbeat = z.strictObject({
  url: secretReference.describe('address of the check at the program that watches, by reference'),
  ca,
});

/** What a channel may report. */
export const NOTICE_OCCASIONS = ['attention', 'failed', 'absent', 'recovered', 'always'] as const;

/** A key that the kind of the channel does not have would be a wish that stays silent. */
function withoutEffect(given: { readonly heartbeat?: unknown; readonly mail?: unknown } & Options) {
  const mailOnly = { key: 'attach', problem: NOTIFY_SETTING.onlyFor({ kind: 'mail' }) };
  const attach = given.mail || given.attach === 'none' ? [] : [mailOnly];
  if (given.heartbeat) {
    const keys = (['on', 'quiet'] as const).filter((key) => given[key] !== undefined);
    return [...attach, ...keys.map((key) => ({ key, problem: NOTIFY_SETTING.notHeartbeat() }))];
  }
  const problem = NOTIFY_SETTING.onlyFor({ kind: 'heartbeat' });
  const codes = given.codes ? [{ key: 'codes', problem }] : [];
  return [...attach, ...codes, ...(given.for.includes('watch') ? [{ key: 'for', problem }] : [])];
}

type Options = {
  readonly attach: string;
  readonly on?: unknown;
  readonly quiet?: unknown;
  readonly codes: boolean;
  readonly for: readonly string[];
};

const channel = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,39}$/, expecting(NOTIFY_SETTING.name()))
      .optional()
      .describe('what the channel is called: its kind unless set, with a number from the second of a kind on'),
    mail: mail.optional().describe('a mail to people'),
    webhook: webhook.optional().describe('a request to a program'),
    heartbeat: heartbeat.optional().describe('a sign of life to a program that notices when it does not come'),
    on: z
      .array(z.enum(NOTICE_OCCASIONS))
      .min(1)
      .optional()
      .describe(
        'attention: something waits for people; failed: a run failed; absent: no run began; recovered: what was reported is over; always: each run. A webhook gets always unless set, a mail the other four',
      ),
    for: z
      .array(z.enum(['run', 'watch']))
      .min(1)
      .default(['run'])
      .describe('heartbeat: run has a start and an end; watch has a sign every five minutes'),
    codes: z
      .boolean()
      .default(false)
      .describe('heartbeat: report the exit code of each run as /CODE, in place of success and /fail'),
    language: z.enum(['en', 'fr', 'es']).optional().describe('language of the channel; rules.language unless set'),
    details: z
      .enum(['counts', 'ids', 'full'])
      .default('ids')
      .describe(
        'counts: numbers alone; ids: also numbers of documents and names of files; full: also amounts and customers',
      ),
    attach: z
      .enum(['none', 'html', 'to-fix'])
      .default('none')
      .describe('mail: attach the report of the run, or the correction files too (both only with details: full)'),
    quiet: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, expecting(NOTIFY_SETTING.quiet()))
      .optional()
      .describe('hours without notices, such as "20:00-07:00": they are sent after it, except failed and absent'),
    at: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, expecting(SETTINGS_VALUE.timeOfDay()))
      .default('07:00')
      .describe('watch: the time of day of its daily notice'),
    'absent-after': interval.prefault('26h').describe('absent: the time since the start of the last run'),
  })
  .superRefine((given, context) => {
    const kinds = [given.mail, given.webhook, given.heartbeat].filter((one) => one !== undefined);
    if (kinds.length !== 1) addProblem(context, NOTIFY_SETTING.oneKind());
    const [begin, end] = given.quiet?.split('-') ?? ['begin', 'end'];
    if (begin === end) addProblem(context, NOTIFY_SETTING.quietSame(), ['quiet']);
    for (const { key, problem } of withoutEffect(given)) addProblem(context, problem, [key]);
    if (!given.mail) return;
    if (given.attach !== 'none' && given.details !== 'full') addProblem(context, NOTIFY_SETTING.attach(), ['attach']);
    const { smtp: server } = given.mail;
    const path = ['mail', 'smtp'];
    if (server.tls === 'none' && !isThisMachine(server.host)) {
      addProblem(context, NOTIFY_SETTING.withoutTls(), [...path, 'tls']);
    }
    if ((server.user === undefined) !== (server.password === undefined)) {
      addProblem(context, NOTIFY_SETTING.userAndPassword(), path);
    }
  });

/** localhost, 127.x.x.x and ::1, also in brackets as addresses have it. */
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** Strict, like the rest of the settings. Names are unique, because the ledger knows a channel by its name. */
export const notifyShape = z
  .array(channel)
  .max(20)
  .default([])
  .superRefine((channels, context) => {
    const names = channelNames(channels);
    for (const [n, name] of names.entries()) {
      if (names.indexOf(name) !== n) addProblem(context, NOTIFY_SETTING.nameTwice({ name }), [n, 'name']);
    }
  });

export type ChannelSettings = z.infer<typeof channel>;
export type MailSettings = z.infer<typeof mail>;

const KINDS = ['mail', 'webhook', 'heartbeat'] as const;

/** `mail`, `mail-2`, `webhook`, ...: the name of each channel, in their order. */
export function channelNames(channels: readonly ChannelSettings[]): readonly string[] {
  const counts = new Map<string, number>();
  return channels.map(({ name, ...own }) => {
    const kind = KINDS.find((one) => own[one] !== undefined) ?? 'mail';
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return name ?? (count === 1 ? kind : `${kind}-${count}`);
  });
}
