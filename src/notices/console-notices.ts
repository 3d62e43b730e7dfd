/**
 * The notices of a console that no watch works next to: urgent topics, such as that no run began, and what waits in the outbox.
 * It takes the lock of the instance only when there is something to record, and never while another program has it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance } from '../instance/instance.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import { lookIntoLedgerOf, openLedgerOf } from '../pipeline/open-run.ts';
import { channelsOf } from './channel.ts';
import { composeReports } from './compose-notices.ts';
import { deliverDue } from './deliver-notices.ts';

const LOOK_MS = 60_000;

/** Until `stop`. `read` gives the instance with the settings of now. */
export async function followFromConsole(read: () => Instance, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await sleep(LOOK_MS, undefined, { signal: stop, ref: false }).catch(() => undefined);
    if (stop.aborted) return;
    // Settings that cannot be read, a ledger in use or away: the next look may find them.
    await lookOnce(read, stop).catch(() => undefined);
  }
}

/** One look, and what follows from it. Throws what keeps it from looking. */
async function lookOnce(read: () => Instance, stop: AbortSignal): Promise<void> {
  const instance = read();
  if (channelsOf(instance).length === 0) return;
  const now = () => new Date();
  const reportsOf = (ledger: Ledger) => composeReports({ instance, ledger }, { scope: 'now', now: now() });
  {
    await using look = await lookIntoLedgerOf(instance);
    if (!look.guard.send) return;
    const waiting = await look.dueNotices(now().getTime(), 1);
    if (waiting.length === 0 && (await reportsOf(look)).length === 0) return;
  }
  await using ledger = await openLedgerOf(instance);
  const reports = await reportsOf(ledger);
  if (reports.length > 0) await ledger.addNotices(reports);
  await deliverDue({ instance, ledger, now, stop });
}
