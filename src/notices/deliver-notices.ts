/**
 * Sends the notices of the outbox that are due: a try is recorded before it, its end after it, so that a notice is sent at least
 * once, with the same id each time. Each channel has a queue of its own, in parallel. Nothing throws, and nothing waits longer than
 * its deadline.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { format } from '../i18n/message.ts';
import { NOTICE_PROBLEM } from '../i18n/messages/console/console-notices-messages.ts';
import type { Instance } from '../instance/instance.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import type { ChannelReport, NewNotice, NoticeRecord } from '../ledger/contract/notice-store.ts';
import { definedOnly } from '../model/defined-only.ts';
import { type Channel, channelsOf } from './channel.ts';
import type { NoticeToSend } from './compose-notices.ts';
import { NoticeProblem, problemText } from './notice-problem.ts';
import { postRequest, receiverOf } from './post-request.ts';
import { sendMail } from './send-mail.ts';
import { secretsOf, signedHeaders } from './sign-webhook.ts';

const MINUTE_MS = 60_000;
/** Milliseconds from each try to the next one; after the last the notice has failed. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS, 720 * MINUTE_MS];
/** Milliseconds: one notice of a channel, and all of them. */
type Deadlines = { readonly channelMs: number; readonly allMs: number };
const DEADLINES: Deadlines = { channelMs: 10_000, allMs: 30_000 };
/** Notices of a channel that are read at a time. */
const PAGE = 200;

/** One try, for the log. `problem` is in the language of the settings and has no secret. */
export type NoticeTry = {
  readonly channel: string;
  readonly notice: string;
  readonly result: 'sent' | 'waiting' | 'failed';
  readonly problem?: string;
};

export type Delivering = {
  readonly instance: Instance;
  readonly ledger: Ledger;
  readonly now: () => Date;
  /** Aborted: no further try begins, and the one under way is cut off; it is made again later. */
  readonly stop?: AbortSignal;
  readonly tried?: (one: NoticeTry) => void;
  /** 10 and 30 seconds unless given. */
  readonly deadlines?: Deadlines;
};

/** Everything that is due, within the deadlines. */
export async function deliverDue(work: Delivering): Promise<void> {
  const { ledger, instance, now, stop, deadlines = DEADLINES } = work;
  if (!ledger.guard.send) return;
  const all = AbortSignal.any([AbortSignal.timeout(deadlines.allMs), ...(stop ? [stop] : [])]);
  try {
    const due = await ledger.notices.channelsDue(now().getTime());
    if (due.length === 0) return;
    const channels = new Map(channelsOf(instance).map((one) => [one.name, one]));
    const installation = await ledger.notices.installation();
    await Promise.all(
      due.map((name) => deliverQueue(work, { name, channel: channels.get(name) }, { all, deadlines, installation })),
    );
  } catch {
    // A ledger or disk that failed ends the work elsewhere; its notices are sent later.
  }
}

/** `all` is aborted when the time of all notices is over. */
type Until = { readonly all: AbortSignal; readonly deadlines?: Deadlines };
type Around = Until & { readonly installation: string };
/** `channel` is absent where the settings do not have it any more. */
type Queue = { readonly name: string; readonly channel: Channel | undefined };

/**
 * One after the other. After a try that its receiver did not accept, the others of the queue wait for the next time; a notice
 * that cannot be sent at all delays none.
 */
async function deliverQueue(work: Delivering, { name, channel }: Queue, around: Around): Promise<void> {
  for (;;) {
    const page = await work.ledger.notices.dueNotices(name, work.now().getTime(), PAGE);
    if (page.length === 0) return;
    for (const notice of page) {
      if (around.all.aborted) return;
      const result = await deliverOne(work, channel, notice, around);
      if (!result) continue;
      work.tried?.(result);
      if (result.result !== 'sent' && canCarry(channel, notice)) return;
    }
  }
}

/** Not where the channel was removed or is of another kind now, or the content was purged. */
function canCarry(channel: Channel | undefined, { content }: NoticeRecord): channel is Channel {
  const toSend = JSON.parse(content ?? '{}') as NoticeToSend | object;
  return ('mail' in toSend && !!channel?.settings.mail) || ('webhook' in toSend && !!channel?.settings.webhook);
}

