/**
 * The notices of an instance at one moment: its topics and what each channel has reported come in, reports for the ledger come
 * out. Nothing is sent here. A failure to read is thrown; the caller goes on without notices.
 */
import { format, type Message } from '../i18n/message.ts';
import type { Instance } from '../instance/instance.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import type { ChannelReport, NewNotice, NoticeKind, ReportedTopic } from '../ledger/contract/notice-store.ts';
import { definedOnly } from '../model/defined-only.ts';
import { toFixPath } from '../pipeline/publishing/correction-file-path.ts';
import { sha256Hex } from '../text/sha256.ts';
import type { NightReport } from '../views/reporting/report-shape.ts';
import { nightTopics } from './alarm-topics.ts';
import { type Channel, channelsOf, settingOf } from './channel.ts';
import { type Digest, type DigestMoment, planDigest } from './digest.ts';
import {
  composeMail,
  composeSampleMail,
  headlineOf,
  type NoticeContent,
  type NoticeSetting,
  wordsToKeep,
} from './notice-mail.ts';
import type { NoticeTopic } from './notice-topic.ts';
import { failureTopics, type RunEnding, readTopics } from './waiting-topics.ts';
import type { DigestBody, WebhookBody, WebhookType } from './webhook-body.ts';

/** What the moment is about. `result` and `report` are those of the run that ended. */
export type Occasion = {
  readonly scope: DigestMoment['scope'];
  readonly now: Date;
  readonly ending?: RunEnding;
  readonly result?: Message;
  readonly report?: NightReport;
};

/** The content of a notice in the outbox. Paths of attachments are below the instance. */
export type NoticeToSend =
  | {
      readonly mail: { readonly subject: string; readonly text: string; readonly html: string };
      readonly attach?: readonly string[];
    }
  | { readonly webhook: string; readonly type: string };

type Place = { readonly instance: Instance; readonly ledger: Ledger };

/** One report for each channel that has something to record. */
export async function composeReports(
  { instance, ledger }: Place,
  occasion: Occasion,
  channels: readonly Channel[] = channelsOf(instance),
): Promise<readonly ChannelReport[]> {
  if (channels.length === 0) return [];
  const { now, scope, ending } = occasion;
  const installation = await ledger.notices.installation();
  const files = occasion.report ? await filesOfReport({ instance, ledger }, occasion.report) : undefined;
  const topicsFor = rememberedTopics({ instance, ledger }, occasion);
  const reports: ChannelReport[] = [];
  for (const channel of channels) {
    const { offSince, latestAt } = await ledger.notices.channelState(channel.name);
    if (offSince !== undefined) continue;
    const topics = await topicsFor(channel);
    const setting = settingOf(channel, instance, now);
    const rules = definedOnly({ on: channel.on, zone: setting.zone, quiet: channel.settings.quiet });
    const reported = await ledger.notices.reportedTopics(channel.name);
    const planned = planDigest(definedOnly({ scope, now, latestAt }), rules, topics, reported);
    const { put, drop, notice } = planned;
    if (!notice && drop.length === 0) continue;
    const notices = notice
      ? noticesOf(channel, { ...occasion, ...notice, ...(files && { files }) }, setting, {
          installation,
          run: ending?.run,
        })
      : [];
    // What no body of the channel carries was not reported to it.
    const carried = put.filter(({ topic }) => carries(channel, scope, topic.key));
    reports.push({ channel: channel.name, notices, put: carried.map((one) => reportedOf(one, setting)), drop });
  }
  return reports;
}

/** The end of a run that has no ledger to keep its notices, for channels that want failures. */
export function composeFailure(instance: Instance, ending: RunEnding, now: Date): readonly ChannelReport[] {
  const topics = failureTopics(ending);
  if (topics.length === 0) return [];
  return channelsOf(instance).flatMap((channel) => {
    const setting = settingOf(channel, instance, now);
    const rules = { on: channel.on, zone: setting.zone };
    const { notice } = planDigest({ scope: 'run', now }, rules, topics, []);
    if (!notice) return [];
    const occasion = { scope: 'run', now, ending, ...notice } as const;
    const from = { installation: 'unknown', run: ending.run };
    return [{ channel: channel.name, notices: noticesOf(channel, occasion, setting, from) }];
  });
}

/** A sample for one channel, made by a person. */
export function composeSampleFor(channel: Channel, instance: Instance, installation: string, now: Date): NewNotice {
  const setting = settingOf(channel, instance, now);
  const { name } = channel;
  const at = now.toISOString();
  const body: WebhookBody = { type: 'sample', at, installation, environment: setting.environment, data: {} };
  const toSend: NoticeToSend = channel.settings.mail
    ? { mail: composeSampleMail(name, setting) }
    : { webhook: JSON.stringify(body), type: body.type };
  const id = `sample.${now.getTime().toString(36)}.${name}`;
  return { id, channel: name, kind: 'test', at, dueAt: now.getTime(), content: JSON.stringify(toSend) };
}

/** Channels differ in how long no run may begin: what is read from the ledger is read once. */
function rememberedTopics(place: Place, { scope, now, ending, report }: Occasion) {
  const known = new Map<number | undefined, Promise<readonly NoticeTopic[]>>();
  return (channel: Channel): Promise<readonly NoticeTopic[]> => {
    // At its end, a run is there.
    const absentMs = ending ? undefined : channel.settings['absent-after'];
    const read =
      known.get(absentMs) ?? readTopics(place, now, definedOnly({ urgent: scope === 'now', ending, absentMs }));
    known.set(absentMs, read);
    return report ? read.then((topics) => [...topics, ...nightTopics(report)]) : read;
  };
}

