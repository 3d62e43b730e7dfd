/**
 * `serve`: opens the console in the browser until a signal. Prints its address and, on this machine alone, a link that
 * signs in once. Its file also has the next one.
 */
import type { Command } from 'commander';
import { openConsole } from '../../../console/open-console.ts';
import { MONITOR } from '../../../i18n/messages/cli-session-messages.ts';
import { SERVE_COMMAND } from '../../../i18n/messages/console/console-server-messages.ts';
import { type Instance, readInstanceForViewing } from '../../../instance/instance.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { followFromConsole } from '../../../notices/console-notices.ts';
import { untilAborted } from '../../../pipeline/context/until-aborted.ts';
import { type CommandModule, readWholeNumber } from '../../session/command-module.ts';
import { openSessionToLook, overridesOf, type Session, stopOnSignals } from '../../session/command-session.ts';
import { type Log, openLog } from '../../session/log-file.ts';
import { openServiceNotify } from '../../session/service-notify.ts';
import { notOffered, probeAddress } from '../../session/watch-monitor.ts';

type Options = { readonly port?: number; readonly host?: string };

export const serveCommand: CommandModule = { run: serveConsole, values: { port: { read: readWholeNumber(0) } } };

async function serveConsole({ port, host }: Options, command: Command): Promise<void> {
  const flags = definedOnly({ 'serve.port': port, 'serve.host': host });
  const session = openSessionToLook(command, flags);
  const read = () => readInstanceForViewing(session.options.dir, { ...overridesOf(session.options), flags });
  await serveUntilSignal(session, read);
}

/** Opens the console of the instance, prints its address, and ends with a signal, whose exit code it sets. */
export async function serveUntilSignal(session: Session, read: () => Instance): Promise<void> {
  const { options, terminal, instance, language, say } = session;
  using stopping = stopOnSignals(terminal, language, SERVE_COMMAND.ending());
  using _ = endWithWatch();
  // Opened with the first act: a console that only looks writes nothing.
  let log: Log | undefined;
  await using console = await openConsole({
    instance,
    read,
    onEvent: (event, run) => {
      log ??= openLog(instance);
      log(event, run);
    },
    report: (error, number) => terminal.talk(`  ${number} ${(error as Error)?.stack ?? String(error)}`),
  });
  const notices = followFromConsole(read, stopping.signal);
  const { address, link, metricsPort, metricsRefused } = console;
  const place = instance.settings.serve.metrics;
  const metrics = place && metricsPort !== undefined ? probeAddress(place.host, metricsPort, 'metrics') : undefined;
  if (place && metricsRefused) terminal.talk(`  ${say(notOffered(place, metricsRefused))}`);
  await using notify = openServiceNotify(process.env);
  notify.ready();
  stopping.signal.addEventListener('abort', notify.stopping, { once: true });
  if (options.json)
    terminal.out(JSON.stringify(definedOnly({ address, link: link?.address, file: link?.file, metrics }), null, 2));
  else {
    terminal.out(`  ${say(SERVE_COMMAND.ready({ address: link?.address ?? address }))}`);
    if (link) terminal.out(`  ${say(SERVE_COMMAND.once({ file: link.file }))}`);
    if (metrics !== undefined) terminal.out(`  ${say(MONITOR.metrics({ address: metrics }))}`);
  }
  await untilAborted(stopping.signal);
  await notices;
  process.exitCode = stopping.exitCode() ?? 0;
}

/** Next to a watch: a console whose watch was killed would keep its port. The listener keeps the process alive. */
function endWithWatch(): Disposable {
  const end = () => process.kill(process.pid, 'SIGTERM');
  if (process.channel) process.once('disconnect', end);
  return { [Symbol.dispose]: () => void process.off('disconnect', end) };
}