/** Undefined for a notice that another program has tried, or a person purged, since it was read. */
async function deliverOne(
  { ledger, instance, now }: Delivering,
  channel: Channel | undefined,
  notice: NoticeRecord,
  { installation, ...until }: Around,
): Promise<NoticeTry | undefined> {
  const { id, tries } = notice;
  const name = notice.channel;
  const { language } = instance.settings.rules;
  const end = async (result: NoticeTry['result'], problem?: string): Promise<NoticeTry> => {
    await ledger.notices.endTry(id, definedOnly({ state: result, at: now().toISOString(), problem }));
    return definedOnly({ channel: name, notice: id, result, problem });
  };
  const waitMs = WAITS_MS[tries];
  if (!(await ledger.notices.beginTry(notice, now().getTime() + (waitMs ?? 0)))) return undefined;
  if (!canCarry(channel, notice)) return await end('failed', format(NOTICE_PROBLEM.removed(), language));
  try {
    const outgoing = { ...notice, installation };
    const problem = await sendWithin(instance, channel, outgoing, now(), until);
    return await end('sent', problem);
  } catch (error) {
    const problem = instance.secrets.scrub(problemText(error, language));
    if (error instanceof NoticeProblem && error.gone) {
      await end('failed', problem);
      await ledger.notices.switchOff(name, now().toISOString());
      return { channel: name, notice: id, result: 'failed', problem };
    }
    return await end(waitMs === undefined ? 'failed' : 'waiting', problem);
  }
}

/**
 * Once, now, without an outbox: for a failure that no ledger can keep. Nothing throws.
 */
export async function sendAtOnce(
  instance: Instance,
  reports: readonly ChannelReport[],
  now: Date,
): Promise<readonly NoticeTry[]> {
  const all = AbortSignal.timeout(DEADLINES.allMs);
  const channels = new Map(channelsOf(instance).map((one) => [one.name, one]));
  const tries = reports.flatMap(({ channel, notices }) => notices.map((notice) => ({ channel, notice })));
  return await Promise.all(
    tries.map(async ({ channel: name, notice }): Promise<NoticeTry> => {
      const channel = channels.get(name);
      try {
        if (channel) await sendWithin(instance, channel, { ...notice, installation: '' }, now, { all });
        return { channel: name, notice: notice.id, result: channel ? 'sent' : 'failed' };
      } catch (error) {
        const problem = instance.secrets.scrub(problemText(error, instance.settings.rules.language));
        return { channel: name, notice: notice.id, result: 'failed', problem };
      }
    }),
  );
}

type Outgoing = Pick<NewNotice, 'id' | 'at'> & {
  readonly content?: string;
  readonly installation: string;
};

/** Sends one notice over its channel; resolves to the problem of a mail that some addresses did not get. */
export async function sendWithin(
  instance: Instance,
  channel: Channel,
  notice: Outgoing,
  at: Date,
  { all, deadlines = DEADLINES }: Until,
): Promise<string | undefined> {
  const { channelMs, allMs } = deadlines;
  const ended = new AbortController();
  const tooLate = new NoticeProblem(NOTICE_PROBLEM.deadline({ seconds: String(channelMs / 1000) }));
  const signal = AbortSignal.any([all, ended.signal]);
  const deadline = pause(channelMs, undefined, { signal: AbortSignal.any([all, ended.signal]), ref: true }).then(
    () => ended.abort(tooLate),
    () => undefined,
  );
  const { promise: cut, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(ended.signal.reason === tooLate ? tooLate : cutOff(allMs)), {
    once: true,
  });
  cut.catch(() => undefined);
  try {
    return await Promise.race([sendOne(instance, channel, notice, at, signal), cut]);
  } finally {
    if (!ended.signal.aborted) ended.abort(new NoticeProblem(NOTICE_PROBLEM.other({ code: 'ended' })));
    await deadline;
  }
}

function cutOff(allMs: number): NoticeProblem {
  return new NoticeProblem(NOTICE_PROBLEM.deadline({ seconds: String(allMs / 1000) }));
}

async function sendOne(
  instance: Instance,
  { settings }: Channel,
  { id, at: madeAt, content, installation }: Outgoing,
  at: Date,
  signal: AbortSignal,
): Promise<string | undefined> {
  const toSend = JSON.parse(content ?? '{}') as NoticeToSend;
  if ('mail' in toSend && settings.mail) {
    const mail = definedOnly({ id, at: madeAt, installation, ...toSend.mail, attach: toSend.attach });
    const { refused } = await sendMail(settings.mail, mail, instance, signal);
    const { language } = instance.settings.rules;
    return refused > 0 ? format(NOTICE_PROBLEM.someRefused({ count: refused }), language) : undefined;
  }
  if ('webhook' in toSend && settings.webhook) {
    const secrets = await secretsOf(settings.webhook, instance);
    const receiver = await receiverOf('webhook', settings.webhook, instance);
    const body = toSend.webhook;
    signal.throwIfAborted();
    await postRequest({ ...receiver, body, headers: signedHeaders(id, body, secrets, at) }, signal);
    return undefined;
  }
  // The channel of this name is of another kind now, or the content was purged.
  throw new NoticeProblem(NOTICE_PROBLEM.removed());
}