function reportedOf(
  { topic, firstAt, reportedAt }: Digest<NoticeTopic>['put'][number],
  setting: NoticeSetting,
): ReportedTopic {
  const { key, kind, documents } = topic;
  return { topic: key, kind, documents, firstAt, reportedAt, words: wordsToKeep(topic, setting.details, setting) };
}

/** Files of the run that may be attached, as paths below the instance. */
type RunFiles = { readonly page: readonly string[]; readonly toFix: readonly string[] };

async function filesOfReport({ instance, ledger }: Place, report: NightReport): Promise<RunFiles> {
  const [written] = await ledger.reports.list({ run: report.run, limit: 1 });
  const sources = await ledger.queries.filesById(report.files.map(({ id }) => id));
  return {
    page: written ? [`reports/${written.id}.report.html`] : [],
    toFix: sources.flatMap((file) => toFixPath(instance.folder, file) ?? []),
  };
}

type Planned = Occasion & { readonly files?: RunFiles } & Pick<NoticeContent, 'lines' | 'others' | 'over'> & {
    readonly kind: NoticeKind;
    readonly dueAt: number;
  };
type From = { readonly installation: string; readonly run: string | undefined };

function noticesOf(channel: Channel, planned: Planned, setting: NoticeSetting, from: From): readonly NewNotice[] {
  const { now, kind, dueAt, lines, over } = planned;
  // The verdict of the report is about the night: it is not that of a failure, nor of what is settled.
  const isOfNight = kind === 'attention' || kind === 'always';
  const content: NoticeContent = definedOnly({
    ...{ lines, over, others: planned.others, result: planned.result, run: planned.ending?.run },
    verdict: isOfNight && planned.report ? { words: planned.report.verdict.sentence } : undefined,
  });
  const add = (part: string, toSend: NoticeToSend): NewNotice => {
    const topics = JSON.stringify([part, lines.map(({ topic }) => topic.key), over.map(({ topic }) => topic)]);
    const id = `${from.run ?? now.getTime().toString(36)}.${sha256Hex(topics).slice(0, 12)}.${channel.name}`;
    const notice = { id, channel: channel.name, kind, run: from.run, at: now.toISOString(), dueAt };
    return definedOnly({ ...notice, content: JSON.stringify(toSend) });
  };
  const { mail, attach, webhook } = channel.settings;
  if (mail) {
    const { page = [], toFix = [] } = planned.files ?? {};
    const files = [...(attach === 'none' ? [] : page), ...(attach === 'to-fix' ? toFix : [])];
    return [add('mail', { mail: composeMail(content, setting), ...(files.length > 0 && { attach: files }) })];
  }
  const types = webhook?.types ?? [];
  return bodiesOf(content, planned, setting, { ...from, types })
    .filter(({ type }) => types.includes(type as WebhookType))
    .map((body) => add(body.type, { webhook: JSON.stringify(body), type: body.type }));
}

/** Whether a topic is in a notice that this channel gets. */
function carries({ settings: { mail, webhook } }: Channel, scope: Occasion['scope'], key: string): boolean {
  const types = webhook?.types ?? [];
  return mail !== undefined || (scope !== 'now' && types.includes(WHOLE)) || types.includes(typeOf(key));
}

/** The type of the body with everything. */
const WHOLE: WebhookType = 'night.finished';

/** At the end of a run or of a day one body has all, where the channel takes it; else one for each type. */
function bodiesOf(
  content: NoticeContent,
  { scope, ending, report, now }: Planned,
  setting: NoticeSetting,
  { installation, types }: From & { readonly types: readonly WebhookType[] },
): readonly WebhookBody[] {
  const say = (message: Message) => format(message, setting.language);
  const bodyOf = (type: WebhookType, part: NoticeContent): WebhookBody => {
    const waiting = scope === 'now' ? [] : part.others.map((topic) => ({ topic, why: 'waiting' as const }));
    const data: DigestBody = definedOnly({
      verdict: headlineOf(part, say, setting),
      run: ending?.run,
      exit: ending?.exit,
      lines: [...part.lines, ...waiting].map(({ topic, why }) => ({
        topic: topic.key,
        kind: topic.kind,
        why,
        code: topic.code,
        documents: topic.documents,
        says: say(topic.words(setting.details, setting)),
        more: topic.more(setting.details, setting).map(say),
      })),
      over: part.over.map(({ topic, words, firstAt }) => ({ topic, says: words, since: firstAt })),
      report: setting.details === 'full' ? report : undefined,
    });
    return { type, at: now.toISOString(), installation, environment: setting.environment, data };
  };
  if (scope !== 'now' && types.includes(WHOLE)) return [bodyOf(WHOLE, content)];
  const lines = Map.groupBy(content.lines, ({ topic }) => typeOf(topic.key));
  const over = Map.groupBy(content.over, ({ topic }) => typeOf(topic));
  return [...new Set([...lines.keys(), ...over.keys()])].map((type) =>
    bodyOf(type, { ...content, lines: lines.get(type) ?? [], over: over.get(type) ?? [], others: [] }),
  );
}

function typeOf(key: string): WebhookType {
  if (key.startsWith('paused:')) return 'service.paused';
  return key.startsWith('export:') ? 'export.missing' : 'attention.needed';
}
