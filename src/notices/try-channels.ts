/**
 * Tries channels at the request of a person: a sample to one or all, or only how far a connection gets. Results come out, one
 * for each channel; nothing throws.
 */
import { type Message, verbatimText } from '../i18n/message.ts';
import { NOTICE_CHECK, NOTICE_PROBLEM } from '../i18n/messages/console/console-notices-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { channelsOf, heartbeatsOf } from './channel.ts';
import { composeSampleFor } from './compose-notices.ts';
import { sendWithin } from './deliver-notices.ts';
import { sendSign } from './heartbeats.ts';
import { NoticeProblem, problemWords } from './notice-problem.ts';
import { connectOnly, type Receiver, receiverOf } from './post-request.ts';
import { trySignIn } from './send-mail.ts';
import { checkSecrets, secretsOf } from './sign-webhook.ts';

/** `problem` is absent where it worked; `says` is what was found. */
export type ChannelTrial = { readonly channel: string; readonly problem?: Message; readonly says?: Message };

const DEADLINE_MS = 10_000;

/** Names of all channels, in the order of mails and webhooks, then heartbeats. */
export function namesOfChannels(instance: Pick<Instance, 'settings'>): readonly string[] {
  return [...channelsOf(instance), ...heartbeatsOf(instance)].map(({ name }) => name);
}

/** Sends a sample over each of these channels, in parallel. A heartbeat gets a plain sign. */
export async function sendSamples(
  instance: Instance,
  names: readonly string[],
  installation: string,
  now: Date,
): Promise<readonly ChannelTrial[]> {
  const all = AbortSignal.timeout(3 * DEADLINE_MS);
  const samples = channelsOf(instance).map((channel) => ({
    channel: channel.name,
    act: async () => {
      const notice = composeSampleFor(channel, instance, installation, now);
      const refused = await sendWithin(instance, channel, { ...notice, installation }, now, { all });
      if (refused !== undefined) return verbatimText(refused);
      return undefined;
    },
  }));
  const signs = heartbeatsOf(instance).map((beat) => ({
    channel: beat.name,
    act: async () => {
      await sendSign(instance, beat, '', '');
      return undefined;
    },
  }));
  return await tryAll([...samples, ...signs].filter(({ channel }) => names.includes(channel)));
}

/** Reads the secrets of each, connects, signs in to mail servers, and sends nothing. */
export async function checkChannels(instance: Instance): Promise<readonly ChannelTrial[]> {
  const mails = channelsOf(instance).map(({ name, settings: { mail, webhook } }) => ({
    channel: name,
    act: async () => {
      if (webhook) {
        checkSecrets(await secretsOf(webhook, instance));
        return await reach(await receiverOf('webhook', webhook, instance));
      }
      if (!mail) return undefined;
      await trySignIn(mail, instance, AbortSignal.timeout(DEADLINE_MS));
      return NOTICE_CHECK.mailOk({ host: mail.smtp.host });
    },
  }));
  const beats = heartbeatsOf(instance).map((beat) => ({
    channel: beat.name,
    act: async () => await reach(await receiverOf('heartbeat', beat, instance)),
  }));
  return await tryAll([...mails, ...beats]);
}

async function reach(receiver: Receiver): Promise<Message> {
  await connectOnly(receiver, AbortSignal.timeout(DEADLINE_MS));
  return NOTICE_CHECK.reached();
}

type Trial = { readonly channel: string; readonly act: () => Promise<Message | undefined> };

async function tryAll(trials: readonly Trial[]): Promise<readonly ChannelTrial[]> {
  return await Promise.all(
    trials.map(async ({ channel, act }): Promise<ChannelTrial> => {
      try {
        const says = await act();
        return { channel, ...(says && { says }) };
      } catch (error) {
        return { channel, problem: trialProblem(error) };
      }
    }),
  );
}

/** A sample that meets HTTP 410 switches no channel off. */
function trialProblem(error: unknown): Message {
  if (error instanceof NoticeProblem && error.gone) return NOTICE_PROBLEM.goneToTest();
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return isLate ? NOTICE_PROBLEM.deadline({ seconds: String(DEADLINE_MS / 1000) }) : problemWords(error);
}
