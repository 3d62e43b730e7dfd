/**
 * What a watch offers to those who look after it: /healthz and /readyz, the metrics each minute, the messages to systemd.
 * A port that is in use is reported on standard error, and the watch goes on without it.
 */
import type { Message } from '../../i18n/message.ts';
import { MONITOR } from '../../i18n/messages/cli-session-messages.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import { OperatorError } from '../../model/fault.ts';
import { readReadiness } from '../../views/metrics/readiness.ts';
import type { Session } from './command-session.ts';
import type { MetricsWriter } from './metrics-writer.ts';
import type { ServiceNotify } from './service-notify.ts';

const MINUTE_MS = 60_000;

type Watched = { readonly ledger: Ledger; readonly writer: MetricsWriter | undefined; readonly notify: ServiceNotify };

export function probeAddress(host: string, port: number, path: string): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/${path}`;
}

/** In place of the error of a console, which has other remedies. */
export function notOffered(
  { host, port }: { readonly host: string; readonly port: number },
  { code }: OperatorError,
): Message {
  return MONITOR.notOffered({ host, port: String(port), code });
}

/** The last metrics are written by the caller, once the record of the watch has its end. */
export async function monitorWatch(
  { instance, terminal, say }: Session,
  { ledger, writer, notify }: Watched,
): Promise<AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const timer = setInterval(() => void writer?.write(ledger), MINUTE_MS);
  opening.defer(() => clearInterval(timer));
  void writer?.write(ledger);
  const { health } = instance.settings.watch;
  if (health) {
    const { listenForProbes } = await import('../../console/server/probe-listener.ts');
    const ready = () => readReadiness((see) => see({ instance, ledger }));
    const report = (error: unknown) => terminal.talk(`  ${String(error)}`);
    try {
      const { port } = opening.use(await listenForProbes(health, { ready }, report));
      terminal.talk(`  ${say(MONITOR.health({ address: probeAddress(health.host, port, 'readyz') }))}`);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      terminal.talk(`  ${say(notOffered(health, error))}`);
    }
  }
  notify.ready();
  const open = opening.move();
  return { [Symbol.asyncDispose]: () => open.disposeAsync() };
}
