/**
 * `notify --test`: sends a sample over each channel of `notify`, or over one. Output: a line for each; exit code 2 if one could
 * not be sent. A receiver that was switched off gets notices again once a sample has reached it.
 */
import type { Command } from 'commander';
import { format } from '../../../i18n/message.ts';
import { NOTIFY_COMMAND } from '../../../i18n/messages/console/console-notices-messages.ts';
import { OperatorError } from '../../../model/fault.ts';
import { namesOfChannels, sendSamples } from '../../../notices/try-channels.ts';
import { lookIntoLedgerOf, openLedgerOf } from '../../../runs/open-run.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { openSessionToLook, type Session } from '../../session/command-session.ts';
import { exitCodeIf } from '../../session/exit-codes.ts';

export const notifyCommand: CommandModule = { run: notify };

async function notify(
  channel: string | undefined,
  { test: isTest = false }: { readonly test?: boolean },
  command: Command,
): Promise<void> {
  const session = openSessionToLook(command);
  const { instance, options, terminal, say, language } = session;
  const names = namesOfChannels(instance);
  if (!isTest) {
    throw new OperatorError('notify/nothing-to-do', NOTIFY_COMMAND.needsTest(), {
      hint: NOTIFY_COMMAND.needsTestHint(),
    });
  }
  if (channel !== undefined && !names.includes(channel)) {
    const known = names.length === 0 ? NOTIFY_COMMAND.none() : NOTIFY_COMMAND.known({ names });
    throw new OperatorError('notify/unknown-channel', NOTIFY_COMMAND.unknown({ name: channel }), { hint: known });
  }
  const meant = channel === undefined ? names : [channel];
  const installation = await installationOf(session);
  const trials = await sendSamples(instance, meant, installation, new Date());
  await switchOn(
    session,
    trials.filter(({ problem }) => !problem).map((one) => one.channel),
  );
  process.exitCode = exitCodeIf(
    trials.some(({ problem }) => problem),
    2,
  );
  const scrubbed = trials.map(({ channel: name, problem, says }) => ({
    channel: name,
    sent: problem === undefined,
    problem:
      problem || says ? instance.secrets.scrub(format(problem ?? says ?? NOTIFY_COMMAND.none(), language)) : null,
  }));
  if (options.json) return terminal.out(JSON.stringify(scrubbed, null, 2));
  if (trials.length === 0) return terminal.out(`  ${say(NOTIFY_COMMAND.none())}`);
  for (const { channel: name, sent, problem } of scrubbed) {
    const line = sent
      ? NOTIFY_COMMAND.sent({ channel: name })
      : NOTIFY_COMMAND.notSent({ channel: name, problem: problem ?? '' });
    terminal.out(`  ${say(line)}${sent && problem ? `; ${problem}` : ''}`);
  }
}

/** Empty without a ledger: samples are for the day on which an instance is set up. */
async function installationOf({ instance }: Session): Promise<string> {
  try {
    await using ledger = await lookIntoLedgerOf(instance);
    return await ledger.notices.installation();
  } catch {
    return '';
  }
}

/** Takes the lock only where a channel is switched off. */
async function switchOn({ instance }: Session, channels: readonly string[]): Promise<void> {
  try {
    const off: string[] = [];
    {
      await using ledger = await lookIntoLedgerOf(instance);
      for (const channel of channels) {
        if ((await ledger.notices.channelState(channel)).offSince !== undefined) off.push(channel);
      }
    }
    if (off.length === 0) return;
    await using ledger = await openLedgerOf(instance);
    for (const channel of off) await ledger.notices.switchOff(channel, undefined);
  } catch {
    // A run is at work, or there is no ledger: the sample was sent all the same, and the next one switches it on.
  }
}
